import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that keeps its connection and its cookie. */
public final class Http implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private String cookie = "";

    public Http(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** The status and the body. */
    public String get(String path) throws IOException {
        return exchange("GET " + path, "");
    }

    public String post(String path, String body) throws IOException {
        return exchange("POST " + path, body);
    }

    private String exchange(String what, String body) throws IOException {
        String head = what + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + (cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n") + "Content-Length: " + body.length() + "\r\n\r\n";
        OutputStream out = socket.getOutputStream();
        out.write((head + body).getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        String status = line();
        int length = 0;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String value = header.substring(header.indexOf(':') + 1).trim();
            switch (header.substring(0, Math.max(0, header.indexOf(':'))).toLowerCase()) {
                case "content-length" -> length = Integer.parseInt(value);
                case "transfer-encoding" -> chunked = value.equals("chunked");
                case "set-cookie" -> cookie = value.split(";")[0];
                default -> { }
            }
        }
        StringBuilder text = new StringBuilder(status.split(" ")[1]).append(' ');
        if (!chunked) {
            return text.append(new String(in.readNBytes(length), StandardCharsets.ISO_8859_1)).toString();
        }
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            text.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
            line();
        }
        line();
        return text.toString();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the server has closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
