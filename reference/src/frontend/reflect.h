// SPDX-License-Identifier: Apache-2.0
// Functions about types, and objects made of what the table of types says.
#ifndef REFERENCE_SRC_FRONTEND_REFLECT_H_
#define REFERENCE_SRC_FRONTEND_REFLECT_H_

#include "native/native.h"

// ffi.GetRegisteredTypeKeys, ffi.MakeObjectFromPackedArgs
NativeBody reflect_type_keys, reflect_make_object;

#endif  // REFERENCE_SRC_FRONTEND_REFLECT_H_
