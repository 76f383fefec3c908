/** A property, narrowed, shifted and cast. */
public class Main {
    public static void main(String[] args) {
        int size = Integer.getInteger("size");
        byte b = (byte) size;
        if (b < 0 && size >> 4 == 13 && (char) (size + 'A') % 16 == 4) {
            throw new IllegalStateException("size");
        }
    }
}
