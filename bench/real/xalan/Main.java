import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Stylesheets compiled once and used by all threads, interpreted and translated to bytecode, and factories of each thread. */
public class Main {
    private static final String SHEET = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
            + "<xsl:output method='html' indent='yes'/><xsl:key name='parity' match='item' use='@n mod 2'/>"
            + "<xsl:template match='/'><html><body><xsl:apply-templates select='//item'>"
            + "<xsl:sort select='@n' data-type='number' order='descending'/></xsl:apply-templates>"
            + "<p><xsl:value-of select='sum(key(\"parity\", 1)/@n)'/></p></body></html></xsl:template>"
            + "<xsl:template match='item'><li><xsl:number/>: <xsl:value-of select='concat(@n, \"-\", .)'/></li></xsl:template>"
            + "</xsl:stylesheet>";

    private static String document(int number) {
        StringBuilder text = new StringBuilder("<list>");
        for (int item = 0; item < Crew.part(60); item++) {
            text.append("<item n='").append(item * 7 % 61 + number).append("'>word").append(item).append("</item>");
        }
        return text.append("</list>").toString();
    }

    private static byte[] transform(Templates templates, int number) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StreamSource source = new StreamSource(new StringReader(document(number)));
        templates.newTransformer().transform(source, new StreamResult(out));
        return out.toByteArray();
    }

    private static Templates compile(TransformerFactory factory) throws Exception {
        return factory.newTemplates(new StreamSource(new StringReader(SHEET)));
    }

    public static void main(String[] arguments) throws Exception {
        Templates[] shared = new Templates[1];
        System.out.println(Crew.work(4, rank -> {
            // Each with a factory of its own: statics of the library are all they share.
            Templates own = compile(new org.apache.xalan.processor.TransformerFactoryImpl());
            return Crew.digest(transform(own, rank));
        }));
        shared[0] = compile(new org.apache.xalan.processor.TransformerFactoryImpl());
        Templates translated = compile(new org.apache.xalan.xsltc.trax.TransformerFactoryImpl());
        for (Templates templates : new Templates[] {shared[0], translated}) {
            System.out.println(Crew.work(4, rank -> {
                StringBuilder digests = new StringBuilder();
                for (int number = 0; number < Crew.part(15); number++) {
                    digests.append(Crew.digest(transform(templates, number))).append(' ');
                }
                return digests;
            }));
        }
    }
}
