/** Uses a service of another module; one package is closed to all, one open to reflection. */
module app {
    requires lib;

    uses lib.api.Greeter;

    opens app.internal;
}
