import java.awt.EventQueue;
import java.awt.datatransfer.Clipboard;
import java.awt.datatransfer.StringSelection;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.util.concurrent.CountDownLatch;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.text.PlainDocument;

/** Beans, documents, the clipboard and the event queue hand over what was done before, through the same object. */
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

    static final class AfterListener {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterListener() throws Exception {
        AfterListener note = new AfterListener();
        PropertyChangeSupport support = new PropertyChangeSupport(Main.class);
        pair(() -> {
            support.addPropertyChangeListener("own", event -> {});
            note.give();
        }, () -> {
            until(() -> support.hasListeners("own"));
            note.take();
        });
    }

    static final class OtherSupport {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** What is awaited is another bean's listener. */
    static void otherSupport() throws Exception {
        OtherSupport note = new OtherSupport();
        PropertyChangeSupport one = new PropertyChangeSupport(Main.class);
        PropertyChangeSupport two = new PropertyChangeSupport(Main.class);
        PropertyChangeListener listener = event -> {};
        two.addPropertyChangeListener(listener);
        pair(() -> {
            note.give();
            one.addPropertyChangeListener(listener);
        }, () -> {
            until(() -> two.hasListeners(null));
            note.take();
        });
    }

    static final class AfterContents {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    static void afterContents() throws Exception {
        AfterContents note = new AfterContents();
        Clipboard clipboard = new Clipboard("own");
        pair(() -> {
            clipboard.setContents(new StringSelection("text"), null);
            note.give();
        }, () -> {
            until(() -> clipboard.getContents(null) != null);
            note.take();
        });
    }

    static final class AfterInvoke {
        private int value;

        void give() {
            value = 7; // race: writes value
        }

        int take() {
            return value; // race: reads value
        }
    }

    /** The event dispatch thread reads what the thread that called it still writes. */
    static void afterInvokeLater() throws Exception {
        AfterInvoke note = new AfterInvoke();
        CountDownLatch done = new CountDownLatch(1);
        Thread giver = thread(() -> {
            EventQueue.invokeLater(() -> {
                note.take();
                done.countDown();
            });
            note.give();
        });
        giver.start();
        giver.join();
        done.await();
    }

    static final class Counted implements DocumentListener {
        private int count;

        int count() {
            return count; // race: reads count
        }

        @Override
        public void insertUpdate(DocumentEvent event) {
            count++; // race: reads writes count
        }

        @Override
        public void removeUpdate(DocumentEvent event) {}

        @Override
        public void changedUpdate(DocumentEvent event) {}
    }

    /** The listener runs under the document's write lock; who asks it holds no lock. */
    static void besideTheDocument() throws Exception {
        Counted own = new Counted();
        PlainDocument document = new PlainDocument();
        document.addDocumentListener(own);
        pair(() -> document.insertString(0, "x", null), own::count);
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        afterListener();
        otherSupport();
        afterContents();
        afterInvokeLater();
        besideTheDocument();
        System.out.println("5 misuses");
        System.exit(0); // the event dispatch thread would wait for a second
    }
}
