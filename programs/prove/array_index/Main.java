/** An index that leaves the array. */
public class Main {
    public static void main(String[] args) {
        int[] a = {3, 1, 4};
        int x = Integer.parseInt(args[0]);
        if (x >= 0 && x < 4) {
            System.out.println(a[x]);
        }
    }
}
