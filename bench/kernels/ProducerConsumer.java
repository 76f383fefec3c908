import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Messages through a bounded queue with a monitor, and back through a queue of java.util.concurrent to be used again. */
public class ProducerConsumer {
    private static final int WORDS = 256;
    private static final int MESSAGES = 256;

    private static final class Message {
        final int[] words = new int[WORDS];
        int length;
        boolean last;
    }

    /** A bounded queue by wait and notify. */
    private static final class Mailbox {
        private final ArrayDeque<Message> messages = new ArrayDeque<>();

        synchronized void put(Message message) throws InterruptedException {
            while (messages.size() >= 64) {
                wait();
            }
            messages.add(message);
            notifyAll();
        }

        synchronized Message take() throws InterruptedException {
            while (messages.isEmpty()) {
                wait();
            }
            notifyAll();
            return messages.remove();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int total = Team.scaled(arguments, 4_000_000);
        int producers = team.threads / 2;
        Mailbox mailbox = new Mailbox();
        BlockingQueue<Message> free = new ArrayBlockingQueue<>(MESSAGES);
        for (int number = 0; number < MESSAGES; number++) {
            free.put(new Message());
        }
        AtomicLong sum = new AtomicLong();
        team.run(rank -> {
            if (rank < producers) {
                int stop = (int) ((long) total * (rank + 1) / producers);
                for (int number = (int) ((long) total * rank / producers); number < stop; number++) {
                    Message message = free.take();
                    message.length = 1 + number % WORDS;
                    for (int word = 0; word < message.length; word++) {
                        message.words[word] = number * 31 + word;
                    }
                    mailbox.put(message);
                }
                // As many consumers as producers, or one more, who gets a last message from the first producer too.
                for (int left = rank == 0 ? 1 + team.threads % 2 : 1; left > 0; left--) {
                    Message end = new Message();
                    end.last = true;
                    mailbox.put(end);
                }
            } else {
                long mine = 0;
                for (Message message = mailbox.take(); !message.last; message = mailbox.take()) {
                    for (int word = 0; word < message.length; word++) {
                        mine += message.words[word] ^ word;
                    }
                    free.put(message);
                }
                sum.addAndGet(mine);
            }
        });
        Team.tell(sum);
    }
}
