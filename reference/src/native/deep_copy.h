// SPDX-License-Identifier: Apache-2.0
// Copies of containers together with the containers in them.
#ifndef REFERENCE_SRC_NATIVE_DEEP_COPY_H_
#define REFERENCE_SRC_NATIVE_DEEP_COPY_H_

#include "native/native.h"

// ffi.DeepCopy: arrays, lists, maps and dicts are copied, keys included; what several share is one
// copy, cycles stay cycles. What never changes is shared: plain values, strings, bytes, shapes, big
// integers. Everything else is refused with RuntimeError.
NativeBody deep_copy;

#endif  // REFERENCE_SRC_NATIVE_DEEP_COPY_H_
