//! JSON schema, as far as SARIF's uses it (draft 7). A keyword that is not known here fails the test: nothing is passed
//! over in silence.

use serde_json::Value;

/// The schema of SARIF 2.1.0, as OASIS publishes it.
pub(crate) fn sarif() -> Value {
    serde_json::from_str(include_str!("sarif-2.1.0.json")).unwrap()
}

/// What is wrong with a value, each with the place.
pub(crate) fn violations(root: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(root, root, value, "$", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let rules = match schema {
        Value::Bool(true) => return,
        Value::Object(rules) => rules,
        other => panic!("{at}: the schema is {other}"),
    };
    for (keyword, rule) in rules {
        let mut fail = |what: String| found.push(format!("{at}: {what}"));
        match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" | "additionalProperties" => {}
            "$ref" => check(root, referenced(root, rule), value, at, found),
            "type" => {
                if !is_of_type(value, rule) {
                    fail(format!("{value} is no {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().unwrap().contains(value) {
                    fail(format!("{value} is none of {rule}"));
                }
            }
            "minimum" | "maximum" => {
                if let (Some(number), Some(limit)) = (value.as_f64(), rule.as_f64()) {
                    if (keyword == "minimum" && number < limit) || (keyword == "maximum" && number > limit) {
                        fail(format!("{number} passes the {keyword} {limit}"));
                    }
                }
            }
            "minItems" => {
                if value.as_array().is_some_and(|items| (items.len() as u64) < rule.as_u64().unwrap()) {
                    fail("too few items".to_owned());
                }
            }
            "uniqueItems" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice);
                if rule == true && (1..items.len()).any(|place| items[..place].contains(&items[place])) {
                    fail("an item comes twice".to_owned());
                }
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{at}[{place}]"), found);
                }
            }
            "required" => {
                for name in rule.as_array().unwrap().iter().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|members| !members.contains_key(name)) {
                        fail(format!("{name} is missing"));
                    }
                }
            }
            "properties" => members(root, rules, value, at, found),
            "format" => {
                if let Some(text) = value.as_str() {
                    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte));
                    match rule.as_str() {
                        Some("uri") if !plain || !text.contains(':') => fail(format!("{text} is no URI")),
                        Some("uri-reference") if !plain => fail(format!("{text} is no URI")),
                        Some("uri" | "uri-reference") => {}
                        Some("date-time") => {
                            // `2026-11-19T21:04:48Z`: digits where the form has zeros, and all else as it stands.
                            let shape = |letter: char| if letter.is_ascii_digit() { '0' } else { letter };
                            if text.chars().map(shape).collect::<String>() != "0000-00-00T00:00:00Z" {
                                fail(format!("{text} is no time in Greenwich"));
                            }
                        }
                        _ => panic!("{at}: the format {rule} is not known here"),
                    }
                }
            }
            "anyOf" | "oneOf" => {
                let choices = rule.as_array().unwrap().iter();
                let fit = choices.filter(|choice| {
                    let mut wrong = Vec::new();
                    check(root, choice, value, at, &mut wrong);
                    wrong.is_empty()
                });
                let fit = fit.count();
                if fit == 0 || (keyword == "oneOf" && fit > 1) {
                    fail(format!("{fit} of {keyword} fit"));
                }
            }
            "pattern" if value.is_string() => panic!("{at}: patterns are not known here: {rule}"),
            "pattern" => {}
            _ => panic!("{at}: the keyword {keyword} is not known here"),
        }
    }
}

fn referenced<'a>(root: &'a Value, rule: &Value) -> &'a Value {
    let pointer = rule.as_str().and_then(|text| text.strip_prefix('#')).unwrap_or_else(|| panic!("{rule}"));
    root.pointer(pointer).unwrap_or_else(|| panic!("{rule} leads nowhere"))
}

fn is_of_type(value: &Value, rule: &Value) -> bool {
    match rule.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        other => panic!("the type {other} is not known here"),
    }
}

fn members(root: &Value, rules: &serde_json::Map<String, Value>, value: &Value, at: &str, found: &mut Vec<String>) {
    let properties = rules["properties"].as_object().unwrap();
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (properties.get(name), rules.get("additionalProperties")) {
            (Some(rule), _) => check(root, rule, member, &at, found),
            (None, Some(Value::Bool(false))) => found.push(format!("{at}: not in the schema")),
            (None, Some(rule)) => check(root, rule, member, &at, found),
            (None, None) => {}
        }
    }
}

#[test]
fn a_log_that_is_wrong_is_noticed() {
    let good = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": []}]});
    assert_eq!(violations(&sarif(), &good), [""; 0]);
    for (pointer, wrong) in [
        ("/version", serde_json::json!("2.0")),
        ("/runs/0/tool/driver/name", serde_json::json!(7)),
        ("/runs/0/results", serde_json::json!([{"message": {}}])),
        ("/runs/0/results", serde_json::json!([{"message": {"text": "x"}, "level": "awful"}])),
        ("/runs/0/results", serde_json::json!([{"message": {"text": "x"}, "colour": "red"}])),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = wrong;
        assert_ne!(violations(&sarif(), &bad), [""; 0], "{bad}");
    }
}
