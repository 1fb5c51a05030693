//! QR codes, drawn on the server.

use fast_qr::convert::{Builder, Shape, svg::SvgBuilder};
use fast_qr::qr::QRBuilder;
use ledger::Failure;

/// The drawing of `text`. It fills its frame; black on white for cameras.
///
/// # Errors
/// [`Failure::Invalid`] if the text is longer than a QR code holds.
pub fn svg(text: &str) -> Result<String, Failure> {
    let code = QRBuilder::new(text).build().map_err(|_| Failure::Invalid {
        field: "code",
        code: "TEXT_TOO_LONG",
        detail: "too long for a QR code".to_owned(),
    })?;
    Ok(SvgBuilder::default().shape(Shape::Square).margin(2).to_str(&code))
}
