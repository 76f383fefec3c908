import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.BroadcastHub;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.MergeHub;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;

/** Typed actors that keep plain state, a pool of them behind a router, one that fails and is restarted, timers; and streams with
 * asynchronous borders, queues and hubs. */
public class Main {
    sealed interface Command { }

    record Deposit(int account, int amount, ActorRef<Integer> answer) implements Command { }

    record Total(ActorRef<Long> answer) implements Command { }

    /** Its fields are plain: an actor does one thing at a time, on whatever thread. */
    static class Bank extends AbstractBehavior<Command> {
        private final int[] balances = new int[16];
        private final List<Integer> log = new ArrayList<>();
        private long total;

        static Behavior<Command> create() {
            return Behaviors.setup(Bank::new);
        }

        private Bank(ActorContext<Command> context) {
            super(context);
        }

        @Override
        public Receive<Command> createReceive() {
            return newReceiveBuilder().onMessage(Deposit.class, this::deposit).onMessage(Total.class, this::total).build();
        }

        private Behavior<Command> deposit(Deposit deposit) {
            balances[deposit.account()] += deposit.amount();
            total += deposit.amount();
            log.add(deposit.amount());
            deposit.answer().tell(log.size());
            return this;
        }

        private Behavior<Command> total(Total total) {
            long sum = 0;
            for (int balance : balances) {
                sum += balance;
            }
            total.answer().tell(sum == this.total ? sum : -1);
            return this;
        }
    }

    record Job(int[] words, ActorRef<Integer> answer) { }

    /** Changes the message, which belongs to it now; fails at some. */
    private static Behavior<Job> worker() {
        Behavior<Job> behavior = Behaviors.setup(context -> {
            int[] done = new int[1];
            return Behaviors.receiveMessage(job -> {
                done[0]++;
                int sum = 0;
                for (int index = 0; index < job.words().length; index++) {
                    sum += job.words()[index]++;
                }
                job.answer().tell(sum);
                if (sum % 50 == 0) {
                    throw new IllegalStateException("as planned");
                }
                return Behaviors.same();
            });
        });
        return Behaviors.supervise(behavior).onFailure(IllegalStateException.class, SupervisorStrategy.restart());
    }

    /** Answers when its timer has fired three times. */
    private static Behavior<Object> ticking(ActorRef<String> answer) {
        return Behaviors.withTimers((TimerScheduler<Object> timers) -> {
            timers.startTimerWithFixedDelay("tick", Duration.ofMillis(2));
            int[] ticks = new int[1];
            return Behaviors.receiveMessage(tick -> {
                if (++ticks[0] < 3) {
                    return Behaviors.same();
                }
                answer.tell("ticked");
                return Behaviors.stopped();
            });
        });
    }

    record Start(ActorRef<String> answer) { }

    /** The guardian starts others for those who ask. */
    private static Behavior<Object> guardian() {
        return Behaviors.receive((context, message) -> {
            if (message instanceof Start start) {
                context.spawnAnonymous(ticking(start.answer()));
            } else if (message instanceof NeedActors need) {
                need.answer().tell(new Actors(context.spawn(Bank.create(), "bank"),
                        context.spawn(Routers.pool(4, worker()).withRoundRobinRouting(), "workers")));
            }
            return Behaviors.same();
        });
    }

    record NeedActors(ActorRef<Actors> answer) { }

    record Actors(ActorRef<Command> bank, ActorRef<Job> workers) { }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static final Duration LONG = Duration.ofSeconds(60);

    private static long act(ActorSystem<Object> system, Actors actors, int rank) throws Exception {
        long sum = 0;
        for (int round = 0; round < Crew.part(300); round++) {
            int number = round;
            CompletionStage<Integer> deposited = AskPattern.ask(actors.bank(),
                    answer -> new Deposit((rank + number) % 16, number, answer), LONG, system.scheduler());
            int[] words = {rank, number, 1};
            sum += get(AskPattern.<Job, Integer>ask(actors.workers(), answer -> new Job(words, answer), LONG, system.scheduler()));
            sum += words[2] > 0 && get(deposited) > 0 ? 1 : 0;
        }
        sum += get(AskPattern.<Object, String>ask(system, Start::new, LONG, system.scheduler())).length();
        return sum;
    }

    static class Box {
        int number;

        Box(int number) {
            this.number = number;
        }

        Box next() {
            number = number * 31 + 1;
            return this;
        }
    }

    private static long stream(ActorSystem<Object> system, Actors actors, int rank) throws Exception {
        int count = Crew.part(800);
        long chained = get(Source.range(1, count).map(Box::new).async().map(Box::next).buffer(16, OverflowStrategy.backpressure())
                .async().map(Box::next).runWith(Sink.fold(0L, (sum, box) -> sum + box.number), system));
        long asked = get(Source.range(1, count).mapAsync(4, number -> AskPattern.<Job, Integer>ask(actors.workers(),
                answer -> new Job(new int[] {number, rank}, answer), LONG, system.scheduler()))
                .runWith(Sink.fold(0L, (Long sum, Integer number) -> sum + number), system));
        long grouped = get(Source.range(1, count).groupBy(8, number -> number % 8).map(Box::new).async().map(Box::next)
                .mergeSubstreams().grouped(10).map(group -> (long) group.size())
                .runWith(Sink.fold(0L, Long::sum), system));
        org.apache.pekko.japi.Pair<SourceQueueWithComplete<Box>, CompletionStage<Long>> queued =
                Source.<Box>queue(8, OverflowStrategy.backpressure()).map(Box::next)
                        .toMat(Sink.fold(0L, (sum, box) -> sum + box.number), Keep.both()).run(system);
        for (int number = 0; number < 100; number++) {
            get(queued.first().offer(new Box(number)));
        }
        queued.first().complete();
        return chained + asked + grouped + get(queued.second());
    }

    /** All threads send into one hub and receive from another. */
    private static String hubs(ActorSystem<Object> system) throws Exception {
        org.apache.pekko.japi.Pair<Sink<Integer, NotUsed>, Source<Integer, NotUsed>> hub =
                MergeHub.of(Integer.class, 16).toMat(BroadcastHub.of(Integer.class, 256), Keep.both()).run(system);
        int each = 100;
        List<CompletionStage<Long>> readers = new ArrayList<>();
        for (int reader = 0; reader < 2; reader++) {
            readers.add(hub.second().map(Integer::longValue).take(3 * each).runWith(Sink.fold(0L, Long::sum), system));
        }
        Thread.sleep(100);
        Crew.work(3, rank -> Source.range(1, each).map(number -> number + rank).runWith(hub.first(), system));
        return get(readers.get(0)) + " " + get(readers.get(1));
    }

    public static void main(String[] arguments) throws Exception {
        Config config = ConfigFactory.parseString("pekko.loglevel = OFF\npekko.stdout-loglevel = OFF\n"
                + "pekko.actor.default-dispatcher.fork-join-executor.parallelism-min = 4\n"
                + "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off").withFallback(ConfigFactory.load());
        ActorSystem<Object> system = ActorSystem.create(guardian(), "real", config);
        Actors actors = get(AskPattern.ask(system, NeedActors::new, LONG, system.scheduler()));
        System.out.println(Crew.work(4, rank -> act(system, actors, rank)));
        System.out.println(get(AskPattern.ask(actors.bank(), Total::new, LONG, system.scheduler())));
        System.out.println(Crew.work(3, rank -> stream(system, actors, rank)));
        System.out.println(hubs(system));
        system.terminate();
        Done done = get(system.getWhenTerminated());
        System.out.println(done != null);
    }
}
