import java.util.*;

/**
 * In each case two writes of x race, behind sections of a lock that have nothing to do with each other: all that they do is
 * recorded, so the sections may be exchanged.
 */
public class Main {
    enum Color { RED, GREEN }

    abstract static class Case {
        final Object lock = new Object();

        abstract void first();

        abstract void second();

        String a() {
            return "a";
        }
    }

    static class Shape {
        int size;

        void grow() {
            size++;
        }

        int size() {
            return size;
        }
    }

    static class Square extends Shape {
        @Override
        void grow() {
            super.grow();
            size += 2;
        }
    }

    interface Grows {
        void grow();

        default void growTwice() {
            grow();
            grow();
        }
    }

    static class Grown implements Grows {
        private int size;

        @Override
        public void grow() {
            size++;
        }
    }

    static Case[] cases() {
        return new Case[] {
        new Case() {
            int x;
            int a, b;
            @Override void first() {
                x = 1;
                synchronized (lock) { a = 1; }
            }
            @Override void second() {
                synchronized (lock) { b = 1; }
                x = 2;
            }
        },
        new Case() {
            int x;
            List<String> a = new ArrayList<>(), b = new ArrayList<>();
            @Override void first() {
                x = 1;
                synchronized (lock) { a.add("a"); }
            }
            @Override void second() {
                synchronized (lock) { b.add("b"); b.get(0); }
                x = 2;
            }
        },
        new Case() {
            int x;
            Map<String, Integer> a = new HashMap<>(), b = new TreeMap<>();
            @Override void first() {
                x = 1;
                synchronized (lock) { a.put("a", 1); }
            }
            @Override void second() {
                synchronized (lock) { b.put("b", 2); b.getOrDefault("c", 3); }
                x = 2;
            }
        },
        new Case() {
            int x;
            List<String> a = new LinkedList<>(List.of("a")), b = new ArrayDeque<>(List.of("b")).isEmpty() ? null : new ArrayList<>();
            @Override void first() {
                x = 1;
                synchronized (lock) { for (String each : a) { each.length(); } }
            }
            @Override void second() {
                synchronized (lock) { b.add("b"); }
                x = 2;
            }
        },
        new Case() {
            int x;
            int a, b; Runnable first = () -> a = 1, second = () -> b = 1;
            @Override void first() {
                x = 1;
                synchronized (lock) { first.run(); }
            }
            @Override void second() {
                synchronized (lock) { second.run(); }
                x = 2;
            }
        },
        new Case() {
            int x;
            List<Integer> a = new ArrayList<>(List.of(2, 1)); int b; Comparator<Integer> order = (one, other) -> one - other;
            @Override void first() {
                x = 1;
                synchronized (lock) { b = order.compare(2, 1); }
            }
            @Override void second() {
                synchronized (lock) { a.add(3); }
                x = 2;
            }
        },
        new Case() {
            int x;
            String a, b;
            @Override void first() {
                x = 1;
                synchronized (lock) { a = "a" + 1; }
            }
            @Override void second() {
                synchronized (lock) { b = "b" + a(); }
                x = 2;
            }
        },
        new Case() {
            int x;
            int a; Integer b;
            @Override void first() {
                x = 1;
                synchronized (lock) { a = Math.max(Integer.parseInt("3"), 2); }
            }
            @Override void second() {
                synchronized (lock) { b = 4; b++; }
                x = 2;
            }
        },
        new Case() {
            int x;
            Shape a = new Shape(), b = new Square();
            @Override void first() {
                x = 1;
                synchronized (lock) { a.grow(); }
            }
            @Override void second() {
                synchronized (lock) { b.grow(); b.size(); }
                x = 2;
            }
        },
        new Case() {
            int x;
            Grows a = new Grown(), b = new Grown();
            @Override void first() {
                x = 1;
                synchronized (lock) { a.growTwice(); }
            }
            @Override void second() {
                synchronized (lock) { b.growTwice(); }
                x = 2;
            }
        },
        new Case() {
            int x;
            int[] a = new int[1], b = new int[1];
            @Override void first() {
                x = 1;
                synchronized (lock) { Helper.set(a); }
            }
            @Override void second() {
                synchronized (lock) { Helper.set(b); }
                x = 2;
            }
        },
        new Case() {
            int x;
            Object a, b;
            @Override void first() {
                x = 1;
                synchronized (lock) { a = new Shape(); }
            }
            @Override void second() {
                synchronized (lock) { b = new Square(); }
                x = 2;
            }
        },
        new Case() {
            int x;
            final Object a = new Object(), b = new Object();
            @Override void first() {
                x = 1;
                synchronized (lock) { synchronized (a) { a.hashCode(); } }
            }
            @Override void second() {
                synchronized (lock) { synchronized (b) { b.equals(a); } }
                x = 2;
            }
        },
        new Case() {
            int x;
            int b;
            @Override void first() {
                x = 1;
                synchronized (lock) { try { Helper.fail("a"); } catch (IllegalStateException expected) { } }
            }
            @Override void second() {
                synchronized (lock) { b = 1; }
                x = 2;
            }
        },
        new Case() {
            int x;
            int a; Color b = Color.RED;
            @Override void first() {
                x = 1;
                synchronized (lock) { a = 1; }
            }
            @Override void second() {
                synchronized (lock) { switch (b) { case RED: break; default: throw new AssertionError(); } }
                x = 2;
            }
        },
        new Case() {
            int x;
            int b;
            @Override void first() {
                x = 1;
                synchronized (lock) { System.out.print(""); }
            }
            @Override void second() {
                synchronized (lock) { b = 1; }
                x = 2;
            }
        },
        new Case() {
            int x;
            int[] a = new int[4], b;
            @Override void first() {
                x = 1;
                synchronized (lock) { System.arraycopy(new int[] {1}, 0, a, 0, 1); }
            }
            @Override void second() {
                synchronized (lock) { b = Arrays.copyOf(new int[1], 2); }
                x = 2;
            }
        },
        new Case() {
            int x;
            String a = "some text", b;
            @Override void first() {
                x = 1;
                synchronized (lock) { a.substring(2).trim().equals("text"); }
            }
            @Override void second() {
                synchronized (lock) { b = a.concat("!").substring(3); }
                x = 2;
            }
        },
        };
    }

    static void check(Case what, int number) throws InterruptedException {
        Thread first = new Thread(() -> {
            what.first();
            Library.done = number;
        });
        Thread second = new Thread(() -> {
            // Nothing that a trace has.
            while (!Library.isDone(number)) {
                pause();
            }
            what.second();
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException error) {
            throw new AssertionError(error);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int number = 0;
        for (Case what : cases()) {
            check(what, ++number);
        }
        System.out.println("done");
    }
}

class Helper {
    static void set(int[] array) {
        array[0] = 1;
    }

    static void fail(String why) {
        throw new IllegalStateException(why);
    }
}

/** Excluded from the recording. */
class Library {
    static int done;

    static boolean isDone(int number) {
        return done == number;
    }
}
