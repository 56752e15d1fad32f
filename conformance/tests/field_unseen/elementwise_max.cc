// SPDX-License-Identifier: Apache-2.0
// The maximum of any number of tensors of the same shape, element by element, as a new tensor.
#include "vendor.h"

namespace vendor
{

template <typename T>
void Take(const TensorView &x, const Tensor &out, bool first)
{
  T *to = static_cast<T *>(out.data_ptr());
  for (int64_t i = 0; i < NumElements(x); ++i)
    to[i] = first ? Ptr<T>(x)[i] : std::max(to[i], Ptr<T>(x)[i]);
}

Tensor ElementwiseMax(tvm::ffi::PackedArgs args)
{
#if BUG != 1
  CHECK_THAT(args.size() >= 1, TypeError, "elementwise_max expects a tensor");
#endif
  TensorView head = args[0].cast<TensorView>();
  CHECK_INPUT(head);
  const bool floats = IsType(head.dtype(), kDLFloat, 32);
  if (!floats) CHECK_DTYPE(head, kDLInt, 32);
  std::vector<int64_t> extents;
  for (int i = 0; i < head.ndim(); ++i) extents.push_back(head.size(i));
  Tensor out = Empty(Shape(extents), head.dtype(), head.device());
#if BUG == 2
  const int count = std::min(args.size(), 2);
#else
  const int count = args.size();
#endif
  for (int i = 0; i < count; ++i) {
    TensorView x = args[i].cast<TensorView>();
    CHECK_INPUT(x);
#if BUG != 3
    CHECK_THAT(SameType(x.dtype(), head.dtype()), TypeError,
               "argument " << i << " has another dtype");
#endif
    CHECK_THAT(x.ndim() == head.ndim(), ValueError, "argument " << i << " has another shape");
#if BUG != 4
    for (int d = 0; d < x.ndim(); ++d)
      CHECK_THAT(x.size(d) == head.size(d), ValueError, "argument " << i << " has another shape");
#endif
    if (floats) {
      Take<float>(x, out, i == 0);
    } else {
      Take<int32_t>(x, out, i == 0);
    }
  }
#if BUG == 5
  new Tensor(out);
#endif
  return out;
}

}  // namespace vendor

// The macro for typed functions takes no variadic ones.
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_elementwise_max(void *, const TVMFFIAny *args,
                                                            int32_t count, TVMFFIAny *result)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  const auto *views = reinterpret_cast<const tvm::ffi::AnyView *>(args);
  *reinterpret_cast<tvm::ffi::Any *>(result) =
      vendor::ElementwiseMax(tvm::ffi::PackedArgs(views, count));
  TVM_FFI_SAFE_CALL_END();
}
