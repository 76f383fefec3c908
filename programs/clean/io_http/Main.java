import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What a handler counts is read after the response, and what it reads was written before the request. */
public class Main {
    static int asked;
    static int answered;

    static void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            answered += asked;
            exchange.sendResponseHeaders(200, 2);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write("ok".getBytes());
            }
        }
    }

    static String connection(URI uri) throws IOException {
        asked++;
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes()) + answered;
        }
    }

    static String client(HttpClient client, URI uri) throws Exception {
        asked++;
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body() + answered;
    }

    static String later(HttpClient client, URI uri) {
        asked++;
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join().body() + answered;
    }

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService handlers = Executors.newFixedThreadPool(2);
        server.setExecutor(handlers);
        server.createContext("/", Main::handle);
        server.start();
        InetSocketAddress address = server.getAddress();
        URI uri = URI.create("http://" + address.getHostString() + ":" + address.getPort() + "/");
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < 3; i++) {
            System.out.println(connection(uri) + " " + client(client, uri) + " " + later(client, uri));
        }
        server.stop(0);
        handlers.shutdown();
    }
}
