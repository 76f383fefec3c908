import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.PushbackReader;
import java.io.StringReader;
import java.io.Writer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * What a thread did before it closed a stream, reader, writer or zip file is seen by whoever finds it closed.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings("deprecation")
public class Main {
    private static int scenarios;

    interface Step {
        void run() throws Exception;
    }

    interface Question<T> {
        T answer() throws Exception;
    }

    static void check(boolean right) {
        if (!right) {
            throw new AssertionError();
        }
    }

    static Thread thread(Step step) {
        return new Thread(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                unexpected.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
    }

    static void pair(Step giver, Step taker) throws InterruptedException {
        Thread two = thread(taker);
        Thread one = thread(giver);
        two.start();
        one.start();
        one.join();
        two.join();
    }

    static void until(Question<Boolean> question) throws Exception {
        while (!question.answer()) {
            Thread.sleep(1);
        }
    }

    static boolean fails(Class<? extends Exception> how, Step step) throws Exception {
        try {
            step.run();
            return false;
        } catch (Exception thrown) {
            if (how.isInstance(thrown)) {
                return true;
            }
            throw thrown;
        }
    }

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    private static final Path FILE = file();

    static Path file() {
        try {
            Path file = Files.createTempFile("hand", "over");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static Path zipOf(String name) throws IOException {
        Path zip = Path.of(FILE + name + ".zip");
        zip.toFile().deleteOnExit();
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry(name));
        }
        return zip;
    }

    static final class OfReader {
        int value;
    }

    static void bufferedReader() throws Exception {
        OfReader note = new OfReader();
        BufferedReader reader = new BufferedReader(new StringReader("x"));
        pair(() -> {
            note.value = 7;
            reader.close();
        }, () -> {
            until(() -> fails(IOException.class, reader::ready));
            check(note.value == 7);
        });
    }

    static final class OfStringReader {
        int value;
    }

    static void stringReader() throws Exception {
        OfStringReader note = new OfStringReader();
        StringReader reader = new StringReader("x");
        pair(() -> {
            note.value = 7;
            reader.close();
        }, () -> {
            until(() -> fails(IOException.class, reader::ready));
            check(note.value == 7);
        });
    }

    static final class OfCharArrayReader {
        int value;
    }

    static void charArrayReader() throws Exception {
        OfCharArrayReader note = new OfCharArrayReader();
        CharArrayReader reader = new CharArrayReader(new char[1]);
        pair(() -> {
            note.value = 7;
            reader.close();
        }, () -> {
            until(() -> fails(IOException.class, reader::ready));
            check(note.value == 7);
        });
    }

    static final class OfPushbackReader {
        int value;
    }

    static void pushbackReader() throws Exception {
        OfPushbackReader note = new OfPushbackReader();
        PushbackReader reader = new PushbackReader(new StringReader("x"));
        pair(() -> {
            note.value = 7;
            reader.close();
        }, () -> {
            until(() -> fails(IOException.class, reader::ready));
            check(note.value == 7);
        });
    }

    static final class OfDecoder {
        int value;
    }

    static void decoder() throws Exception {
        OfDecoder note = new OfDecoder();
        InputStreamReader reader = new InputStreamReader(InputStream.nullInputStream());
        pair(() -> {
            note.value = 7;
            reader.close();
        }, () -> {
            until(() -> reader.getEncoding() == null);
            check(note.value == 7);
        });
    }

    static final class OfEncoder {
        int value;
    }

    static void encoder() throws Exception {
        OfEncoder note = new OfEncoder();
        OutputStreamWriter writer = new OutputStreamWriter(OutputStream.nullOutputStream());
        pair(() -> {
            note.value = 7;
            writer.close();
        }, () -> {
            until(() -> writer.getEncoding() == null);
            check(note.value == 7);
        });
    }

    static final class OfBufferedInput {
        int value;
    }

    static void bufferedInput() throws Exception {
        OfBufferedInput note = new OfBufferedInput();
        BufferedInputStream in = new BufferedInputStream(InputStream.nullInputStream());
        pair(() -> {
            note.value = 7;
            in.close();
        }, () -> {
            until(() -> fails(IOException.class, in::available));
            check(note.value == 7);
        });
    }

    static final class OfBufferedWriter {
        int value;
    }

    static void bufferedWriter() throws Exception {
        OfBufferedWriter note = new OfBufferedWriter();
        BufferedWriter writer = new BufferedWriter(Writer.nullWriter());
        pair(() -> {
            note.value = 7;
            writer.close();
        }, () -> {
            until(() -> fails(IOException.class, writer::flush));
            check(note.value == 7);
        });
    }

    static final class OfPrintWriter {
        int value;
    }

    static void printWriter() throws Exception {
        OfPrintWriter note = new OfPrintWriter();
        PrintWriter writer = new PrintWriter(Writer.nullWriter());
        pair(() -> {
            note.value = 7;
            writer.close();
        }, () -> {
            until(() -> {
                writer.write('x');
                return writer.checkError();
            });
            check(note.value == 7);
        });
    }

    static final class OfPrintStream {
        int value;
    }

    static void printStream() throws Exception {
        OfPrintStream note = new OfPrintStream();
        PrintStream print = new PrintStream(OutputStream.nullOutputStream());
        pair(() -> {
            note.value = 7;
            print.close();
        }, () -> {
            until(() -> {
                print.write('x');
                return print.checkError();
            });
            check(note.value == 7);
        });
    }

    static final class OfZipFile {
        int value;
    }

    static void zipFile() throws Exception {
        OfZipFile note = new OfZipFile();
        ZipFile zip = new ZipFile(zipOf("file").toFile());
        pair(() -> {
            note.value = 7;
            zip.close();
        }, () -> {
            until(() -> fails(IllegalStateException.class, zip::size));
            check(note.value == 7);
        });
    }

    static final class OfZipFileSystem {
        int value;
    }

    static void zipFileSystem() throws Exception {
        OfZipFileSystem note = new OfZipFileSystem();
        FileSystem system = FileSystems.newFileSystem(zipOf("system"));
        pair(() -> {
            note.value = 7;
            system.close();
        }, () -> {
            until(() -> !system.isOpen());
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::bufferedReader);
        twice(Main::stringReader);
        twice(Main::charArrayReader);
        twice(Main::pushbackReader);
        twice(Main::decoder);
        twice(Main::encoder);
        twice(Main::bufferedInput);
        twice(Main::bufferedWriter);
        twice(Main::printWriter);
        twice(Main::printStream);
        twice(Main::zipFile);
        twice(Main::zipFileSystem);
        System.out.println(scenarios + " hand-overs");
    }
}
