import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.Wrapper;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;

/** A server with sessions, forms, errors, asynchronous answers and files, clients that share sessions, and one who reloads the
 * application between. The first argument, if there is one, says how many seconds the clients go on. */
public class Main {
    public static class Counting extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            synchronized (session.getId().intern()) {
                Integer count = (Integer) session.getAttribute("count");
                session.setAttribute("count", count == null ? 1 : count + 1);
            }
            response.getWriter().print("hello " + request.getParameter("name") + " " + request.getLocale());
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=UTF-8");
            for (String value : request.getParameterValues("v")) {
                response.getWriter().print(value + ";");
            }
            response.flushBuffer();
            response.getWriter().print("end");
        }
    }

    public static class Later extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext context = request.startAsync();
            context.start(() -> {
                try {
                    context.getResponse().getWriter().print("later");
                } catch (IOException failed) {
                    failed.printStackTrace();
                }
                context.complete();
            });
        }
    }

    /** What a deployment descriptor would do: again at each reload, which forgets all servlets. */
    private static void configure(LifecycleEvent event) {
        if (event.getType().equals(Lifecycle.CONFIGURE_START_EVENT)) {
            try {
                Context context = (Context) event.getLifecycle();
                add(context, "count", new Counting(), "/count");
                add(context, "later", new Later(), "/later");
                add(context, "default", new DefaultServlet(), "/");
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private static void add(Context context, String name, HttpServlet servlet, String path)
            throws ReflectiveOperationException {
        Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
        wrapper.setAsyncSupported(true);
        // The name of this method changed between versions.
        try {
            Context.class.getMethod("addServletMappingDecoded", String.class, String.class).invoke(context, path, name);
        } catch (NoSuchMethodException older) {
            Context.class.getMethod("addServletMapping", String.class, String.class).invoke(context, path, name);
        }
    }

    private static String visit(int port, int rank, int rounds) throws Exception {
        StringBuilder told = new StringBuilder();
        try (Http http = new Http(port)) {
            for (int round = 0; round < rounds; round++) {
                told = new StringBuilder();
                told.append(http.get("/count?name=c" + rank)).append(',');
                told.append(http.post("/count", "v=1&v=" + rank)).append(',');
                told.append(http.get("/later")).append(',');
                told.append(http.get("/nothing").substring(0, 3)).append(',');
                told.append(http.get("/file.txt"));
            }
        }
        return told.toString();
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        File place = Files.createTempDirectory("tomcat").toFile();
        Files.writeString(place.toPath().resolve("file.txt"), "a file");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(place.getPath());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "8");
        Context context = tomcat.addContext("", place.getPath());
        context.setBackgroundProcessorDelay(1);
        context.setSessionTimeout(1);
        context.addLifecycleListener(Main::configure);
        AccessLogValve log = new AccessLogValve();
        log.setDirectory(place.getPath());
        log.setPattern("%h %t %r %s %b %D");
        log.setBuffered(true);
        context.getPipeline().addValve(log);
        tomcat.start();
        int port = tomcat.getConnector().getLocalPort();
        long end = System.nanoTime() + (arguments.length > 0 ? Long.parseLong(arguments[0]) * 1_000_000_000L : 0);
        do {
            for (int round = 0; round < 2; round++) {
                System.out.println(Crew.work(4, rank -> visit(port, rank, 12)));
                context.reload();
            }
        } while (System.nanoTime() < end);
        tomcat.stop();
        tomcat.destroy();
        delete(place);
    }

    private static void delete(File file) {
        File[] inside = file.listFiles();
        for (File each : inside == null ? new File[0] : inside) {
            delete(each);
        }
        file.delete();
    }
}
