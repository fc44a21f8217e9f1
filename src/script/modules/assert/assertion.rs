//! What `assert.min(…)` and its like give: a rule that `check` holds a value to.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::cmp::Ordering;
use std::fmt;

use allocative::Allocative;
use starlark::coerce::Coerce;
use starlark::environment::{Methods, MethodsBuilder};
use starlark::eval::Evaluator;
use starlark::starlark_complex_value;
use starlark::starlark_module;
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{
    Freeze, Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Trace, Value, ValueLifetimeless,
    ValueLike, starlark_value,
};

use super::super::arguments::exactly;
use crate::script::failure::Failure;
use crate::script::value::{Fragment, Structure, plain_value, repr, text, to_node, type_name};

/// A rule with its values, generic over live and frozen values.
#[derive(
    Debug,
    Trace,
    Coerce,
    Freeze,
    ProvidesStaticType,
    NoSerialize,
    Allocative,
    starlark::StarlarkPagablePanic,
)]
#[repr(C)]
pub(in crate::script) struct AssertionGen<V: ValueLifetimeless> {
    pub(in crate::script) rule: Rule,
    pub(in crate::script) values: Vec<V>,
}
starlark_complex_value!(pub(in crate::script) Assertion);

/// What is asked of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Trace, Freeze, Allocative)]
pub enum Rule {
    /// It is not less than another.
    Min,
    /// It is not more than another.
    Max,
    /// Its length is not less than a number.
    MinLength,
    /// Its length is not more than a number.
    MaxLength,
    /// It is not null.
    NotNull,
    /// The value of one of some keys is not null.
    OneNotNull,
    /// The value of one key is not null.
    OneOfAllNotNull,
    /// It is one of some values.
    OneOf,
}

impl<V: ValueLifetimeless> fmt::Display for AssertionGen<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@ytt:assert.assertion")
    }
}

starlark::methods_static!(METHODS = methods);

#[starlark_value(type = "@ytt:assert.assertion")]
impl<'v, V: ValueLike<'v>> StarlarkValue<'v> for AssertionGen<V>
where
    Self: ProvidesStaticType<'v>,
{
    fn get_methods() -> Option<&'static Methods> {
        Some(METHODS.methods())
    }
}

#[starlark_module]
fn methods(builder: &mut MethodsBuilder) {
    /// Whether the value keeps the rule: True, or a failure that says why not.
    fn check<'v>(
        this: Value<'v>,
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<bool> {
        let Some(assertion) = Assertion::from_value(this) else {
            return Ok(false);
        };
        let value = assertion.only(&values.items)?;
        match assertion.fault(value, eval.heap())? {
            None => Ok(true),
            Some(fault) => Err(Failure::new(format!("{}: {fault}", assertion.prefix())).into()),
        }
    }
}

impl<'v> Assertion<'v> {
    /// What a failure starts with.
    fn prefix(&self) -> &'static str {
        match self.rule {
            Rule::OneNotNull | Rule::OneOfAllNotNull => "check",
            _ => "fail",
        }
    }

    fn only(&self, values: &[Value<'v>]) -> Result<Value<'v>, Failure> {
        if self.prefix() == "fail" && values.len() != 1 {
            return Err(Failure::new(match values.len() {
                0 => "function lambda missing 1 argument (val)".to_owned(),
                given => format!("function lambda accepts 1 positional argument ({given} given)"),
            }));
        }
        exactly::<1>("check", values).map(|[value]| value)
    }

    /// Why a value does not keep the rule.
    fn fault(&self, value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Option<String>> {
        Ok(match self.rule {
            Rule::Min => self.order_fault(value, Ordering::Less, "<", heap)?,
            Rule::Max => self.order_fault(value, Ordering::Greater, ">", heap)?,
            Rule::MinLength => self.length_fault(value, Ordering::Less)?,
            Rule::MaxLength => self.length_fault(value, Ordering::Greater)?,
            Rule::NotNull => value.is_none().then(|| "value is null".to_owned()),
            Rule::OneNotNull | Rule::OneOfAllNotNull => self.null_fault(value, heap)?,
            Rule::OneOf => {
                let value = plain(value, heap)?;
                for allowed in &self.values {
                    if plain(*allowed, heap)?.equals(value)? {
                        return Ok(None);
                    }
                }
                Some("not one of allowed values".to_owned())
            }
        })
    }

    fn order_fault(
        &self,
        value: Value<'v>,
        fault: Ordering,
        sign: &str,
        heap: Heap<'v>,
    ) -> starlark::Result<Option<String>> {
        let Some(bound) = self.values.first() else {
            return Ok(None);
        };
        let order = plain(value, heap)?.compare(plain(*bound, heap)?)?;
        Ok((order == fault).then(|| format!("value {sign} {}", text(*bound))))
    }

    fn length_fault(&self, value: Value<'v>, fault: Ordering) -> starlark::Result<Option<String>> {
        let bound = self
            .values
            .first()
            .and_then(|bound| bound.unpack_i32())
            .unwrap_or_default();
        let length = match value.unpack_str() {
            Some(text) => i32::try_from(text.len()).unwrap_or(i32::MAX),
            None => value.length()?,
        };
        Ok((length.cmp(&bound) == fault).then(|| format!("length = {length}")))
    }

    fn null_fault(&self, value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Option<String>> {
        let is_fragment = value
            .downcast_ref::<Fragment>()
            .is_some_and(Fragment::is_mapping);
        if DictRef::from_value(value).is_none()
            && Structure::from_value(value).is_none()
            && !is_fragment
        {
            return Ok(Some(format!(
                "value must be a map or dict, but was '{}'",
                type_name(value)
            )));
        }
        let keys: Vec<Value<'v>> = match self.rule {
            Rule::OneNotNull => self.values.clone(),
            _ => value.iterate(heap)?.collect(),
        };
        if value.length()? == 0 {
            return Ok(Some("value is empty".to_owned()));
        }
        let mut not_null = Vec::new();
        for key in keys {
            if value.is_in(key)? && !value.at(key, heap)?.is_none() {
                not_null.push(repr(key));
            }
        }
        Ok(match not_null.len() {
            0 => Some("all values are null".to_owned()),
            1 => None,
            _ => Some(format!("[{}] are not null", not_null.join(", "))),
        })
    }
}

/// A value that compares as what it prints as: fragments as dictionaries and lists.
fn plain<'v>(value: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
    plain_value(&to_node(value, heap)?, heap)
}
