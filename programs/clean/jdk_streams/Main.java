import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.CharArrayReader;
import java.io.CharArrayWriter;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.LineNumberReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.StringBufferInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;

/**
 * Streams, readers and writers of java.io synchronize: what the program's own streams do inside their monitors is
 * ordered, and so is what one thread did before a write or a close that another thread finds.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings("deprecation")
public class Main {
    private static final int TIMES = 20;
    private static int scenarios;

    interface Step {
        void run() throws Exception;
    }

    interface Question {
        boolean holds() throws Exception;
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

    /** Two threads do the same. */
    static void both(Step step) throws InterruptedException {
        Step often = () -> {
            for (int i = 0; i < TIMES; i++) {
                step.run();
            }
        };
        pair(often, often);
    }

    static void until(Question question) throws Exception {
        while (!question.holds()) {
            Thread.sleep(1);
        }
    }

    static boolean closed(Step step) throws Exception {
        try {
            step.run();
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    // The program's own streams inside the monitors of the JDK's.

    abstract static class Text extends Writer {
        abstract void add(int length);

        @Override
        public void write(char[] from, int offset, int length) {
            add(length);
        }

        @Override
        public void flush() {
            add(1);
        }

        @Override
        public void close() {}
    }

    abstract static class Letters extends Reader {
        abstract char next();

        @Override
        public int read(char[] to, int offset, int length) {
            to[offset] = next();
            return 1;
        }

        @Override
        public void close() {}
    }

    abstract static class Bytes extends InputStream {
        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            to[offset] = (byte) read();
            return 1;
        }
    }

    static class InPrintStream extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void printStream() throws Exception {
        InPrintStream own = new InPrintStream();
        PrintStream print = new PrintStream(own);
        both(() -> print.write('x'));
        check(own.count == 2 * TIMES);
    }

    static class InPrintln extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void println() throws Exception {
        InPrintln own = new InPrintln();
        PrintStream print = new PrintStream(own, true);
        both(() -> print.println("line"));
        check(own.count == 2 * TIMES * ("line" + System.lineSeparator()).length());
    }

    static class InFormat extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void format() throws Exception {
        InFormat own = new InFormat();
        PrintStream print = new PrintStream(own, true);
        both(() -> print.printf("%d", 7));
        check(own.count == 2 * TIMES);
    }

    static class InSystemOut extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void systemOut() throws Exception {
        InSystemOut own = new InSystemOut();
        PrintStream before = System.out;
        System.setOut(new PrintStream(own, true));
        both(() -> System.out.println("line"));
        System.setOut(before);
        check(own.count > 0);
    }

    static class InSystemErr extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void stackTrace() throws Exception {
        InSystemErr own = new InSystemErr();
        PrintStream before = System.err;
        Throwable thrown = new Throwable("expected");
        System.setErr(new PrintStream(own, true));
        both(thrown::printStackTrace);
        System.setErr(before);
        check(own.count > 0);
    }

    static class InBufferedOutput extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void bufferedOutput() throws Exception {
        InBufferedOutput own = new InBufferedOutput();
        BufferedOutputStream out = new BufferedOutputStream(own, 1);
        both(() -> out.write(1));
        out.flush();
        check(own.count == 2 * TIMES);
    }

    static class InBufferedFlush extends OutputStream {
        int count;

        @Override
        public void write(int octet) {}

        @Override
        public void flush() {
            count++;
        }
    }

    static void bufferedFlush() throws Exception {
        InBufferedFlush own = new InBufferedFlush();
        BufferedOutputStream out = new BufferedOutputStream(own);
        both(out::flush);
        check(own.count == 2 * TIMES);
    }

    static class InDataOutput extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void dataOutput() throws Exception {
        InDataOutput own = new InDataOutput();
        DataOutputStream out = new DataOutputStream(own);
        both(() -> out.write(1));
        check(own.count == 2 * TIMES);
    }

    static class InEncoder extends OutputStream {
        int count;

        @Override
        public void write(int octet) {
            count++;
        }
    }

    static void encoder() throws Exception {
        InEncoder own = new InEncoder();
        OutputStreamWriter writer = new OutputStreamWriter(own);
        both(() -> {
            writer.write('x');
            writer.flush();
        });
        check(own.count == 2 * TIMES);
    }

    static class InBufferedWriter extends Text {
        int count;

        @Override
        void add(int length) {
            count += length;
        }
    }

    static void bufferedWriter() throws Exception {
        InBufferedWriter own = new InBufferedWriter();
        BufferedWriter writer = new BufferedWriter(own, 1);
        both(() -> writer.write("two"));
        check(own.count > 0);
    }

    static class InPrintWriter extends Text {
        int count;

        @Override
        void add(int length) {
            count += length;
        }
    }

    static void printWriter() throws Exception {
        InPrintWriter own = new InPrintWriter();
        PrintWriter writer = new PrintWriter(own, true);
        both(() -> writer.println("line"));
        check(own.count > 0);
    }

    static class InBufferedInput extends Bytes {
        int count;

        @Override
        public int read() {
            return count++;
        }
    }

    static void bufferedInput() throws Exception {
        InBufferedInput own = new InBufferedInput();
        BufferedInputStream in = new BufferedInputStream(own, 1);
        both(in::read);
        check(own.count == 2 * TIMES);
    }

    static class InDecoder extends Bytes {
        int count;

        @Override
        public int read() {
            count++;
            return 'x';
        }
    }

    static void decoder() throws Exception {
        InDecoder own = new InDecoder();
        InputStreamReader reader = new InputStreamReader(own);
        both(reader::read);
        check(own.count > 0);
    }

    static class InBufferedReader extends Letters {
        int count;

        @Override
        char next() {
            return (char) ('a' + count++ % 2);
        }
    }

    static void bufferedReader() throws Exception {
        InBufferedReader own = new InBufferedReader();
        BufferedReader reader = new BufferedReader(own, 1);
        both(reader::read);
        check(own.count == 2 * TIMES);
    }

    static class InLineNumberReader extends Letters {
        int count;

        @Override
        char next() {
            return count++ % 2 == 0 ? 'a' : '\n';
        }
    }

    static void lineNumberReader() throws Exception {
        InLineNumberReader own = new InLineNumberReader();
        LineNumberReader reader = new LineNumberReader(own, 1);
        both(reader::readLine);
        check(own.count == 4 * TIMES);
    }

    static class InPushbackReader extends Letters {
        int count;

        @Override
        char next() {
            return (char) ('a' + count++ % 2);
        }
    }

    static void pushbackReader() throws Exception {
        InPushbackReader own = new InPushbackReader();
        PushbackReader reader = new PushbackReader(own);
        both(() -> reader.read(new char[1], 0, 1));
        check(own.count == 2 * TIMES);
    }

    // What was done before something was written is seen by who finds it.

    static class InStringBuffer {
        int value;
    }

    static void stringBuffer() throws Exception {
        InStringBuffer note = new InStringBuffer();
        StringBuffer text = new StringBuffer();
        pair(() -> {
            note.value = 7;
            text.append('x');
        }, () -> {
            until(() -> text.length() > 0);
            check(note.value == 7);
        });
    }

    static class InStringWriter {
        int value;
    }

    static void stringWriter() throws Exception {
        InStringWriter note = new InStringWriter();
        StringWriter writer = new StringWriter();
        pair(() -> {
            note.value = 7;
            writer.write("x");
        }, () -> {
            until(() -> writer.toString().length() > 0);
            check(note.value == 7);
        });
    }

    static class InCharArrayWriter {
        int value;
    }

    static void charArrayWriter() throws Exception {
        InCharArrayWriter note = new InCharArrayWriter();
        CharArrayWriter writer = new CharArrayWriter();
        pair(() -> {
            note.value = 7;
            writer.write('x');
        }, () -> {
            until(() -> writer.toCharArray().length > 0);
            check(note.value == 7);
        });
    }

    static class InByteArrayOutput {
        int value;
    }

    static void byteArrayOutput() throws Exception {
        InByteArrayOutput note = new InByteArrayOutput();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        pair(() -> {
            note.value = 7;
            out.write(1);
        }, () -> {
            until(() -> out.size() > 0);
            check(note.value == 7);
        });
    }

    static class InByteArrayInput {
        int value;
    }

    static void byteArrayInput() throws Exception {
        InByteArrayInput note = new InByteArrayInput();
        ByteArrayInputStream in = new ByteArrayInputStream(new byte[1]);
        pair(() -> {
            note.value = 7;
            in.read();
        }, () -> {
            until(() -> in.available() == 0);
            check(note.value == 7);
        });
    }

    static class InStringBufferInput {
        int value;
    }

    static void stringBufferInput() throws Exception {
        InStringBufferInput note = new InStringBufferInput();
        StringBufferInputStream in = new StringBufferInputStream("x");
        pair(() -> {
            note.value = 7;
            in.read();
        }, () -> {
            until(() -> in.available() == 0);
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::printStream);
        twice(Main::println);
        twice(Main::format);
        twice(Main::systemOut);
        twice(Main::stackTrace);
        twice(Main::bufferedOutput);
        twice(Main::bufferedFlush);
        twice(Main::dataOutput);
        twice(Main::encoder);
        twice(Main::bufferedWriter);
        twice(Main::printWriter);
        twice(Main::bufferedInput);
        twice(Main::decoder);
        twice(Main::bufferedReader);
        twice(Main::lineNumberReader);
        twice(Main::pushbackReader);
        twice(Main::stringBuffer);
        twice(Main::stringWriter);
        twice(Main::charArrayWriter);
        twice(Main::byteArrayOutput);
        twice(Main::byteArrayInput);
        twice(Main::stringBufferInput);
        System.out.println(scenarios + " hand-overs");
    }
}
