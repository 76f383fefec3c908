import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.color.ColorSpace;
import java.awt.datatransfer.DataFlavor;
import java.awt.datatransfer.StringSelection;
import java.awt.event.ActionEvent;
import java.awt.geom.AffineTransform;
import java.awt.geom.Area;
import java.awt.geom.Ellipse2D;
import java.awt.image.AffineTransformOp;
import java.awt.image.BufferedImage;
import java.beans.Beans;
import java.beans.PropertyEditorManager;
import java.beans.PropertyVetoException;
import java.beans.VetoableChangeSupport;
import java.beans.XMLEncoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.print.attribute.HashAttributeSet;
import javax.print.attribute.standard.Copies;
import javax.sound.sampled.AudioFormat;
import javax.swing.DefaultBoundedRangeModel;
import javax.swing.DefaultListModel;
import javax.swing.event.ChangeListener;
import javax.swing.event.EventListenerList;
import javax.swing.table.DefaultTableModel;
import javax.swing.text.DefaultStyledDocument;
import javax.swing.text.PlainDocument;
import javax.swing.text.SimpleAttributeSet;
import javax.swing.text.StringContent;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.DefaultTreeModel;
import javax.swing.undo.UndoManager;

/**
 * Two threads that draw, edit and convert, each its own images, documents and models, without a screen, are not
 * ordered by it. Each API was used before by main.
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

    static BufferedImage image(int who) {
        return new BufferedImage(10 + who, 10, BufferedImage.TYPE_INT_RGB);
    }

    static class Image extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            BufferedImage image = image(who);
            image.setRGB(1, 1, 0xff0000);
            return image.getRGB(1, 1);
        }
    }

    static class Drawn extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Graphics2D graphics = image(who).createGraphics();
            graphics.setColor(Color.RED);
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setStroke(new BasicStroke(2));
            graphics.draw(new Ellipse2D.Double(1, 1, 7, 7));
            graphics.dispose();
            return this;
        }
    }

    static class Copied extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Graphics2D graphics = image(who).createGraphics();
            graphics.drawImage(image(who), 0, 0, null);
            graphics.dispose();
            return this;
        }
    }

    static class Scaled extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            AffineTransform twice = AffineTransform.getScaleInstance(2, 2);
            return new AffineTransformOp(twice, AffineTransformOp.TYPE_NEAREST_NEIGHBOR).filter(image(who), null);
        }
    }

    static class Png extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ImageIO.write(image(who), "png", bytes);
            return ImageIO.read(new ByteArrayInputStream(bytes.toByteArray())).getWidth();
        }
    }

    static class ImageReaders extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ImageIO.getImageReadersByFormatName("gif").hasNext(); }
    }

    static class Colors extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new Color(who, 2, 3).brighter().getRGB() + ColorSpace.getInstance(ColorSpace.CS_sRGB).getNumComponents();
        }
    }

    static class Shapes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Area area = new Area(new Rectangle(who, 0, 7, 7));
            area.subtract(new Area(new Ellipse2D.Double(1, 1, 3, 3)));
            return area.getBounds();
        }
    }

    static class Headless extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return GraphicsEnvironment.isHeadless(); }
    }

    static class DesignTime extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Beans.isDesignTime(); }
    }

    static class Editors extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.valueOf(PropertyEditorManager.findEditor(int.class) != null); }
    }

    static class Vetoes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            VetoableChangeSupport changes = new VetoableChangeSupport(this);
            changes.addVetoableChangeListener(event -> { });
            try {
                changes.fireVetoableChange("own", 1 + who, 0);
            } catch (PropertyVetoException veto) {
                throw new AssertionError(veto);
            }
            return this;
        }
    }

    static class Encoded extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (XMLEncoder encoder = new XMLEncoder(bytes)) {
                encoder.writeObject(new ArrayList<>(List.of("a" + who)));
            }
            return bytes.toString();
        }
    }

    static class Text extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            PlainDocument document = new PlainDocument();
            document.insertString(0, "text" + who, null);
            return document.getText(0, 2);
        }
    }

    static class StyledText extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DefaultStyledDocument document = new DefaultStyledDocument();
            document.insertString(0, "text" + who, new SimpleAttributeSet());
            return document.getText(0, 2);
        }
    }

    static class Content extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new StringContent().insertString(0, "text" + who); }
    }

    static class Table extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DefaultTableModel table = new DefaultTableModel(2, 2);
            table.addTableModelListener(event -> Thread.yield());
            table.setValueAt(who, 1, 1);
            return table.getValueAt(1, 1);
        }
    }

    static class ListModel extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DefaultListModel<Object> list = new DefaultListModel<>();
            list.addElement(who);
            return list.size();
        }
    }

    static class Tree extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DefaultMutableTreeNode root = new DefaultMutableTreeNode(who);
            new DefaultTreeModel(root).insertNodeInto(new DefaultMutableTreeNode(1), root, 0);
            return root.getChildCount();
        }
    }

    static class Range extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            DefaultBoundedRangeModel range = new DefaultBoundedRangeModel();
            range.addChangeListener(event -> Thread.yield());
            range.setValue(7 + who);
            return range.getValue();
        }
    }

    static class Listeners extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            EventListenerList list = new EventListenerList();
            list.add(ChangeListener.class, event -> { });
            return list.getListenerCount();
        }
    }

    static class Undo extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new UndoManager().canUndo(); }
    }

    static class Event extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new ActionEvent(this, ActionEvent.ACTION_PERFORMED, "own" + who).paramString(); }
    }

    static class Transfer extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new StringSelection("text" + who).getTransferData(DataFlavor.stringFlavor); }
    }

    static class Flavor extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new DataFlavor("text/plain; charset=utf-8; class=java.lang.String").getMimeType(); }
    }

    static class PrintAttributes extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new HashAttributeSet(new Copies(1 + who)).size(); }
    }

    static class Sound extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return new AudioFormat(44100, 16, 2, true, false).toString(); }
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        Between[] all = {
            new Image(), new Drawn(), new Copied(), new Scaled(), new Png(), new ImageReaders(), new Colors(),
            new Shapes(), new Headless(), new DesignTime(), new Editors(), new Vetoes(), new Encoded(),
            new Text(), new StyledText(), new Content(), new Table(), new ListModel(), new Tree(),
            new Range(), new Listeners(), new Undo(), new Event(), new Transfer(), new Flavor(),
            new PrintAttributes(), new Sound(),
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
