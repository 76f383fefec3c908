package io.autodrome.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Fails the build for data races. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckMojo extends AutodromeMojo {
    private static final int CLEAN = 0;
    private static final int RACES = 66;

    /** Which races fail the build: new, main, any or none. */
    @Parameter(property = "autodrome.failOn", defaultValue = "new")
    private String failOn;

    /** A report whose races are known; else autodrome.baseline.json in this folder or above it, up to the repository's root. */
    @Parameter(property = "autodrome.baseline")
    private File baseline;

    @Override
    void act(Release release) throws IOException, InterruptedException, MojoFailureException {
        List<Path> files = found();
        if (files.isEmpty()) {
            if (haveTestsRun()) {
                throw new MojoFailureException("Autodrome: tests have run, but none of their JVMs was watched. Does the argLine in the "
                        + "configuration of Surefire or Failsafe lack @{argLine}, or is forkCount 0?");
            }
            getLog().info("Autodrome: no tests have run in this module");
            return;
        }
        List<String> options = new ArrayList<>(List.of("--fail-on", failOn));
        if (baseline != null) {
            options.addAll(List.of("--baseline", baseline.getPath()));
        }
        int code = run(release, options, files);
        if (code == RACES) {
            throw new MojoFailureException("Autodrome has found data races: see above, or the goal report");
        }
        if (code != CLEAN) {
            throw new MojoFailureException("Autodrome could not decide: exit code " + code);
        }
    }

    private boolean haveTestsRun() {
        String target = project.getBuild().getDirectory();
        for (String name : new String[] {"surefire-reports", "failsafe-reports"}) {
            String[] reports = new File(target, name).list((folder, file) -> file.startsWith("TEST-"));
            if (reports != null && reports.length > 0) {
                return true;
            }
        }
        return false;
    }
}
