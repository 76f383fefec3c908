package com.acme;

import java.util.HashMap;
import java.util.Map;

/** A cache that two threads may fill. */
public class Names {
    private final Map<Integer, String> names = new HashMap<>();

    public String of(int number) {
        if (!names.containsKey(number)) {
            names.put(number, "account " + number);
        }
        return names.get(number);
    }
}
