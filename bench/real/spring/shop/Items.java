package shop;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;

/** Implemented by Spring. */
public interface Items extends JpaRepository<Item, Integer> {
    /** Nobody else changes it until the transaction ends. */
    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select i from Item i where i.id = ?1")
    Optional<Item> reserve(int id);
}
