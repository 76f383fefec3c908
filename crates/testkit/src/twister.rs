//! The Mersenne twister MT19937 (Matsumoto and Nishimura, 1998): the random numbers of many languages' standard
//! libraries, so that a workload can be made again outside this project.

const LENGTH: usize = 624;
const SHIFT: usize = 397;

pub(crate) struct Twister {
    state: [u32; LENGTH],
    next: usize,
}

impl Twister {
    /// A generator started from an array of one number.
    pub(crate) fn seeded(seed: u32) -> Self {
        let mut twister = Twister { state: [0; LENGTH], next: LENGTH };
        twister.fill(19_650_218);
        twister.mix(seed);
        twister
    }

    fn fill(&mut self, seed: u32) {
        self.state[0] = seed;
        for i in 1..LENGTH {
            let last = self.state[i - 1];
            self.state[i] = 1_812_433_253_u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(i as u32);
        }
    }

    fn mix(&mut self, key: u32) {
        let mut place = 1;
        for _ in 0..LENGTH {
            let last = self.state[place - 1];
            self.state[place] = (self.state[place] ^ (last ^ (last >> 30)).wrapping_mul(1_664_525)).wrapping_add(key);
            place = self.advance(place);
        }
        for _ in 1..LENGTH {
            let last = self.state[place - 1];
            self.state[place] =
                (self.state[place] ^ (last ^ (last >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(place as u32);
            place = self.advance(place);
        }
        self.state[0] = 0x8000_0000;
    }

    fn advance(&mut self, place: usize) -> usize {
        if place + 1 < LENGTH {
            return place + 1;
        }
        self.state[0] = self.state[LENGTH - 1];
        1
    }

    /// A number in [0, 1) with 53 random bits.
    pub(crate) fn unit(&mut self) -> f64 {
        let high = f64::from(self.word() >> 5);
        let low = f64::from(self.word() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    fn word(&mut self) -> u32 {
        if self.next >= LENGTH {
            self.refill();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn refill(&mut self) {
        for i in 0..LENGTH {
            let both = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % LENGTH] & 0x7fff_ffff);
            let twisted = (both >> 1) ^ if both & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + SHIFT) % LENGTH] ^ twisted;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_one_gives_the_numbers_known_for_it() {
        let mut twister = Twister::seeded(1);
        let first: Vec<String> = (0..3).map(|_| format!("{:.6}", twister.unit())).collect();
        assert_eq!(first, ["0.134364", "0.847434", "0.763775"]);
    }
}
