import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.internal.data.CRC64;

/** Beside another agent that rewrites classes: coverage must be that of the class files, or no report can be made of it. */
public class Main {
    static class Work {
        private int done;

        synchronized int step(int number) {
            if (number % 2 == 0) {
                done += number;
            } else if (number > 1000) {
                done = 0;
            }
            return done;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Work work = new Work();
        System.out.println(Crew.work(3, rank -> {
            for (int number = 0; number < 100; number++) {
                work.step(number);
            }
            return rank;
        }) + " " + work.step(0));
        Map<String, ExecutionData> covered = new TreeMap<>();
        ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(RT.getAgent().getExecutionData(false)));
        reader.setSessionInfoVisitor(session -> { });
        reader.setExecutionDataVisitor(data -> covered.put(data.getName(), data));
        reader.read();
        for (String name : new String[] {"Main", "Main$Work", "Crew"}) {
            try (InputStream in = Main.class.getResourceAsStream(name + ".class")) {
                boolean same = covered.get(name).getId() == CRC64.classId(in.readAllBytes());
                System.out.println(name + " " + same + " " + Arrays.toString(covered.get(name).getProbes()));
            }
        }
    }
}
