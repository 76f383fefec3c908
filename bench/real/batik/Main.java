import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.PNGTranscoder;

/** Drawings made into pictures, several at once. */
public class Main {
    private static String drawing(int number) {
        StringBuilder svg = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' width='120' height='120'><defs>"
                + "<linearGradient id='g'><stop offset='0' stop-color='red'/><stop offset='1' stop-color='blue'/>"
                + "</linearGradient><filter id='f'><feGaussianBlur stdDeviation='2'/></filter></defs>"
                + "<style>.thick { stroke-width: 3; stroke: green }</style>");
        for (int shape = 0; shape < 12; shape++) {
            svg.append("<circle class='thick' fill='url(#g)' filter='url(#f)' cx='").append(shape * 9 + number)
                    .append("' cy='").append(shape * shape % 100).append("' r='8'/>");
            svg.append("<path d='M ").append(shape * 8).append(" 10 Q 50 ").append(number * 3).append(" 100 ")
                    .append(shape * 7).append("' fill='none' stroke='black'/>");
        }
        return svg.append("</svg>").toString();
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        System.out.println(Crew.work(4, rank -> {
            StringBuilder digests = new StringBuilder();
            for (int number = 0; number < 3; number++) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                TranscoderInput input = new TranscoderInput(new StringReader(drawing(rank * 4 + number)));
                new PNGTranscoder().transcode(input, new TranscoderOutput(out));
                digests.append(Crew.digest(out.toByteArray())).append(' ');
            }
            return digests;
        }));
    }
}
