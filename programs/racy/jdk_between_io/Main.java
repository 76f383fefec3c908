import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.CharArrayWriter;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.InputStream;
import java.io.LineNumberReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Two threads that read and write files and streams of their own are not ordered by it. Each API was used before
 * by main.
 */
public class Main {
    /** Two threads use an API, each for itself, between a write and a read of a field. */
    abstract static class Between {
        abstract void write();

        abstract int read();

        /** Uses the API with objects of the thread's own. */
        abstract Object use(int who) throws Throwable;

        final void first() {
            write();
            attempt(1);
        }

        final void second() {
            attempt(2);
            read();
        }

        final void attempt(int who) {
            try {
                Objects.requireNonNull(use(who));
            } catch (Throwable failure) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }
    }

    static Path folder;

    /** A file that only one thread uses. */
    static Path file(int who) {
        return folder.resolve("folder" + who).resolve("file");
    }

    /** A new file of one scenario of one thread. */
    static Path file(Object scenario, int who) {
        return folder.resolve(scenario.getClass().getSimpleName() + who);
    }

    static Path zip(int who) {
        return folder.resolve("file" + who + ".jar");
    }

    static Manifest manifest() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        return manifest;
    }

    static class ReadBytes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.readAllBytes(file(who)).length; }
    }

    static class ReadLines extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.readAllLines(file(who)); }
    }

    static class ReadString extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.readString(file(who)); }
    }

    static class LineStream extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (Stream<String> lines = Files.lines(file(who))) {
                return lines.toList();
            }
        }
    }

    static class WriteString extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.writeString(file(this, who), "text" + who); }
    }

    static class CopyMoveDelete extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Path copy = Files.copy(file(who), file(this, who));
            Path moved = Files.move(copy, copy.resolveSibling("moved" + who));
            Files.delete(moved);
            return this;
        }
    }

    static class TempFile extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.deleteIfExists(Files.createTempFile(folder, "temp", ".tmp")); }
    }

    static class OldTempFile extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return File.createTempFile("temp", ".tmp", folder.toFile()).delete(); }
    }

    static class Walk extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (Stream<Path> all = Files.walk(folder.resolve("folder" + who))) {
                return all.count();
            }
        }
    }

    static class ListFiles extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return List.of(folder.resolve("folder" + who).toFile().list()).size() + Files.list(folder.resolve("folder" + who)).count();
        }
    }

    static class AttributesOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Files.readAttributes(file(who), "*").size() + Files.getLastModifiedTime(file(who)).toMillis();
        }
    }

    static class Owner extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.getOwner(file(who)).getName() + Files.getPosixFilePermissions(file(who)); }
    }

    static class Paths extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Path.of("a", "b" + who).toAbsolutePath().normalize().toUri().toString() + file(who).toRealPath();
        }
    }

    static class Store extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Files.getFileStore(file(who)).type() + FileSystems.getDefault().getSeparator(); }
    }

    static class Matcher extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return FileSystems.getDefault().getPathMatcher("glob:*.{java,class}").matches(Path.of("a" + who));
        }
    }

    static class BufferedFile extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (BufferedWriter writer = Files.newBufferedWriter(file(this, who))) {
                writer.write("text" + who);
            }
            try (BufferedReader reader = Files.newBufferedReader(file(this, who))) {
                return reader.readLine();
            }
        }
    }

    static class FileStreams extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (OutputStream out = new FileOutputStream(file(this, who).toFile())) {
                out.write(who);
            }
            try (InputStream in = new FileInputStream(file(this, who).toFile())) {
                return in.read();
            }
        }
    }

    static class FileReaders extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (FileWriter writer = new FileWriter(file(this, who).toFile())) {
                writer.write("text" + who);
            }
            try (LineNumberReader reader = new LineNumberReader(new FileReader(file(this, who).toFile()))) {
                return reader.readLine();
            }
        }
    }

    static class RandomAccess extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (RandomAccessFile file = new RandomAccessFile(file(this, who).toFile(), "rw")) {
                file.writeInt(who);
                file.seek(0);
                return file.readInt();
            }
        }
    }

    static class OwnChannel extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (FileChannel channel = FileChannel.open(file(this, who), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {1, (byte) who}));
                channel.force(false);
                return channel.position();
            }
        }
    }

    static class DirectWrite extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (FileChannel channel = FileChannel.open(file(this, who), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                return channel.write(ByteBuffer.allocateDirect(100));
            }
        }
    }

    static class Mapped extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (FileChannel channel = FileChannel.open(file(who))) {
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, 4).get(0);
            }
        }
    }

    static class OwnLock extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (FileChannel channel = FileChannel.open(file(this, who), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                return lock.isValid();
            }
        }
    }

    static class ChannelStreams extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Channels.newReader(Channels.newChannel(new ByteArrayInputStream(new byte[] {'a', (byte) who})), "UTF-8").read();
        }
    }

    static class Direct extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ByteBuffer.allocateDirect(1000).putInt(0, who).getInt(0); }
    }

    static class Watch extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (WatchService watch = FileSystems.getDefault().newWatchService()) {
                return String.valueOf(watch.poll());
            }
        }
    }

    static class ZipFileOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (ZipFile zip = new ZipFile(zip(who).toFile())) {
                return zip.getInputStream(zip.getEntry("entry")).read();
            }
        }
    }

    static class JarFileOwn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (JarFile jar = new JarFile(zip(who).toFile())) {
                return jar.getManifest().getMainAttributes().size();
            }
        }
    }

    static class ZipStreams extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
                zip.putNextEntry(new ZipEntry("entry" + who));
                zip.write(who);
            }
            return new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray())).getNextEntry().getName();
        }
    }

    static class Gzip extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
                zip.write(who);
            }
            return new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray())).read();
        }
    }

    static class ZipFolder extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (FileSystem zip = FileSystems.newFileSystem(zip(who), Map.of())) {
                return Files.readAllBytes(zip.getPath("entry")).length;
            }
        }
    }

    static class Serialized extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(new HashMap<>(Map.of("a", List.of(who, 2.5))));
            }
            return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        }
    }

    static class OwnPrint extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, "UTF-8");
            out.println("text" + who);
            out.close();
            return out.checkError();
        }
    }

    static class OwnWriters extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            StringWriter text = new StringWriter();
            PrintWriter writer = new PrintWriter(text);
            writer.printf("%d", who);
            writer.flush();
            new CharArrayWriter().write("text");
            return text.toString();
        }
    }

    static class OwnReaders extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new BufferedReader(new StringReader("a\nb" + who)).lines().count(); }
    }

    static class OwnData extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DataOutputStream out = new DataOutputStream(new ByteArrayOutputStream());
            out.writeUTF("text" + who);
            return out.size();
        }
    }

    static class OwnSequence extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new SequenceInputStream(new ByteArrayInputStream(new byte[] {1}), InputStream.nullInputStream()).readAllBytes();
        }
    }

    static class OwnPipe extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            PipedOutputStream out = new PipedOutputStream();
            PipedInputStream in = new PipedInputStream(out);
            out.write(who + 1);
            return in.read();
        }
    }

    public static void main(String[] arguments) throws Exception {
        folder = Files.createTempDirectory("between");
        for (int who = 0; who < 3; who++) {
            Files.createDirectory(folder.resolve("folder" + who));
            Files.write(file(who), new byte[] {'a', '\n', 'b', '\n'});
            try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(zip(who)), manifest())) {
                jar.putNextEntry(new ZipEntry("entry"));
                jar.write(who);
            }
        }
        Between[] all = {
            new ReadBytes(), new ReadLines(), new ReadString(), new LineStream(), new WriteString(),
            new CopyMoveDelete(), new TempFile(), new OldTempFile(), new Walk(), new ListFiles(),
            new AttributesOf(), new Owner(), new Paths(), new Store(), new Matcher(), new BufferedFile(),
            new FileStreams(), new FileReaders(), new RandomAccess(), new OwnChannel(), new DirectWrite(),
            new Mapped(), new OwnLock(), new ChannelStreams(), new Direct(), new Watch(), new ZipFileOwn(),
            new JarFileOwn(), new ZipStreams(), new Gzip(), new ZipFolder(), new Serialized(), new OwnPrint(),
            new OwnWriters(), new OwnReaders(), new OwnData(), new OwnSequence(), new OwnPipe(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
            // What a first use makes exists from here on.
            each.attempt(0);
            firsts.add(new Thread(each::first));
            seconds.add(new Thread(each::second));
        }
        firsts.forEach(Thread::start);
        // Long enough for the first ones to be through. No synchronization: main learns nothing from them.
        Thread.sleep(1500);
        seconds.forEach(Thread::start);
        for (Thread thread : firsts) {
            thread.join();
        }
        for (Thread thread : seconds) {
            thread.join();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
        System.out.println("done");
    }
}
