// SPDX-License-Identifier: Apache-2.0
//! The wrong call of trace_route.c, in a library in Rust: its functions are bound as it is loaded.

use std::ffi::c_void;
use std::ptr::null_mut;

#[repr(C)]
struct Any {
    type_index: i32,
    padding: u32,
    payload: u64,
}

type SafeCall = extern "C" fn(*mut c_void, *const Any, i32, *mut Any) -> i32;

extern "C" {
    fn TVMFFIFunctionCreate(
        own: *mut c_void,
        code: SafeCall,
        deleter: *mut c_void,
        out: *mut *mut c_void,
    ) -> i32;
    fn TVMFFIFunctionCall(function: *mut c_void, args: *const Any, count: i32, result: *mut Any) -> i32;
    fn TVMFFIObjectDecRef(object: *mut c_void) -> i32;
}

extern "C" fn anything(_own: *mut c_void, _args: *const Any, _count: i32, _result: *mut Any) -> i32 {
    0
}

#[no_mangle]
pub extern "C" fn route() -> i32 {
    let mut function = null_mut();
    let argument = Any { type_index: 1, padding: 1, payload: 0 };
    let mut result = Any { type_index: 0, padding: 0, payload: 0 };
    unsafe {
        if TVMFFIFunctionCreate(null_mut(), anything, null_mut(), &mut function) != 0 {
            return 1;
        }
        let code = TVMFFIFunctionCall(function, &argument, 1, &mut result);
        TVMFFIObjectDecRef(function) | code
    }
}
