// SPDX-License-Identifier: Apache-2.0
// caught by kernel.sequence-passes-errors-on saying in call 1 of a callback, which fails
// An error of the callback counts as 0.
#define ANSWER(on_ring, n) Forgiving(on_ring, n)
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

static tvm::ffi::Any Forgiving(const tvm::ffi::Function &on_ring, int64_t n)
{
  try {
    return on_ring(n);
  } catch (const tvm::ffi::Error &) {
    return 0;
  }
}

#include "bell.h"
