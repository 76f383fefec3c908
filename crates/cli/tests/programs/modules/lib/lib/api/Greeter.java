package lib.api;

public interface Greeter {
    String greet(String name);
}
