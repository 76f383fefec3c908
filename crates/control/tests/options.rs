//! Options survive being written and read, and what is wrong with a list is said.

use std::path::Path;

use control::{
    AgentOptions, ArrayIds, AtRace, BarrierData, Branches, Choice, ConcolicOptions, Constants, Elements, Endpoint,
    FileName, Filter, HuntOptions, Insides, IoOrder, LazyFields, LocksetOptions, Mode, Name, Pairs, Part,
    RecordingOptions, SampleLimit, SampleRate, SamplingOptions, Statics, Text, WatchedBy,
};
use proptest::collection;
use proptest::option;
use proptest::prelude::*;

fn any_of<T: Choice + std::fmt::Debug>() -> impl Strategy<Value = T> {
    proptest::sample::select(T::ALL.iter().map(|(_, value)| *value).collect::<Vec<T>>())
}

fn names() -> impl Strategy<Value = Vec<Name>> {
    let names = vec!["com.acme.*", "a", "a.B$C", "a.B.<init>", "ä.Ö", "%p"];
    collection::vec(proptest::sample::select(names).prop_map(|name| name.parse().unwrap()), 0..3)
}

fn file() -> impl Strategy<Value = Option<FileName>> {
    let paths = vec!["/tmp/a", "/o p/it's", "/100%p", "/a=b", "%"];
    let fixed = proptest::sample::select(paths).prop_map(|path| FileName::fixed(Path::new(path)).unwrap());
    let template = proptest::sample::select(vec!["%p-%t", "races-%p.jsonl"]).prop_map(|name| name.parse().unwrap());
    option::of(prop_oneof![fixed, template])
}

fn recording() -> impl Strategy<Value = RecordingOptions> {
    (file(), file(), names(), names(), any_of::<BarrierData>(), any_of::<Insides>(), any_of::<Branches>()).prop_map(
        |(file, claim, hide, globals, barriers, insides, branches)| RecordingOptions {
            file,
            claim,
            hide,
            globals,
            barriers,
            insides,
            branches,
        },
    )
}

fn locksets() -> impl Strategy<Value = LocksetOptions> {
    let messages = (names(), names(), names());
    let arrays = (any_of::<Elements>(), any_of::<Statics>());
    (file(), any::<u64>(), arrays, any_of::<Pairs>(), collection::vec(any_of::<Part>(), 0..3), messages).prop_map(
        |(fields, max_locks, (elements, statics), pairs, without, (sends, receives, flags))| LocksetOptions {
            fields,
            max_locks,
            elements,
            statics,
            pairs,
            without,
            sends,
            receives,
            flags,
        },
    )
}

fn sampling() -> impl Strategy<Value = SamplingOptions> {
    let rate = || {
        (0..=1_000_000u32).prop_map(|millionths| {
            format!("{}.{:04}%", millionths / 10_000, millionths % 10_000).parse::<SampleRate>().unwrap()
        })
    };
    let limit = (1..=60_000u32).prop_map(|limit| format!("{limit}ms").parse::<SampleLimit>().unwrap());
    (rate(), limit, option::of(any::<u64>()), file(), any_of::<WatchedBy>(), rate()).prop_map(
        |(rate, limit, seed, sites, watched_by, overhead)| SamplingOptions {
            rate,
            limit,
            seed,
            sites,
            watched_by,
            overhead,
        },
    )
}

fn options() -> impl Strategy<Value = AgentOptions> {
    let what = (any_of::<Mode>(), any_of::<Text>(), option::of(any::<u64>()), option::of(any_of::<Filter>()));
    let switches = (any_of::<Constants>(), any_of::<LazyFields>(), any_of::<IoOrder>(), any_of::<ArrayIds>());
    let hunt = (file(), file()).prop_map(|(plan, outcome)| HuntOptions { plan, outcome });
    let concolic = (file(), file()).prop_map(|(inputs, path)| ConcolicOptions { inputs, path });
    let addresses = vec!["http://localhost", "http://10.0.0.1:80/a=b%p", "http://[::1]:4318/v1/logs"];
    let otlp = option::of(proptest::sample::select(addresses).prop_map(|address| address.parse::<Endpoint>().unwrap()));
    let rest = (any_of::<AtRace>(), any::<u64>(), recording(), locksets(), (hunt, concolic), sampling(), otlp);
    (what, switches, (file(), file(), names(), names()), rest).prop_map(
        |((mode, text, stack, filter), (constants, lazy, io_order, arrays), (out, debug, include, exclude), rest)| {
            let (at_race, panic, recording, locksets, (hunt, concolic), sampling, otlp) = rest;
            AgentOptions {
                mode,
                text,
                stack,
                out,
                otlp,
                debug,
                include,
                exclude,
                filter,
                constants,
                lazy,
                io_order,
                arrays,
                at_race,
                panic,
                recording,
                locksets,
                hunt,
                concolic,
                sampling,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(options in options()) {
        let text = options.to_string();
        prop_assert_eq!(text.parse::<AgentOptions>(), Ok(options), "{}", text);
        prop_assert!(!text.contains('"'));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        if let Ok(options) = text.parse::<AgentOptions>() {
            prop_assert_eq!(options.to_string().parse::<AgentOptions>(), Ok(options));
        }
    }
}

fn error(text: &str) -> String {
    text.parse::<AgentOptions>().unwrap_err().to_string()
}

#[test]
fn options_are_a_comma_list() {
    let text =
        "mode=count,text=none,out=/tmp/r-%p.jsonl,include=a.*,include=b,exclude=c,lazy=report,io=off,arrays=tags";
    let options: AgentOptions = text.parse().unwrap();
    assert_eq!((options.mode, options.text, options.arrays), (Mode::Count, Text::None, ArrayIds::Tags));
    assert_eq!((options.lazy, options.io_order), (LazyFields::Reported, IoOrder::Off));
    assert_eq!(options.include.iter().map(Name::as_str).collect::<Vec<_>>(), ["a.*", "b"]);
    assert_eq!(options.to_string(), text);
    assert_eq!("".parse(), Ok(AgentOptions::default()));
    assert_eq!(AgentOptions::default().to_string(), "");
}

#[test]
fn what_is_wrong_is_named_and_what_is_valid_too() {
    assert_eq!(
        error("mode=fast"),
        "`mode=fast`: `mode` takes one of detect, record, count, simple, detailed, sample, concolic"
    );
    assert_eq!(error("text=none,locks=many"), "`locks=many`: `locks` takes a number");
    assert!(error("include=a b").starts_with("`include=a b`: `include` takes a class or package name"));
    assert!(error("out=").ends_with("`out` takes the name of a file, without commas and double quotes"));
    let unknown = error("colour=red");
    assert!(
        unknown.starts_with("`colour=red`: there is no option `colour`; the keys are arrays, barriers, branches, ")
    );
    assert!(error("mode").starts_with("`mode` is not key=value; the keys are arrays, "));
}

#[test]
fn a_file_may_have_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("agent.options");
    std::fs::write(&file, "# ours\ninclude=a\n\n  exclude=b\n").unwrap();
    let options = AgentOptions::read(&format!("text=none,config={},io=off", file.display())).unwrap();
    assert_eq!(options, "text=none,include=a,exclude=b,io=off".parse().unwrap());
    let error = AgentOptions::read("config=/no/such/file").unwrap_err().to_string();
    assert!(error.starts_with("cannot read /no/such/file: "), "{error}");
}
