package com.acme;

/** Counts, and is meant for one thread. */
public class Tally {
    private int count;

    public void add() {
        count++;
    }

    public int count() {
        return count;
    }
}
