package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.Test;
import org.mockito.MockedStatic;

/** What Mockito does by changing classes that are loaded already. */
class MocksTest {
    @Test
    void aFinalClassIsMocked() {
        Rate rate = mock(Rate.class);
        when(rate.of(anyLong())).thenReturn(3L);
        assertEquals(3, rate.of(100));
        assertEquals(1, new Rate().of(100), "only the mock is changed");
    }

    @Test
    void aStaticMethodIsMockedInItsThreadOnly() throws InterruptedException {
        long[] elsewhere = new long[1];
        try (MockedStatic<Rate> rates = mockStatic(Rate.class)) {
            rates.when(Rate::percent).thenReturn(9L);
            Thread other = new Thread(() -> elsewhere[0] = Rate.percent());
            other.start();
            other.join();
            assertEquals(9, Rate.percent());
        }
        assertEquals(1, elsewhere[0]);
        assertEquals(1, Rate.percent());
    }

    @Test
    void aSpyKeepsItsFields() throws InterruptedException {
        Account account = spy(new Account());
        account.deposit(40);
        doThrow(new IllegalStateException("closed")).when(account).deposit(0);
        new Teller(account).serve();
        assertEquals(52, account.balance());
        verify(account, times(3)).deposit(anyLong());
        assertTrue(account.uses() > 0);
    }
}
