//! `@ytt:struct`.

use super::call::Call;
use crate::script::{Arguments, Caller, NativeModule, Value};
use crate::source::suggest::with_article;
use crate::source::{Code, Diagnostic, Result};
use crate::yaml::NESTING_LIMIT;

pub(super) const MODULE: NativeModule = NativeModule::new(
    "struct",
    &[
        ("struct.make", make),
        ("struct.make_and_bind", make_and_bind),
        ("struct.bind", bind),
        ("struct.encode", encode),
        ("struct.decode", decode),
    ],
);

/// `make(**fields)`: a struct.
fn make<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.counted::<0>()?;
    let fields: Vec<(&str, Value<'v>)> = fields(&call).collect();
    Ok(caller.structure(&fields))
}

/// `make_and_bind(object, **fields)`: a struct whose functions receive `object` as their first
/// argument.
fn make_and_bind<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [object] = call.counted()?;
    let mut bound = Vec::new();
    for (name, value) in fields(&call) {
        // The functions become methods: `object.f(x)` calls `f(object, x)`.
        let value = if value.is_function() {
            caller.bind(value, &[object])
        } else {
            value
        };
        bound.push((name, value));
    }
    Ok(caller.structure(&bound))
}

fn fields<'c, 'v>(call: &'c Call<'v>) -> impl Iterator<Item = (&'c str, Value<'v>)> {
    let named = call.named().iter();
    named.map(|(name, value)| (name.as_str(), *value))
}

/// `bind(function, *arguments)`: a function that passes `arguments` before its own arguments.
fn bind<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let Some((function, first)) = call.all().split_first() else {
        return Err(call.failure("got 0 arguments, want at least 1"));
    };
    if !function.is_function() {
        let found = with_article(function.type_name());
        return Err(call.failure(format!("expected a function, found {found}")));
    }
    Ok(caller.bind(*function, first))
}

/// `encode(value)`: converts dictionaries to structs, at every depth.
fn encode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [value] = call.counted()?;
    caller.count_copy(value)?;
    encoded(value, 0, caller)
}

/// `decode(value)`: converts structs to dictionaries, at every depth.
fn decode<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.no_named()?;
    let [value] = call.counted()?;
    caller.count_copy(value)?;
    decoded(value, 0, caller)
}

fn encoded<'v>(value: Value<'v>, depth: usize, caller: &Caller<'_, 'v>) -> Result<Value<'v>> {
    check_depth(depth)?;
    // A fragment is converted from its nodes, which are not values yet.
    if value.is_fragment() {
        return encoded_fragment(value, caller);
    }
    let Some(entries) = value.as_dictionary() else {
        return each(value, depth, caller, encoded);
    };
    let mut fields = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let Some(name) = key.as_str() else {
            let found = with_article(key.type_name());
            return Err(Diagnostic::error(
                Code::Script,
                format!("struct.encode: expected a string as a key, found {found}"),
            ));
        };
        fields.push((name, encoded(value, depth + 1, caller)?));
    }
    Ok(caller.structure(&fields))
}

fn encoded_fragment<'v>(value: Value<'v>, caller: &Caller<'_, 'v>) -> Result<Value<'v>> {
    // A function that built nothing. It is also None in other places, such as `yaml.encode`.
    if value.is_empty_fragment() {
        return Ok(Value::none());
    }
    let Some(documents) = value.as_documents() else {
        return caller.struct_value(&caller.node(value)?);
    };
    let mut structs = Vec::with_capacity(documents.len());
    for document in &*documents {
        structs.push(caller.struct_value(&document.root)?);
    }
    Ok(caller.list(&structs))
}

fn decoded<'v>(value: Value<'v>, depth: usize, caller: &Caller<'_, 'v>) -> Result<Value<'v>> {
    check_depth(depth)?;
    let mut entries = Vec::new();
    if let Some(fields) = value.as_structure() {
        for (name, value) in fields {
            entries.push((caller.text(name), decoded(value, depth + 1, caller)?));
        }
    } else if let Some(pairs) = value.as_dictionary() {
        for (key, value) in pairs {
            // The keys stay unchanged: they can be hashed, and a struct cannot.
            entries.push((key, decoded(value, depth + 1, caller)?));
        }
    } else {
        return each(value, depth, caller, decoded);
    }
    caller.dictionary(&entries)
}

/// Converts the items of a list or tuple; returns any other value unchanged.
fn each<'v>(
    value: Value<'v>,
    depth: usize,
    caller: &Caller<'_, 'v>,
    convert: fn(Value<'v>, usize, &Caller<'_, 'v>) -> Result<Value<'v>>,
) -> Result<Value<'v>> {
    let (items, is_list) = match (value.as_list(), value.as_tuple()) {
        (Some(items), _) => (items, true),
        (None, Some(items)) => (items, false),
        (None, None) => return Ok(value),
    };
    let mut converted = Vec::with_capacity(items.len());
    for item in items {
        converted.push(convert(item, depth + 1, caller)?);
    }
    Ok(if is_list {
        caller.list(&converted)
    } else {
        caller.tuple(&converted)
    })
}

/// Rejects a value that is nested too deeply: the conversions are recursive, and a value may
/// contain itself.
fn check_depth(depth: usize) -> Result<()> {
    if depth <= NESTING_LIMIT {
        return Ok(());
    }
    Err(Diagnostic::error(
        Code::Limit,
        format!("values nest deeper than {NESTING_LIMIT} levels"),
    )
    .help("does the value contain itself?"))
}
