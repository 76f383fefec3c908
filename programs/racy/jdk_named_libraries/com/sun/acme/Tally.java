package com.sun.acme;

/** Counts without any lock. */
public final class Tally {
    private int count;

    public void add() {
        count++; // race: reads writes count
    }
}
