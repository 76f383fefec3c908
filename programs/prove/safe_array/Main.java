/** Every index is checked, and every element is looked at. */
public class Main {
    public static void main(String[] args) {
        int[] a = {3, 1, 4};
        int x = Integer.parseInt(args[0]);
        if (x >= 0 && x < a.length) {
            if (a[x] > 4) {
                throw new IllegalStateException();
            }
        }
    }
}
