package shop;

import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

/** Implemented by Spring. */
public interface Customers extends JpaRepository<Customer, Long> {
    Optional<Customer> findByName(String name);

    @Query("select sum(p.amount) from Purchase p where p.customer.name = ?1")
    Long amount(String name);
}
