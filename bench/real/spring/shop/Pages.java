package shop;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What clients can ask for. */
@RestController
public class Pages {
    private final Shop shop;

    public Pages(Shop shop) {
        this.shop = shop;
    }

    @PostMapping("/customers")
    public String register(@RequestParam String name) {
        shop.register(name);
        return name;
    }

    @PostMapping("/orders")
    public Map<String, Object> order(@RequestParam String customer, @RequestParam int item, @RequestParam int amount) {
        return Map.of("done", shop.order(customer, item, amount));
    }

    @GetMapping("/items/{id}/name")
    public String name(@PathVariable int id) {
        return shop.name(id);
    }

    @GetMapping("/customers/{name}")
    public Map<String, Integer> basket(@PathVariable String name) {
        return shop.basket(name);
    }

    @GetMapping("/customers/{name}/count")
    public CompletableFuture<Long> count(@PathVariable String name) {
        return shop.count(name);
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    public String refused(IllegalArgumentException refused) {
        return refused.getMessage();
    }
}
