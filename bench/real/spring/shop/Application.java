package shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.scheduling.annotation.EnableAsync;

/** A small shop: customers order items of which there are only so many, over HTTP, into a database. */
@SpringBootApplication
@EnableAsync
@EnableCaching
public class Application { }
