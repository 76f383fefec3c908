import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Selectors and their keys hand over: attachments, registrations, interest sets, wake-ups, cancelled keys.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings("deprecation")
public class Main {
    private static int scenarios;

    interface Step {
        void run() throws Exception;
    }

    interface Question<T> {
        T answer() throws Exception;
    }

    static void check(boolean right) {
        if (!right) {
            throw new AssertionError();
        }
    }

    static Thread thread(Step step) {
        return new Thread(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                unexpected.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
    }

    static void pair(Step giver, Step taker) throws InterruptedException {
        Thread two = thread(taker);
        Thread one = thread(giver);
        two.start();
        one.start();
        one.join();
        two.join();
    }

    static void until(Question<Boolean> question) throws Exception {
        while (!question.answer()) {
            Thread.sleep(1);
        }
    }

    /** Asks until the answer is of the type. */
    static <T> T await(Class<T> type, Question<?> question) throws Exception {
        for (;;) {
            Object answer = question.answer();
            if (type.isInstance(answer)) {
                return type.cast(answer);
            }
            Thread.sleep(1);
        }
    }

    static boolean fails(Class<? extends Exception> how, Step step) throws Exception {
        try {
            step.run();
            return false;
        } catch (Exception thrown) {
            if (how.isInstance(thrown)) {
                return true;
            }
            throw thrown;
        }
    }

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    static DatagramChannel channel() throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.configureBlocking(false);
        return channel;
    }

    static final class Attached {
        int value;
    }

    static void attach() throws Exception {
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, 0);
            pair(() -> {
                Attached note = new Attached();
                note.value = 7;
                key.attach(note);
            }, () -> check(await(Attached.class, key::attachment).value == 7));
        }
    }

    static final class AttachedInLoop {
        int value;
    }

    static void attachAndSelect() throws Exception {
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            pair(() -> {
                AttachedInLoop note = new AttachedInLoop();
                note.value = 7;
                key.attach(note);
            }, () -> {
                for (AttachedInLoop[] found = new AttachedInLoop[1]; found[0] == null; Thread.sleep(1)) {
                    selector.select(selected -> found[0] = (AttachedInLoop) selected.attachment());
                    check(found[0] == null || found[0].value == 7);
                }
            });
        }
    }

    static final class Registered {
        int value;
    }

    static void register() throws Exception {
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            pair(() -> {
                Registered note = new Registered();
                note.value = 7;
                channel.register(selector, SelectionKey.OP_WRITE, note);
                selector.wakeup();
            }, () -> {
                until(() -> selector.select() > 0);
                SelectionKey key = selector.selectedKeys().iterator().next();
                check(((Registered) key.attachment()).value == 7);
            });
        }
    }

    static final class RegisteredKey {
        int value;
    }

    static void keyFor() throws Exception {
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            pair(() -> {
                RegisteredKey note = new RegisteredKey();
                note.value = 7;
                channel.register(selector, 0, note);
            }, () -> {
                SelectionKey key = await(SelectionKey.class, () -> channel.keyFor(selector));
                check(((RegisteredKey) key.attachment()).value == 7);
            });
        }
    }

    static final class IsRegistered {
        int value;
    }

    static void isRegistered() throws Exception {
        IsRegistered note = new IsRegistered();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            pair(() -> {
                note.value = 7;
                channel.register(selector, 0);
            }, () -> {
                until(channel::isRegistered);
                check(note.value == 7);
            });
        }
    }

    static final class Keys {
        int value;
    }

    static void keys() throws Exception {
        Keys note = new Keys();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            pair(() -> {
                note.value = 7;
                channel.register(selector, 0);
            }, () -> {
                until(() -> !selector.keys().isEmpty());
                check(note.value == 7);
            });
        }
    }

    static final class Interest {
        int value;
    }

    static void interest() throws Exception {
        Interest note = new Interest();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, 0);
            pair(() -> {
                note.value = 7;
                key.interestOps(SelectionKey.OP_READ);
            }, () -> {
                until(() -> key.interestOps() != 0);
                check(note.value == 7);
            });
        }
    }

    static final class InterestOr {
        int value;
    }

    static void interestOr() throws Exception {
        InterestOr note = new InterestOr();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, 0);
            pair(() -> {
                note.value = 7;
                key.interestOpsOr(SelectionKey.OP_READ);
            }, () -> {
                until(() -> key.interestOps() != 0);
                check(note.value == 7);
            });
        }
    }

    static final class Selected {
        int value;
    }

    static void interestAndSelect() throws Exception {
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            Selected note = new Selected();
            SelectionKey key = channel.register(selector, 0, note);
            pair(() -> {
                note.value = 7;
                key.interestOps(SelectionKey.OP_WRITE);
                selector.wakeup();
            }, () -> {
                until(() -> selector.select() > 0);
                check(selector.selectedKeys().remove(key));
                check(((Selected) key.attachment()).value == 7);
            });
        }
    }

    static final class Polled {
        int value;
    }

    static void interestAndSelectNow() throws Exception {
        Polled note = new Polled();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, 0);
            pair(() -> {
                note.value = 7;
                key.interestOpsOr(SelectionKey.OP_WRITE);
            }, () -> {
                until(() -> selector.selectNow() > 0);
                check(note.value == 7);
            });
        }
    }

    static final class WokenUp {
        int value;
    }

    static void wakeup() throws Exception {
        WokenUp note = new WokenUp();
        try (Selector selector = Selector.open()) {
            pair(() -> {
                note.value = 7;
                selector.wakeup();
            }, () -> {
                selector.select();
                check(note.value == 7);
            });
        }
    }

    static final class Cancelled {
        int value;
    }

    static void cancel() throws Exception {
        Cancelled note = new Cancelled();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, 0);
            pair(() -> {
                note.value = 7;
                key.cancel();
            }, () -> {
                until(() -> !key.isValid());
                check(note.value == 7);
            });
        }
    }

    static final class ClosedChannel {
        int value;
    }

    static void closeChannel() throws Exception {
        ClosedChannel note = new ClosedChannel();
        try (Selector selector = Selector.open(); DatagramChannel channel = channel()) {
            SelectionKey key = channel.register(selector, 0);
            pair(() -> {
                note.value = 7;
                channel.close();
            }, () -> {
                until(() -> !key.isValid());
                check(note.value == 7);
            });
        }
    }

    static final class ClosedSelector {
        int value;
    }

    static void closeSelector() throws Exception {
        ClosedSelector note = new ClosedSelector();
        Selector selector = Selector.open();
        pair(() -> {
            note.value = 7;
            selector.close();
        }, () -> {
            until(() -> fails(ClosedSelectorException.class, selector::select));
            check(note.value == 7);
        });
    }

    static final class Connection {
        int value;
    }

    /** As servers do it: one thread accepts, another one serves what was accepted. */
    static void acceptAndServe() throws Exception {
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open().bind(LOOPBACK);
                SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
            client.write(ByteBuffer.allocate(1));
            pair(() -> {
                SocketChannel accepted = server.accept();
                accepted.configureBlocking(false);
                Connection connection = new Connection();
                connection.value = 7;
                accepted.register(selector, SelectionKey.OP_READ, connection);
                selector.wakeup();
            }, () -> {
                until(() -> selector.select() > 0);
                SelectionKey key = selector.selectedKeys().iterator().next();
                check(((Connection) key.attachment()).value == 7);
                key.channel().close();
            });
        }
    }

    public static void main(String[] arguments) throws Exception {
        twice(Main::attach);
        twice(Main::attachAndSelect);
        twice(Main::register);
        twice(Main::keyFor);
        twice(Main::isRegistered);
        twice(Main::keys);
        twice(Main::interest);
        twice(Main::interestOr);
        twice(Main::interestAndSelect);
        twice(Main::interestAndSelectNow);
        twice(Main::wakeup);
        twice(Main::cancel);
        twice(Main::closeChannel);
        twice(Main::closeSelector);
        twice(Main::acceptAndServe);
        System.out.println(scenarios + " hand-overs");
    }
}
