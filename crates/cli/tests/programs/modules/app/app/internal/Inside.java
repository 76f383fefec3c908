package app.internal;

public class Inside {
    public int value = 4;
    public volatile long stamp = 5;
}
