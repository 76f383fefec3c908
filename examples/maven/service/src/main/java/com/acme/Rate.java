package com.acme;

/** What an account costs. */
public final class Rate {
    public static long percent() {
        return 1;
    }

    public long of(long amount) {
        return amount * percent() / 100;
    }
}
