import java.awt.Component;
import java.awt.EventQueue;
import java.awt.event.ComponentAdapter;
import java.util.EventListener;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.swing.SwingWorker;
import javax.swing.Timer;
import javax.swing.UIDefaults;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.event.EventListenerList;
import javax.swing.event.UndoableEditEvent;
import javax.swing.event.UndoableEditListener;
import javax.swing.text.AttributeSet;
import javax.swing.text.DocumentFilter;
import javax.swing.text.PlainDocument;
import javax.swing.undo.AbstractUndoableEdit;
import javax.swing.undo.UndoManager;
import javax.swing.undo.UndoableEditSupport;

/**
 * Swing without a screen hands over: documents, undoable edits, listeners, and the event dispatch thread.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings("serial")
public class Main {
    private static final int TIMES = 20;
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

    /** Two threads do the same. */
    static void both(Step step) throws InterruptedException {
        Step often = () -> {
            for (int i = 0; i < TIMES; i++) {
                step.run();
            }
        };
        pair(often, often);
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

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    static final class Listed implements EventListener {
        int value;
    }

    static void eventListenerList() throws Exception {
        EventListenerList listeners = new EventListenerList();
        pair(() -> {
            Listed note = new Listed();
            note.value = 7;
            listeners.add(EventListener.class, note);
        }, () -> check(await(Listed.class, () -> listeners.getListeners(EventListener.class).length > 0 ? listeners.getListeners(EventListener.class)[0] : null).value == 7));
    }

    static final class OfComponent extends ComponentAdapter {
        int value;
    }

    static void componentListener() throws Exception {
        Component component = new Component() {};
        pair(() -> {
            OfComponent note = new OfComponent();
            note.value = 7;
            component.addComponentListener(note);
        }, () -> check(await(OfComponent.class, () -> component.getComponentListeners().length > 0 ? component.getComponentListeners()[0] : null).value == 7));
    }

    static final class Value {
        int value;
    }

    static void uiDefaults() throws Exception {
        UIDefaults defaults = new UIDefaults();
        pair(() -> {
            Value note = new Value();
            note.value = 7;
            defaults.put("own", note);
        }, () -> check(await(Value.class, () -> defaults.get("own")).value == 7));
    }

    static final class Property {
        int value;
    }

    static void documentProperty() throws Exception {
        PlainDocument document = new PlainDocument();
        pair(() -> {
            Property note = new Property();
            note.value = 7;
            document.putProperty("own", note);
        }, () -> check(await(Property.class, () -> document.getProperty("own")).value == 7));
    }

    static final class Rendered {
        int value;
    }

    static void render() throws Exception {
        Rendered note = new Rendered();
        PlainDocument document = new PlainDocument();
        pair(() -> {
            note.value = 7;
            document.insertString(0, "text", null);
        }, () -> {
            int[] seen = new int[1];
            until(() -> {
                document.render(() -> seen[0] = document.getLength() > 0 ? note.value : 0);
                return seen[0] == 7;
            });
        });
    }

    static final class InDocumentListener implements DocumentListener {
        int count;

        @Override
        public void insertUpdate(DocumentEvent event) {
            count++;
        }

        @Override
        public void removeUpdate(DocumentEvent event) {}

        @Override
        public void changedUpdate(DocumentEvent event) {}
    }

    static void documentListener() throws Exception {
        InDocumentListener own = new InDocumentListener();
        PlainDocument document = new PlainDocument();
        document.addDocumentListener(own);
        both(() -> document.insertString(0, "x", null));
        check(own.count == 2 * TIMES);
    }

    static final class InDocumentFilter extends DocumentFilter {
        int count;

        @Override
        public void insertString(FilterBypass bypass, int offset, String text, AttributeSet attributes) {
            count++;
        }
    }

    static void documentFilter() throws Exception {
        InDocumentFilter own = new InDocumentFilter();
        PlainDocument document = new PlainDocument();
        document.setDocumentFilter(own);
        both(() -> document.insertString(0, "x", null));
        check(own.count == 2 * TIMES);
    }

    static final class Edit extends AbstractUndoableEdit {
        int value;
        int seen;

        @Override
        public void undo() {
            super.undo();
            seen = value;
        }
    }

    static void undo() throws Exception {
        UndoManager manager = new UndoManager();
        pair(() -> {
            Edit note = new Edit();
            note.value = 7;
            manager.addEdit(note);
        }, () -> {
            until(manager::canUndo);
            manager.undo();
        });
    }

    static final class InPostEdit implements UndoableEditListener {
        int count;

        @Override
        public void undoableEditHappened(UndoableEditEvent event) {
            count++;
        }
    }

    static void postEdit() throws Exception {
        InPostEdit own = new InPostEdit();
        UndoableEditSupport support = new UndoableEditSupport();
        support.addUndoableEditListener(own);
        both(() -> support.postEdit(new AbstractUndoableEdit()));
        check(own.count == 2 * TIMES);
    }

    // The event dispatch thread runs what the program gives it.

    static final class Waited {
        int value;
        int answer;
    }

    static void invokeAndWait() throws Exception {
        Thread giver = thread(() -> {
            Waited note = new Waited();
            note.value = 7;
            EventQueue.invokeAndWait(() -> note.answer = note.value);
            check(note.answer == 7);
        });
        giver.start();
        giver.join();
    }

    static final class Later {
        int value;
        int seen;
    }

    static void invokeLater() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread giver = thread(() -> {
            Later note = new Later();
            note.value = 7;
            EventQueue.invokeLater(() -> {
                note.seen = note.value;
                done.countDown();
            });
        });
        giver.start();
        done.await();
        giver.join();
    }

    static final class Timed {
        int value;
        int seen;
    }

    static void timer() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread giver = thread(() -> {
            Timed note = new Timed();
            note.value = 7;
            Timer timer = new Timer(1, event -> {
                note.seen = note.value;
                done.countDown();
            });
            timer.setRepeats(false);
            timer.start();
        });
        giver.start();
        done.await();
        giver.join();
    }

    static final class Published {
        int value;
        int seen;
    }

    static void swingWorker() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        SwingWorker<Void, Published> worker = new SwingWorker<>() {
            @Override
            protected Void doInBackground() {
                Published note = new Published();
                note.value = 7;
                publish(note);
                return null;
            }

            @Override
            protected void process(List<Published> published) {
                published.get(0).seen = published.get(0).value;
                done.countDown();
            }
        };
        worker.execute();
        done.await();
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        twice(Main::eventListenerList);
        twice(Main::componentListener);
        twice(Main::uiDefaults);
        twice(Main::documentProperty);
        twice(Main::render);
        twice(Main::documentListener);
        twice(Main::documentFilter);
        twice(Main::undo);
        twice(Main::postEdit);
        twice(Main::invokeAndWait);
        twice(Main::invokeLater);
        twice(Main::timer);
        twice(Main::swingWorker);
        System.out.println(scenarios + " hand-overs");
        System.exit(0); // the event dispatch thread would wait for a second
    }
}
