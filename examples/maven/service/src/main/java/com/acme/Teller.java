package com.acme;

/** Serves two customers at once. */
public class Teller {
    private final Account account;

    public Teller(Account account) {
        this.account = account;
    }

    public void serve() throws InterruptedException {
        Thread customer = new Thread(() -> account.deposit(5), "customer");
        customer.start();
        account.deposit(7);
        customer.join();
    }
}
