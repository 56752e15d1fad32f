// SPDX-License-Identifier: Apache-2.0
// Values made objects of a built-in type, as compiled code makes them of what it is given.
#ifndef REFERENCE_SRC_FRONTEND_CONVERT_H_
#define REFERENCE_SRC_FRONTEND_CONVERT_H_

#include "native/native.h"

// The attributes `__ffi_convert__`: a value that is of the type already, sequences where a sequence
// is due, maps where a map is due; TypeError for all others.
NativeBody convert_to_object, convert_to_string, convert_to_bytes, convert_to_error,
    convert_to_function, convert_to_shape, convert_to_tensor, convert_to_array, convert_to_map,
    convert_to_list, convert_to_dict, convert_to_int_enum, convert_to_str_enum;

#endif  // REFERENCE_SRC_FRONTEND_CONVERT_H_
