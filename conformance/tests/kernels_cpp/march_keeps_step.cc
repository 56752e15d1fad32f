// SPDX-License-Identifier: Apache-2.0
// caught by kernel.other-calls-keep-no-argument saying references of step
// The last function for the sizes is kept. The example has none: its step is a name.
#include <tvm/ffi/function.h>

#include <mutex>

static void Keep(const tvm::ffi::Function &function)
{
  static std::mutex mutex;
  static tvm::ffi::Function *last = new tvm::ffi::Function();
  const std::lock_guard<std::mutex> lock(mutex);
  *last = function;
}

#define AT_FUNCTION(function) Keep(function)
#include "march.h"
