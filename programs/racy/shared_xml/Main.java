import java.io.StringReader;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Documents, paths and attributes that two threads use at once. Even reading changes a document: it is built when it is read. */
public class Main {
    private static Document searched;
    private static Element changed;
    private static NodeList children;
    private static XPath path;
    private static XPathExpression expression;
    private static final AttributeList ATTRIBUTES = new AttributeList();

    static void change() {
        changed.setAttribute("name", "value"); // race: reads writes DeferredElementImpl
    }

    static void item() {
        children.item(1); // race: reads writes DeferredElementImpl
    }

    static void path() {
        path.setXPathFunctionResolver((name, arity) -> null); // race: writes XPathImpl
    }

    static void search() throws Exception {
        expression.evaluate(searched, XPathConstants.NODESET); // race: reads writes DeferredDocumentImpl
    }

    static void attributes() {
        ATTRIBUTES.add(new Attribute("name", "value")); // race: reads writes AttributeList
    }

    interface Work {
        void run() throws Exception;
    }

    /** An object that two threads use at once may fail, which is not what is tested. */
    static void attempt(Work work) {
        try {
            work.run();
        } catch (Exception anything) {
            // As said.
        }
    }

    static void both(Work work) throws InterruptedException {
        Thread other = new Thread(() -> attempt(work));
        other.start();
        Thread.sleep(10);
        attempt(work);
        other.join();
    }

    static Document document() throws Exception {
        String text = "<all><one/><two><three/></two></all>";
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    public static void main(String[] arguments) throws Exception {
        changed = document().getDocumentElement();
        searched = document();
        children = document().getDocumentElement().getChildNodes();
        path = XPathFactory.newInstance().newXPath();
        expression = path.compile("//three");
        expression.evaluate(document(), XPathConstants.NODESET);
        both(Main::change);
        both(Main::item);
        both(Main::path);
        both(Main::search);
        both(Main::attributes);
        System.out.println("done");
    }
}
