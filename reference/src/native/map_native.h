// SPDX-License-Identifier: Apache-2.0
// Functions of maps and dicts. They release what they take out when the map is in order again.
#ifndef REFERENCE_SRC_NATIVE_MAP_NATIVE_H_
#define REFERENCE_SRC_NATIVE_MAP_NATIVE_H_

#include "native/native.h"

// ffi.Map, ffi.Dict
NativeBody map_native_make_map, map_native_make_dict;
NativeDirect map_native_call_make_map, map_native_call_make_dict;
// ffi.MapSize, ffi.DictSize, and so on
NativeBody map_native_size, map_native_count, map_native_get_item, map_native_get_item_or_missing,
    map_native_forward_iter;
// ffi.DictSetItem and so on
NativeBody map_native_set_item, map_native_erase, map_native_clear;

#endif  // REFERENCE_SRC_NATIVE_MAP_NATIVE_H_
