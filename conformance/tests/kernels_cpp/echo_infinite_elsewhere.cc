// SPDX-License-Identifier: Apache-2.0
// caught by kernel.calls-at-the-same-time
// echo(x) -> float: twice x in the thread that called first, and infinity in all others. Nobody describes it.
#include <tvm/ffi/function.h>

#include <limits>
#include <thread>

static double Echo(double x)
{
  static const std::thread::id first = std::this_thread::get_id();
  return std::this_thread::get_id() == first ? 2 * x : std::numeric_limits<double>::infinity();
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(echo, Echo)
