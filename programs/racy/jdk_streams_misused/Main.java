import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.CharArrayWriter;
import java.io.FilterReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicBoolean;

/** The monitors of streams order only what is done inside them, or before: not what is done with another stream, or after. */
public class Main {
    static boolean isClosed(Reader reader) {
        try {
            reader.ready();
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    interface Step {
        void run() throws Exception;
    }

    interface Question {
        boolean holds() throws Exception;
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

    static void until(Question question) throws Exception {
        while (!question.holds()) {
            Thread.sleep(1);
        }
    }

    static final class TwoPrints extends OutputStream {
        private int count;

        @Override
        public void write(int octet) {
            count++; // race: reads writes count
        }
    }

    /** Each thread prints through a stream of its own: each takes another lock. */
    static void twoPrintStreams() throws Exception {
        TwoPrints own = new TwoPrints();
        PrintStream one = new PrintStream(own);
        PrintStream two = new PrintStream(own);
        pair(() -> one.write('x'), () -> two.write('x'));
    }

    static final class TwoReaders extends Reader {
        private int count;

        @Override
        public int read(char[] to, int offset, int length) {
            count++; // race: reads writes count
            to[offset] = 'x';
            return 1;
        }

        @Override
        public void close() {}
    }

    /** Two buffered readers over one reader, each with another lock. */
    static void twoReaders() throws Exception {
        TwoReaders own = new TwoReaders();
        BufferedReader one = new BufferedReader(new Wrapped(own), 1);
        BufferedReader two = new BufferedReader(new Wrapped(own), 1);
        pair(one::read, two::read);
    }

    /** A buffered reader locks what it reads from: one of these. */
    static final class Wrapped extends FilterReader {
        Wrapped(Reader of) {
            super(of);
        }
    }

    static final class Beside extends Writer {
        private int count;

        int count() {
            return count; // race: reads count
        }

        @Override
        public void write(char[] from, int offset, int length) {
            count += length; // race: reads writes count
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** One thread writes under the lock of the PrintWriter, the other one asks without it. */
    static void besideTheWriter() throws Exception {
        Beside own = new Beside();
        PrintWriter writer = new PrintWriter(own);
        pair(() -> writer.write("text"), own::count);
    }

    static final class AfterByte {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterByte() throws Exception {
        AfterByte note = new AfterByte();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        pair(() -> {
            out.write(1);
            note.give();
        }, () -> {
            until(() -> out.size() > 0);
            note.take();
        });
    }

    static final class AfterChar {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterChar() throws Exception {
        AfterChar note = new AfterChar();
        CharArrayWriter out = new CharArrayWriter();
        pair(() -> {
            out.write('x');
            note.give();
        }, () -> {
            until(() -> out.toString().length() > 0);
            note.take();
        });
    }

    static final class AfterClose {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterClose() throws Exception {
        AfterClose note = new AfterClose();
        StringReader reader = new StringReader("x");
        pair(() -> {
            reader.close();
            note.give();
        }, () -> {
            until(() -> isClosed(reader));
            note.take();
        });
    }

    static final class OtherBytes {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** What is awaited is another stream. */
    static void otherBytes() throws Exception {
        OtherBytes note = new OtherBytes();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.write(1);
        pair(() -> {
            note.give();
            out.write(1);
        }, () -> {
            until(() -> two.size() > 0);
            note.take();
        });
    }

    static final class Early {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** The stream is asked once, before anything is in it. */
    static void early() throws Exception {
        Early note = new Early();
        AtomicBoolean looked = new AtomicBoolean();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        pair(() -> {
            while (!looked.getOpaque()) {
                Thread.onSpinWait();
            }
            note.give();
            out.write(1);
        }, () -> {
            out.size();
            note.take();
            looked.setOpaque(true);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twoPrintStreams();
        twoReaders();
        besideTheWriter();
        afterByte();
        afterChar();
        afterClose();
        otherBytes();
        early();
        System.out.println("8 misuses");
    }
}
