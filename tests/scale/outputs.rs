//! What is printed about documents: excerpts and differences.

use crate::case::{Case, case};
use crate::inputs::{config_map, each};
use crate::work::Work;

pub(crate) const CASES: &[Case] = &[
    case("items of JSON on one line", 1_000, |size| Work::Excerpts {
        text: format!("[{}{{}}]", each(size, |at| format!("{{\"k\":{at}}},"))),
    }),
    case("differences of a file", 1_000, |size| {
        let text = |value: &str| each(size, |at| config_map(&format!("a{at}"), value));
        Work::Difference {
            before: text("k: v\n"),
            after: text("k: w\n"),
        }
    }),
    case("differences of Secrets", 2_000, |size| {
        let text = |value: &str| {
            each(size, |at| {
                format!("---\nkind: Secret\nmetadata: {{name: a{at}}}\ndata: {{k: {value}}}\n")
            })
        };
        Work::Difference {
            before: text("dg=="),
            after: text("dw=="),
        }
    }),
];
