//! Indices that count from the end of a list, as in kustomize: `/spec/args/-1` is the last item.

use std::sync::Arc;

use crate::edit::Pointer;
use crate::yaml::Node;

/// Returns the pointer with each negative index replaced by its index in `root`. Returns `None` if
/// there is no negative index, or if one is out of bounds. If the operation adds an item to the
/// list,
/// -1 is the place after the last item.
pub(super) fn counted_from_end(pointer: &Pointer, root: &Arc<Node>, adds: bool) -> Option<Pointer> {
    let text = pointer.to_string();
    if !has_negative_index(&text) {
        return None;
    }
    let mut node = root.resolved();
    let mut counted = String::with_capacity(text.len());
    let mut tokens = text.split('/').skip(1).peekable();
    while let Some(token) = tokens.next() {
        counted.push('/');
        let next = match node.as_sequence() {
            Some(list) => {
                let length = list.items.len() + usize::from(adds && tokens.peek().is_none());
                let index = index(token, length)?;
                counted.push_str(&index.to_string());
                list.items.at(index).map(|item| &item.value)
            }
            None => {
                counted.push_str(token);
                node.get(&token.replace("~1", "/").replace("~0", "~"))
            }
        };
        match next {
            Some(next) => node = next.resolved(),
            None if tokens.peek().is_none() => break,
            None => return None,
        }
    }
    Pointer::parse(&counted).ok()
}

fn has_negative_index(text: &str) -> bool {
    let mut tokens = text.split('/').skip(1);
    tokens.any(|token| token.len() > 1 && token.starts_with('-') && token.parse::<i64>().is_ok())
}

fn index(token: &str, length: usize) -> Option<usize> {
    let index: i64 = token.parse().ok()?;
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::yaml::parse_data;

    #[test]
    fn counts_from_the_end_of_each_list() {
        let source = Source::new("a.yaml", "{a/b: [{c: [1, 2, 3]}, {d: 4}]}").unwrap();
        let root = &parse_data(&source).unwrap().documents[0].root;
        let counted = |text: &str, adds| {
            let pointer = Pointer::parse(text).unwrap();
            counted_from_end(&pointer, root, adds).map(|pointer| pointer.to_string())
        };
        assert_eq!(counted("/a~1b/-2/c/-1", false).unwrap(), "/a~1b/0/c/2");
        assert_eq!(counted("/a~1b/0/c/-1", true).unwrap(), "/a~1b/0/c/3");
        assert_eq!(counted("/a~1b/-1/d", false).unwrap(), "/a~1b/1/d");
        for text in ["/a~1b/0", "/a~1b/-", "/a~1b/-3", "/x/y/-1"] {
            assert_eq!(counted(text, false), None, "{text}");
        }
    }
}
