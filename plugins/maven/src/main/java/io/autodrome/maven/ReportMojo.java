package io.autodrome.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Writes what the tests have shown as races.html, races.sarif and races.json; fails for nothing that it finds. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.POST_INTEGRATION_TEST, threadSafe = true)
public final class ReportMojo extends AutodromeMojo {
    @Override
    void act(Release release) throws IOException, InterruptedException, MojoExecutionException {
        List<Path> files = found();
        if (files.isEmpty()) {
            getLog().info("Autodrome: nothing was watched in this module");
            return;
        }
        for (String format : List.of("html", "sarif", "json")) {
            String file = directory.toPath().resolve("races." + format).toString();
            int code = run(release, List.of("--fail-on", "none", "--format", format, "--out", file), files);
            if (code != 0) {
                throw new MojoExecutionException("Autodrome could not write " + file + ": exit code " + code);
            }
            getLog().info("Autodrome: " + file);
        }
    }
}
