package io.autodrome.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Lets Surefire and Failsafe start the JVMs of tests with the agent: adds to the property <code>argLine</code>. */
@Mojo(name = "prepare-agent", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class PrepareAgentMojo extends AutodromeMojo {
    /** The property that Surefire reads. */
    @Parameter(property = "autodrome.propertyName", defaultValue = "argLine")
    private String propertyName;

    /** Packages and classes in which races are looked for, such as com.acme; all but the JDK's and test tools' if there is none. */
    @Parameter(property = "autodrome.includes")
    private List<String> includes;

    /** Packages and classes in which races are not looked for. */
    @Parameter(property = "autodrome.excludes")
    private List<String> excludes;

    @Override
    void act(Release release) throws IOException, MojoExecutionException {
        Files.createDirectories(directory.toPath());
        // Of an earlier build: what it found is not what this one finds.
        for (Path old : found()) {
            Files.delete(old);
        }
        StringBuilder agent = new StringBuilder("-agentpath:").append(release.library()).append("=text=none,out=");
        agent.append(directory.getAbsolutePath().replace("%", "%%")).append("/races-%p.jsonl");
        for (String include : includes == null ? List.<String>of() : includes) {
            agent.append(",include=").append(include);
        }
        for (String exclude : excludes == null ? List.<String>of() : excludes) {
            agent.append(",exclude=").append(exclude);
        }
        if (agent.indexOf("\"") >= 0 || directory.getAbsolutePath().contains(",")) {
            throw new MojoExecutionException("Autodrome cannot write to a folder with \" or , in its name: " + directory);
        }
        boolean isOneWord = agent.chars().noneMatch(letter -> Character.isWhitespace(letter) || letter == '\'');
        String option = isOneWord ? agent.toString() : "\"" + agent + "\"";
        String before = project.getProperties().getProperty(propertyName, "");
        project.getProperties().setProperty(propertyName, before.isBlank() ? option : option + " " + before);
        getLog().info(propertyName + " set to " + project.getProperties().getProperty(propertyName));
    }
}
