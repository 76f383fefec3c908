package zoo;

import java.io.IOException;
import java.io.StringReader;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Type annotations inside code: on variables, casts, instanceof, new, catch clauses, method references. */
class Annotated {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        int value() default 0;

        String[] names() default {};

        Class<?> of() default Object.class;
    }

    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.CLASS)
    @interface Quiet {}

    int field;

    Object code(Object given) throws Exception {
        field++;
        @Mark(1) String local = "x" + field;
        @Quiet List<@Mark(2) String> list = new @Mark(names = {"a", "b"}) ArrayList<@Quiet String>();
        if (given instanceof @Mark(3) Integer) {
            field += (@Mark(4) Integer) given;
        }
        try (@Mark(5) StringReader reader = new StringReader(local)) {
            list.add("" + reader.read());
        } catch (@Mark(6) RuntimeException | @Quiet IOException e) {
            field--;
        }
        Function<Object, String> reference = @Mark(of = String.class) String::valueOf;
        list.add(reference.apply(field));
        return list;
    }

    static void run() throws Exception {
        Annotated annotated = new Annotated();
        System.out.println(annotated.code(5) + " " + annotated.code("no") + " " + annotated.field);
    }
}
