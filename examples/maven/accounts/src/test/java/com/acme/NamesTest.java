package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void namesAreKept() throws InterruptedException {
        Names names = new Names();
        Together.run(() -> names.of(7));
        assertEquals("account 7", names.of(7));
    }
}
