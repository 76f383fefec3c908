import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import shop.Application;
import shop.Shop;

/** Customers of the shop, each a thread with a connection of its own. */
public class Main {
    private static final int ITEMS = 10;

    private static String visit(int port, int rank) throws Exception {
        String last = "";
        try (Http http = new Http(port)) {
            String customer = http.post("/customers", "name=c" + rank);
            for (int round = 0; round < Crew.part(8); round++) {
                StringBuilder told = new StringBuilder(customer.substring(0, 3)).append(',');
                told.append(http.post("/orders", "customer=c" + rank + "&item=" + round % ITEMS + "&amount=2")).append(',');
                told.append(http.post("/orders", "customer=nobody&item=1&amount=1").substring(0, 3)).append(',');
                told.append(http.get("/items/" + round % ITEMS + "/name")).append(',');
                told.append(http.get("/customers/c" + rank)).append(',');
                told.append(http.get("/customers/c" + rank + "/count"));
                last = told.toString();
            }
        }
        return last;
    }

    public static void main(String[] arguments) throws Exception {
        Path place = Files.createTempDirectory("spring");
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(false);
        ConfigurableApplicationContext context = application.run("--server.port=0", "--server.address=127.0.0.1",
                "--server.tomcat.basedir=" + place, "--server.tomcat.threads.max=6", "--server.tomcat.max-keep-alive-requests=-1",
                "--spring.main.banner-mode=off", "--logging.level.root=error",
                "--spring.datasource.url=jdbc:h2:mem:shop;LOCK_TIMEOUT=60000",
                "--spring.datasource.hikari.connection-timeout=60000", "--spring.mvc.async.request-timeout=-1",
                "--spring.jpa.hibernate.ddl-auto=create",
                "--spring.jpa.open-in-view=false", "--spring.datasource.hikari.maximum-pool-size=4");
        Shop shop = context.getBean(Shop.class);
        shop.stock(ITEMS, 1000);
        int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
        for (Object told : Crew.work(4, rank -> visit(port, rank))) {
            System.out.println(told);
        }
        System.out.println(Arrays.toString(shop.left()));
        context.close();
        try (Stream<Path> files = Files.walk(place)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
