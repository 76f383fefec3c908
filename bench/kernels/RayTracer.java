import java.util.concurrent.atomic.AtomicInteger;

/** Spheres with light, shadow and mirrors: a scene that all threads read, vectors that each makes for itself, rows of a
 * shared picture. */
public class RayTracer {
    private static final int SIDE = 400;
    private static final int DEPTH = 6;

    private static final class Vector {
        double x;
        double y;
        double z;

        Vector(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vector plus(double factor, Vector other) {
            return new Vector(x + factor * other.x, y + factor * other.y, z + factor * other.z);
        }

        double dot(Vector other) {
            return x * other.x + y * other.y + z * other.z;
        }

        Vector normal() {
            double length = Math.sqrt(dot(this));
            return new Vector(x / length, y / length, z / length);
        }
    }

    private static final class Ray {
        Vector origin;
        Vector direction;

        Ray(Vector origin, Vector direction) {
            this.origin = origin;
            this.direction = direction;
        }
    }

    private static final class Sphere {
        Vector centre;
        double radius;
        double shine;
        double colour;

        /** How far along the ray the sphere is, or infinitely far. */
        double distance(Ray ray) {
            Vector way = centre.plus(-1, ray.origin);
            double along = way.dot(ray.direction);
            double root = along * along - way.dot(way) + radius * radius;
            if (root < 0) {
                return Double.POSITIVE_INFINITY;
            }
            double near = along - Math.sqrt(root);
            double far = along + Math.sqrt(root);
            return near > 1e-6 ? near : far > 1e-6 ? far : Double.POSITIVE_INFINITY;
        }
    }

    private final Sphere[] spheres = new Sphere[64];
    private Vector light = new Vector(100, 100, -50);

    RayTracer() {
        for (int number = 0; number < spheres.length; number++) {
            Sphere sphere = new Sphere();
            sphere.centre = new Vector(number % 4 * 4 - 6, number / 4 % 4 * 4 - 6, number / 16 * 4 + 12);
            sphere.radius = 1.6;
            sphere.shine = 0.3 + number % 3 * 0.2;
            sphere.colour = 0.4 + number % 5 * 0.1;
            spheres[number] = sphere;
        }
    }

    private Sphere hit(Ray ray, double[] distance) {
        Sphere nearest = null;
        for (Sphere sphere : spheres) {
            double far = sphere.distance(ray);
            if (far < distance[0]) {
                distance[0] = far;
                nearest = sphere;
            }
        }
        return nearest;
    }

    double shade(Ray ray, int depth) {
        double[] distance = {Double.POSITIVE_INFINITY};
        Sphere sphere = hit(ray, distance);
        if (sphere == null) {
            return 0.1;
        }
        Vector point = ray.origin.plus(distance[0], ray.direction);
        Vector normal = point.plus(-1, sphere.centre).normal();
        Vector toLight = light.plus(-1, point).normal();
        double bright = 0.05;
        if (hit(new Ray(point, toLight), new double[] {Double.POSITIVE_INFINITY}) == null) {
            bright += Math.max(0, normal.dot(toLight)) * sphere.colour;
        }
        if (depth > 0) {
            Vector mirrored = ray.direction.plus(-2 * ray.direction.dot(normal), normal).normal();
            bright += sphere.shine * shade(new Ray(point, mirrored), depth - 1);
        }
        return bright;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int rows = Team.scaled(arguments, 30 * SIDE);
        RayTracer tracer = new RayTracer();
        int[][] picture = new int[rows][SIDE];
        AtomicInteger next = new AtomicInteger();
        team.run(rank -> {
            for (int row = next.getAndIncrement(); row < rows; row = next.getAndIncrement()) {
                for (int column = 0; column < SIDE; column++) {
                    double up = (double) row / rows * 2 - 1;
                    Vector direction = new Vector((double) column / SIDE * 2 - 1, up, 1).normal();
                    double bright = tracer.shade(new Ray(new Vector(0, 0, -5), direction), DEPTH);
                    picture[row][column] = (int) (255 * Math.min(1, bright));
                }
            }
        });
        long total = 0;
        for (int[] row : picture) {
            for (int point : row) {
                total += point;
            }
        }
        Team.tell(total);
    }
}
