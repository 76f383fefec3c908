package lib;

import lib.api.Greeter;

public class Polite implements Greeter {
    private int count;

    @Override
    public synchronized String greet(String name) {
        count++;
        return "good day, " + name + " " + count;
    }
}
