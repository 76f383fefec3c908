package io.autodrome.maven;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The command and the agent that the plugin carries, as files: unpacked once, beside the plugin in the local repository. */
final class Release {
    private static final String[] FILES = {"bin/autodrome", "lib/libautodrome.so"};

    private final Path folder;

    private Release(Path folder) {
        this.folder = folder;
    }

    Path command() {
        return folder.resolve("bin/autodrome");
    }

    Path library() {
        return folder.resolve("lib/libautodrome.so");
    }

    /** Modules that are built at the same time may all unpack: each file gets its place in one step, and the same bytes. */
    static Release unpack(Path localRepository) throws IOException {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.equals("Linux amd64")) {
            throw new IOException("Autodrome needs Linux on x86-64, and this is " + system);
        }
        Path folder = localRepository.resolve("io/autodrome/release-" + digest());
        for (String file : FILES) {
            Path place = folder.resolve(file);
            if (Files.exists(place)) {
                continue;
            }
            Files.createDirectories(place.getParent());
            Path fresh = Files.createTempFile(place.getParent(), "unpacking", "");
            try (InputStream from = open(file)) {
                Files.copy(from, fresh, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(fresh, place, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        }
        return new Release(folder);
    }

    private static InputStream open(String file) throws IOException {
        InputStream stream = Release.class.getResourceAsStream("release/" + file);
        if (stream == null) {
            throw new IOException("this plugin was built without a release of Autodrome: " + file + " is missing");
        }
        return stream;
    }

    private static String digest() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] part = new byte[1 << 16];
            for (String file : FILES) {
                try (InputStream from = open(file)) {
                    for (int count = from.read(part); count >= 0; count = from.read(part)) {
                        digest.update(part, 0, count);
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IOException(e);
        }
    }
}
