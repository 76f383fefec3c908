import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.Attributes;
import org.xml.sax.helpers.DefaultHandler;

/** Parsers of each thread, and one document that all read: reading a DOM is not thread-safe, though it changes nothing that
 * can be seen. */
public class Main {
    private static byte[] document() {
        StringBuilder text = new StringBuilder("<?xml version='1.0'?><!DOCTYPE list [<!ELEMENT list (item*)>"
                + "<!ELEMENT item (#PCDATA)><!ATTLIST item n CDATA #REQUIRED kind (a|b) 'a'><!ENTITY e 'entity'>]><list>");
        for (int item = 0; item < Crew.part(400); item++) {
            text.append("<item n='").append(item).append("'>text &e; ").append(item).append("</item>");
        }
        return text.append("</list>").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static long walk(Node node) {
        long sum = node.getNodeName().hashCode();
        NodeList children = node.getChildNodes();
        for (int child = 0; child < children.getLength(); child++) {
            sum = sum * 31 + walk(children.item(child));
        }
        return sum + (node.getNodeValue() == null ? 0 : node.getNodeValue().hashCode());
    }

    public static void main(String[] arguments) throws Exception {
        byte[] text = document();
        System.out.println(Crew.work(4, rank -> {
            long sum = 0;
            for (int round = 0; round < Crew.part(20); round++) {
                SAXParserFactory factory = new org.apache.xerces.jaxp.SAXParserFactoryImpl();
                factory.setValidating(true);
                int[] seen = new int[1];
                factory.newSAXParser().parse(new ByteArrayInputStream(text), new DefaultHandler() {
                    @Override
                    public void startElement(String uri, String local, String name, Attributes attributes) {
                        seen[0] += attributes.getLength();
                    }
                });
                DocumentBuilderFactory builders = new org.apache.xerces.jaxp.DocumentBuilderFactoryImpl();
                sum += seen[0] + walk(builders.newDocumentBuilder().parse(new ByteArrayInputStream(text)));
            }
            return sum;
        }));
        DocumentBuilderFactory builders = new org.apache.xerces.jaxp.DocumentBuilderFactoryImpl();
        Document shared = builders.newDocumentBuilder().parse(new ByteArrayInputStream(text));
        walk(shared);
        Crew.work(3, rank -> {
            NodeList items = shared.getElementsByTagName("item");
            Element root = shared.getDocumentElement();
            // The caches of the shared nodes are wrong at times, so nothing that is read is told.
            int read = 0;
            for (int item = 0; item < Crew.part(100); item++) {
                Node child = root.getChildNodes().item(item);
                read += child == null ? 0 : child.getNodeName().length();
            }
            return read + (items == null ? 1 : 0);
        });
        System.out.println("read by all");
    }
}
