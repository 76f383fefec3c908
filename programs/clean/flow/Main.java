import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** A subscriber's calls come one after another, each after the submit() of its item. */
public class Main {
    static final class Box {
        int value;
    }

    static final class Adder implements Flow.Subscriber<Box> {
        private final CountDownLatch completed = new CountDownLatch(1);
        private Flow.Subscription subscription;
        private int sum;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(Box box) {
            sum += box.value;
            subscription.request(1);
        }

        @Override
        public void onError(Throwable unexpected) {
            throw new AssertionError(unexpected);
        }

        @Override
        public void onComplete() {
            completed.countDown();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Adder one = new Adder();
        Adder two = new Adder();
        try (SubmissionPublisher<Box> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(one);
            publisher.subscribe(two);
            for (int i = 1; i <= 500; i++) {
                Box box = new Box();
                box.value = i;
                publisher.submit(box);
            }
        }
        one.completed.await();
        two.completed.await();
        System.out.println(one.sum + " " + two.sum);
    }
}
