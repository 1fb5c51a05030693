//! Words for whoever watches the process.

/// Writes a line to the standard output. Where nobody reads it any more (`koban demo | head`), the line is dropped and
/// the process goes on.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($words)*)));
    }};
}
