//! The pictures in the documents: the output of commands on a terminal, drawn as SVG.
//!
//! A picture is generated from the real output, so it cannot show anything else.
//! `UPDATE=1 cargo test --test pictures` draws all of them again.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    reason = "a test that cannot prepare its files has failed"
)]

mod common {
    pub(crate) mod workspace;
}

use std::fs;

use anstyle::{Color, RgbColor};
use anstyle_svg::{Palette, Term};
use common::workspace::{repository, shell, workspace};

/// A picture, and the command that it shows.
struct Picture {
    /// The stem of its files: `docs/pictures/NAME-light.svg` and `…-dark.svg`.
    name: &'static str,
    /// A description for readers who cannot see the picture.
    title: &'static str,
    folder: &'static str,
    command: &'static str,
}

const PICTURES: [Picture; 2] = [
    Picture {
        name: "edit",
        title: "A diff in which one value of a JSON text in a ConfigMap changes, and nothing else",
        folder: "kustomization-examples/replace-in-json",
        command: "inlay run inlay.yaml resources.yaml --diff",
    },
    Picture {
        name: "errors",
        title: "Two errors, each with the line of the value and the line of the rule that it breaks",
        folder: "examples/schema",
        command: "inlay -f schema.yml -d broken.yml |& head -21",
    },
];

/// The colors of a terminal: GitHub's, so that a picture looks like a part of the page.
struct Theme {
    name: &'static str,
    background: u32,
    foreground: u32,
    red: u32,
    green: u32,
    blue: u32,
    cyan: u32,
}

const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        background: 0xff_ff_ff,
        foreground: 0x1f_23_28,
        red: 0xcf_22_2e,
        green: 0x11_63_29,
        blue: 0x09_69_da,
        cyan: 0x1b_7c_83,
    },
    Theme {
        name: "dark",
        background: 0x0d_11_17,
        foreground: 0xe6_ed_f3,
        red: 0xff_7b_72,
        green: 0x3f_b9_50,
        blue: 0x58_a6_ff,
        cyan: 0x39_c5_cf,
    },
];

#[test]
fn every_picture_shows_what_its_command_prints() {
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let workspace = workspace("pictures");
    let mut faults = Vec::new();
    for picture in PICTURES {
        let folder = workspace.join(picture.folder);
        let command = picture
            .command
            .replacen("inlay ", "inlay --color always ", 1);
        let line = format!("exec 2>&1\nbash -c '{command}'");
        let output = shell(&workspace, &folder, &line);
        let text = format!("\u{1b}[1m$ {}\u{1b}[0m\n{}", picture.command, output.stdout);
        for theme in THEMES {
            let path = format!("docs/pictures/{}-{}.svg", picture.name, theme.name);
            let drawn = draw(&text, picture.title, &theme);
            let file = repository().join(&path);
            if update {
                fs::create_dir_all(file.parent().expect("a file is in a folder"))
                    .and_then(|()| fs::write(&file, &drawn))
                    .expect("a picture can be written");
            } else if fs::read_to_string(&file).unwrap_or_default() != drawn {
                faults.push(path);
            }
        }
    }
    assert!(
        faults.is_empty(),
        "no longer what the commands print; run UPDATE=1 cargo test --test pictures, and look at them: {faults:?}"
    );
}

fn draw(text: &str, title: &str, theme: &Theme) -> String {
    let terminal = Term::new()
        .palette(palette(theme))
        .fg_color(Color::Rgb(rgb(theme.foreground)))
        .bg_color(Color::Rgb(rgb(theme.background)));
    let drawn = terminal.render_svg(text.trim_end());
    // A screen reader reads the title.
    let (head, body) = drawn.split_once('>').expect("a picture begins with a tag");
    format!("{head} role=\"img\">\n  <title>{title}</title>{body}")
}

/// Returns the sixteen colors of a terminal. The bright colors equal the normal ones.
fn palette(theme: &Theme) -> Palette {
    let dark = theme.foreground;
    let eight = [
        dark,
        theme.red,
        theme.green,
        theme.red,
        theme.blue,
        theme.blue,
        theme.cyan,
        dark,
    ];
    let mut colors = [rgb(dark); 16];
    for (color, value) in colors.iter_mut().zip(eight.iter().chain(&eight)) {
        *color = rgb(*value);
    }
    Palette(colors)
}

fn rgb(color: u32) -> RgbColor {
    let [_, red, green, blue] = color.to_be_bytes();
    RgbColor(red, green, blue)
}
