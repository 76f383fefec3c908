package io.autodrome.maven;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What all goals share. */
abstract class AutodromeMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    @Parameter(defaultValue = "${settings.localRepository}", readonly = true, required = true)
    private File localRepository;

    /** Where the JVMs of the tests write what they find, and where reports go. */
    @Parameter(property = "autodrome.directory", defaultValue = "${project.build.directory}/autodrome")
    File directory;

    /** Do nothing. */
    @Parameter(property = "autodrome.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("Autodrome is skipped");
            return;
        }
        try {
            act(Release.unpack(localRepository.toPath()));
        } catch (IOException | UncheckedIOException e) {
            throw new MojoExecutionException("Autodrome: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("Autodrome was interrupted", e);
        }
    }

    abstract void act(Release release)
            throws IOException, InterruptedException, MojoExecutionException, MojoFailureException;

    /** What the JVMs of this module's tests have written. */
    List<Path> found() throws IOException {
        List<Path> files = new ArrayList<>();
        if (directory.isDirectory()) {
            try (Stream<Path> all = Files.list(directory.toPath())) {
                all.filter(file -> file.getFileName().toString().matches("races-.*\\.jsonl")).sorted().forEach(files::add);
            }
        }
        return files;
    }

    /** Runs the command in the module's folder, where it finds the sources; gives its exit code. */
    int run(Release release, List<String> options, List<Path> files) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(release.command().toString(), "report"));
        words.addAll(options);
        files.forEach(file -> words.add(file.toString()));
        ProcessBuilder builder = new ProcessBuilder(words).directory(project.getBasedir()).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        process.getOutputStream().close();
        try (var lines = process.inputReader()) {
            lines.lines().forEach(getLog()::info);
        }
        return process.waitFor();
    }
}
