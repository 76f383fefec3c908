package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AccountTest {
    @Test
    void depositsAddUp() throws InterruptedException {
        Account account = new Account();
        Together.run(() -> {
            for (int i = 0; i < 100; i++) {
                account.deposit(1);
            }
        });
        assertEquals(200, account.balance());
    }
}
