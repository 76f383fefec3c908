import java.awt.datatransfer.Clipboard;
import java.awt.datatransfer.DataFlavor;
import java.awt.datatransfer.FlavorEvent;
import java.awt.datatransfer.FlavorListener;
import java.awt.datatransfer.Transferable;
import java.beans.Introspector;
import java.beans.PropertyChangeEvent;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.beans.PropertyEditorManager;
import java.beans.PropertyEditorSupport;
import java.beans.VetoableChangeListener;
import java.beans.VetoableChangeSupport;
import java.beans.beancontext.BeanContextSupport;

/**
 * Beans and the clipboard hand over: listeners, editors, children and contents that one thread gives and another one gets.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings({"deprecation", "removal"})
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

    static void twice(Step scenario) throws Exception {
        scenario.run();
        scenario.run();
        scenarios++;
    }

    static final class Listener implements PropertyChangeListener {
        int value;

        @Override
        public void propertyChange(PropertyChangeEvent event) {}
    }

    static void propertyListeners() throws Exception {
        PropertyChangeSupport support = new PropertyChangeSupport(Main.class);
        pair(() -> {
            Listener note = new Listener();
            note.value = 7;
            support.addPropertyChangeListener(note);
        }, () -> check(await(Listener.class, () -> support.getPropertyChangeListeners().length > 0 ? support.getPropertyChangeListeners()[0] : null).value == 7));
    }

    static final class Fired implements PropertyChangeListener {
        int value;
        int seen;

        @Override
        public void propertyChange(PropertyChangeEvent event) {
            seen = value;
            ((int[]) event.getNewValue())[0]++;
        }
    }

    static void firePropertyChange() throws Exception {
        PropertyChangeSupport support = new PropertyChangeSupport(Main.class);
        pair(() -> {
            Fired note = new Fired();
            note.value = 7;
            support.addPropertyChangeListener("own", note);
        }, () -> {
            int[] calls = new int[1];
            until(() -> {
                support.firePropertyChange("own", null, calls);
                return calls[0] > 0;
            });
        });
    }

    static final class HasListeners {
        int value;
    }

    static void hasListeners() throws Exception {
        HasListeners note = new HasListeners();
        PropertyChangeSupport support = new PropertyChangeSupport(Main.class);
        pair(() -> {
            note.value = 7;
            support.addPropertyChangeListener("own", event -> {});
        }, () -> {
            until(() -> support.hasListeners("own"));
            check(note.value == 7);
        });
    }

    static final class Vetoable implements VetoableChangeListener {
        int value;

        @Override
        public void vetoableChange(PropertyChangeEvent event) {}
    }

    static void vetoableListeners() throws Exception {
        VetoableChangeSupport support = new VetoableChangeSupport(Main.class);
        pair(() -> {
            Vetoable note = new Vetoable();
            note.value = 7;
            support.addVetoableChangeListener(note);
        }, () -> check(await(Vetoable.class, () -> support.getVetoableChangeListeners().length > 0 ? support.getVetoableChangeListeners()[0] : null).value == 7));
    }

    static final class Edited implements PropertyChangeListener {
        int value;
        int seen;

        @Override
        public void propertyChange(PropertyChangeEvent event) {
            seen = value;
            ((int[]) event.getSource())[0]++;
        }
    }

    static void propertyEditor() throws Exception {
        int[] calls = new int[1];
        PropertyEditorSupport editor = new PropertyEditorSupport(calls);
        pair(() -> {
            Edited note = new Edited();
            note.value = 7;
            editor.addPropertyChangeListener(note);
        }, () -> until(() -> {
            editor.firePropertyChange();
            return calls[0] > 0;
        }));
    }

    static final class Registered {
        int value;
    }

    static void registerEditor() throws Exception {
        Registered note = new Registered();
        PropertyEditorManager.registerEditor(Main.class, null);
        pair(() -> {
            note.value = 7;
            PropertyEditorManager.registerEditor(Main.class, PropertyEditorSupport.class);
        }, () -> {
            until(() -> PropertyEditorManager.findEditor(Main.class) != null);
            check(note.value == 7);
        });
    }

    static final class SearchPath {
        int value;
    }

    static void searchPath() throws Exception {
        SearchPath note = new SearchPath();
        Introspector.setBeanInfoSearchPath(new String[0]);
        pair(() -> {
            note.value = 7;
            Introspector.setBeanInfoSearchPath(new String[] {"own"});
        }, () -> {
            until(() -> Introspector.getBeanInfoSearchPath().length == 1);
            check(note.value == 7);
        });
    }

    static final class Child {
        int value;
    }

    static void beanContext() throws Exception {
        BeanContextSupport context = new BeanContextSupport();
        pair(() -> {
            Child note = new Child();
            note.value = 7;
            context.add(note);
        }, () -> check(await(Child.class, () -> context.toArray().length > 0 ? context.toArray()[0] : null).value == 7));
    }

    static final class Contents implements Transferable {
        int value;

        @Override
        public DataFlavor[] getTransferDataFlavors() {
            return new DataFlavor[0];
        }

        @Override
        public boolean isDataFlavorSupported(DataFlavor flavor) {
            return false;
        }

        @Override
        public Object getTransferData(DataFlavor flavor) {
            return null;
        }
    }

    static void clipboard() throws Exception {
        Clipboard clipboard = new Clipboard("own");
        pair(() -> {
            Contents note = new Contents();
            note.value = 7;
            clipboard.setContents(note, null);
        }, () -> check(await(Contents.class, () -> clipboard.getContents(null)).value == 7));
    }

    static final class Flavors implements FlavorListener {
        int value;

        @Override
        public void flavorsChanged(FlavorEvent event) {}
    }

    static void flavorListener() throws Exception {
        Clipboard clipboard = new Clipboard("own");
        pair(() -> {
            Flavors note = new Flavors();
            note.value = 7;
            clipboard.addFlavorListener(note);
        }, () -> check(await(Flavors.class, () -> clipboard.getFlavorListeners().length > 0 ? clipboard.getFlavorListeners()[0] : null).value == 7));
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        twice(Main::propertyListeners);
        twice(Main::firePropertyChange);
        twice(Main::hasListeners);
        twice(Main::vetoableListeners);
        twice(Main::propertyEditor);
        twice(Main::registerEditor);
        twice(Main::searchPath);
        twice(Main::beanContext);
        twice(Main::clipboard);
        twice(Main::flavorListener);
        System.out.println(scenarios + " hand-overs");
    }
}
