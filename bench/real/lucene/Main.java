import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.hnsw.BlockingFloatHeap;

/** Threads that fill one index, merges behind them, then threads that search it, each query on several threads. */
public class Main {
    private static final String[] WORDS = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"};

    private static Document document(int number) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < 30; word++) {
            text.append(WORDS[(number * 31 + word * word * (number % 5 + 1)) % WORDS.length]).append(' ');
        }
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
        document.add(new TextField("body", text.toString(), Field.Store.NO));
        document.add(new NumericDocValuesField("number", number));
        document.add(new KnnFloatVectorField("place", new float[] {number % 17, number % 5, number % 3 + 1}));
        return document;
    }

    public static void main(String[] arguments) throws Exception {
        Directory directory = new ByteBuffersDirectory();
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(50);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            Crew.work(4, rank -> {
                for (int number = 0; number < Crew.part(300); number++) {
                    writer.addDocument(document(rank * 300 + number));
                    if (number % Crew.part(100) == Crew.part(100) - 1) {
                        DirectoryReader.open(writer).close();
                    }
                }
                return rank;
            });
            writer.commit();
        }
        ExecutorService executor = Executors.newFixedThreadPool(3);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader, executor);
            System.out.println(reader.numDocs());
            System.out.println(Crew.work(4, rank -> {
                StringBuilder counts = new StringBuilder();
                for (int query = 0; query < Crew.part(25); query++) {
                    String text = WORDS[query % 9] + " AND " + WORDS[(query * 5 + rank) % 9] + " OR \"" + WORDS[query % 7]
                            + " " + WORDS[(query + 2) % 9] + "\"";
                    counts.append(searcher.count(new QueryParser("body", new StandardAnalyzer()).parse(text))).append(' ');
                    searcher.search(new QueryParser("body", new StandardAnalyzer()).parse(text), 10);
                    // What is near depends on which documents came together in a segment.
                    searcher.search(new KnnFloatVectorQuery("place", new float[] {query, rank, 1}, 5), 5);
                }
                return counts;
            }));
        }
        executor.shutdown();
        // What searches on many threads share; they do not poll.
        BlockingFloatHeap heap = new BlockingFloatHeap(8);
        Crew.work(3, rank -> {
            for (int number = 0; number < Crew.part(3000); number++) {
                heap.offer(number * rank);
                heap.offer(number + rank);
                heap.poll();
            }
            return rank;
        });
    }
}
