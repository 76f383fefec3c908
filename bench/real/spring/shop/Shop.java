package shop;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What the shop does, each in a transaction. */
@Service
public class Shop {
    private final Customers customers;
    private final Items items;

    public Shop(Customers customers, Items items) {
        this.customers = customers;
        this.items = items;
    }

    @Transactional
    public void stock(int count, int each) {
        for (int id = 0; id < count; id++) {
            items.save(new Item(id, "item " + id, each));
        }
    }

    @Transactional
    public void register(String name) {
        customers.save(new Customer(name));
    }

    @Transactional
    public boolean order(String name, int id, int amount) {
        Item item = items.reserve(id).orElseThrow();
        item.take(amount);
        Customer customer = customers.findByName(name).orElseThrow(() -> new IllegalArgumentException("no customer " + name));
        customer.getPurchases().add(new Purchase(customer, item, amount));
        return true;
    }

    /** What the customer has, by item. */
    @Transactional(readOnly = true)
    public Map<String, Integer> basket(String name) {
        Map<String, Integer> basket = new TreeMap<>();
        for (Purchase purchase : customers.findByName(name).orElseThrow().getPurchases()) {
            basket.merge(purchase.getItem().getName(), purchase.getAmount(), Integer::sum);
        }
        return basket;
    }

    @Cacheable("names")
    @Transactional(readOnly = true)
    public String name(int id) {
        return items.findById(id).orElseThrow().getName();
    }

    @Async
    @Transactional(readOnly = true)
    public CompletableFuture<Long> count(String name) {
        return CompletableFuture.completedFuture(customers.amount(name));
    }

    @Transactional(readOnly = true)
    public int[] left() {
        return items.findAll().stream().mapToInt(Item::getStock).sorted().toArray();
    }
}
