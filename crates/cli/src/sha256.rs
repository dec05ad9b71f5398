//! SHA-256 (FIPS 180-4), for the hashes of files in witnesses.

/// The digest of some bytes, in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let (fractions, mut state) = constants();
    let mut data = bytes.to_vec();
    data.push(0x80);
    while data.len() % 64 != 56 {
        data.push(0);
    }
    data.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in data.chunks_exact(64) {
        let mut w = [0u32; 64];
        for (word, four) in w.iter_mut().zip(block.chunks_exact(4)) {
            *word = four.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        for i in 16..64 {
            let (a, b) = (w[i - 15], w[i - 2]);
            let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
            let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
            w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for i in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = e & f ^ !e & g;
            let first = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(fractions[i]).wrapping_add(w[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = s0.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
        }
        for (sum, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *sum = sum.wrapping_add(new);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The first bits of the fractions of the cube roots and of the square roots of the first primes.
fn constants() -> ([u32; 64], [u32; 8]) {
    let primes = (2u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let root = |n: u128, power: u32| {
        // The largest x with x^power <= n * 2^(32 * power): its lower half is the fraction.
        let (mut low, mut high) = (0u128, 1u128 << 36);
        while low < high {
            let middle = (low + high).div_ceil(2);
            let fits = match power {
                2 => middle * middle <= n << 64,
                _ => middle * middle * middle <= n << 96,
            };
            if fits { low = middle } else { high = middle - 1 }
        }
        low as u32
    };
    let (mut cubes, mut squares) = ([0; 64], [0; 8]);
    for (i, prime) in primes.take(64).enumerate() {
        cubes[i] = root(prime, 3);
        if i < 8 {
            squares[i] = root(prime, 2);
        }
    }
    (cubes, squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_the_standard() {
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
}
