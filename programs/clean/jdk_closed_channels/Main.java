import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.Channels;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;

/**
 * What a thread did before it closed a channel, socket, selector or watch service is seen by whoever finds it closed.
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

    static final class OfSocketChannel {
        int value;
    }

    static void socketChannel() throws Exception {
        OfSocketChannel note = new OfSocketChannel();
        SocketChannel channel = SocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfServerSocketChannel {
        int value;
    }

    static void serverSocketChannel() throws Exception {
        OfServerSocketChannel note = new OfServerSocketChannel();
        ServerSocketChannel channel = ServerSocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfDatagramChannel {
        int value;
    }

    static void datagramChannel() throws Exception {
        OfDatagramChannel note = new OfDatagramChannel();
        DatagramChannel channel = DatagramChannel.open();
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfFileChannel {
        int value;
    }

    static void fileChannel() throws Exception {
        OfFileChannel note = new OfFileChannel();
        FileChannel channel = FileChannel.open(FILE, StandardOpenOption.WRITE);
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfFileStream {
        int value;
    }

    static void fileStream() throws Exception {
        OfFileStream note = new OfFileStream();
        FileInputStream in = new FileInputStream(FILE.toFile());
        FileChannel channel = in.getChannel();
        pair(() -> {
            note.value = 7;
            in.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfStreamChannel {
        int value;
    }

    static void streamChannel() throws Exception {
        OfStreamChannel note = new OfStreamChannel();
        ReadableByteChannel channel = Channels.newChannel(InputStream.nullInputStream());
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfSource {
        int value;
    }

    static void source() throws Exception {
        OfSource note = new OfSource();
        Pipe pipe = Pipe.open();
        pair(() -> {
            note.value = 7;
            pipe.source().close();
        }, () -> {
            until(() -> !pipe.source().isOpen());
            check(note.value == 7);
        });
        pipe.sink().close();
    }

    static final class OfSink {
        int value;
    }

    static void sink() throws Exception {
        OfSink note = new OfSink();
        Pipe pipe = Pipe.open();
        pair(() -> {
            note.value = 7;
            pipe.sink().close();
        }, () -> {
            until(() -> !pipe.sink().isOpen());
            check(note.value == 7);
        });
        pipe.source().close();
    }

    static final class OfAsynchronousSocket {
        int value;
    }

    static void asynchronousSocket() throws Exception {
        OfAsynchronousSocket note = new OfAsynchronousSocket();
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfAsynchronousServer {
        int value;
    }

    static void asynchronousServer() throws Exception {
        OfAsynchronousServer note = new OfAsynchronousServer();
        AsynchronousServerSocketChannel channel = AsynchronousServerSocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfAsynchronousFile {
        int value;
    }

    static void asynchronousFile() throws Exception {
        OfAsynchronousFile note = new OfAsynchronousFile();
        AsynchronousFileChannel channel = AsynchronousFileChannel.open(FILE);
        pair(() -> {
            note.value = 7;
            channel.close();
        }, () -> {
            until(() -> !channel.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfSelector {
        int value;
    }

    static void selector() throws Exception {
        OfSelector note = new OfSelector();
        Selector selector = Selector.open();
        pair(() -> {
            note.value = 7;
            selector.close();
        }, () -> {
            until(() -> !selector.isOpen());
            check(note.value == 7);
        });
    }

    static final class OfSocket {
        int value;
    }

    static void socket() throws Exception {
        OfSocket note = new OfSocket();
        Socket socket = new Socket();
        pair(() -> {
            note.value = 7;
            socket.close();
        }, () -> {
            until(() -> socket.isClosed());
            check(note.value == 7);
        });
    }

    static final class OfServerSocket {
        int value;
    }

    static void serverSocket() throws Exception {
        OfServerSocket note = new OfServerSocket();
        ServerSocket socket = new ServerSocket();
        pair(() -> {
            note.value = 7;
            socket.close();
        }, () -> {
            until(() -> socket.isClosed());
            check(note.value == 7);
        });
    }

    static final class OfDatagramSocket {
        int value;
    }

    static void datagramSocket() throws Exception {
        OfDatagramSocket note = new OfDatagramSocket();
        DatagramSocket socket = new DatagramSocket(null);
        pair(() -> {
            note.value = 7;
            socket.close();
        }, () -> {
            until(() -> socket.isClosed());
            check(note.value == 7);
        });
    }

    static final class OfWatchService {
        int value;
    }

    static void watchService() throws Exception {
        OfWatchService note = new OfWatchService();
        WatchService service = FILE.getFileSystem().newWatchService();
        pair(() -> {
            note.value = 7;
            service.close();
        }, () -> {
            until(() -> fails(ClosedWatchServiceException.class, service::poll));
            check(note.value == 7);
        });
    }

    static final class OfChannelGroup {
        int value;
    }

    static void channelGroup() throws Exception {
        OfChannelGroup note = new OfChannelGroup();
        AsynchronousChannelGroup group = AsynchronousChannelGroup.withFixedThreadPool(1, Thread::new);
        pair(() -> {
            note.value = 7;
            group.shutdown();
        }, () -> {
            until(() -> group.isShutdown());
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::socketChannel);
        twice(Main::serverSocketChannel);
        twice(Main::datagramChannel);
        twice(Main::fileChannel);
        twice(Main::fileStream);
        twice(Main::streamChannel);
        twice(Main::source);
        twice(Main::sink);
        twice(Main::asynchronousSocket);
        twice(Main::asynchronousServer);
        twice(Main::asynchronousFile);
        twice(Main::selector);
        twice(Main::socket);
        twice(Main::serverSocket);
        twice(Main::datagramSocket);
        twice(Main::watchService);
        twice(Main::channelGroup);
        System.out.println(scenarios + " hand-overs");
    }
}
