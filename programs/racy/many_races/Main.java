/** Twenty fields that race, each often: twenty reports. */
public class Main {
    int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19;

    void add() {
        for (int i = 0; i < 100; i++) {
            f0++; // race: reads writes f0
            f1++; // race: reads writes f1
            f2++; // race: reads writes f2
            f3++; // race: reads writes f3
            f4++; // race: reads writes f4
            f5++; // race: reads writes f5
            f6++; // race: reads writes f6
            f7++; // race: reads writes f7
            f8++; // race: reads writes f8
            f9++; // race: reads writes f9
            f10++; // race: reads writes f10
            f11++; // race: reads writes f11
            f12++; // race: reads writes f12
            f13++; // race: reads writes f13
            f14++; // race: reads writes f14
            f15++; // race: reads writes f15
            f16++; // race: reads writes f16
            f17++; // race: reads writes f17
            f18++; // race: reads writes f18
            f19++; // race: reads writes f19
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::add);
        Thread two = new Thread(main::add);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
