package java.lang;

/** What the shim needs to see of Class when it is compiled; the agent adds the fields to the real class. */
public final class Class<T> {
    int[] autodrome$cells;
    int[] autodrome$statics;
    int autodrome$number;
    Object autodrome$words;
    Object autodrome$staticWords;
    long[] autodrome$shadows;
    long[] autodrome$references;
    int autodrome$watched;

    public native boolean isArray();

    public native Class<?> getComponentType();

    public native boolean isInstance(Object o);

    native ClassLoader getClassLoader0();

    public native Class<?> getSuperclass();
}
