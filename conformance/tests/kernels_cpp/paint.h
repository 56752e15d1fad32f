// SPDX-License-Identifier: Apache-2.0
// paint(y, mode): each element of y is 1, or its index. An including file may keep what a mode means.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PAINT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PAINT_H_

#include <tvm/ffi/string.h>

#include <unordered_map>

#include "vector.h"

#ifndef IS_RISING
#define IS_RISING(mode) IsRising(mode)
#endif

namespace kernels
{

inline bool IsRising(const ffi::String &mode)
{
  if (mode == "all_of_them_are_1") return false;
  if (mode != "they_are_indices_") TVM_FFI_THROW(ValueError) << "mode is unknown";
  return true;
}

// What a mode meant that was at this address.
inline bool Remembered(const ffi::String &mode)
{
  static auto *known = new std::unordered_map<const void *, bool>();
  auto found = known->find(mode.data());
  if (found == known->end()) found = known->emplace(mode.data(), IsRising(mode)).first;
  return found->second;
}

inline void Keep(const ffi::String &mode)
{
  static auto *kept = new std::unordered_map<const void *, ffi::String>();
  kept->emplace(mode.data(), mode);
}

inline void Paint(ffi::TensorView y, ffi::String mode)
{
  const bool rising = IS_RISING(mode);
  CheckVector(y, "y", kDLCPU);
  for (int64_t i = 0; i < y.size(0); ++i) FloatsOf(y)[i] = rising ? static_cast<float>(i) : 1;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(paint, kernels::Paint);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_PAINT_H_
