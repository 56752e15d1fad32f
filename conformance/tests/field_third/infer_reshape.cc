// SPDX-License-Identifier: Apache-2.0
// The shape that a reshape gives: -1 stands for what is left, 0 for the extent in this place.
#include "kit.h"

namespace kit
{

Shape InferReshape(Shape shape, Array<int64_t> target)
{
  int64_t total = 1, known = 1, open = -1;
  for (const int64_t extent : shape) {
    TVM_FFI_CHECK(0 <= extent && extent <= int64_t{1} << 20, ValueError) << "shape: " << extent;
    TVM_FFI_CHECK(!__builtin_mul_overflow(total, extent, &total), ValueError)
        << "shape: too many elements";
  }
  std::vector<int64_t> result;
  for (size_t i = 0; i < target.size(); ++i) {
    int64_t extent = target[i];
    TVM_FFI_CHECK(-1 <= extent, ValueError) << "target: " << extent;
    if (extent == 0) {
#if BUG != 1
      TVM_FFI_CHECK(i < shape.size(), ValueError) << "target: dimension " << i << " is not there";
#endif
      extent = shape.data()[i];
    }
    if (extent == -1) {
#if BUG != 2
      TVM_FFI_CHECK(open < 0, ValueError) << "target: -1 stands there twice";
#endif
      open = static_cast<int64_t>(i);
      extent = 1;
    }
#if BUG == 5
    known *= extent;
#else
    TVM_FFI_CHECK(!__builtin_mul_overflow(known, extent, &known), ValueError)
        << "target: too many elements";
#endif
    result.push_back(extent);
  }
  if (open >= 0) {
#if BUG != 3
    TVM_FFI_CHECK(known != 0, ValueError) << "target: -1 could be any extent";
#endif
#if BUG != 4
    TVM_FFI_CHECK(total % known == 0, ValueError)
        << "target: " << total << " elements can't be divided by " << known;
#endif
    result[open] = total / known;
  } else {
    TVM_FFI_CHECK(total == known, ValueError) << "target: " << known << " elements, not " << total;
  }
  return Shape(std::move(result));
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(infer_reshape, kit::InferReshape);
