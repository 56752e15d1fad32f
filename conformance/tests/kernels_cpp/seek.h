// SPDX-License-Identifier: Apache-2.0
// seek(goal, most) -> int: how often goal is halved until it is 0, which is refused if that takes more than `most`
// times: no limit of a file says so. seek.json describes it. An including file may take other numbers.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SEEK_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SEEK_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>

#ifndef MOST
#define MOST 100
#endif
#ifndef IS_REACHED
#define IS_REACHED(goal) true
#endif

static int64_t Seek(int64_t goal, int64_t most)
{
  if (goal < 0 || goal > 1000) TVM_FFI_THROW(ValueError) << "goal must be from 0 to 1000";
  if (most < 1 || most > MOST) TVM_FFI_THROW(ValueError) << "most must be from 1 to 100";
  if (!IS_REACHED(goal)) TVM_FFI_THROW(RuntimeError) << "not there, whatever most is";
  int64_t times = 0;
  for (; goal > 0; goal /= 2)
    if (++times > most) TVM_FFI_THROW(RuntimeError) << "not there after " << most << " times";
  return times;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(seek, Seek)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SEEK_H_
