//! The methods that shadow code calls, all of one class, and the calls that it need not make.

/// A method of [`SHIM`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shadowing {
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
}

/// The class that has them.
pub const SHIM: &str = "java/lang/AutodromeConcolic";

macro_rules! shadowing {
    ($($(#[$doc:meta])* $constant:ident = $name:literal $descriptor:literal;)*) => {
        $($(#[$doc])* pub(super) const $constant: Shadowing = Shadowing { name: $name, descriptor: $descriptor };)*

        /// All methods that shadow code may call.
        pub const SHADOWING: &[Shadowing] = &[$($constant),*];
    };
}

shadowing! {
    /// Two ints, their shadows, the operation: the shadow of the result.
    BINARY = "binary" "(IIIII)I";
    /// The same with a site: the divisor may be 0.
    DIVIDE = "divide" "(IIIIII)I";
    /// Two longs.
    LONG_BINARY = "binary" "(JJIII)I";
    /// Two longs with a site.
    LONG_DIVIDE = "divide" "(JJIIII)I";
    /// A long and how far it is shifted.
    LONG_SHIFT = "shift" "(JIIII)I";
    /// An int, its shadow, the operation.
    UNARY = "unary" "(III)I";
    /// A long.
    LONG_UNARY = "unary" "(JII)I";
    /// Two shadows of operands of what is not followed.
    OPAQUE = "opaque" "(II)I";
    /// An int that is compared with 0: its shadow, the comparison, the site.
    TEST = "test" "(IIII)V";
    /// Two ints that are compared: their shadows, the comparison, the site.
    COMPARE = "compare" "(IIIIII)V";
    /// Two references that are compared: their shadows, the site.
    SAME = "same" "(III)V";
    /// What a switch decides by: its shadow, the values of its cases two letters each, the site.
    CHOOSE = "choose" "(IILjava/lang/String;I)V";
    /// A field of an object: its shadow.
    GET_FIELD = "getField" "(Ljava/lang/Object;I)I";
    /// The object, the shadow of the new value, the field.
    PUT_FIELD = "putField" "(Ljava/lang/Object;II)V";
    /// A static field.
    GET_STATIC = "getStatic" "(I)I";
    /// The shadow of the new value and the field.
    PUT_STATIC = "putStatic" "(II)V";
    /// The array, the index, the index's shadow, the site: the element's shadow.
    LOAD = "load" "(Ljava/lang/Object;III)I";
    /// The array, the index, the index's shadow, the value's, the site.
    STORE = "store" "(Ljava/lang/Object;IIII)V";
    /// How long an array will be: its shadow, the site.
    SIZE = "size" "(III)V";
    /// Shadows of arguments beyond the eighth.
    MORE = "more" "(IIIIIIII)V";
    /// Shadows of the first arguments, and which method is called.
    PASS = "pass" "(IIIIIIIII)V";
    /// A call has returned a value: which method it called, the site. The value's shadow.
    TOOK = "took" "(II)I";
    /// A call has returned: the site.
    DONE = "done" "(I)V";
    /// A method begins.
    ENTER = "enter" "(I)V";
    /// An int argument and its place: its shadow.
    TAKE = "take" "(II)I";
    /// A long one.
    TAKE_LONG = "take" "(JI)I";
    /// A reference.
    TAKE_OBJECT = "take" "(Ljava/lang/Object;I)I";
    /// One of floating point, by its place: whether anything went into it.
    TAKE_OPAQUE = "takeOpaque" "(I)I";
    /// All arguments are taken.
    ENTERED = "entered" "()V";
    /// The shadow of what a method returns, and which method it is.
    GIVE = "give" "(II)V";
    /// An exception was caught.
    CAUGHT = "caught" "()V";
    /// A shadow that goes where nobody follows it: the site.
    LOST = "lost" "(II)V";
    /// Something may look at what arrays and objects hold.
    LEAKS = "leaks" "(I)V";
    /// What a lambda captures: shadows, and which method it runs.
    CAPTURE = "capture" "(IIIIIIIII)V";
    /// The arguments of `main`.
    ARGUMENTS = "arguments" "([Ljava/lang/String;)V";
    /// A property's name: the shadow of its value.
    PROPERTY = "property" "(Ljava/lang/Object;)I";
    /// A string of a number and another object, and their shadows: the shadow of whether they are equal.
    EQUAL = "equal" "(Ljava/lang/Object;Ljava/lang/Object;II)I";
    /// An int, its shadow, the site: the shadow of its distance from 0.
    ABSOLUTE = "absolute" "(III)I";
    /// Two ints, their shadows, the site: the shadow of the smaller one.
    SMALLER = "smaller" "(IIIII)I";
    /// The shadow of the larger one.
    LARGER = "larger" "(IIIII)I";
    /// What was appended to, and the shadow of what: the shadow of the receiver.
    APPENDED = "appended" "(Ljava/lang/Object;I)I";
    /// The shadow of what a builder of strings holds.
    BUILT = "built" "(Ljava/lang/Object;)I";
    /// A thread will be started, perhaps.
    STARTS = "starts" "(Ljava/lang/Object;)V";
    /// An input is read through a method: which of the methods, what it would have returned. The value.
    INPUT = "input" "(II)I";
    /// One that is a long.
    LONG_INPUT = "input" "(IJ)J";
    /// The shadow of the input that was read last.
    LAST = "last" "()I";
}

/// What becomes of shadows in a call of the JDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Summary {
    /// The result has the shadow of the first argument, or of the receiver.
    Same,
    /// The result is computed from all arguments in a way that is not followed, and the receiver does not change.
    Opaque,
    /// The arguments go out of the program.
    Sink,
    /// `parseInt` and the like: the string is a number's.
    Property,
    /// `String.equals`.
    Equals,
    /// `Math.abs`, `Math.min`, `Math.max` of ints.
    Absolute,
    Smaller,
    Larger,
    /// `append` of a builder.
    Appends,
    /// `toString` of a builder.
    Builds,
    /// What arrays hold is read.
    Leaks,
}

const INT_BOXES: [&[u8]; 5] =
    [b"java/lang/Integer", b"java/lang/Short", b"java/lang/Byte", b"java/lang/Character", b"java/lang/Boolean"];

/// The summary for a method, if it has one.
pub(super) fn summary(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Summary> {
    let is_box = INT_BOXES.contains(&owner);
    let is_long = owner == b"java/lang/Long";
    Some(match (owner, name, descriptor) {
        (_, b"valueOf", b"(I)Ljava/lang/Integer;" | b"(S)Ljava/lang/Short;" | b"(B)Ljava/lang/Byte;") if is_box => {
            Summary::Same
        }
        (_, b"valueOf", b"(C)Ljava/lang/Character;" | b"(Z)Ljava/lang/Boolean;") if is_box => Summary::Same,
        (_, b"valueOf", b"(J)Ljava/lang/Long;") if is_long => Summary::Same,
        (_, b"longValue", b"()J") if is_long => Summary::Same,
        (b"java/lang/Integer", b"intValue" | b"parseInt", b"()I" | b"(Ljava/lang/String;)I") => Summary::Same,
        (b"java/lang/Short", b"shortValue", b"()S") | (b"java/lang/Byte", b"byteValue", b"()B") => Summary::Same,
        (b"java/lang/Character", b"charValue", b"()C") | (b"java/lang/Boolean", b"booleanValue", b"()Z") => {
            Summary::Same
        }
        (b"java/lang/Integer", b"valueOf", b"(Ljava/lang/String;)Ljava/lang/Integer;") => Summary::Same,
        (b"java/lang/Long", b"parseLong", b"(Ljava/lang/String;)J") => Summary::Same,
        (b"java/lang/Integer", b"toString", b"(I)Ljava/lang/String;") => Summary::Same,
        (b"java/lang/Long", b"toString", b"(J)Ljava/lang/String;") => Summary::Same,
        (b"java/lang/String", b"valueOf", b"(I)Ljava/lang/String;" | b"(J)Ljava/lang/String;") => Summary::Same,
        (b"java/lang/System", b"getProperty", b"(Ljava/lang/String;)Ljava/lang/String;") => Summary::Property,
        (b"java/lang/Integer", b"getInteger", b"(Ljava/lang/String;)Ljava/lang/Integer;") => Summary::Property,
        (b"java/lang/Long", b"getLong", b"(Ljava/lang/String;)Ljava/lang/Long;") => Summary::Property,
        (b"java/lang/String", b"equals", _) => Summary::Equals,
        (b"java/lang/Math", b"abs", b"(I)I") => Summary::Absolute,
        (b"java/lang/Math", b"min", b"(II)I") => Summary::Smaller,
        (b"java/lang/Math", b"max", b"(II)I") => Summary::Larger,
        (b"java/lang/StringBuilder" | b"java/lang/StringBuffer", b"append", _) => Summary::Appends,
        (b"java/lang/StringBuilder" | b"java/lang/StringBuffer", b"toString" | b"length", _) => Summary::Builds,
        (b"java/io/PrintStream", _, _) => Summary::Sink,
        (b"java/util/Arrays", _, _) | (b"java/lang/System", b"arraycopy", _) => Summary::Leaks,
        // Formatting, and texts of letters and bytes.
        (b"java/lang/String", _, descriptor) if descriptor.contains(&b'[') => Summary::Leaks,
        (b"java/lang/String" | b"java/lang/Math", name, _) if name != b"<init>" => Summary::Opaque,
        (b"java/lang/Double" | b"java/lang/Float" | b"java/lang/Character", name, _) if name != b"<init>" => {
            Summary::Opaque
        }
        _ => return None,
    })
}
