import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.retry.Retry;

/** Flows that change threads: published, subscribed, grouped, windowed, zipped, shared, cached, timed and retried. */
public class Main {
    /** Plain fields: only the flow orders the threads that change it in turn. */
    static class Box {
        int number;
        int stages;

        Box(int number) {
            this.number = number;
        }

        Box next() {
            number = number * 31 + 1;
            stages++;
            return this;
        }
    }

    private static long chain(int count) {
        return Flux.range(0, count).map(Box::new).publishOn(Schedulers.parallel()).map(Box::next)
                .publishOn(Schedulers.boundedElastic(), 16).map(Box::next).publishOn(Schedulers.single()).map(Box::next)
                .filter(box -> box.stages == 3).map(box -> (long) box.number).reduce(0L, Long::sum)
                .subscribeOn(Schedulers.boundedElastic()).block();
    }

    private static long spread(int count) {
        long flat = Flux.range(0, count)
                .flatMap(number -> Mono.fromCallable(() -> new Box(number).next()).subscribeOn(Schedulers.parallel()), 8)
                .map(box -> (long) box.next().number).reduce(0L, Long::sum).block();
        long ordered = Flux.range(0, count / 10)
                .flatMapSequential(number -> Flux.just(number, number + 1).delaySubscription(Duration.ofNanos(number % 3)), 4)
                .index().map(pair -> pair.getT1() * pair.getT2()).reduce(0L, Long::sum).block();
        long rails = Flux.range(0, count).parallel(4).runOn(Schedulers.parallel()).map(Box::new).map(Box::next)
                .map(box -> (long) box.number).reduce(Long::sum).block();
        return flat + ordered + rails;
    }

    private static long grouped(int count) {
        long groups = Flux.range(0, count).groupBy(number -> number % 7)
                .flatMap(group -> group.publishOn(Schedulers.parallel()).map(Box::new).map(Box::next).collectList(), 8)
                .map(List::size).reduce(0, Integer::sum).block();
        long windows = Flux.range(0, count).publishOn(Schedulers.parallel()).window(10, 5).concatMap(Flux::count)
                .reduce(0L, Long::sum).block();
        long buffers = Flux.range(0, count).bufferTimeout(16, Duration.ofMillis(50), Schedulers.parallel())
                .publishOn(Schedulers.single()).map(List::size).reduce(0, Integer::sum).block();
        long zipped = Flux.zip(Flux.range(0, count).publishOn(Schedulers.parallel()),
                Flux.range(1, count).publishOn(Schedulers.parallel()), (a, b) -> (long) a * b).reduce(0L, Long::sum).block();
        return groups + windows + buffers + zipped;
    }

    private static long shared(int count) throws InterruptedException {
        Sinks.Many<Box> sink = Sinks.many().multicast().onBackpressureBuffer(1024, false);
        CountDownLatch done = new CountDownLatch(2);
        long[] sums = new long[2];
        Disposable.Composite all = reactor.core.Disposables.composite();
        for (int rank = 0; rank < 2; rank++) {
            int mine = rank;
            all.add(sink.asFlux().publishOn(Schedulers.parallel()).doOnTerminate(done::countDown)
                    .subscribe(box -> sums[mine] += box.number));
        }
        for (int number = 0; number < count; number++) {
            sink.emitNext(new Box(number), Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(30)));
        }
        sink.emitComplete(Sinks.EmitFailureHandler.FAIL_FAST);
        done.await();
        all.dispose();
        Flux<Integer> cached = Flux.range(0, count).publishOn(Schedulers.parallel()).cache();
        Flux<Integer> connected = Flux.range(0, count).publishOn(Schedulers.parallel()).replay().autoConnect(2);
        long more = Flux.merge(cached.subscribeOn(Schedulers.parallel()), cached.subscribeOn(Schedulers.parallel()),
                connected.subscribeOn(Schedulers.parallel()), connected.subscribeOn(Schedulers.parallel()))
                .map(Integer::longValue).reduce(0L, Long::sum).block();
        return sums[0] + sums[1] + more;
    }

    /** Several threads emit at once, which a sink allows if each tries again. */
    private static long emitted(int count) throws Exception {
        Sinks.Many<Box> sink = Sinks.many().unicast().onBackpressureBuffer();
        Mono<Long> sum = sink.asFlux().publishOn(Schedulers.parallel()).map(box -> (long) box.next().number)
                .take(3L * count).reduce(0L, Long::sum).cache();
        Disposable subscribed = sum.subscribe();
        Crew.work(3, rank -> {
            for (int number = 0; number < count; number++) {
                sink.emitNext(new Box(rank + number), Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(30)));
            }
            return rank;
        });
        long result = sum.block();
        subscribed.dispose();
        return result;
    }

    private static String timed(int rank) {
        String retried = Mono.deferContextual(context -> {
            int[] tries = context.get("tries");
            return ++tries[0] < 3 ? Mono.error(new IllegalStateException()) : Mono.just("after " + tries[0]);
        }).retryWhen(Retry.fixedDelay(5, Duration.ofMillis(2))).contextWrite(Context.of("tries", new int[1])).block();
        Long ticks = Flux.interval(Duration.ofMillis(1)).onBackpressureDrop().take(10).count().block();
        String late = Mono.<String>never().timeout(Duration.ofMillis(5)).onErrorReturn("late").block();
        Long expanded = Flux.just(rank + 2).expand(number -> number > 60 ? Mono.empty()
                : Flux.just(number * 2, number * 3).subscribeOn(Schedulers.parallel())).count().block();
        return retried + " " + ticks + " " + late + " " + expanded;
    }

    public static void main(String[] arguments) throws Exception {
        int count = Crew.part(1_000);
        Scheduler own = Schedulers.newParallel("own", 3);
        System.out.println(Crew.work(4, rank -> {
            long sum = chain(count) + spread(count) + grouped(count) + shared(count) + emitted(count / 4);
            sum += Flux.range(0, count).publishOn(own).concatMap(number -> Mono.just(number).subscribeOn(own))
                    .map(Integer::longValue).reduce(0L, Long::sum).block();
            return sum + " " + timed(rank);
        }));
        own.disposeGracefully().block(Duration.ofSeconds(30));
        Schedulers.shutdownNow();
        TimeUnit.MILLISECONDS.sleep(1);
    }
}
