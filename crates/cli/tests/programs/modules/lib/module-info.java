module lib {
    exports lib.api;

    provides lib.api.Greeter with lib.Polite;
}
