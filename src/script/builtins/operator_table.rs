//! The operators, and the function of each: the crate carries out `a + b` as `__ytt_plus(a, b)`.
//!
//! Each operator is a function of its own, and not one function that gets the operator as an
//! argument: the crate calls them for almost every expression.

use std::collections::HashMap;

use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::Value;

use super::comparisons::{equal, is_in, is_not_in, ordered, unequal};
use super::operators::operate;
use crate::script::value::OrderOperator;

/// Defines `OPERATORS` and `functions` from one row for each operator.
///
/// A row `"<" => __ytt_less: ordered(OrderOperator::Less)` means that `a < b` becomes
/// `__ytt_less(a, b)`, which returns `ordered(OrderOperator::Less, a, b, eval)`. Arithmetic
/// operators are all carried out by `operate`.
macro_rules! operators {
    (
        arithmetic {
            $($symbol:literal => $function:ident,)*
        }
        comparisons {
            $($comparison:literal => $predicate:ident: $compare:ident($($argument:expr)?),)*
        }
    ) => {
        /// Each operator, and the function that carries it out.
        const OPERATORS: &[(&str, &str)] = &[
            $(($symbol, stringify!($function)),)*
            $(($comparison, stringify!($predicate)),)*
        ];

        #[starlark_module]
        pub(super) fn functions(builder: &mut GlobalsBuilder) {
            $(
                fn $function<'v>(
                    #[starlark(require = pos)] left: Value<'v>,
                    #[starlark(require = pos)] right: Value<'v>,
                    eval: &mut Evaluator<'v, '_, '_>,
                ) -> starlark::Result<Value<'v>> {
                    operate($symbol, left, right, eval)
                }
            )*
            $(
                fn $predicate<'v>(
                    #[starlark(require = pos)] left: Value<'v>,
                    #[starlark(require = pos)] right: Value<'v>,
                    eval: &mut Evaluator<'v, '_, '_>,
                ) -> starlark::Result<bool> {
                    $compare($($argument,)? left, right, eval)
                }
            )*
        }
    };
}

operators! {
    arithmetic {
        "%" => __ytt_percent,
        "*" => __ytt_times,
        "/" => __ytt_divide,
        "//" => __ytt_floor,
        "+" => __ytt_plus,
        "-" => __ytt_minus,
        "|" => __ytt_or,
        "&" => __ytt_and,
        "^" => __ytt_xor,
        "<<" => __ytt_left,
        ">>" => __ytt_right,
    }
    comparisons {
        "==" => __ytt_equal: equal(),
        "!=" => __ytt_unequal: unequal(),
        "<" => __ytt_less: ordered(OrderOperator::Less),
        ">" => __ytt_greater: ordered(OrderOperator::Greater),
        "<=" => __ytt_at_most: ordered(OrderOperator::AtMost),
        ">=" => __ytt_at_least: ordered(OrderOperator::AtLeast),
        "in" => __ytt_in: is_in(),
        "not in" => __ytt_not_in: is_not_in(),
    }
}

/// Returns the name of the function that the crate calls for each operator.
pub(in crate::script) fn operator_functions() -> HashMap<String, String> {
    let rows = OPERATORS.iter();
    rows.map(|(operator, function)| ((*operator).to_owned(), (*function).to_owned()))
        .collect()
}
