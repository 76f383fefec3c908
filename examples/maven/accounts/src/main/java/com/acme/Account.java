package com.acme;

/** An account whose balance is guarded, and whose number of uses is not. */
public class Account {
    private long balance;
    private int uses;

    public void deposit(long amount) {
        uses++;
        synchronized (this) {
            balance += amount;
        }
    }

    public synchronized long balance() {
        return balance;
    }

    public int uses() {
        return uses;
    }
}
