import com.sun.net.httpserver.HttpServer;
import java.net.CookieManager;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.HttpCookie;
import java.net.HttpURLConnection;
import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Two threads that use addresses, sockets, clients and servers of their own are not ordered by it. Each API was
 * used before by main.
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

    static final Path[] FILES = new Path[3];

    /** A server that answers on a port of its own, while a request is sent to it. */
    static String answered(Request request) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
        });
        server.start();
        try {
            return request.send(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
        } finally {
            server.stop(0);
        }
    }

    interface Request {
        String send(URI uri) throws Exception;
    }

    static class NewUrl extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new URL("http", "example.org", "/a" + who).toExternalForm(); }
    }

    static class UrlText extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new URL("https://example.org:8443/a?b=c#d" + who).getPath(); }
    }

    static class UriOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return URI.create("http://example.org/a" + who).resolve("../b").toASCIIString(); }
    }

    static class UriToUrl extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return FILES[who].toUri().toURL().getFile(); }
    }

    static class FileConnection extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            URLConnection connection = FILES[who].toUri().toURL().openConnection();
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8) + connection.getContentType();
        }
    }

    static class ContentType extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return String.valueOf(URLConnection.guessContentTypeFromName("a" + who + ".html")) + Files.probeContentType(FILES[who]);
        }
    }

    static class Encoded extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return URLDecoder.decode(URLEncoder.encode("a b&c" + who, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        }
    }

    static class Idn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return IDN.toASCII("m\u00fcnchen" + who + ".example"); }
    }

    static class AddressText extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return InetAddress.getByName("127.0.0." + (1 + who)).getHostAddress(); }
    }

    static class AddressV6 extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Inet6Address.getByName("::1").isLoopbackAddress(); }
    }

    static class AddressName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return InetAddress.getByName("localhost").getHostAddress(); }
    }

    static class AddressBytes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return InetAddress.getByAddress("own", new byte[] {127, 0, 0, (byte) who}).getHostName(); }
    }

    static class Loopback extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return InetAddress.getLoopbackAddress().getHostName(); }
    }

    static class LocalHost extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return InetAddress.getLocalHost().getHostName(); }
    }

    static class SocketAddress extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new InetSocketAddress("localhost", 1000 + who).toString() + InetSocketAddress.createUnresolved("a", who);
        }
    }

    static class Interfaces extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return NetworkInterface.getByIndex(1).getName() + NetworkInterface.networkInterfaces().count();
        }
    }

    static class OwnServerSocket extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (ServerSocket server = new ServerSocket(0)) {
                return server.getLocalPort();
            }
        }
    }

    static class OwnSockets extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(1 + who);
                return accepted.getInputStream().read();
            }
        }
    }

    static class OwnDatagrams extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (DatagramSocket one = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                one.send(new DatagramPacket(new byte[] {1, (byte) who}, 2, one.getLocalSocketAddress()));
                DatagramPacket packet = new DatagramPacket(new byte[2], 2);
                one.receive(packet);
                return packet.getLength();
            }
        }
    }

    static class OwnChannels extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    SocketChannel client = SocketChannel.open(server.getLocalAddress());
                    SocketChannel accepted = server.accept()) {
                client.write(ByteBuffer.wrap(new byte[] {1, (byte) who}));
                return accepted.read(ByteBuffer.allocate(2));
            }
        }
    }

    static class OwnDatagramChannel extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (DatagramChannel channel = DatagramChannel.open()) {
                return channel.bind(null).getLocalAddress();
            }
        }
    }

    static class OwnSelector extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (Selector selector = Selector.open()) {
                selector.wakeup();
                return selector.select();
            }
        }
    }

    static class OwnPipe extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Pipe pipe = Pipe.open();
            try (Pipe.SinkChannel sink = pipe.sink(); Pipe.SourceChannel source = pipe.source()) {
                sink.write(ByteBuffer.wrap(new byte[] {1, (byte) who}));
                return source.read(ByteBuffer.allocate(2));
            }
        }
    }

    static class OwnHttpServer extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.start();
            server.stop(0);
            return this;
        }
    }

    static class NewHttpClient extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return HttpClient.newBuilder().executor(Runnable::run).build().version(); }
    }

    static class Requested extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return HttpRequest.newBuilder(URI.create("http://example.org/" + who)).header("a", "b").GET().build().headers().map();
        }
    }

    static class OwnHttp extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return answered(uri -> {
                HttpRequest request = HttpRequest.newBuilder(uri).build();
                return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
            });
        }
    }

    static class OldHttp extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return answered(uri -> {
                HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
                String text = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                connection.disconnect();
                return text;
            });
        }
    }

    static class Headers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return HttpHeaders.of(Map.of("a", List.of("b" + who)), (name, value) -> true).firstValue("a");
        }
    }

    static class Cookies extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            CookieManager cookies = new CookieManager();
            URI uri = URI.create("http://example.org/" + who);
            cookies.put(uri, Map.of("Set-Cookie", List.of("a=b")));
            return cookies.get(uri, Map.of());
        }
    }

    static class Cookie extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return HttpCookie.parse("Set-Cookie: a=b" + who); }
    }

    static class DefaultProxy extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ProxySelector.getDefault().select(URI.create("http://example.org/" + who)); }
    }

    static class OwnLoader extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (URLClassLoader loader = new URLClassLoader(new URL[] {FILES[who].getParent().toUri().toURL()}, null)) {
                return loader.findResource(FILES[who].getFileName().toString());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int who = 0; who < 3; who++) {
            FILES[who] = Files.createTempFile("between", ".txt");
            Files.writeString(FILES[who], "text");
        }
        Between[] all = {
            new NewUrl(), new UrlText(), new UriOf(), new UriToUrl(), new FileConnection(), new ContentType(),
            new Encoded(), new Idn(), new AddressText(), new AddressV6(), new AddressName(),
            new AddressBytes(), new Loopback(), new LocalHost(), new SocketAddress(), new Interfaces(),
            new OwnServerSocket(), new OwnSockets(), new OwnDatagrams(), new OwnChannels(),
            new OwnDatagramChannel(), new OwnSelector(), new OwnPipe(), new OwnHttpServer(),
            new NewHttpClient(), new Requested(), new OwnHttp(), new OldHttp(), new Headers(), new Cookies(),
            new Cookie(), new DefaultProxy(), new OwnLoader(),
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
        for (Path file : FILES) {
            Files.delete(file);
        }
        System.out.println("done");
    }
}
