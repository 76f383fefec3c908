import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.server.session.SessionHandler;
import org.eclipse.jetty.util.log.Log;
import org.eclipse.jetty.util.log.StdErrLog;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A server with sessions and clients at once. */
public class Main {
    static class Counting extends AbstractHandler {
        @Override
        public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            request.getSession().setAttribute("target", target);
            response.setStatus(target.equals("/nothing") ? 404 : 200);
            response.getWriter().print(request.getMethod() + " " + request.getParameter("name") + " "
                    + "x".repeat(target.length() * 300).length());
            base.setHandled(true);
        }
    }

    private static String visit(int port, int rank) throws Exception {
        StringBuilder told = new StringBuilder();
        try (Http http = new Http(port)) {
            for (int round = 0; round < Crew.part(25); round++) {
                told = new StringBuilder();
                told.append(http.get("/count?name=c" + rank)).append(',');
                told.append(http.post("/form", "name=d" + rank)).append(',');
                told.append(http.get("/nothing").substring(0, 3));
            }
        }
        return told.toString();
    }

    public static void main(String[] arguments) throws Exception {
        StdErrLog log = new StdErrLog();
        log.setLevel(StdErrLog.LEVEL_OFF);
        Log.setLog(log);
        Server server = new Server(new QueuedThreadPool(10));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        SessionHandler sessions = new SessionHandler();
        sessions.setHandler(new Counting());
        server.setHandler(sessions);
        server.start();
        for (int round = 0; round < 2; round++) {
            System.out.println(Crew.work(4, rank -> visit(connector.getLocalPort(), rank)));
        }
        server.stop();
    }
}
