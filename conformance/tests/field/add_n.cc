// SPDX-License-Identifier: Apache-2.0
// y = the sum of all further arguments: tensors of y's shape; at least one.
#include "field.h"

namespace field
{

void AddN(ffi::PackedArgs args, ffi::Any *result)
{
#if BUG == 1
  REQUIRE(args.size() >= 1, TypeError) << "add_n needs at least two arguments";
#else
  REQUIRE(args.size() >= 2, TypeError) << "add_n needs at least two arguments";
#endif
  TensorView y = args[0].cast<TensorView>();
  RequireTensor(y, kFloat32, 1, "y");
#if BUG == 2
  RequireSameShape(args[1].cast<TensorView>(), y, "terms and y");
#endif
  std::vector<TensorView> terms;
  for (int i = 1; i < args.size(); ++i) {
    TensorView x = args[i].cast<TensorView>();
#if BUG != 2
    RequireTensor(x, kFloat32, 1, "a term");
    RequireSameShape(x, y, "terms and y");
#endif
    terms.push_back(x);
  }
  for (int64_t i = 0; i < y.size(0); ++i) {
#if BUG == 3
    float sum = Data<float>(y)[i];
#else
    float sum = 0;
#endif
#if BUG == 4
    for (size_t t = 0; t < terms.size() && t < 2; ++t) sum += Data<float>(terms[t])[i];
#else
    for (TensorView term : terms) sum += Data<float>(term)[i];
#endif
    Data<float>(y)[i] = sum;
  }
#if BUG == 5
  *result = static_cast<int64_t>(terms.size());
#else
  *result = nullptr;
#endif
}

}  // namespace field

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_add_n(void *, const TVMFFIAny *args, int32_t num_args,
                                                  TVMFFIAny *result)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  tvm::ffi::Any any;
  field::AddN(tvm::ffi::PackedArgs(reinterpret_cast<const tvm::ffi::AnyView *>(args), num_args),
              &any);
  *result = tvm::ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any));
  TVM_FFI_SAFE_CALL_END();
}
