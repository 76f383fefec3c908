package com.acme;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class TallyTest {
    @Test
    public void twoThreadsCount() throws InterruptedException {
        Tally tally = new Tally();
        Thread other = new Thread(tally::add);
        other.start();
        tally.add();
        other.join();
        assertTrue(tally.count() > 0);
    }
}
