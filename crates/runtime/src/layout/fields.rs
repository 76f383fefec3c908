//! The fields that the agent adds to classes of the JDK, for the shim.

/// A field: its name and its descriptor.
pub type Field = (&'static str, &'static str);

/// What the shim keeps in every thread.
pub const THREAD_FIELDS: &[Field] = &[
    ("autodrome$id", "I"),
    ("autodrome$epoch", "I"),
    ("autodrome$context", "I"),
    ("autodrome$locks", "I"),
    ("autodrome$used", "I"),
    ("autodrome$contexts", "[I"),
    ("autodrome$shared", "[J"),
    ("autodrome$initialized", "[J"),
    ("autodrome$medium", "J"),
    ("autodrome$past", "[I"),
    ("autodrome$sent", "[I"),
    ("autodrome$clock", "J"),
    ("autodrome$waits", "Ljava/lang/Object;"),
    ("autodrome$quiet", "I"),
    ("autodrome$optimistic", "Ljava/lang/Object;"),
    ("autodrome$converting", "Ljava/lang/Object;"),
    ("autodrome$held", "[Ljava/lang/Object;"),
    ("autodrome$taken", "[I"),
    ("autodrome$depth", "I"),
    ("autodrome$sets", "[I"),
    ("autodrome$ring", "J"),
    ("autodrome$stripe", "J"),
    ("autodrome$step", "I"),
    ("autodrome$operand", "I"),
    ("autodrome$index", "I"),
    ("autodrome$accessed", "[Ljava/lang/Object;"),
    ("autodrome$callers", "[J"),
    ("autodrome$token", "I"),
    ("autodrome$lockset", "I"),
    ("autodrome$tokens", "[I"),
    ("autodrome$locksets", "[I"),
    ("autodrome$runs", "[Ljava/lang/AutodromeRuns$Run;"),
    ("autodrome$running", "Ljava/lang/AutodromeRuns$Run;"),
    ("autodrome$ordered", "[J"),
    ("autodrome$finalizers", "I"),
    ("autodrome$dependent", "I"),
    ("autodrome$hidden", "I"),
    ("autodrome$arguments", "[Ljava/lang/Object;"),
    ("autodrome$argumentCount", "I"),
    ("autodrome$received", "[I"),
    ("autodrome$valued", "I"),
    ("autodrome$value", "J"),
    ("autodrome$reference", "Ljava/lang/Object;"),
    ("autodrome$collections", "I"),
    ("autodrome$fence", "[I"),
    ("autodrome$unfenced", "[I"),
    ("autodrome$ending", "[I"),
    ("autodrome$last", "[I"),
    ("autodrome$heard", "J"),
    ("autodrome$bootstrapped", "Z"),
    ("autodrome$links", "Ljava/lang/Object;"),
    ("autodrome$ticks", "J"),
    ("autodrome$clear", "I"),
];

/// What the shim keeps in every descriptor, a `FileDescriptor`.
pub const DESCRIPTOR_FIELDS: &[Field] = &[("autodrome$end", "Ljava/lang/Object;")];

/// What the shim keeps in every class: where the shadows of its fields lie.
pub const CLASS_FIELDS: &[Field] = &[
    ("autodrome$cells", "[I"),
    ("autodrome$statics", "[I"),
    ("autodrome$number", "I"),
    ("autodrome$words", "Ljava/lang/Object;"),
    ("autodrome$staticWords", "Ljava/lang/Object;"),
    ("autodrome$allWords", "[J"),
    ("autodrome$shadows", "[J"),
    ("autodrome$references", "[J"),
    ("autodrome$watched", "I"),
    ("autodrome$linked", "Ljava/lang/Object;"),
    ("autodrome$told", "I"),
];
