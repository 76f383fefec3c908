import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** An item is changed after it was submitted. */
public class Main {
    static final class Box {
        int value;
    }

    private static volatile boolean done;

    static final class Reader implements Flow.Subscriber<Box> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
        }

        @Override
        public void onNext(Box box) {
            if (box.value > 1) { // race: reads value
                throw new AssertionError();
            }
            done = true;
        }

        @Override
        public void onError(Throwable unexpected) {
            throw new AssertionError(unexpected);
        }

        @Override
        public void onComplete() {}
    }

    static void publish(SubmissionPublisher<Box> publisher) {
        Box box = new Box();
        publisher.submit(box);
        box.value = 1; // race: writes value
    }

    public static void main(String[] arguments) {
        try (SubmissionPublisher<Box> publisher = new SubmissionPublisher<>()) {
            publisher.subscribe(new Reader());
            publish(publisher);
            while (!done) {
                Thread.onSpinWait();
            }
        }
        System.out.println("read");
    }
}
