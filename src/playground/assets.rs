//! The files of the page, built from `playground/`. Each file is compressed. Names contain no
//! hashes, so that this table never changes.

use super::http::Response;

/// The page itself. `{{nonce}}` is replaced in each answer.
pub(super) const SHELL: &str = include_str!("assets/index.html");

/// A file that the page loads.
struct Asset {
    target: &'static str,
    media_type: &'static str,
    content: &'static [u8],
}

const ASSETS: [Asset; 5] = [
    Asset {
        target: "/app.js",
        media_type: "text/javascript; charset=utf-8",
        content: include_bytes!("assets/app.js.gz"),
    },
    Asset {
        target: "/app.css",
        media_type: "text/css; charset=utf-8",
        content: include_bytes!("assets/app.css.gz"),
    },
    Asset {
        target: "/theme.js",
        media_type: "text/javascript; charset=utf-8",
        content: include_bytes!("assets/theme.js.gz"),
    },
    Asset {
        target: "/gallery.json",
        media_type: "application/json",
        content: include_bytes!("assets/gallery.json.gz"),
    },
    Asset {
        target: "/icon.svg",
        media_type: "image/svg+xml",
        content: include_bytes!("assets/icon.svg.gz"),
    },
];

/// Returns the answer to a GET request of a file.
pub(super) fn file(target: &str) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.target == target)?;
    Some(Response::file(asset.media_type, asset.content))
}
