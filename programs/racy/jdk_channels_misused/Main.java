import java.net.DatagramPacket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Channels, sockets, packets and selectors hand over what was done before they were changed: not what is done later, nor by others.
 */
public class Main {
    interface Step {
        void run() throws Exception;
    }

    interface Question {
        boolean holds() throws Exception;
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

    static void until(Question question) throws Exception {
        while (!question.holds()) {
            Thread.sleep(1);
        }
    }

    static final class AfterClose {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterClose() throws Exception {
        AfterClose note = new AfterClose();
        SocketChannel channel = SocketChannel.open();
        pair(() -> {
            channel.close();
            note.give();
        }, () -> {
            until(() -> !channel.isOpen());
            note.take();
        });
    }

    static final class AfterSocketClose {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterSocketClose() throws Exception {
        AfterSocketClose note = new AfterSocketClose();
        Socket socket = new Socket();
        pair(() -> {
            socket.close();
            note.give();
        }, () -> {
            until(() -> socket.isClosed());
            note.take();
        });
    }

    static final class AfterPort {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterPort() throws Exception {
        AfterPort note = new AfterPort();
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        pair(() -> {
            packet.setPort(7);
            note.give();
        }, () -> {
            until(() -> packet.getPort() == 7);
            note.take();
        });
    }

    static final class OtherPacket {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** What is awaited is another packet. */
    static void otherPacket() throws Exception {
        OtherPacket note = new OtherPacket();
        DatagramPacket one = new DatagramPacket(new byte[1], 1);
        DatagramPacket two = new DatagramPacket(new byte[1], 1);
        two.setPort(7);
        pair(() -> {
            note.give();
            one.setPort(7);
        }, () -> {
            until(() -> two.getPort() == 7);
            note.take();
        });
    }

    static final class Early {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** The channel is asked once, while it is open. */
    static void early() throws Exception {
        Early note = new Early();
        AtomicBoolean looked = new AtomicBoolean();
        SocketChannel channel = SocketChannel.open();
        pair(() -> {
            while (!looked.getOpaque()) {
                Thread.onSpinWait();
            }
            note.give();
            channel.close();
        }, () -> {
            channel.isOpen();
            note.take();
            looked.setOpaque(true);
        });
    }

    static final class AfterAttach {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** What is attached is changed after that. */
    static void afterAttach() throws Exception {
        AfterAttach note = new AfterAttach();
        DatagramChannel channel = DatagramChannel.open();
        channel.configureBlocking(false);
        Selector selector = Selector.open();
        SelectionKey key = channel.register(selector, 0);
        pair(() -> {
            key.attach(note);
            note.give();
        }, () -> {
            until(() -> key.attachment() == note);
            note.take();
        });
        selector.close();
        channel.close();
    }

    static final class AfterWakeup {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterWakeup() throws Exception {
        AfterWakeup note = new AfterWakeup();
        DatagramChannel channel = DatagramChannel.open();
        channel.configureBlocking(false);
        Selector selector = Selector.open();
        SelectionKey key = channel.register(selector, 0);
        pair(() -> {
            key.interestOps(SelectionKey.OP_WRITE);
            selector.wakeup();
            note.give();
        }, () -> {
            until(() -> selector.select() > 0);
            note.take();
        });
        selector.close();
        channel.close();
    }

    static final class AfterCancel {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterCancel() throws Exception {
        AfterCancel note = new AfterCancel();
        DatagramChannel channel = DatagramChannel.open();
        channel.configureBlocking(false);
        Selector selector = Selector.open();
        SelectionKey key = channel.register(selector, 0);
        pair(() -> {
            key.cancel();
            note.give();
        }, () -> {
            until(() -> !key.isValid());
            note.take();
        });
        selector.close();
        channel.close();
    }

    static final class OtherSelector {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** Another selector is woken up. */
    static void otherSelector() throws Exception {
        OtherSelector note = new OtherSelector();
        try (Selector one = Selector.open(); Selector two = Selector.open()) {
            two.wakeup();
            pair(() -> {
                note.give();
                one.wakeup();
            }, () -> {
                two.select();
                note.take();
            });
        }
    }

    public static void main(String[] arguments) throws Exception {
        afterClose();
        afterSocketClose();
        afterPort();
        otherPacket();
        early();
        afterAttach();
        afterWakeup();
        afterCancel();
        otherSelector();
        System.out.println("9 misuses");
    }
}
