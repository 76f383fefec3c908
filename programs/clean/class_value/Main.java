/** What a ClassValue computes is handed to other threads without a lock of the program's. */
public class Main {
    static final ClassValue<Object[]> VALUES = new ClassValue<>() {
        @Override
        protected Object[] computeValue(Class<?> type) {
            Object[] value = new Object[4];
            value[0] = type.getName();
            value[1] = new int[] {type.getName().length()};
            return value;
        }
    };

    static int read() {
        int sum = 0;
        for (Class<?> type : new Class<?>[] {String.class, Integer.class, Main.class, Runnable.class, int[].class}) {
            Object[] value = VALUES.get(type);
            sum += ((String) value[0]).length() + ((int[]) value[1])[0];
        }
        return sum;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[4];
        int[] sums = new int[threads.length];
        for (int i = 0; i < threads.length; i++) {
            int mine = i;
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 50; round++) {
                    sums[mine] = read();
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(sums[0] + " " + sums[3]);
    }
}
