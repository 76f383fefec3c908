import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.PreferenceChangeEvent;
import java.util.prefs.PreferenceChangeListener;
import java.util.prefs.Preferences;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.NotCompliantMBeanException;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.timer.Timer;

/**
 * Management, remote objects and preferences hand over: registered beans, listeners, exported objects, timers.
 *
 * Every scenario runs twice, so that the second run finds all classes initialized.
 */
@SuppressWarnings("serial")
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

    static final class Broadcast implements NotificationListener {
        int value;
        int seen;

        @Override
        public void handleNotification(Notification notification, Object calls) {
            seen = value;
            ((int[]) notification.getSource())[0]++;
        }
    }

    static void broadcaster() throws Exception {
        int[] calls = new int[1];
        Notification notification = new Notification("own", calls, 1);
        NotificationBroadcasterSupport support = new NotificationBroadcasterSupport();
        pair(() -> {
            Broadcast note = new Broadcast();
            note.value = 7;
            support.addNotificationListener(note, null, null);
        }, () -> until(() -> {
            support.sendNotification(notification);
            return calls[0] > 0;
        }));
    }

    public interface BeanMBean {
        int getValue();
    }

    static final class Bean extends StandardMBean implements BeanMBean {
        int value;

        Bean() throws NotCompliantMBeanException {
            super(BeanMBean.class);
        }

        @Override
        public int getValue() {
            return value;
        }
    }

    static void mBean() throws Exception {
        MBeanServer server = MBeanServerFactory.newMBeanServer();
        ObjectName name = new ObjectName("own:type=Bean");
        pair(() -> {
            Bean note = new Bean();
            note.value = 7;
            server.registerMBean(note, name);
        }, () -> {
            until(() -> server.isRegistered(name));
            check(server.getAttribute(name, "Value").equals(7));
        });
    }

    static final class UserData {
        int value;
        int seen;
    }

    static void mBeanTimer() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer();
        timer.addNotificationListener((notification, handback) -> {
            UserData note = (UserData) notification.getUserData();
            note.seen = note.value;
            done.countDown();
        }, null, null);
        timer.start();
        Thread giver = thread(() -> {
            UserData note = new UserData();
            note.value = 7;
            timer.addNotification("own", "message", note, new Date(System.currentTimeMillis() + 1));
        });
        giver.start();
        done.await();
        giver.join();
        timer.stop();
    }

    static final class TimerEntry {
        int value;
    }

    static void mBeanTimerEntry() throws Exception {
        Timer timer = new Timer();
        Date never = new Date(System.currentTimeMillis() + 3_600_000);
        timer.start();
        pair(() -> {
            TimerEntry note = new TimerEntry();
            note.value = 7;
            timer.addNotification("own", "message", note, never);
        }, () -> {
            until(() -> timer.getNbNotifications() > 0);
            Integer id = timer.getNotificationIDs("own").get(0);
            check(((TimerEntry) timer.getNotificationUserData(id)).value == 7);
        });
        timer.stop();
    }

    static final class Collection {
        int value;
        int seen;
    }

    /** The JVM's own thread finds the listener in a list and passes the object on. */
    static void collection() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        NotificationListener listener = (notification, handback) -> {
            Collection note = (Collection) handback;
            note.seen = note.value;
            done.countDown();
        };
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        Thread giver = thread(() -> {
            Collection note = new Collection();
            note.value = 7;
            for (GarbageCollectorMXBean collector : collectors) {
                ((NotificationEmitter) collector).addNotificationListener(listener, null, note);
            }
            do {
                System.gc();
            } while (!done.await(50, TimeUnit.MILLISECONDS));
        });
        giver.start();
        done.await();
        giver.join();
        for (GarbageCollectorMXBean collector : collectors) {
            ((NotificationEmitter) collector).removeNotificationListener(listener);
        }
    }

    public interface Value extends Remote {
        int value() throws RemoteException;
    }

    static final class Bound implements Value {
        int value;

        @Override
        public int value() {
            return value;
        }
    }

    /** Within one JVM the registry is a table. */
    static void registry() throws Exception {
        Registry registry = LocateRegistry.createRegistry(0);
        pair(() -> {
            Bound note = new Bound();
            note.value = 7;
            registry.bind("own", note);
        }, () -> {
            until(() -> registry.list().length > 0);
            check(((Value) registry.lookup("own")).value() == 7);
        });
        UnicastRemoteObject.unexportObject(registry, true);
    }

    static final class Exported implements Value {
        int value;

        @Override
        public int value() {
            return value;
        }
    }

    /** The thread that serves a call finds the object in the table of exported ones. */
    static void export() throws Exception {
        Registry registry = LocateRegistry.createRegistry(0);
        Exported note = new Exported();
        pair(() -> {
            note.value = 7;
            registry.bind("own", UnicastRemoteObject.exportObject(note, 0));
        }, () -> {
            until(() -> registry.list().length > 0);
            check(((Value) registry.lookup("own")).value() == 7);
        });
        UnicastRemoteObject.unexportObject(note, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }

    static class Node extends AbstractPreferences {
        Node(AbstractPreferences parent, String name) {
            super(parent, name);
        }

        @Override
        protected void putSpi(String key, String value) {}

        @Override
        protected String getSpi(String key) {
            return null;
        }

        @Override
        protected void removeSpi(String key) {}

        @Override
        protected void removeNodeSpi() {}

        @Override
        protected String[] keysSpi() {
            return new String[0];
        }

        @Override
        protected String[] childrenNamesSpi() {
            return new String[0];
        }

        @Override
        protected AbstractPreferences childSpi(String name) {
            return new Node(this, name);
        }

        @Override
        protected void syncSpi() {}

        @Override
        protected void flushSpi() {}
    }

    static final class OwnPreferences extends Node {
        String value;

        OwnPreferences() {
            super(null, "");
        }

        @Override
        protected void putSpi(String key, String value) {
            this.value = value;
        }

        @Override
        protected String getSpi(String key) {
            return value;
        }
    }

    static void preferences() throws Exception {
        OwnPreferences own = new OwnPreferences();
        pair(() -> own.put("key", "own"), () -> until(() -> own.get("key", null) != null));
    }

    static final class Changed implements PreferenceChangeListener {
        int value;
        int seen;
        final CountDownLatch done = new CountDownLatch(1);

        @Override
        public void preferenceChange(PreferenceChangeEvent event) {
            seen = value;
            done.countDown();
        }
    }

    static void preferenceListener() throws Exception {
        Node node = new Node(null, "");
        Thread giver = thread(() -> {
            Changed note = new Changed();
            note.value = 7;
            node.addPreferenceChangeListener(note);
            node.put("key", "own");
            note.done.await();
        });
        giver.start();
        giver.join();
    }

    static final class Removed {
        int value;
    }

    static void removeNode() throws Exception {
        Removed note = new Removed();
        Preferences node = new Node(null, "").node("own");
        pair(() -> {
            note.value = 7;
            node.removeNode();
        }, () -> {
            until(() -> fails(IllegalStateException.class, () -> node.get("key", null)));
            check(note.value == 7);
        });
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        twice(Main::broadcaster);
        twice(Main::mBean);
        twice(Main::mBeanTimer);
        twice(Main::mBeanTimerEntry);
        twice(Main::collection);
        twice(Main::registry);
        twice(Main::export);
        twice(Main::preferences);
        twice(Main::preferenceListener);
        twice(Main::removeNode);
        System.out.println(scenarios + " hand-overs");
        System.exit(0); // threads of remote calls may wait for more
    }
}
