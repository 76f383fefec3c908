import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server and clients on threads of their own: unary calls, streams in each direction, deadlines, failures, headers, and the
 * health service with its generated stubs. */
public class Main {
    private static final Metadata.Key<String> NAME = Metadata.Key.of("name", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<String> WHO = Context.key("who");

    private static final MethodDescriptor.Marshaller<String> TEXT = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    };

    private static MethodDescriptor<String, String> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(TEXT, TEXT).setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("texts", name)).build();
    }

    private static final MethodDescriptor<String, String> UPPER = method("upper", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<String, String> FAIL = method("fail", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<String, String> SPLIT = method("split", MethodDescriptor.MethodType.SERVER_STREAMING);
    private static final MethodDescriptor<String, String> JOIN = method("join", MethodDescriptor.MethodType.CLIENT_STREAMING);
    private static final MethodDescriptor<String, String> ECHO = method("echo", MethodDescriptor.MethodType.BIDI_STREAMING);

    /** Collects what comes; gRPC calls an observer by one thread at a time. */
    static class Collector implements StreamObserver<String> {
        private final StringBuilder text = new StringBuilder();
        final CompletableFuture<String> done = new CompletableFuture<>();

        @Override
        public void onNext(String next) {
            text.append(next).append(';');
        }

        @Override
        public void onError(Throwable failure) {
            done.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            done.complete(text.toString());
        }
    }

    private static ServerServiceDefinition texts() {
        return ServerServiceDefinition.builder("texts")
                .addMethod(UPPER, ServerCalls.asyncUnaryCall((text, answer) -> {
                    answer.onNext(text.toUpperCase() + " for " + WHO.get());
                    answer.onCompleted();
                }))
                .addMethod(FAIL, ServerCalls.asyncUnaryCall((text, answer) -> {
                    if (text.equals("now")) {
                        answer.onError(Status.INVALID_ARGUMENT.withDescription(text).asRuntimeException());
                    }
                    // Anything else is never answered: the deadline ends it.
                }))
                .addMethod(SPLIT, ServerCalls.asyncServerStreamingCall((text, answer) -> {
                    for (String word : text.split(" ")) {
                        answer.onNext(word);
                    }
                    answer.onCompleted();
                }))
                .addMethod(JOIN, ServerCalls.asyncClientStreamingCall(answer -> {
                    Collector collector = new Collector();
                    collector.done.whenComplete((text, failure) -> {
                        if (failure == null) {
                            answer.onNext(text);
                            answer.onCompleted();
                        }
                    });
                    return collector;
                }))
                .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(answer -> new StreamObserver<>() {
                    private int seen;

                    @Override
                    public void onNext(String text) {
                        answer.onNext(text + seen++);
                    }

                    @Override
                    public void onError(Throwable failure) { }

                    @Override
                    public void onCompleted() {
                        answer.onCompleted();
                    }
                }))
                .build();
    }

    /** Takes a header into the context of the call. */
    static class Who implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Context context = Context.current().withValue(WHO, headers.get(NAME));
            return new SimpleForwardingServerCallListener<>(Contexts.interceptCall(context, call, headers, next)) { };
        }
    }

    private static String visit(ManagedChannel channel, HealthStatusManager health, int rank) throws Exception {
        Metadata headers = new Metadata();
        headers.put(NAME, "crew" + rank);
        io.grpc.Channel named = io.grpc.ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        StringBuilder told = new StringBuilder();
        for (int round = 0; round < Crew.part(30); round++) {
            told.setLength(0);
            CallOptions options = round % 2 == 0 ? CallOptions.DEFAULT.withCompression("gzip") : CallOptions.DEFAULT;
            told.append(ClientCalls.blockingUnaryCall(named, UPPER, options, "text " + rank)).append(',');
            told.append(ClientCalls.futureUnaryCall(named.newCall(UPPER, options), "later").get()).append(',');
            Iterator<String> words = ClientCalls.blockingServerStreamingCall(named, SPLIT, options, "a b c d e f g h".repeat(4));
            int count = 0;
            while (words.hasNext()) {
                words.next();
                count++;
            }
            told.append(count).append(',');
            Collector joined = new Collector();
            StreamObserver<String> out = ClientCalls.asyncClientStreamingCall(named.newCall(JOIN, options), joined);
            Collector echoed = new Collector();
            StreamObserver<String> both = ClientCalls.asyncBidiStreamingCall(named.newCall(ECHO, options), echoed);
            for (int number = 0; number < 10; number++) {
                out.onNext("j" + number);
                both.onNext("e");
            }
            out.onCompleted();
            both.onCompleted();
            told.append(joined.done.get()).append(',').append(echoed.done.get()).append(',');
            told.append(failure(named, options, "now")).append(',');
            if (round % 20 == 0) {
                failure(named, options.withDeadlineAfter(20, TimeUnit.MILLISECONDS), "never");
            }
            health.setStatus("s" + rank, round % 2 == 0 ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
            HealthCheckRequest question = HealthCheckRequest.newBuilder().setService("s" + rank).build();
            told.append(HealthGrpc.newBlockingStub(channel).check(question).getStatus()).append(',');
            Iterator<HealthCheckResponse> changes =
                    HealthGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS).watch(question);
            try (Context.CancellableContext context = Context.current().withCancellation()) {
                told.append(context.call(() -> HealthGrpc.newBlockingStub(channel).watch(question).next().getStatus()));
            }
            told.append(changes.next().getStatus());
            health.setStatus("s" + rank, ServingStatus.UNKNOWN);
            told.append(changes.next().getStatus());
        }
        return told.toString();
    }

    private static Status.Code failure(io.grpc.Channel channel, CallOptions options, String text) {
        try {
            ClientCalls.blockingUnaryCall(channel, FAIL, options, text);
            return Status.Code.OK;
        } catch (StatusRuntimeException failed) {
            return failed.getStatus().getCode();
        }
    }

    public static void main(String[] arguments) throws Exception {
        HealthStatusManager health = new HealthStatusManager();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .executor(pool).addService(ServerInterceptors.intercept(texts(), new Who()))
                .addService(health.getHealthService()).build().start();
        int port = server.getPort();
        ManagedChannel one = channel(port);
        ManagedChannel other = channel(port);
        System.out.println(Crew.work(4, rank -> visit(rank % 2 == 0 ? one : other, health, rank)));
        one.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
        other.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
        health.enterTerminalState();
        server.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
        pool.shutdown();
    }

    private static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).usePlaintext().build();
    }
}
