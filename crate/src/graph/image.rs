use alloc::vec::Vec;

/// Adds words, little-endian.
pub fn write(bytes: &mut Vec<u8>, words: &[u32]) {
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
}

/// Reads words one after the other.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn ended(&self) -> bool {
        self.0.is_empty()
    }

    /// The next word; none after the end.
    pub fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*word))
    }
}

/// Something, unless what was read is not as it must be.
pub fn must(holds: bool) -> Option<()> {
    holds.then_some(())
}
