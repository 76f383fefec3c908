package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.ArgumentMatchers.anyLong;

import org.junit.jupiter.api.Test;

class TellerTest {
    @Test
    void bothAreServed() throws InterruptedException {
        Account account = new Account();
        new Teller(account).serve();
        assertEquals(12, account.balance());
    }

    @Test
    void theAccountIsAskedTwice() throws InterruptedException {
        Account account = mock(Account.class);
        new Teller(account).serve();
        verify(account, times(2)).deposit(anyLong());
    }
}
