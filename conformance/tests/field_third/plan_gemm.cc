// SPDX-License-Identifier: Apache-2.0
// Chooses tile, stages and workspace of a matrix product from its extents, dtype and the limits of a device.
#include "kit.h"

namespace kit
{

Tuple<Shape, int64_t, int64_t> PlanGemm(Shape problem, DLDataType dtype,
                                        Map<String, int64_t> limits)
{
#if BUG == 1
  TVM_FFI_CHECK(problem.size() >= 3, ValueError) << "problem: expected (m, n, k)";
#else
  TVM_FFI_CHECK(problem.size() == 3, ValueError) << "problem: expected (m, n, k)";
#endif
  for (const int64_t extent : problem)
    TVM_FFI_CHECK(1 <= extent && extent <= int64_t{1} << 20, ValueError) << "problem: " << extent;
#if BUG != 2
  const std::string name = ffi::DLDataTypeToString(dtype);
  TVM_FFI_CHECK(name == "float16" || name == "bfloat16" || name == "float32" || name == "int8" ||
                    name == "int4",
                TypeError)
      << "dtype: unsupported: " << name;
#endif
  TVM_FFI_CHECK(limits.count("smem"), KeyError) << "limits: smem is missing";
  const int64_t smem = limits["smem"];
#if BUG == 3
  const int64_t split = limits.count("split_k") ? limits["split_k"] : 0;
#else
  const int64_t split = limits.count("split_k") ? limits["split_k"] : 1;
  TVM_FFI_CHECK(1 <= split && split <= 64, ValueError) << "limits: split_k must be in [1, 64]";
#endif
  const int64_t m = std::min<int64_t>(128, (problem[0] + 15) / 16 * 16);
  const int64_t n = std::min<int64_t>(128, (problem[1] + 15) / 16 * 16);
  const int64_t k = 32;
#if BUG == 4
  const int64_t bytes = (m + n) * k * (dtype.bits / 8);
#else
  const int64_t bytes = (m + n) * k * dtype.bits / 8;
#endif
  const int64_t stages = std::min<int64_t>(4, smem / std::max<int64_t>(bytes, 1));
  TVM_FFI_CHECK(stages >= 1, ValueError) << "limits: smem " << smem << " is too small";
#if BUG == 5
  const int64_t workspace = split == 1 ? 0
                                       : static_cast<int32_t>(problem[0]) *
                                             static_cast<int32_t>(problem[1]) * 4 *
                                             static_cast<int32_t>(split);
#else
  const int64_t workspace = split == 1 ? 0 : problem[0] * problem[1] * 4 * split;
#endif
  return Tuple<Shape, int64_t, int64_t>(Shape({m, n, k}), stages, workspace);
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plan_gemm, kit::PlanGemm);
