//! `@ytt:ip`.

#![allow(
    unsafe_code,
    reason = "only the derives of `starlark` write unsafe code here"
)]

use core::net::IpAddr;
use std::fmt;
use std::sync::Arc;

use allocative::Allocative;
use starlark::environment::{GlobalsBuilder, Methods, MethodsBuilder};
use starlark::values::dict::DictRef;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkValue, Value, starlark_value,
};
use starlark::{methods_static, starlark_module, starlark_simple_value};

use super::call::Call;
use crate::golang::ip::{self, Network};
use crate::script::library::Library;
use crate::script::program::Program;

pub(super) fn module<'v>(
    heap: Heap<'v>,
    _: &Library<'_>,
    _: &Arc<Program>,
) -> starlark::Result<Value<'v>> {
    Ok(super::functions(heap, functions, []))
}

#[starlark_module]
fn functions(builder: &mut GlobalsBuilder) {
    /// An address.
    fn parse_addr<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<AddressValue> {
        let call = Call::new("ip.parse_addr", arguments.items);
        Ok(AddressValue(
            ip::parse_address(call.one_text()?).map_err(|error| call.failure(error))?,
        ))
    }

    /// An address and its network.
    fn parse_cidr<'v>(
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
        #[starlark(kwargs)] _options: DictRef<'v>,
    ) -> starlark::Result<(AddressValue, NetworkValue)> {
        let call = Call::new("ip.parse_cidr", arguments.items);
        let (address, network) =
            ip::parse_cidr(call.one_text()?).map_err(|error| call.failure(error))?;
        Ok((AddressValue(address), NetworkValue(network)))
    }
}

/// An address as a value.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct AddressValue(#[allocative(skip)] IpAddr);
starlark_simple_value!(AddressValue);

impl fmt::Display for AddressValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct(...)")
    }
}

methods_static!(ADDRESS_METHODS = address_methods);

#[starlark_value(type = "@ytt:ip.addr")]
impl<'v> StarlarkValue<'v> for AddressValue {
    fn get_methods() -> Option<&'static Methods> {
        Some(ADDRESS_METHODS.methods())
    }
}

#[starlark_module]
fn address_methods(builder: &mut MethodsBuilder) {
    /// Whether it is an IPv4 address.
    fn is_ipv4<'v>(
        this: &AddressValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<bool> {
        Call::new("ip.addr.is_ipv4", arguments.items).arguments::<0>()?;
        Ok(this.0.is_ipv4())
    }

    /// Whether it is an IPv6 address.
    fn is_ipv6<'v>(
        this: &AddressValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<bool> {
        Call::new("ip.addr.is_ipv6", arguments.items).arguments::<0>()?;
        Ok(this.0.is_ipv6())
    }

    /// The address in its shortest form.
    fn string<'v>(
        this: &AddressValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<String> {
        Call::new("ip.addr.string", arguments.items).arguments::<0>()?;
        Ok(this.0.to_string())
    }
}

/// A network as a value.
#[derive(Debug, ProvidesStaticType, NoSerialize, Allocative, starlark::StarlarkPagablePanic)]
struct NetworkValue(#[allocative(skip)] Network);
starlark_simple_value!(NetworkValue);

impl fmt::Display for NetworkValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct(...)")
    }
}

methods_static!(NETWORK_METHODS = network_methods);

#[starlark_value(type = "@ytt:ip.net")]
impl<'v> StarlarkValue<'v> for NetworkValue {
    fn get_methods() -> Option<&'static Methods> {
        Some(NETWORK_METHODS.methods())
    }
}

#[starlark_module]
fn network_methods(builder: &mut MethodsBuilder) {
    /// The first address of the network.
    fn addr<'v>(
        this: &NetworkValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<AddressValue> {
        Call::new("ip.net.addr", arguments.items).arguments::<0>()?;
        Ok(AddressValue(this.0.address))
    }

    /// The first address and the length of the prefix.
    fn string<'v>(
        this: &NetworkValue,
        #[starlark(args)] arguments: UnpackTuple<Value<'v>>,
    ) -> starlark::Result<String> {
        Call::new("ip.net.string", arguments.items).arguments::<0>()?;
        Ok(this.0.to_string())
    }
}
