// SPDX-License-Identifier: Apache-2.0
// seats(rows, most) -> int: the sum of the numbers in rows, each times its place from 1 on. None is more than `most`. A
// vector of int32 with any stride. seats.json describes it. An including file may look at other memory.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SEATS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SEATS_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cstdint>

#ifndef BYTE_OFFSET
#define BYTE_OFFSET(tensor) (tensor).byte_offset()
#endif
#ifndef STRIDE
#define STRIDE(tensor) (tensor).strides()[0]
#endif

namespace seats
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline int64_t Seats(ffi::TensorView rows, int64_t most)
{
  const DLDataType type = rows.dtype();
  Require(type.code == kDLInt && type.bits == 32 && type.lanes == 1, "rows must be of int32");
  Require(rows.ndim() == 1 && rows.device().device_type == kDLCPU, "rows must be a vector");
  Require(rows.data_ptr() || rows.size(0) == 0, "rows has no data");
  Require(0 <= most && most <= 1000, "most must be from 0 to 1000");
  const char *bytes = static_cast<char *>(rows.data_ptr()) + BYTE_OFFSET(rows);
  int64_t sum = 0;
  for (int64_t i = 0; i < rows.size(0); ++i) {
    const int32_t one = reinterpret_cast<const int32_t *>(bytes)[i * STRIDE(rows)];
    Require(0 <= one && one <= most, "rows has a number that is not from 0 to most");
    sum += one * (i + 1);
  }
  return sum;
}

}  // namespace seats

TVM_FFI_DLL_EXPORT_TYPED_FUNC(seats, seats::Seats);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SEATS_H_
