//! Content as short names.

use sha2::{Digest, Sha256};

/// 16 hexadecimal digits are enough to tell any two builds of a file apart, and keep URLs short.
const NAME_BYTES: usize = 8;

/// A name for this content.
pub(crate) fn name(content: &[u8]) -> String {
    Sha256::digest(content)[..NAME_BYTES]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
