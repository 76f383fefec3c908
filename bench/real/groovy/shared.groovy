import groovy.transform.Canonical
import groovy.transform.CompileStatic
import groovy.transform.Memoized
import groovy.transform.Synchronized
import groovy.transform.WithReadLock
import groovy.transform.WithWriteLock
import java.util.concurrent.Callable
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors

/** Guarded by what the transformations make. */
class Counter {
    private int count
    private final List<String> names = []
    private final Map<String, Integer> table = [:]

    @Synchronized
    void add(String name) {
        count++
        names << name
    }

    @Synchronized
    int getCount() { count }

    @WithReadLock
    Integer look(String key) { table[key] }

    @WithWriteLock
    void put(String key, Integer value) { table[key] = value }

    @WithReadLock
    int size() { table.size() }
}

@Canonical
class Point {
    int x
    int y

    Point plus(Point other) { new Point(x + other.x, y + other.y) }
}

@Singleton(lazy = true)
class Shared {
    final List<Integer> numbers = (1..20).asImmutable()
}

class Lazily {
    @Lazy volatile List<Integer> squares = (1..10).collect { it * it }

    @Memoized
    long fibonacci(int n) { n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) }
}

@CompileStatic
class Fast {
    static long sum(int n) {
        long sum = 0
        for (int i in 0..<n) {
            sum += i
        }
        return sum
    }
}

interface Shape { double area() }
class Square implements Shape {
    double side
    double area() { side * side }
}
class Circle implements Shape {
    double radius
    double area() { 3 * radius ** 2 }
    def methodMissing(String name, args) { name.size() + args.size() }
    def propertyMissing(String name) { name.toUpperCase() }
}

def counter = new Counter()
def lazily = new Lazily()
def squares = new ConcurrentHashMap<Integer, Integer>()
def pool = Executors.newFixedThreadPool(4)
def tasks = (0..<4).collect { int rank ->
    {
        ->
        def sum = 0
        200.times { n ->
            counter.add("n$n".toString())
            counter.put("k${n % 30}".toString(), n % 30)
            sum += counter.look("k${n % 30}".toString())
            sum += squares.computeIfAbsent(n) { it * it }
            def point = new Point(n, rank) + new Point(1, 2)
            sum += point.x + point.y
            def shapes = [new Square(side: n), new Circle(radius: 2), { -> 1.0d } as Shape]
            sum += shapes*.area().sum()
            def circle = shapes[1]
            sum += circle.unknown(1, 2) + circle.other.size()
        }
        sum += lazily.squares.sum() + lazily.fibonacci(30) + Shared.instance.numbers.sum() + Fast.sum(1000)
        sum += ['a', 'bb', 'ccc'].collectEntries { [it, it.size()] }.findAll { k, v -> v > 1 }.values().sum()
        def curried = { a, b, c -> a * b + c }.curry(2).rcurry(3)
        sum += [1, 2, 3].inject(0) { acc, x -> acc + curried(x) }
        sum as long
    } as Callable
}
println pool.invokeAll(tasks)*.get()
pool.shutdown()
println "${counter.count} ${counter.size()} ${squares.size()}"
def results = []
def threads = (0..<3).collect { rank -> Thread.start { synchronized (results) { results << rank * 2 } } }
threads*.join()
println results.sort()
