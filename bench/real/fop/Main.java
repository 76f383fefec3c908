import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.StringReader;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopFactory;
import org.apache.xmlgraphics.util.MimeConstants;

/** Documents set by one factory on several threads, as text and as PDF. */
public class Main {
    private static String document(int number) {
        StringBuilder fo = new StringBuilder("<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set>"
                + "<fo:simple-page-master master-name='a' page-height='20cm' page-width='15cm' margin='1cm'><fo:region-body/>"
                + "</fo:simple-page-master></fo:layout-master-set><fo:page-sequence master-reference='a'>"
                + "<fo:flow flow-name='xsl-region-body'>");
        for (int block = 0; block < 30; block++) {
            fo.append("<fo:block font-family='Helvetica' space-after='4pt' text-align='justify'>");
            fo.append("paragraph ").append(block).append(" of document ").append(number).append(" words".repeat(20));
            fo.append("</fo:block>");
        }
        fo.append("<fo:table><fo:table-body>");
        for (int row = 0; row < 10; row++) {
            fo.append("<fo:table-row><fo:table-cell><fo:block>").append(row).append("</fo:block></fo:table-cell>");
            fo.append("<fo:table-cell><fo:block>cell</fo:block></fo:table-cell></fo:table-row>");
        }
        return fo.append("</fo:table-body></fo:table></fo:flow></fo:page-sequence></fo:root>").toString();
    }

    private static Fop set(FopFactory factory, String type, int number, ByteArrayOutputStream out) throws Exception {
        FOUserAgent agent = factory.newFOUserAgent();
        Fop fop = factory.newFop(type, agent, out);
        StreamSource source = new StreamSource(new StringReader(document(number)));
        TransformerFactory.newInstance().newTransformer().transform(source, new SAXResult(fop.getDefaultHandler()));
        return fop;
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        FopFactory factory = FopFactory.newInstance(new File(".").toURI());
        // Threads that make the first documents of a JVM at once fail at times, because they share a parser.
        set(factory, MimeConstants.MIME_PDF, 0, new ByteArrayOutputStream());
        System.out.println(Crew.work(4, rank -> {
            StringBuilder made = new StringBuilder();
            for (int number = 0; number < 2; number++) {
                ByteArrayOutputStream text = new ByteArrayOutputStream();
                set(factory, MimeConstants.MIME_PLAIN_TEXT, rank * 2 + number, text);
                // A PDF has the time in it.
                Fop pdf = set(factory, MimeConstants.MIME_PDF, rank * 2 + number, new ByteArrayOutputStream());
                made.append(Crew.digest(text.toByteArray())).append(' ').append(pdf.getResults().getPageCount()).append(' ');
            }
            return made;
        }));
    }
}
