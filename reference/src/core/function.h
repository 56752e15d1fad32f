// SPDX-License-Identifier: Apache-2.0
// Functions of the runtime's own that keep a few words in their own memory.
#ifndef REFERENCE_SRC_CORE_FUNCTION_H_
#define REFERENCE_SRC_CORE_FUNCTION_H_

#include <tvm/ffi/c_api.h>

#include "core/thread.h"

// What such a function begins with.
typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;  // LAY-13, LAY-14
} FunctionObject;

// The size of a function, of which all behind FunctionObject is its maker's.
enum { FUNCTION_SIZE = THREAD_SPARE_SIZE };

// Makes a function that calls `safe_call`, whose handle is the function, and that owns nothing.
// Returns own; NULL if there is no memory.
FunctionObject *function_new_plain(TVMFFISafeCallType safe_call);

#endif  // REFERENCE_SRC_CORE_FUNCTION_H_
