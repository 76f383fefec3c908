import java.util.Arrays;
import java.util.Random;

/** A block cipher (XTEA) over byte arrays, forth and back; each thread has its blocks of the shared arrays. */
public class Crypt {
    private static final int BLOCK = 8;
    private static final int ROUNDS = 32;
    private static final int DELTA = 0x9e3779b9;

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int messages = Team.scaled(arguments, 16);
        int blocks = 1_000_000;
        byte[] plain = new byte[blocks * BLOCK];
        new Random(136506717).nextBytes(plain);
        byte[] coded = new byte[plain.length];
        byte[] back = new byte[plain.length];
        int[] keys = schedule(new int[] {0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210});
        for (int message = 0; message < messages; message++) {
            plain[message]++;
            team.run(rank -> {
                int end = team.from(rank + 1, blocks);
                for (int block = team.from(rank, blocks); block < end; block++) {
                    encrypt(plain, coded, block * BLOCK, keys);
                }
            });
            team.run(rank -> {
                int end = team.from(rank + 1, blocks);
                for (int block = team.from(rank, blocks); block < end; block++) {
                    decrypt(coded, back, block * BLOCK, keys);
                }
            });
        }
        Team.tell(Arrays.hashCode(coded) + " " + Arrays.equals(plain, back));
    }

    private static int[] schedule(int[] key) {
        int[] keys = new int[2 * ROUNDS];
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            keys[2 * round] = sum + key[sum & 3];
            sum += DELTA;
            keys[2 * round + 1] = sum + key[sum >>> 11 & 3];
        }
        return keys;
    }

    private static void encrypt(byte[] from, byte[] to, int at, int[] keys) {
        int one = word(from, at);
        int two = word(from, at + 4);
        for (int round = 0; round < keys.length; round += 2) {
            one += (two << 4 ^ two >>> 5) + two ^ keys[round];
            two += (one << 4 ^ one >>> 5) + one ^ keys[round + 1];
        }
        put(to, at, one);
        put(to, at + 4, two);
    }

    private static void decrypt(byte[] from, byte[] to, int at, int[] keys) {
        int one = word(from, at);
        int two = word(from, at + 4);
        for (int round = keys.length - 2; round >= 0; round -= 2) {
            two -= (one << 4 ^ one >>> 5) + one ^ keys[round + 1];
            one -= (two << 4 ^ two >>> 5) + two ^ keys[round];
        }
        put(to, at, one);
        put(to, at + 4, two);
    }

    private static int word(byte[] bytes, int at) {
        return bytes[at] << 24 | (bytes[at + 1] & 255) << 16 | (bytes[at + 2] & 255) << 8 | bytes[at + 3] & 255;
    }

    private static void put(byte[] bytes, int at, int word) {
        bytes[at] = (byte) (word >>> 24);
        bytes[at + 1] = (byte) (word >>> 16);
        bytes[at + 2] = (byte) (word >>> 8);
        bytes[at + 3] = (byte) word;
    }
}
