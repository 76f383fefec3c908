import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.processors.FlowableProcessor;
import io.reactivex.rxjava3.processors.PublishProcessor;
import io.reactivex.rxjava3.processors.UnicastProcessor;
import io.reactivex.rxjava3.schedulers.Schedulers;
import io.reactivex.rxjava3.subjects.BehaviorSubject;
import io.reactivex.rxjava3.subjects.ReplaySubject;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Flows that change threads: observed, subscribed, grouped, windowed, zipped, shared, replayed, timed and retried. */
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
        return Flowable.range(0, count).map(Box::new).observeOn(Schedulers.computation()).map(Box::next)
                .observeOn(Schedulers.io(), false, 16).map(Box::next).observeOn(Schedulers.single()).map(Box::next)
                .filter(box -> box.stages == 3).map(box -> (long) box.number).reduce(0L, Long::sum)
                .subscribeOn(Schedulers.io()).blockingGet();
    }

    private static long spread(int count) {
        long flat = Flowable.range(0, count)
                .flatMapSingle(number -> Single.fromCallable(() -> new Box(number).next()).subscribeOn(Schedulers.computation()))
                .map(box -> (long) box.next().number).reduce(0L, Long::sum).blockingGet();
        long eager = Observable.range(0, count / 10)
                .concatMapEager(number -> Observable.just(number, number + 1).subscribeOn(Schedulers.computation()))
                .zipWith(Observable.rangeLong(0, count), (a, b) -> a * b).reduce(0L, Long::sum).blockingGet();
        long rails = Flowable.range(0, count).parallel(4).runOn(Schedulers.computation()).map(Box::new).map(Box::next)
                .map(box -> (long) box.number).reduce(Long::sum).blockingSingle();
        return flat + eager + rails;
    }

    private static long grouped(int count) {
        long groups = Flowable.range(0, count).groupBy(number -> number % 7)
                .flatMapSingle(group -> group.observeOn(Schedulers.computation()).map(Box::new).map(Box::next).toList())
                .map(List::size).reduce(0, Integer::sum).blockingGet();
        long windows = Observable.range(0, count).observeOn(Schedulers.computation()).window(10, 5)
                .concatMapSingle(Observable::count).reduce(0L, Long::sum).blockingGet();
        long buffers = Flowable.range(0, count).buffer(50, TimeUnit.MILLISECONDS, Schedulers.computation(), 16)
                .observeOn(Schedulers.single()).map(List::size).reduce(0, Integer::sum).blockingGet();
        long zipped = Flowable.zip(Flowable.range(0, count).observeOn(Schedulers.computation()),
                Flowable.range(1, count).observeOn(Schedulers.computation()), (a, b) -> (long) a * b)
                .reduce(0L, Long::sum).blockingGet();
        return groups + windows + buffers + zipped;
    }

    /** Several threads emit into one processor, which is serialized for them. */
    private static long shared(int count) throws Exception {
        FlowableProcessor<Box> processor = UnicastProcessor.<Box>create().toSerialized();
        Single<Long> sum = processor.observeOn(Schedulers.computation()).map(box -> (long) box.next().number)
                .take(3L * count).reduce(0L, Long::sum).cache();
        sum.subscribe();
        Crew.work(3, rank -> {
            for (int number = 0; number < count; number++) {
                processor.onNext(new Box(rank + number));
            }
            return rank;
        });
        PublishProcessor<Integer> published = PublishProcessor.create();
        Single<Long> first = published.onBackpressureBuffer().observeOn(Schedulers.computation()).count().cache();
        Single<Long> second = published.onBackpressureBuffer().observeOn(Schedulers.io()).count().cache();
        first.subscribe();
        second.subscribe();
        Flowable.range(0, count).blockingSubscribe(published);
        ReplaySubject<Box> replayed = ReplaySubject.create();
        Observable.range(0, count).map(Box::new).observeOn(Schedulers.io()).subscribe(replayed);
        long numbers = Observable.merge(replayed.map(box -> box.number).subscribeOn(Schedulers.computation()),
                replayed.map(box -> box.number).subscribeOn(Schedulers.computation()))
                .map(Integer::longValue).reduce(0L, Long::sum).blockingGet();
        BehaviorSubject<Integer> latest = BehaviorSubject.createDefault(0);
        Single<Integer> last = latest.observeOn(Schedulers.computation()).last(-1).cache();
        last.subscribe();
        Observable.range(1, count).subscribeOn(Schedulers.io()).subscribe(latest);
        return sum.blockingGet() + first.blockingGet() + second.blockingGet() + numbers + last.blockingGet();
    }

    private static String timed(int rank) {
        int[] tries = new int[1];
        String retried = Single.defer(() -> ++tries[0] < 3 ? Single.<String>error(new IllegalStateException())
                : Single.just("after " + tries[0])).retryWhen(errors -> errors.delay(2, TimeUnit.MILLISECONDS)).blockingGet();
        long ticks = Flowable.interval(1, TimeUnit.MILLISECONDS).onBackpressureDrop().take(10).count().blockingGet();
        String late = Single.<String>never().timeout(5, TimeUnit.MILLISECONDS).onErrorReturnItem("late").blockingGet();
        long created = Flowable.<Integer>create(emitter -> {
            for (int number = 0; number < 100; number++) {
                emitter.onNext(number);
            }
            emitter.onComplete();
        }, BackpressureStrategy.BUFFER).subscribeOn(Schedulers.io()).observeOn(Schedulers.computation()).count().blockingGet();
        boolean done = Completable.mergeArray(Completable.fromAction(() -> { }).subscribeOn(Schedulers.io()),
                Completable.timer(1, TimeUnit.MILLISECONDS)).blockingAwait(30, TimeUnit.SECONDS);
        return retried + " " + ticks + " " + late + " " + created + " " + done;
    }

    public static void main(String[] arguments) throws Exception {
        int count = Crew.part(1_000);
        System.out.println(Crew.work(4,
                rank -> chain(count) + spread(count) + grouped(count) + shared(count) + " " + timed(rank)));
        Schedulers.shutdown();
    }
}
