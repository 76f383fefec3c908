import java.io.FileOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** I/O orders what is written before with what is read behind it, at the two ends of one connection, in one direction. */
public class Main {
    static final InetAddress HERE = InetAddress.getLoopbackAddress();

    static int afterSend;
    static int otherConnection;
    static int otherDirection;
    static int otherPort;
    static int otherPipe;
    static int otherFile;
    static int bothWrite;
    static int notAccepted;

    interface Step {
        void run() throws Exception;
    }

    static Thread start(Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.run();
            } catch (Exception unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        thread.start();
        return thread;
    }

    static void both(Step one, Step other) throws Exception {
        Thread first = start(one);
        Thread second = start(other);
        first.join();
        second.join();
    }

    static ByteBuffer one() {
        return ByteBuffer.allocate(1);
    }

    static void writeAfterSend(Socket socket) throws Exception {
        socket.getOutputStream().write(1);
        afterSend = 1; // race: writes afterSend
    }

    static void readAfterSend(Socket socket) throws Exception {
        socket.getInputStream().read();
        int seen = afterSend; // race: reads afterSend
    }

    static void writeOtherConnection(Socket socket) throws Exception {
        otherConnection = 1; // race: writes otherConnection
        socket.getOutputStream().write(1);
    }

    static void readOtherConnection(Socket socket) throws Exception {
        socket.getInputStream().read();
        int seen = otherConnection; // race: reads otherConnection
    }

    static void writeOtherDirection(SocketChannel channel) throws Exception {
        otherDirection = 1; // race: writes otherDirection
        channel.read(one());
    }

    static void readOtherDirection(SocketChannel channel) throws Exception {
        channel.write(one());
        int seen = otherDirection; // race: reads otherDirection
    }

    static void writeOtherPort(DatagramSocket from, DatagramSocket to) throws Exception {
        otherPort = 1; // race: writes otherPort
        from.send(new DatagramPacket(new byte[1], 1, HERE, to.getLocalPort()));
    }

    static void readOtherPort(DatagramSocket socket) throws Exception {
        socket.receive(new DatagramPacket(new byte[1], 1));
        int seen = otherPort; // race: reads otherPort
    }

    static void writeOtherPipe(Pipe pipe) throws Exception {
        otherPipe = 1; // race: writes otherPipe
        pipe.sink().write(one());
    }

    static void readOtherPipe(Pipe pipe) throws Exception {
        pipe.source().read(one());
        int seen = otherPipe; // race: reads otherPipe
    }

    static void writeOtherFile(Path file) throws Exception {
        otherFile = 1; // race: writes otherFile
        Files.write(file, new byte[1]);
    }

    static void readOtherFile(Path file) throws Exception {
        Files.readAllBytes(file);
        int seen = otherFile; // race: reads otherFile
    }

    static void writeOne(FileOutputStream out) throws Exception {
        bothWrite = 1; // race: writes bothWrite
        out.write(1);
    }

    static void writeAnother(FileOutputStream out) throws Exception {
        out.write(1);
        int seen = bothWrite; // race: reads bothWrite
    }

    static void connect(InetSocketAddress address) throws Exception {
        SocketChannel channel = SocketChannel.open(address);
        notAccepted = 1; // race: writes notAccepted
        CONNECTED = channel;
    }

    static SocketChannel CONNECTED;

    static void accept(ServerSocketChannel server) throws Exception {
        server.accept().close();
        int seen = notAccepted; // race: reads notAccepted
    }

    public static void main(String[] arguments) throws Exception {
        Path one = Files.createTempFile("io", "one");
        Path other = Files.createTempFile("io", "other");
        Files.write(other, new byte[1]);
        try (ServerSocket server = new ServerSocket(0, 5, HERE);
                Socket first = new Socket(HERE, server.getLocalPort());
                Socket firstEnd = server.accept();
                Socket second = new Socket(HERE, server.getLocalPort());
                Socket secondEnd = server.accept()) {
            both(() -> writeAfterSend(first), () -> readAfterSend(firstEnd));
            second.getOutputStream().write(1);
            both(() -> writeOtherConnection(first), () -> readOtherConnection(secondEnd));
        }
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(HERE, 0));
                SocketChannel channel = SocketChannel.open(server.getLocalAddress());
                SocketChannel end = server.accept()) {
            both(() -> writeOtherDirection(channel), () -> readOtherDirection(end));
            both(() -> connect((InetSocketAddress) server.getLocalAddress()), () -> accept(server));
            CONNECTED.close();
        }
        try (DatagramSocket sender = new DatagramSocket(0, HERE);
                DatagramSocket first = new DatagramSocket(0, HERE);
                DatagramSocket second = new DatagramSocket(0, HERE)) {
            sender.send(new DatagramPacket(new byte[1], 1, HERE, second.getLocalPort()));
            both(() -> writeOtherPort(sender, first), () -> readOtherPort(second));
        }
        Pipe pipe = Pipe.open();
        Pipe another = Pipe.open();
        another.sink().write(one());
        both(() -> writeOtherPipe(pipe), () -> readOtherPipe(another));
        both(() -> writeOtherFile(one), () -> readOtherFile(other));
        try (FileOutputStream out = new FileOutputStream(one.toFile())) {
            both(() -> writeOne(out), () -> writeAnother(out));
        }
        Files.delete(one);
        Files.delete(other);
        System.out.println("done");
    }
}
