package com.sun.acme;

/** Holds one thing at a time, by a monitor. */
public final class Shelf<T> {
    private T thing;

    public synchronized void put(T thing) {
        this.thing = thing;
        notifyAll();
    }

    public synchronized T take() throws InterruptedException {
        while (thing == null) {
            wait();
        }
        return thing;
    }
}
