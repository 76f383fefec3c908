/** Particles in a box that attract and repel each other: objects with fields, read by all threads, written by one each. */
public class MolecularDynamics {
    private static final double STEP = 1e-4;
    private static final int EDGE = 12;
    private static final double SPACING = 1.2;

    private static final class Particle {
        double x;
        double y;
        double z;
        double vx;
        double vy;
        double vz;
        double fx;
        double fy;
        double fz;
        double potential;

        Particle(double x, double y, double z, int number) {
            this.x = x;
            this.y = y;
            this.z = z;
            vx = number % 7 - 3;
            vy = number % 5 - 2;
            vz = number % 3 - 1;
        }

        void feel(Particle other) {
            double dx = wrap(x - other.x);
            double dy = wrap(y - other.y);
            double dz = wrap(z - other.z);
            double square = dx * dx + dy * dy + dz * dz;
            if (square > 6.25) {
                return;
            }
            double inverse = 1 / square;
            double sixth = inverse * inverse * inverse;
            double force = 48 * inverse * sixth * (sixth - 0.5);
            fx += force * dx;
            fy += force * dy;
            fz += force * dz;
            potential += 4 * sixth * (sixth - 1);
        }

        void rest() {
            fx = 0;
            fy = 0;
            fz = 0;
            potential = 0;
        }

        void move() {
            vx += fx * STEP;
            vy += fy * STEP;
            vz += fz * STEP;
            x += vx * STEP;
            y += vy * STEP;
            z += vz * STEP;
        }

        double kinetic() {
            return 0.5 * (vx * vx + vy * vy + vz * vz);
        }

        private static double wrap(double distance) {
            double box = EDGE * SPACING;
            return distance > box / 2 ? distance - box : distance < -box / 2 ? distance + box : distance;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Team team = Team.of(arguments);
        int moves = Team.scaled(arguments, 220);
        Particle[] particles = new Particle[EDGE * EDGE * EDGE];
        for (int number = 0; number < particles.length; number++) {
            int column = number / EDGE % EDGE;
            particles[number] =
                    new Particle(number % EDGE * SPACING, column * SPACING, number / (EDGE * EDGE) * SPACING, number);
        }
        team.run(rank -> {
            int first = team.from(rank, particles.length);
            int end = team.from(rank + 1, particles.length);
            for (int move = 0; move < moves; move++) {
                for (int mine = first; mine < end; mine++) {
                    Particle particle = particles[mine];
                    particle.rest();
                    for (Particle other : particles) {
                        if (other != particle) {
                            particle.feel(other);
                        }
                    }
                }
                team.meet();
                for (int mine = first; mine < end; mine++) {
                    particles[mine].move();
                }
                team.meet();
            }
        });
        double energy = 0;
        for (Particle particle : particles) {
            energy += particle.kinetic() + particle.potential / 2;
        }
        Team.tell(energy);
    }
}
