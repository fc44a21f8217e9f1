//! `@ytt:ip`.

use core::net::IpAddr;
use std::sync::Arc;

use super::call::Call;
use crate::golang::ip::{self, Network};
use crate::script::{Arguments, Caller, NativeModule, ObjectType, Value};
use crate::source::Result;

pub(super) const MODULE: NativeModule = NativeModule::new(
    "ip",
    &[("ip.parse_addr", parse_addr), ("ip.parse_cidr", parse_cidr)],
);

static ADDRESS: ObjectType = ObjectType {
    name: "@ytt:ip.addr",
    text: "struct(...)",
    methods: &[
        ("ip.addr.is_ipv4", is_ipv4),
        ("ip.addr.is_ipv6", is_ipv6),
        ("ip.addr.string", address_string),
    ],
};

static NETWORK: ObjectType = ObjectType {
    name: "@ytt:ip.net",
    text: "struct(...)",
    methods: &[
        ("ip.net.addr", network_address),
        ("ip.net.string", network_string),
    ],
};

/// `parse_addr(text)`: an address.
fn parse_addr<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let address = ip::parse_address(call.one_text()?).map_err(|error| call.failure(error))?;
    Ok(caller.object(&ADDRESS, Arc::new(address), &[]))
}

/// `parse_cidr(text)`: a tuple of an address and its network.
fn parse_cidr<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    let call = Call::new(caller, arguments);
    let parsed = ip::parse_cidr(call.one_text()?);
    // Two values, as in Go's `net.ParseCIDR`: `10.1.2.3/8` has the address 10.1.2.3 and the network
    // 10.0.0.0/8.
    let (address, network) = parsed.map_err(|error| call.failure(error))?;
    let address = caller.object(&ADDRESS, Arc::new(address), &[]);
    let network = caller.object(&NETWORK, Arc::new(network), &[]);
    Ok(caller.tuple(&[address, network]))
}

/// `is_ipv4()`: whether it is an IPv4 address.
fn is_ipv4<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    Call::new(caller, arguments).positional::<0>()?;
    Ok(Value::boolean(caller.state::<IpAddr>()?.is_ipv4()))
}

/// `is_ipv6()`: whether it is an IPv6 address.
fn is_ipv6<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    Call::new(caller, arguments).positional::<0>()?;
    Ok(Value::boolean(caller.state::<IpAddr>()?.is_ipv6()))
}

/// `string()`: the address in its shortest form.
fn address_string<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    Call::new(caller, arguments).positional::<0>()?;
    Ok(caller.text(&caller.state::<IpAddr>()?.to_string()))
}

/// `addr()`: the first address of the network.
fn network_address<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    Call::new(caller, arguments).positional::<0>()?;
    let address = caller.state::<Network>()?.address;
    Ok(caller.object(&ADDRESS, Arc::new(address), &[]))
}

/// `string()`: the first address and the length of the prefix.
fn network_string<'v>(caller: &mut Caller<'_, 'v>, arguments: Arguments<'v>) -> Result<Value<'v>> {
    Call::new(caller, arguments).positional::<0>()?;
    Ok(caller.text(&caller.state::<Network>()?.to_string()))
}
