//! Tests of the operations on annotations and functions that modules above use.

use super::*;
use crate::script::fragments::Annotation;
use crate::script::{Arguments, Caller, NativeModule, Value};

/// `@ytt:probe`: operations of the modules above, as functions.
const PROBE: NativeModule = NativeModule::new(
    "probe",
    &[("twice", twice), ("marks", marks), ("adder", adder)],
);

fn twice<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let function = arguments.positional[0];
    let once = caller.call(
        function,
        &Arguments {
            positional: vec![arguments.positional[1]],
            named: Vec::new(),
        },
    )?;
    caller.call(
        function,
        &Arguments {
            positional: vec![once],
            named: Vec::new(),
        },
    )
}

/// Returns the names of the annotations of the entries of a fragment.
fn marks<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let node = caller.node(arguments.positional[0])?;
    let entries = &node.as_mapping().unwrap().entries;
    let name = |annotation: &Annotation| annotation.name.to_string();
    let names = caller.with_annotations(|table| {
        let of = entries.iter().filter_map(|entry| table.of(&entry.key));
        of.flat_map(|annotations| annotations.iter().map(name).collect::<Vec<_>>())
            .collect::<Vec<String>>()
    })?;
    Ok(caller.text(&names.join(" ")))
}

fn adder<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    fn add<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
        let numbers = arguments
            .positional
            .iter()
            .filter_map(|value| value.as_integer());
        Ok(caller.integer(numbers.sum()))
    }
    let function = caller.function("probe.add", add);
    Ok(caller.bind(function, &arguments.positional))
}

/// Evaluates `config.yml` and passes its documents to `look`.
fn with_documents(template: &str, look: fn(&Library<'_>, Vec<crate::script::fragments::Built>)) {
    let text = template.to_owned();
    on_large_stack(move || {
        let loader = Files {
            texts: [("config.yml".to_owned(), text)].into(),
            ..Files::default()
        };
        let session = Session::new(Limits::default(), |_| ()).with_module(PROBE);
        let library = Library::new(&session, &loader, &Node::mapping(Vec::new())).unwrap();
        let program = loader
            .find("config.yml", &Program::starlark(&Source::empty()).unwrap())
            .unwrap();
        match library.evaluate(&program) {
            Ok(Evaluated::Documents(documents)) => look(&library, documents),
            Ok(other) => panic!("expected documents, found {other:?}"),
            Err(message) => panic!(
                "{}",
                Renderer::new(DiagnosticFormat::Human).render(&[*message])
            ),
        }
    })
    .unwrap();
}

#[test]
fn calls_back_from_a_native_function() {
    let template = "#@ load('@ytt:probe', 'probe')\n#@ def f():\n#@overlay/match missing_ok=True\na: 1\n#@probe/x\nb: 2\n#@ end\n\
                    ---\nv: #@ probe.twice(lambda x: x * 3, 2)\nw: #@ probe.marks(f())\nz: #@ probe.adder(1, 2)(3)\n";
    with_documents(template, |_, documents| {
        let roots: Vec<_> = documents
            .iter()
            .map(|document| Arc::clone(&document.root))
            .collect();
        assert_eq!(
            canonical(&roots).unwrap(),
            "v: 18\nw: overlay/match probe/x\nz: 6\n"
        );
    });
}

#[test]
fn calls_functions_of_annotations_after_evaluation() {
    let template = "#@ for i in [1, 2]:\n#@overlay/match by=lambda l, r: l + r + i\n---\n#@overlay/replace via=lambda l, r: [l, r]\n\
                    a: #@ i\n#@ end\n";
    with_documents(template, |library, documents| {
        let results = library.with_caller(|caller| {
            let mut results = Vec::new();
            for document in &documents {
                let [annotation] = document.annotations.as_slice() else {
                    panic!("expected one annotation")
                };
                assert_eq!(&*annotation.name, "overlay/match");
                let by = caller.arguments(annotation)?.named[0].1;
                assert!(by.is_function());
                let positional = vec![caller.integer(10), caller.integer(20)];
                results.push(
                    caller
                        .call(
                            by,
                            &Arguments {
                                positional,
                                named: Vec::new(),
                            },
                        )?
                        .as_integer(),
                );
                let key = &document.root.as_mapping().unwrap().entries[0].key;
                let on_entry = caller.with_annotations(|table| table.of(key))?.unwrap();
                assert_eq!(&*on_entry[0].name, "overlay/replace");
            }
            Ok(results)
        });
        assert_eq!(
            results.unwrap(),
            [Some(32), Some(32)],
            "a function sees the last value of a loop's variable"
        );
    });
}

#[test]
fn leaves_the_annotations_of_an_item_in_its_list() {
    let template = "#@ load('@ytt:probe', 'probe')\n#@ def f():\n#@probe/x\n- a: 1\n#@ end\n---\nl:\n- #@ f()[0]\nm: #@ f()\n";
    with_documents(template, |library, documents| {
        let item = |key: &str| {
            Arc::clone(
                &documents
                    .last()
                    .unwrap()
                    .root
                    .get(key)
                    .unwrap()
                    .as_sequence()
                    .unwrap()
                    .items[0]
                    .value,
            )
        };
        let has = |node: &Arc<Node>| {
            library.with_caller(|caller| caller.with_annotations(|table| table.of(node).is_some()))
        };
        assert!(!has(&item("l")).unwrap());
        assert!(has(&item("m")).unwrap());
    });
}

#[test]
fn finds_the_annotations_of_a_text_before_evaluation() {
    let source = Source::new(
        "config.yml",
        "#@data/values\n#@ x = 1\n---\na: 1\n---\n#@schema/type any=True\nb: 2\n",
    )
    .unwrap();
    let found = crate::template::annotations(&parse(&source).unwrap(), &TemplateOptions::default())
        .unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|annotation| (annotation.name.as_str(), annotation.document))
        .collect();
    assert_eq!(found, [("data/values", Some(0)), ("schema/type", None)]);
}
