import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.shareddata.LocalMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An HTTP server of two verticles that ask worker verticles over the event bus, and clients on threads of their own and on
 * event loops. */
public class Main {
    private static final String HOST = "127.0.0.1";

    /** Its fields belong to its event loop. */
    static class Web extends AbstractVerticle {
        private int requests;

        @Override
        public void start(io.vertx.core.Promise<Void> started) {
            vertx.createHttpServer(new HttpServerOptions().setHost(HOST)).requestHandler(this::handle).listen(-1)
                    .onSuccess(server -> vertx.sharedData().getLocalMap("ports").put("port", server.actualPort()))
                    .<Void>mapEmpty().onComplete(started);
            vertx.eventBus().consumer("web.requests", message -> message.reply(requests));
        }

        private void handle(HttpServerRequest request) {
            requests++;
            switch (request.path()) {
                case "/work" -> vertx.eventBus().<Long>request("work", Integer.valueOf(request.getParam("n")))
                        .map(Message::body).onSuccess(sum -> request.response().end(Long.toString(sum)))
                        .onFailure(failed -> request.response().setStatusCode(500).end(failed.toString()));
                case "/block" -> vertx.executeBlocking(() -> "blocked " + request.getParam("n"))
                        .onSuccess(text -> request.response().end(text));
                case "/later" -> vertx.setTimer(1, id -> request.response().end("later"));
                case "/echo" -> {
                    request.response().setChunked(true);
                    request.pipeTo(request.response());
                }
                default -> request.response().setStatusCode(404).end();
            }
        }
    }

    /** Runs on worker threads, one at a time. */
    static class Worker extends AbstractVerticle {
        private long done;
        private final List<Integer> seen = new ArrayList<>();

        @Override
        public void start() {
            vertx.eventBus().<Integer>consumer("work", message -> {
                done++;
                seen.add(message.body());
                long sum = 0;
                for (int number = 0; number <= message.body(); number++) {
                    sum += number;
                }
                vertx.eventBus().publish("news", new JsonObject().put("n", message.body()));
                message.reply(sum);
            });
            vertx.eventBus().consumer("work.done", message -> message.reply(done == seen.size() ? done : -1));
        }
    }

    /** Counts what is published. */
    static class Reader extends AbstractVerticle {
        private long sum;

        @Override
        public void start() {
            LocalMap<String, Integer> counts = vertx.sharedData().getLocalMap("counts");
            vertx.eventBus().<JsonObject>consumer("news", message -> {
                sum += message.body().getInteger("n");
                counts.merge("n" + message.body().getInteger("n") % 10, 1, Integer::sum);
            });
            vertx.eventBus().consumer("news.sum", message -> message.reply(sum));
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static Future<String> fetch(HttpClient client, int port, HttpMethod method, String path, String body) {
        return client.request(method, port, HOST, path)
                .compose(request -> body.isEmpty() ? request.send() : request.send(Buffer.buffer(body)))
                .compose(response -> response.body().map(text -> response.statusCode() + " " + text));
    }

    private static String visit(HttpClient client, int port, int rank) throws Exception {
        String last = "";
        for (int round = 0; round < Crew.part(50); round++) {
            List<Future<String>> all = List.of(fetch(client, port, HttpMethod.GET, "/work?n=" + (rank * 10 + 1), ""),
                    fetch(client, port, HttpMethod.GET, "/block?n=" + rank, ""),
                    fetch(client, port, HttpMethod.GET, "/later", ""),
                    fetch(client, port, HttpMethod.POST, "/echo", "a body ".repeat(300)).map(text -> "" + text.length()),
                    fetch(client, port, HttpMethod.GET, "/nothing", ""));
            last = await(Future.all(all).map(done -> done.<String>list().toString()));
        }
        return last;
    }

    public static void main(String[] arguments) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setMaxEventLoopExecuteTime(60_000_000_000L).setEventLoopPoolSize(4).setWorkerPoolSize(4)
                .setFileSystemOptions(new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false)));
        EventBus bus = vertx.eventBus();
        await(vertx.deployVerticle(Worker::new,
                new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setInstances(2)));
        await(vertx.deployVerticle(new Reader()));
        // They share a port that is chosen for them, which a negative number asks for.
        String web = await(vertx.deployVerticle(Web::new, new DeploymentOptions().setInstances(2)));
        int port = (Integer) vertx.sharedData().getLocalMap("ports").get("port");
        HttpClient client = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(6));
        System.out.println(Crew.work(4, rank -> visit(client, port, rank)));
        // What was published arrives in order, so all of it is there before the question.
        long done = 0;
        for (int worker = 0; worker < 2; worker++) {
            done += await(bus.<Long>request("work.done", "")).body();
        }
        System.out.println(done + " " + await(bus.<Long>request("news.sum", "")).body());
        long requests = await(bus.<Integer>request("web.requests", "")).body() + await(bus.<Integer>request("web.requests", "")).body();
        System.out.println(requests);
        await(client.close());
        await(vertx.undeploy(web));
        await(vertx.close());
    }
}
