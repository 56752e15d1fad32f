// SPDX-License-Identifier: Apache-2.0
// Copies of values together with what is in them.
#ifndef REFERENCE_SRC_FRONTEND_COPY_H_
#define REFERENCE_SRC_FRONTEND_COPY_H_

#include "native/native.h"

// ffi.DeepCopy: containers are copied, keys included, and so are objects whose types say how, with
// what their fields hold; what several share is one copy, cycles stay cycles. What never changes is
// shared: plain values, strings, bytes, shapes, big integers, values of enumerations. Everything
// else is refused with RuntimeError.
NativeBody copy_deep;

#endif  // REFERENCE_SRC_FRONTEND_COPY_H_
