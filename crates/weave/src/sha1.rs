//! SHA-1 (FIPS 180-4 §6.1), which the default serialVersionUID is made with. Not for anything that must be secure.

/// The hash of a message.
pub(crate) fn sha1(message: &[u8]) -> [u8; 20] {
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let blocks = message.chunks_exact(64);
    let mut end = blocks.remainder().to_vec();
    end.push(0x80);
    while end.len() % 64 != 56 {
        end.push(0);
    }
    end.extend_from_slice(&(8 * message.len() as u64).to_be_bytes());
    for block in blocks.chain(end.chunks_exact(64)) {
        mix(&mut state, block);
    }
    let mut hash = [0; 20];
    for (bytes, word) in hash.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

fn mix(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0_u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for at in 16..80 {
        words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
    }
    let mut now = *state;
    rounds(&mut now, &words[..20], 0x5a82_7999, |b, c, d| d ^ b & (c ^ d));
    rounds(&mut now, &words[20..40], 0x6ed9_eba1, |b, c, d| b ^ c ^ d);
    rounds(&mut now, &words[40..60], 0x8f1b_bcdc, |b, c, d| b & c | d & (b | c));
    rounds(&mut now, &words[60..], 0xca62_c1d6, |b, c, d| b ^ c ^ d);
    for (word, add) in state.iter_mut().zip(now) {
        *word = word.wrapping_add(add);
    }
}

#[inline(always)]
fn rounds(now: &mut [u32; 5], words: &[u32], constant: u32, function: impl Fn(u32, u32, u32) -> u32) {
    let [mut a, mut b, mut c, mut d, mut e] = *now;
    for &word in words {
        let next = a.rotate_left(5).wrapping_add(function(b, c, d)).wrapping_add(e);
        (a, b, c, d, e) = (next.wrapping_add(constant).wrapping_add(word), a, b.rotate_left(30), c, d);
    }
    *now = [a, b, c, d, e];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(message: &[u8]) -> String {
        sha1(message).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn known_messages_have_their_known_hashes() {
        assert_eq!(hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(long), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
        assert_eq!(hex(&[b'a'; 1_000_000]), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    }
}
