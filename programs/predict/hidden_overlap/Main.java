/** Figure 4.3 of Rajagopalan's thesis, caveat 1: two hidden methods run at the same time and wait for each other in turn, so
 * what comes before the one is ordered before what comes after the other, both ways. */
public class Main {
    static int x, y;

    static void first(Library.Meeting meeting) {
        x = 1;
        Library.meetFirst(meeting);
        y = 1;
    }

    static void second(Library.Meeting meeting) {
        y = 2;
        Library.meetSecond(meeting);
        x = 2;
    }

    public static void main(String[] arguments) throws Exception {
        Library.Meeting meeting = new Library.Meeting();
        Thread first = new Thread(() -> first(meeting));
        Thread second = new Thread(() -> second(meeting));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x + " " + y);
    }
}

/** Threads that wait for each other, and nobody sees it. */
class Library {
    static class Meeting {
        volatile int steps;
    }

    private static void await(Meeting meeting, int steps) {
        while (meeting.steps < steps) {
            Thread.onSpinWait();
        }
    }

    static void meetFirst(Meeting meeting) {
        meeting.steps = 1;
        await(meeting, 2);
        meeting.steps = 3;
    }

    static void meetSecond(Meeting meeting) {
        await(meeting, 1);
        meeting.steps = 2;
        await(meeting, 3);
    }
}
