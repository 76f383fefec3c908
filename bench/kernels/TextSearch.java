import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An index of words, made by all threads and then searched by all, and a search for patterns in characters. */
public class TextSearch {
    private static final int WORDS = 400;
    private static final String[] PATTERNS = {"tarole", "minu", "sesa", "lorati", "vokumi", "rare"};

    private static final class Posting {
        final int document;
        int times;

        Posting(int document) {
            this.document = document;
        }
    }

    private static final class Index {
        private final Map<String, List<Posting>> postings = new TreeMap<>();

        synchronized void add(Map<String, Posting> document) {
            for (Map.Entry<String, Posting> entry : document.entrySet()) {
                postings.computeIfAbsent(entry.getKey(), word -> new ArrayList<>()).add(entry.getValue());
            }
        }

        synchronized List<Posting> find(String word) {
            return postings.getOrDefault(word, List.of());
        }
    }

    private static char[] document(int number) {
        Random random = new Random(number * 7919L);
        String syllables = "talomisevorakunetipolasumiredogawi";
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < WORDS; word++) {
            int length = 1 + random.nextInt(3);
            for (int syllable = 0; syllable < length; syllable++) {
                int at = random.nextInt(syllables.length() / 2) * 2;
                text.append(syllables, at, at + 2);
            }
            text.append(' ');
        }
        char[] characters = new char[text.length()];
        text.getChars(0, characters.length, characters, 0);
        return characters;
    }

    private static Map<String, Posting> words(char[] text, int document) {
        Map<String, Posting> words = new HashMap<>();
        int start = 0;
        for (int at = 0; at < text.length; at++) {
            if (text[at] == ' ') {
                String word = new String(text, start, at - start);
                words.computeIfAbsent(word, key -> new Posting(document)).times++;
                start = at + 1;
            }
        }
        return words;
    }

    /** How often a pattern is in a text, by Horspool's algorithm. */
    private static int count(char[] text, char[] pattern, int[] shift) {
        int found = 0;
        int last = pattern.length - 1;
        for (int at = last; at < text.length; at += shift[text[at]]) {
            int back = 0;
            while (back <= last && text[at - back] == pattern[last - back]) {
                back++;
            }
            if (back > last) {
                found++;
            }
        }
        return found;
    }

    private static int[] shifts(char[] pattern) {
        int[] shift = new int[128];
        java.util.Arrays.fill(shift, pattern.length);
        for (int at = 0; at < pattern.length - 1; at++) {
            shift[pattern[at]] = pattern.length - 1 - at;
        }
        return shift;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int documents = Team.scaled(arguments, 8_000);
        char[][] texts = new char[documents][];
        int[][] shifts = new int[PATTERNS.length][];
        for (int pattern = 0; pattern < PATTERNS.length; pattern++) {
            shifts[pattern] = shifts(PATTERNS[pattern].toCharArray());
        }
        Index index = new Index();
        AtomicInteger next = new AtomicInteger();
        long[] found = new long[team.threads];
        team.run(rank -> {
            for (int number = next.getAndIncrement(); number < documents; number = next.getAndIncrement()) {
                texts[number] = document(number);
                index.add(words(texts[number], number));
            }
            team.meet();
            for (int round = 0; round < 10; round++) {
                for (int number = team.from(rank, documents); number < team.from(rank + 1, documents); number++) {
                    for (int pattern = 0; pattern < PATTERNS.length; pattern++) {
                        found[rank] += count(texts[number], PATTERNS[pattern].toCharArray(), shifts[pattern]);
                    }
                    for (Posting posting : index.find(new String(texts[number], 0, 6).trim())) {
                        found[rank] += posting.times + posting.document % 2;
                    }
                }
            }
        });
        long total = 0;
        for (long part : found) {
            total += part;
        }
        Team.tell(total);
    }
}
