import java.io.StringReader;
import java.io.StringWriter;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Objects;
import javax.naming.CompositeName;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.directory.BasicAttributes;
import javax.naming.ldap.LdapName;
import javax.xml.XMLConstants;
import javax.xml.catalog.CatalogFeatures;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.xml.sax.InputSource;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Two threads that read, write and transform XML of their own, or ask for drivers and names, are not ordered by
 * it. Each API was used before by main.
 */
public class Main {
    /** Two threads use an API, each for itself, between a write and a read of a field. */
    abstract static class Between {
        abstract void write();

        abstract int read();

        /** Uses the API with objects of the thread's own. */
        abstract Object use(int who) throws Throwable;

        final void first() {
            write();
            attempt(1);
        }

        final void second() {
            attempt(2);
            read();
        }

        final void attempt(int who) {
            try {
                Objects.requireNonNull(use(who));
            } catch (Throwable failure) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }
    }

    static String text(int who) {
        return "<a><b c='" + who + "'>text</b></a>";
    }

    static Document document(int who) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text(who))));
    }

    static class Parsed extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return document(who).getDocumentElement().getTagName(); }
    }

    static class Built extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Document document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().newDocument();
            document.appendChild(document.createElement("a" + who)).setTextContent("text");
            return document.getFirstChild().getTextContent();
        }
    }

    static class Sax extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            SAXParserFactory.newInstance().newSAXParser().parse(new InputSource(new StringReader(text(who))), new DefaultHandler());
            return this;
        }
    }

    static class Streamed extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            var reader = XMLInputFactory.newInstance().createXMLStreamReader(new StringReader(text(who)));
            while (reader.hasNext()) {
                reader.next();
            }
            reader.close();
            return this;
        }
    }

    static class Events extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return XMLInputFactory.newDefaultFactory().createXMLEventReader(new StringReader(text(who))).nextEvent().isStartDocument();
        }
    }

    static class Written extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            StringWriter text = new StringWriter();
            XMLStreamWriter writer = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            writer.writeEmptyElement("a" + who);
            writer.close();
            return text.toString();
        }
    }

    static class Identity extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            StringWriter text = new StringWriter();
            TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document(who)), new StreamResult(text));
            return text.toString();
        }
    }

    static class Stylesheet extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            String sheet = "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
                    + "<xsl:template match='/'><xsl:value-of select='a/b/@c'/></xsl:template></xsl:stylesheet>";
            StringWriter text = new StringWriter();
            TransformerFactory.newInstance().newTransformer(new StreamSource(new StringReader(sheet)))
                    .transform(new StreamSource(new StringReader(text(who))), new StreamResult(text));
            return text.toString();
        }
    }

    static class Path extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return XPathFactory.newInstance().newXPath().evaluate("/a/b/@c", document(who)); }
    }

    static class PathOfText extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            InputSource source = new InputSource(new StringReader(text(who)));
            return XPathFactory.newInstance().newXPath().compile("count(//b) + " + who).evaluate(source);
        }
    }

    static class Validated extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            String schema = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a' type='xs:int'/></xs:schema>";
            SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new StreamSource(new StringReader(schema)))
                    .newValidator().validate(new StreamSource(new StringReader("<a>" + who + "</a>")));
            return this;
        }
    }

    static class Datatypes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return DatatypeFactory.newInstance().newDuration("P1Y" + who + "M").getMonths(); }
    }

    static class Serialized extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DOMImplementationLS ls = (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
            return ls.createLSSerializer().writeToString(document(who));
        }
    }

    static class Catalogs extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return CatalogFeatures.defaults().get(CatalogFeatures.Feature.DEFER); }
    }

    static class Drivers extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return DriverManager.drivers().count() + DriverManager.getLoginTimeout(); }
    }

    static class NoDriver extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try {
                return DriverManager.getConnection("jdbc:none:" + who);
            } catch (SQLException none) {
                return none.getMessage();
            }
        }
    }

    static class SqlTypes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return java.sql.Date.valueOf("2020-01-1" + who).toString() + java.sql.JDBCType.valueOf(4); }
    }

    static class NoContext extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try {
                return new InitialContext(new Hashtable<>()).lookup("own" + who);
            } catch (NoInitialContextException none) {
                return none;
            }
        }
    }

    static class NoNames extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try {
                return new InitialContext().lookup("own:" + who);
            } catch (NamingException none) {
                return none;
            }
        }
    }

    static class OwnNames extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new CompositeName("a/b" + who).getSuffix(1).toString() + new LdapName("CN=a,O=b" + who).getRdn(0);
        }
    }

    static class OwnAttributes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new BasicAttributes("own", who).getAll().hasMore(); }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new Parsed(), new Built(), new Sax(), new Streamed(), new Events(), new Written(), new Identity(),
            new Stylesheet(), new Path(), new PathOfText(), new Validated(), new Datatypes(),
            new Serialized(), new Catalogs(), new Drivers(), new NoDriver(), new SqlTypes(), new NoContext(),
            new NoNames(), new OwnNames(), new OwnAttributes(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
            // What a first use makes exists from here on.
            each.attempt(0);
            firsts.add(new Thread(each::first));
            seconds.add(new Thread(each::second));
        }
        firsts.forEach(Thread::start);
        // Long enough for the first ones to be through. No synchronization: main learns nothing from them.
        Thread.sleep(1500);
        seconds.forEach(Thread::start);
        for (Thread thread : firsts) {
            thread.join();
        }
        for (Thread thread : seconds) {
            thread.join();
        }
        System.out.println("done");
    }
}
