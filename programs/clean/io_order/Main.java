import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;

/** Data that is handed over through sockets, pipes and files, and by nothing else. */
public class Main {
    static final InetAddress HERE = InetAddress.getLoopbackAddress();

    interface Step {
        void run() throws Exception;
    }

    /** What one thread writes and the other reads. */
    static final class Hand {
        int data;
    }

    static int sum;
    static volatile Throwable failure;

    static Thread start(Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.run();
            } catch (Throwable thrown) {
                failure = thrown;
            }
        });
        thread.start();
        return thread;
    }

    /** The other thread hands over, this one takes. */
    static void pass(Step other, Step here) throws Exception {
        Thread thread = start(other);
        here.run();
        thread.join();
    }

    static SocketAddress any() {
        return new InetSocketAddress(HERE, 0);
    }

    static ByteBuffer one() {
        return ByteBuffer.allocate(1);
    }

    static void sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, HERE)) {
            Hand start = new Hand();
            Hand there = new Hand();
            Hand back = new Hand();
            Hand end = new Hand();
            pass(() -> {
                start.data = 1;
                try (Socket socket = new Socket(HERE, server.getLocalPort())) {
                    there.data = 1;
                    socket.getOutputStream().write(1);
                    socket.getInputStream().read();
                    sum += back.data;
                    end.data = 1;
                }
            }, () -> {
                try (Socket socket = server.accept()) {
                    int seen = start.data;
                    socket.getInputStream().read();
                    seen += there.data;
                    back.data = 1;
                    socket.getOutputStream().write(1);
                    if (socket.getInputStream().read() == -1) {
                        seen += end.data;
                    }
                    sum += seen;
                }
            });
        }
    }

    static void shutDown() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, HERE)) {
            Hand hand = new Hand();
            Hand back = new Hand();
            pass(() -> {
                try (Socket socket = new Socket(HERE, server.getLocalPort())) {
                    hand.data = 1;
                    socket.shutdownOutput();
                    while (socket.getInputStream().read() != -1) {}
                    sum += back.data;
                }
            }, () -> {
                try (Socket socket = server.accept()) {
                    while (socket.getInputStream().read() != -1) {}
                    sum += hand.data;
                    back.data = 1;
                    socket.getOutputStream().write(new byte[100]);
                }
            });
        }
    }

    static void channels(StandardProtocolFamily family, SocketAddress at) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(family)) {
            server.bind(at);
            SocketAddress address = server.getLocalAddress();
            Hand start = new Hand();
            Hand there = new Hand();
            Hand back = new Hand();
            Hand end = new Hand();
            pass(() -> {
                start.data = 1;
                try (SocketChannel channel = SocketChannel.open(address)) {
                    there.data = 1;
                    channel.write(new ByteBuffer[] {one(), one()});
                    channel.read(one());
                    sum += back.data;
                    end.data = 1;
                    channel.shutdownOutput();
                    channel.read(one());
                }
            }, () -> {
                try (SocketChannel channel = server.accept()) {
                    int seen = start.data;
                    channel.read(new ByteBuffer[] {one(), one()});
                    seen += there.data;
                    back.data = 1;
                    channel.write(one());
                    while (channel.read(one()) != -1) {}
                    sum += seen + end.data;
                }
            });
        }
    }

    static void selectors() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(); Selector selector = Selector.open()) {
            server.bind(any());
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            Hand start = new Hand();
            Hand there = new Hand();
            Hand back = new Hand();
            pass(() -> {
                start.data = 1;
                try (SocketChannel channel = SocketChannel.open(); Selector own = Selector.open()) {
                    channel.configureBlocking(false);
                    if (!channel.connect(server.getLocalAddress())) {
                        channel.register(own, SelectionKey.OP_CONNECT);
                        own.select();
                        channel.finishConnect();
                    }
                    there.data = 1;
                    channel.write(one());
                    channel.register(own, SelectionKey.OP_READ);
                    int count = 0;
                    while (count == 0) {
                        own.select();
                        count = channel.read(one());
                    }
                    sum += back.data;
                }
            }, () -> {
                selector.select();
                try (SocketChannel channel = server.accept()) {
                    int seen = start.data;
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ);
                    int count = 0;
                    while (count == 0) {
                        selector.select();
                        selector.selectedKeys().clear();
                        count = channel.read(one());
                    }
                    sum += seen + there.data;
                    back.data = 1;
                    channel.write(one());
                }
            });
        }
    }

    static void wakeUp() throws Exception {
        try (Selector selector = Selector.open(); Pipe.SourceChannel source = Pipe.open().source()) {
            Hand woken = new Hand();
            pass(() -> {
                woken.data = 1;
                selector.wakeup();
            }, () -> {
                selector.select();
                sum += woken.data;
            });
            source.configureBlocking(false);
            SelectionKey key = source.register(selector, SelectionKey.OP_READ);
            pass(() -> {
                Hand hand = new Hand();
                hand.data = 1;
                key.attach(hand);
            }, () -> {
                Hand hand = null;
                while (hand == null) {
                    hand = (Hand) key.attachment();
                }
                sum += hand.data;
            });
        }
    }

    static void asynchronous() throws Exception {
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open()) {
            server.bind(any());
            Hand start = new Hand();
            Hand there = new Hand();
            Hand back = new Hand();
            pass(() -> {
                start.data = 1;
                try (AsynchronousSocketChannel channel = AsynchronousSocketChannel.open()) {
                    channel.connect(server.getLocalAddress()).get();
                    there.data = 1;
                    channel.write(one()).get();
                    channel.read(one()).get();
                    sum += back.data;
                    channel.write(one()).get();
                }
            }, () -> {
                try (AsynchronousSocketChannel channel = server.accept().get()) {
                    int seen = start.data;
                    channel.read(one()).get();
                    sum += seen + there.data;
                    back.data = 1;
                    channel.write(one()).get();
                    CountDownLatch done = new CountDownLatch(1);
                    Hand attached = new Hand();
                    attached.data = 1;
                    channel.read(one(), attached, new CompletionHandler<Integer, Hand>() {
                        @Override
                        public void completed(Integer count, Hand hand) {
                            hand.data++;
                            done.countDown();
                        }

                        @Override
                        public void failed(Throwable thrown, Hand hand) {
                            failure = thrown;
                            done.countDown();
                        }
                    });
                    done.await();
                    sum += attached.data;
                }
            });
        }
    }

    static void datagrams() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, HERE); DatagramSocket sender = new DatagramSocket(0, HERE)) {
            Hand hand = new Hand();
            pass(() -> {
                hand.data = 1;
                sender.send(new DatagramPacket(new byte[1], 1, HERE, receiver.getLocalPort()));
            }, () -> {
                receiver.receive(new DatagramPacket(new byte[1], 1));
                sum += hand.data;
            });
        }
        try (DatagramChannel one = DatagramChannel.open(); DatagramChannel other = DatagramChannel.open()) {
            one.bind(any());
            other.bind(any());
            one.connect(other.getLocalAddress());
            other.connect(one.getLocalAddress());
            Hand hand = new Hand();
            pass(() -> {
                hand.data = 1;
                one.write(one());
            }, () -> {
                other.read(one());
                sum += hand.data;
            });
        }
    }

    static void pipes() throws Exception {
        Pipe pipe = Pipe.open();
        Hand hand = new Hand();
        Hand end = new Hand();
        pass(() -> {
            hand.data = 1;
            pipe.sink().write(one());
            end.data = 1;
            pipe.sink().close();
        }, () -> {
            pipe.source().read(one());
            sum += hand.data;
            while (pipe.source().read(one()) != -1) {}
            sum += end.data;
        });
        pipe.source().close();
    }

    /** Whoever connects has seen that the other began to listen. */
    static void listens(Path path) throws Exception {
        Hand hand = new Hand();
        CountDownLatch connected = new CountDownLatch(1);
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
        pass(() -> {
            hand.data = 1;
            try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(address);
                connected.await();
            }
        }, () -> {
            for (boolean isRefused = true; isRefused;) {
                try (SocketChannel channel = SocketChannel.open(address)) {
                    sum += hand.data;
                    isRefused = false;
                } catch (java.io.IOException notYet) {
                    Thread.sleep(1);
                }
            }
            connected.countDown();
        });
    }

    static void files(Path folder) throws Exception {
        Path path = Files.createFile(folder.resolve("stream"));
        Hand hand = new Hand();
        pass(() -> {
            try (OutputStream out = new FileOutputStream(path.toFile())) {
                hand.data = 1;
                out.write(1);
            }
        }, () -> {
            try (InputStream in = new FileInputStream(path.toFile())) {
                while (in.read() == -1) {
                    Thread.sleep(1);
                }
                sum += hand.data;
            }
        });
        Path other = Files.createFile(folder.resolve("random"));
        Hand random = new Hand();
        pass(() -> {
            try (RandomAccessFile file = new RandomAccessFile(other.toFile(), "rw")) {
                random.data = 1;
                file.writeInt(1);
            }
        }, () -> {
            try (FileChannel channel = FileChannel.open(other, StandardOpenOption.READ)) {
                while (channel.read(one(), 3) <= 0) {
                    Thread.sleep(1);
                }
                sum += random.data;
            }
        });
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(any());
            Hand sent = new Hand();
            pass(() -> {
                try (SocketChannel channel = SocketChannel.open(server.getLocalAddress());
                        FileChannel file = FileChannel.open(other, StandardOpenOption.READ)) {
                    sent.data = 1;
                    file.transferTo(0, 4, channel);
                    channel.read(one());
                }
            }, () -> {
                try (SocketChannel channel = server.accept()) {
                    channel.read(ByteBuffer.allocate(4));
                    sum += sent.data;
                }
            });
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("io");
        sockets();
        shutDown();
        channels(StandardProtocolFamily.INET, any());
        channels(StandardProtocolFamily.UNIX, UnixDomainSocketAddress.of(folder.resolve("socket")));
        selectors();
        wakeUp();
        asynchronous();
        datagrams();
        pipes();
        listens(folder.resolve("late"));
        files(folder);
        try (var left = Files.list(folder)) {
            for (Path path : left.toList()) {
                Files.delete(path);
            }
        }
        Files.delete(folder);
        if (failure != null) {
            throw new AssertionError(failure);
        }
        System.out.println(sum);
    }
}
