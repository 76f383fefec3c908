import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookieStore;
import java.net.DatagramPacket;
import java.net.HttpCookie;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The state of channels, sockets, packets, file locks and watch keys hands over what was done before it was changed; and
 * so do handlers that a thread of the JDK runs.
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

    /** Asks until the answer is of the type. */
    static <T> T await(Class<T> type, Question<?> question) throws Exception {
        for (;;) {
            Object answer = question.answer();
            if (type.isInstance(answer)) {
                return type.cast(answer);
            }
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

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Path FOLDER = folder();
    private static final Path FILE = FOLDER.resolve("file");

    static Path folder() {
        try {
            Path folder = Files.createTempDirectory("handover");
            folder.toFile().deleteOnExit();
            Files.createFile(folder.resolve("file")).toFile().deleteOnExit();
            return folder;
        } catch (IOException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static final class Positioned {
        int value;
    }

    static void position() throws Exception {
        Positioned note = new Positioned();
        FileChannel channel = FileChannel.open(FILE, StandardOpenOption.WRITE);
        pair(() -> {
            note.value = 7;
            channel.position(5);
        }, () -> {
            until(() -> channel.position() == 5);
            check(note.value == 7);
        });
        channel.close();
    }

    static final class Released {
        int value;
    }

    static void releasedLock() throws Exception {
        Released note = new Released();
        FileChannel channel = FileChannel.open(FILE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock();
        pair(() -> {
            note.value = 7;
            lock.release();
        }, () -> {
            until(() -> !lock.isValid());
            check(note.value == 7);
        });
        channel.close();
    }

    static final class Locked {
        int value;
    }

    /** Locks of a file exclude each other within a JVM too, though by an exception. */
    static void fileLock() throws Exception {
        Locked note = new Locked();
        try (FileChannel one = FileChannel.open(FILE, StandardOpenOption.WRITE);
                FileChannel two = FileChannel.open(FILE, StandardOpenOption.WRITE)) {
            FileLock lock = one.lock();
            pair(() -> {
                note.value = 7;
                lock.release();
            }, () -> {
                until(() -> !fails(OverlappingFileLockException.class, two::tryLock));
                check(note.value == 7);
            });
        }
    }

    static final class Blocking {
        int value;
    }

    static void blocking() throws Exception {
        Blocking note = new Blocking();
        SocketChannel channel = SocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.configureBlocking(false);
        }, () -> {
            until(() -> !channel.isBlocking());
            check(note.value == 7);
        });
        channel.close();
    }

    static final class Bound {
        int value;
    }

    static void bound() throws Exception {
        Bound note = new Bound();
        SocketChannel channel = SocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.bind(LOOPBACK);
        }, () -> {
            until(() -> channel.getLocalAddress() != null);
            check(note.value == 7);
        });
        channel.close();
    }

    static final class BoundServer {
        int value;
    }

    static void boundServer() throws Exception {
        BoundServer note = new BoundServer();
        ServerSocketChannel channel = ServerSocketChannel.open();
        pair(() -> {
            note.value = 7;
            channel.bind(LOOPBACK);
        }, () -> {
            until(() -> channel.getLocalAddress() != null);
            check(note.value == 7);
        });
        channel.close();
    }

    static final class Connected {
        int value;
    }

    static void connected() throws Exception {
        Connected note = new Connected();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(LOOPBACK);
                SocketChannel channel = SocketChannel.open()) {
            pair(() -> {
                note.value = 7;
                channel.connect(server.getLocalAddress());
            }, () -> {
                until(channel::isConnected);
                check(note.value == 7);
            });
        }
    }

    static final class ShutDown {
        int value;
    }

    static void shutDown() throws Exception {
        ShutDown note = new ShutDown();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(LOOPBACK);
                SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
            pair(() -> {
                note.value = 7;
                channel.shutdownInput();
            }, () -> {
                until(() -> channel.socket().isInputShutdown());
                check(note.value == 7);
            });
        }
    }

    static final class TimedOut {
        int value;
    }

    static void timeout() throws Exception {
        TimedOut note = new TimedOut();
        ServerSocket socket = new ServerSocket();
        pair(() -> {
            note.value = 7;
            socket.setSoTimeout(7);
        }, () -> {
            until(() -> socket.getSoTimeout() == 7);
            check(note.value == 7);
        });
        socket.close();
    }

    static final class PortOfPacket {
        int value;
    }

    static void packetPort() throws Exception {
        PortOfPacket note = new PortOfPacket();
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        pair(() -> {
            note.value = 7;
            packet.setPort(7);
        }, () -> {
            until(() -> packet.getPort() == 7);
            check(note.value == 7);
        });
    }

    static final class LengthOfPacket {
        int value;
    }

    static void packetLength() throws Exception {
        LengthOfPacket note = new LengthOfPacket();
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        pair(() -> {
            note.value = 7;
            packet.setLength(0);
        }, () -> {
            until(() -> packet.getLength() == 0);
            check(note.value == 7);
        });
    }

    static final class DataOfPacket {
        int value;
    }

    static void packetData() throws Exception {
        DataOfPacket note = new DataOfPacket();
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        pair(() -> {
            note.value = 7;
            packet.setData(new byte[2]);
        }, () -> {
            until(() -> packet.getData().length == 2);
            check(note.value == 7);
        });
    }

    static final class AddressOfPacket {
        int value;
    }

    static void packetAddress() throws Exception {
        AddressOfPacket note = new AddressOfPacket();
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        pair(() -> {
            note.value = 7;
            packet.setSocketAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7));
        }, () -> {
            until(() -> packet.getAddress() != null);
            check(note.value == 7);
        });
    }

    static final class Cookies {
        int value;
    }

    static void cookies() throws Exception {
        Cookies note = new Cookies();
        CookieStore cookies = new CookieManager().getCookieStore();
        pair(() -> {
            note.value = 7;
            cookies.add(null, new HttpCookie("name", "value"));
        }, () -> {
            until(() -> !cookies.getCookies().isEmpty());
            check(note.value == 7);
        });
    }

    static final class Cancelled {
        int value;
    }

    static void cancelledWatch() throws Exception {
        Cancelled note = new Cancelled();
        try (WatchService service = FILE.getFileSystem().newWatchService()) {
            WatchKey key = FOLDER.register(service, StandardWatchEventKinds.ENTRY_DELETE);
            pair(() -> {
                note.value = 7;
                key.cancel();
            }, () -> {
                until(() -> !key.isValid());
                check(note.value == 7);
            });
        }
    }

    static final class Reset {
        int value;
    }

    /** A key with events that nobody asked for is queued again. */
    static void resetWatch() throws Exception {
        Reset note = new Reset();
        try (WatchService service = FILE.getFileSystem().newWatchService()) {
            WatchKey key = FOLDER.register(service, StandardWatchEventKinds.ENTRY_CREATE);
            Files.delete(Files.createTempFile(FOLDER, "watched", null));
            check(service.take() == key);
            pair(() -> {
                note.value = 7;
                key.reset();
            }, () -> {
                check(service.take() == key);
                check(note.value == 7);
            });
        }
    }

    // A thread of the JDK runs the program's handler.

    static final class Written {
        int value;
        int seen;
    }

    static void completionOfWrite() throws Exception {
        try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(FILE, StandardOpenOption.WRITE)) {
            Written note = new Written();
            CountDownLatch done = new CountDownLatch(1);
            Thread giver = thread(() -> {
                note.value = 7;
                channel.write(ByteBuffer.allocate(1), 0, note, new Completion<Integer, Written>(written -> {
                    written.seen = written.value;
                    done.countDown();
                }));
            });
            giver.start();
            done.await();
            check(note.seen == 7);
            giver.join();
        }
    }

    static final class Accepted {
        int value;
        int seen;
    }

    static void completionOfAccept() throws Exception {
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(LOOPBACK)) {
            Accepted note = new Accepted();
            CountDownLatch done = new CountDownLatch(1);
            Thread giver = thread(() -> {
                note.value = 7;
                server.accept(note, new Completion<AsynchronousSocketChannel, Accepted>(accepted -> {
                    accepted.seen = accepted.value;
                    done.countDown();
                }));
            });
            giver.start();
            try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
                done.await();
            }
            check(note.seen == 7);
            giver.join();
        }
    }

    static final class Read {
        int value;
        int seen;
    }

    static void completionOfRead() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(LOOPBACK);
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            client.connect(server.getLocalAddress()).get();
            Read note = new Read();
            CountDownLatch done = new CountDownLatch(1);
            Thread giver = thread(() -> {
                note.value = 7;
                client.read(ByteBuffer.allocate(1), note, new Completion<Integer, Read>(read -> {
                    read.seen = read.value;
                    done.countDown();
                }));
            });
            giver.start();
            try (SocketChannel accepted = server.accept()) {
                accepted.write(ByteBuffer.allocate(1));
                done.await();
            }
            check(note.seen == 7);
            giver.join();
        }
    }

    static final class Served implements HttpHandler {
        int value;
        int seen;

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            seen = value;
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        }
    }

    /** The server's thread finds the handler in the list of contexts. */
    static void httpContext() throws Exception {
        HttpServer server = HttpServer.create(LOOPBACK, 0);
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        pair(() -> {
            Served handler = new Served();
            handler.value = 7;
            server.createContext("/", handler);
        }, () -> until(() -> {
            HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
            return connection.getResponseCode() == 204;
        }));
        server.stop(0);
    }

    /** Passes what completed on; nothing may fail. */
    static final class Completion<R, N> implements CompletionHandler<R, N> {
        private final Consumer<N> then;

        Completion(Consumer<N> then) {
            this.then = then;
        }

        @Override
        public void completed(R result, N note) {
            then.accept(note);
        }

        @Override
        public void failed(Throwable unexpected, N note) {
            unexpected.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::position);
        twice(Main::releasedLock);
        twice(Main::fileLock);
        twice(Main::blocking);
        twice(Main::bound);
        twice(Main::boundServer);
        twice(Main::connected);
        twice(Main::shutDown);
        twice(Main::timeout);
        twice(Main::packetPort);
        twice(Main::packetLength);
        twice(Main::packetData);
        twice(Main::packetAddress);
        twice(Main::cookies);
        twice(Main::cancelledWatch);
        twice(Main::resetWatch);
        twice(Main::completionOfWrite);
        twice(Main::completionOfAccept);
        twice(Main::completionOfRead);
        twice(Main::httpContext);
        System.out.println(scenarios + " hand-overs");
    }
}
