import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sourceforge.pmd.PMDConfiguration;
import net.sourceforge.pmd.PmdAnalysis;
import net.sourceforge.pmd.lang.LanguageRegistry;
import net.sourceforge.pmd.reporting.RuleViolation;

/** PMD with four threads of its own, which share its rules and its tables of types. */
public class Main {
    /** Those that are written in Java: a compiler of XPath takes seconds to start. */
    private static final List<String> RULES = List.of("bestpractices.xml/UnusedPrivateField", "errorprone.xml/CompareObjectsWithEquals",
            "errorprone.xml/UseEqualsToCompareStrings", "codestyle.xml/UnnecessaryImport", "bestpractices.xml/UnusedLocalVariable");

    private static String source(int number) {
        StringBuilder text = new StringBuilder("package p;\nimport java.util.*;\nimport java.io.*;\n\npublic class C" + number + " {\n");
        for (int method = 0; method < 6; method++) {
            text.append("    private int unused").append(method).append(";\n    public String m").append(method).append("(List<String> in, int n) {\n")
                    .append("        String s = new String(\"x\");\n        for (String t : in) {\n            try {\n")
                    .append("                if (n == 1) { } else if (t == \"y\") { s = s + t; }\n                switch (n) { case 1: n++; }\n")
                    .append("            } catch (RuntimeException e) { }\n        }\n        return s;\n    }\n");
        }
        return text.append("}\n").toString();
    }

    public static void main(String[] arguments) throws Exception {
        Path place = Files.createTempDirectory("pmd");
        for (int number = 0; number < Crew.part(40); number++) {
            Files.writeString(place.resolve("C" + number + ".java"), source(number));
        }
        PMDConfiguration configuration = new PMDConfiguration();
        configuration.setDefaultLanguageVersion(LanguageRegistry.PMD.getLanguageById("java").getVersion("17"));
        configuration.setThreads(4);
        configuration.setIgnoreIncrementalAnalysis(true);
        configuration.addInputPath(place);
        for (String rule : RULES) {
            configuration.addRuleSet("category/java/" + rule);
        }
        Map<String, Integer> violations = new TreeMap<>();
        try (PmdAnalysis analysis = PmdAnalysis.create(configuration)) {
            for (RuleViolation violation : analysis.performAnalysisAndCollectReport().getViolations()) {
                violations.merge(violation.getRule().getName(), 1, Integer::sum);
            }
        }
        System.out.println(violations);
        try (Stream<Path> all = Files.walk(place)) {
            List<Path> files = all.sorted(Comparator.reverseOrder()).toList();
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
