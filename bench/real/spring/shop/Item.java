package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/** What can be ordered, and how many there are. */
@Entity
public class Item {
    @Id
    private Integer id;

    private String name;

    private int stock;

    @Version
    private int version;

    protected Item() { }

    public Item(int id, String name, int stock) {
        this.id = id;
        this.name = name;
        this.stock = stock;
    }

    public String getName() {
        return name;
    }

    public int getStock() {
        return stock;
    }

    public void take(int amount) {
        if (amount > stock) {
            throw new IllegalArgumentException("only " + stock + " of " + name);
        }
        stock -= amount;
    }
}
