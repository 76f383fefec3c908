//! Letters of names that come from outside: which of them can be shown as they are.

/// Does a letter change how the text around it is shown, or is it not shown at all? Control characters steer terminals,
/// bidirectional marks reorder a line, separators start a new one, and names that differ in an invisible letter look
/// the same. The two joiners are left out: writing systems need them.
#[must_use]
pub fn is_unsafe_to_show(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Soft hyphen, zero-width space, word joiner and invisible operators, byte order mark, annotations.
            '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Bidirectional marks, embeddings, overrides and isolates.
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
            // Line and paragraph separators; tags; what is no character.
            | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::is_unsafe_to_show;

    #[test]
    fn writing_is_shown_and_what_steers_it_is_not() {
        assert!("Zähler_1 λ счёт 番号 مرحبا क्\u{200d}ष 😀 <init>$%".chars().all(|letter| !is_unsafe_to_show(letter)));
        for letter in ['\u{1b}', '\n', '\r', '\0', '\u{7f}', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}', '\u{e0041}']
        {
            assert!(is_unsafe_to_show(letter), "{letter:?}");
        }
    }
}
