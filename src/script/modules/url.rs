//! `@ytt:url`.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::environment::{GlobalsBuilder, Methods, MethodsBuilder};
use starlark::eval::Evaluator;
use starlark::values::dict::{AllocDict, DictRef};
use starlark::values::list::AllocList;
use starlark::values::none::NoneOr;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};
use starlark::{methods_static, starlark_module, starlark_simple_value};

use super::call::Call;
use crate::golang::url::{self, Url, User, query};
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::to_node;
use crate::yaml::{Content, Node};

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// A string as one segment of a path.
    fn path_segment_encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<String> {
        let call = Call::new("url.path_segment_encode", arguments.items);
        Ok(url::path_segment_encode(call.one_text()?.as_bytes()))
    }

    /// What one segment of a path stands for.
    fn path_segment_decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<String> {
        let call = Call::new("url.path_segment_decode", arguments.items);
        let bytes =
            url::path_segment_decode(call.one_text()?).map_err(|error| call.failure(error))?;
        Ok(call.utf8(bytes)?)
    }

    /// A string as the value of a query parameter.
    fn query_param_value_encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<String> {
        let call = Call::new("url.query_param_value_encode", arguments.items);
        Ok(url::query_value_encode(call.one_text()?.as_bytes()))
    }

    /// What the value of a query parameter stands for.
    fn query_param_value_decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<String> {
        let call = Call::new("url.query_param_value_decode", arguments.items);
        let bytes =
            url::query_value_decode(call.one_text()?).map_err(|error| call.failure(error))?;
        Ok(call.utf8(bytes)?)
    }

    /// A dictionary of lists of strings as query parameters.
    fn query_params_encode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<String> {
        let call = Call::new("url.query_params_encode", arguments.items);
        let [value] = call.arguments()?;
        Ok(query::encode(&parameters(
            &call,
            &to_node(value, eval.heap())?,
        )?))
    }

    /// Query parameters as a dictionary of lists of strings.
    fn query_params_decode<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<AllocDict<Vec<Parameter>>> {
        let call = Call::new("url.query_params_decode", arguments.items);
        let parameters = query::decode(call.one_text()?).map_err(|error| call.failure(error))?;
        let mut pairs = Vec::with_capacity(parameters.len());
        for (name, values) in parameters {
            let values = values
                .into_iter()
                .map(|value| call.utf8(value))
                .collect::<Result<Vec<_>, _>>()?;
            pairs.push((call.utf8(name)?, AllocList(values)));
        }
        Ok(AllocDict(pairs))
    }

    /// An URL.
    fn parse<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<UrlValue> {
        let call = Call::new("url.parse", arguments.items);
        Ok(UrlValue(
            url::parse(call.one_text()?).map_err(|error| call.failure(error))?,
        ))
    }
}

/// A name and its values.
type Parameter = (String, AllocList<Vec<String>>);

fn parameters(call: &Call<'_>, node: &Arc<Node>) -> Result<query::Parameters, Failure> {
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
        let value = |value: &Arc<Node>| match value.as_str() {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => Err(call.failure(format!(
                "expected array value to be string, but was {}",
                value.kind()
            ))),
        };
        let values = values
            .items
            .iter()
            .map(|item| value(&item.value))
            .collect::<Result<_, _>>()?;
        parameters.insert(name.as_bytes().to_vec(), values);
    }
    Ok(parameters)
}

/// An URL as a value.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct UrlValue(#[allocative(skip)] Url);
starlark_simple_value!(UrlValue);

impl fmt::Display for UrlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct(...)")
    }
}

methods_static!(URL_METHODS = url_methods);

#[starlark_value(type = "@ytt:url.value")]
impl<'v> StarlarkValue<'v> for UrlValue {
    fn get_methods() -> Option<&'static Methods> {
        Some(URL_METHODS.methods())
    }
}

#[starlark_module]
fn url_methods(builder: &mut MethodsBuilder) {
    /// The name and password, or None.
    #[starlark(attribute)]
    fn user(this: &UrlValue) -> starlark::Result<NoneOr<UserValue>> {
        Ok(this
            .0
            .user()
            .map_or(NoneOr::None, |user| NoneOr::Other(UserValue(user.clone()))))
    }

    /// The same URL without name and password.
    fn without_user<'v>(
        this: &UrlValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<UrlValue> {
        Call::new("url.value.without_user", arguments.items).arguments::<0>()?;
        Ok(UrlValue(this.0.without_user()))
    }

    /// The URL as text.
    fn string<'v>(
        this: &UrlValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<String> {
        Call::new("url.value.string", arguments.items).arguments::<0>()?;
        Ok(this.0.to_string())
    }

    /// The host without its port.
    fn hostname<'v>(
        this: &UrlValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<String> {
        let call = Call::new("url.value.hostname", arguments.items);
        call.arguments::<0>()?;
        Ok(call.utf8(this.0.hostname().to_vec())?)
    }
}

/// Name and password as a value.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct UserValue(#[allocative(skip)] User);
starlark_simple_value!(UserValue);

impl fmt::Display for UserValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct(...)")
    }
}

methods_static!(USER_METHODS = user_methods);

#[starlark_value(type = "@ytt:url.user")]
impl<'v> StarlarkValue<'v> for UserValue {
    fn get_methods() -> Option<&'static Methods> {
        Some(USER_METHODS.methods())
    }
}

#[starlark_module]
fn user_methods(builder: &mut MethodsBuilder) {
    /// The name.
    #[starlark(attribute)]
    fn name(this: &UserValue) -> starlark::Result<String> {
        Ok(Call::new("url.user.name", Vec::new()).utf8(this.0.name.clone())?)
    }

    /// The password, or None.
    #[starlark(attribute)]
    fn password(this: &UserValue) -> starlark::Result<NoneOr<String>> {
        let Some(password) = &this.0.password else {
            return Ok(NoneOr::None);
        };
        Ok(NoneOr::Other(
            Call::new("url.user.password", Vec::new()).utf8(password.clone())?,
        ))
    }

    /// Both, as they stand in the URL.
    fn string<'v>(
        this: &UserValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<String> {
        Call::new("url.user.string", arguments.items).arguments::<0>()?;
        Ok(this.0.to_string())
    }
}
