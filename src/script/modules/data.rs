//! `@ytt:data`: data values, and files that are no templates.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::list::AllocList;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};

use crate::script::evaluation::evaluation;
use crate::script::failure::Failure;
use crate::script::library::Library;
use crate::script::program::Program;
use crate::script::value::{ModuleValue, article, type_name};

pub(super) fn module<'v>(
    heap: Heap<'v>,
    library: &Library<'_>,
    program: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    let file_function = |kind| {
        heap.alloc(FileFunction {
            kind,
            program: Arc::clone(program),
        })
    };
    let mut fields = SmallMap::new();
    fields.insert(
        "values".to_owned(),
        heap.access_owned_frozen_value(&library.values),
    );
    fields.insert("list".to_owned(), file_function(FileFunctionKind::List));
    fields.insert("read".to_owned(), file_function(FileFunctionKind::Read));
    Ok(ModuleValue::alloc(fields, heap))
}

/// `data.read` or `data.list`. Paths are relative to the file that loaded the module, whoever calls the function.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct FileFunction {
    kind: FileFunctionKind,
    #[allocative(skip)]
    program: Arc<Program>,
}
starlark_simple_value!(FileFunction);

#[derive(Clone, Copy, Debug, Allocative)]
enum FileFunctionKind {
    List,
    Read,
}

impl fmt::Display for FileFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            FileFunctionKind::List => "<built-in function data.list>",
            FileFunctionKind::Read => "<built-in function data.read>",
        })
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for FileFunction {
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        args.no_named_args()?;
        let loader = evaluation(eval)?.library.loader;
        let heap = eval.heap();
        match self.kind {
            FileFunctionKind::Read => {
                let path = path(args.positional1(heap)?)?;
                Ok(heap.alloc(loader.read(path, &self.program).map_err(Failure::from)?))
            }
            FileFunctionKind::List => {
                let mut positions = args.positions(heap)?;
                let path = positions.next().map(path).transpose()?;
                if positions.next().is_some() {
                    return Err(Failure::new("data.list: expected at most one argument").into());
                }
                let paths = loader.list(path, &self.program).map_err(Failure::from)?;
                Ok(heap.alloc(AllocList(paths)))
            }
        }
    }
}

fn path(value: Value<'_>) -> Result<&str, Failure> {
    value.unpack_str().ok_or_else(|| {
        Failure::new(format!(
            "expected a path, found {}",
            article(type_name(value))
        ))
    })
}
