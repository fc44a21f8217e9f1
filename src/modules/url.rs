//! `@ytt:url`.

use std::sync::Arc;

use super::call::Call;
use crate::golang::url::{self, Url, User, query};
use crate::script::{Arguments, Caller, NativeModule, ObjectType, Value};
use crate::source::Result;
use crate::yaml::{Content, Node};

pub(super) const MODULE: NativeModule = NativeModule::new(
    "url",
    &[
        ("url.path_segment_encode", path_segment_encode),
        ("url.path_segment_decode", path_segment_decode),
        ("url.query_param_value_encode", query_param_value_encode),
        ("url.query_param_value_decode", query_param_value_decode),
        ("url.query_params_encode", query_params_encode),
        ("url.query_params_decode", query_params_decode),
        ("url.parse", parse),
    ],
);

static URL: ObjectType = ObjectType {
    name: "@ytt:url.value",
    text: "struct(...)",
    methods: &[
        ("url.value.without_user", without_user),
        ("url.value.string", url_string),
        ("url.value.hostname", hostname),
    ],
};

static USER: ObjectType = ObjectType {
    name: "@ytt:url.user",
    text: "struct(...)",
    methods: &[("url.user.string", user_string)],
};

/// Returns the only argument, a text whose bytes are encoded or decoded one by one, and charges for
/// that.
fn coded_text<'v>(call: &Call<'v>, caller: &Caller<'_, 'v>) -> Result<&'v str> {
    let text = call.one_text()?;
    caller.charge_conversion(text.len())?;
    Ok(text)
}

/// `path_segment_encode(text)`: a string as one segment of a path.
fn path_segment_encode<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    Ok(caller.text(&url::path_segment_encode(
        coded_text(&call, caller)?.as_bytes(),
    )))
}

/// `path_segment_decode(text)`: the string that one segment of a path encodes.
fn path_segment_decode<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let bytes = url::path_segment_decode(coded_text(&call, caller)?)
        .map_err(|error| call.failure(error))?;
    Ok(caller.text(&call.utf8(bytes)?))
}

/// `query_param_value_encode(text)`: a string as the value of a query parameter.
fn query_param_value_encode<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    Ok(caller.text(&url::query_value_encode(
        coded_text(&call, caller)?.as_bytes(),
    )))
}

/// `query_param_value_decode(text)`: the string that the value of a query parameter encodes.
fn query_param_value_decode<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let bytes =
        url::query_value_decode(coded_text(&call, caller)?).map_err(|error| call.failure(error))?;
    Ok(caller.text(&call.utf8(bytes)?))
}

/// `query_params_encode(parameters)`: a dictionary of lists of strings as query parameters.
fn query_params_encode<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let [value] = call.positional()?;
    let parameters = parameters(&call, &caller.node(value)?)?;
    Ok(caller.text(&query::encode(&parameters)))
}

/// `query_params_decode(text)`: query parameters as a dictionary of lists of strings.
fn query_params_decode<'v>(
    caller: &mut Caller<'_, 'v>,
    arguments: Arguments<'v>,
) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let parameters =
        query::decode(coded_text(&call, caller)?).map_err(|error| call.failure(error))?;
    let mut entries = Vec::with_capacity(parameters.len());
    for (name, values) in parameters {
        let mut texts = Vec::with_capacity(values.len());
        for value in values {
            texts.push(caller.text(&call.utf8(value)?));
        }
        entries.push((caller.text(&call.utf8(name)?), caller.list(&texts)));
    }
    caller.dictionary(&entries)
}

fn parameters(call: &Call<'_>, node: &Arc<Node>) -> Result<query::Parameters> {
    let Some(mapping) = node.resolved().as_mapping() else {
        return Err(call.failure(format!(
            "expected argument to be a map, but was {}",
            node.kind()
        )));
    };
    let mut parameters = query::Parameters::new();
    for entry in &mapping.entries {
        let Some(name) = entry.key.as_str() else {
            return Err(call.failure(format!(
                "expected map key to be string, but was {}",
                entry.key.kind()
            )));
        };
        let Content::Sequence(values) = &entry.value.resolved().content else {
            return Err(call.failure(format!(
                "expected map value to be array, but was {}",
                entry.value.kind()
            )));
        };
        let mut texts = Vec::with_capacity(values.items.len());
        for item in &values.items {
            let Some(text) = item.value.as_str() else {
                return Err(call.failure(format!(
                    "expected array value to be string, but was {}",
                    item.value.kind()
                )));
            };
            texts.push(text.as_bytes().to_vec());
        }
        // A map sorted by name, because Go's `Values.Encode` also sorts by name.
        parameters.insert(name.as_bytes().to_vec(), texts);
    }
    Ok(parameters)
}

/// `parse(text)`: a URL.
fn parse<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let url = url::parse(coded_text(&call, caller)?).map_err(|error| call.failure(error))?;
    Ok(url_object(url, caller))
}

fn url_object<'v>(url: Url, caller: &Caller<'_, 'v>) -> Value<'v> {
    let user = match url.user() {
        Some(user) => user_object(user, caller),
        None => Value::none(),
    };
    caller.note_state(url.to_string().len());
    caller.object(&URL, Arc::new(url), &[("user", user)])
}

/// `without_user()`: the same URL without name and password.
fn without_user<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.positional::<0>()?;
    Ok(url_object(caller.state::<Url>()?.without_user(), caller))
}

/// `string()`: the URL as text.
fn url_string<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.positional::<0>()?;
    Ok(caller.text(&caller.state::<Url>()?.to_string()))
}

/// `hostname()`: the host without its port.
fn hostname<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.positional::<0>()?;
    let hostname = caller.state::<Url>()?.hostname().to_vec();
    Ok(caller.text(&call.utf8(hostname)?))
}

/// Returns the user of a URL, with name and password. A name or password that is not UTF-8 gets no
/// member: a failure here would make the whole URL fail, although it can still be printed and
/// modified.
fn user_object<'v>(user: &User, caller: &Caller<'_, 'v>) -> Value<'v> {
    let mut members = Vec::new();
    if let Ok(name) = str::from_utf8(&user.name) {
        members.push(("name", caller.text(name)));
    }
    match user.password.as_deref().map(str::from_utf8) {
        None => members.push(("password", Value::none())),
        Some(Ok(password)) => members.push(("password", caller.text(password))),
        Some(Err(_)) => {}
    }
    caller.note_state(user.name.len() + user.password.as_ref().map_or(0, Vec::len));
    caller.object(&USER, Arc::new(user.clone()), &members)
}

/// `string()`: name and password as they are written in the URL.
fn user_string<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    call.positional::<0>()?;
    Ok(caller.text(&caller.state::<User>()?.to_string()))
}
