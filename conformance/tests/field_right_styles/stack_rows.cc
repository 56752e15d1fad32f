// SPDX-License-Identifier: Apache-2.0
// stack_rows(scale, first, more...): vectors of one length as the rows of a matrix, each times
// scale. Packed, for any number of vectors from one on.
#define ARG_ERROR(kind, i) TVM_FFI_THROW(kind) << "stack_rows, argument " << (i) << ": "

static void stack_rows(const tvm::ffi::AnyView* args, int32_t num, tvm::ffi::Any* rv) {
  using tvm::ffi::TensorView;
  if (num < 2) TVM_FFI_THROW(TypeError) << "stack_rows takes a number and at least one vector";
  auto scale = args[0].try_cast<double>();
  if (!scale) ARG_ERROR(TypeError, 0) << "a number is expected";

  std::vector<TensorView> rows;
  rows.reserve(static_cast<size_t>(num - 1));
  for (int32_t i = 1; i < num; ++i) {
    auto t = args[i].try_cast<DLTensor*>();
    if (!t || *t == nullptr) ARG_ERROR(TypeError, i) << "a tensor is expected";
    TensorView v(*t);
    if (!x4::holds<float>(v.dtype())) ARG_ERROR(TypeError, i) << "float32 is expected";
    if (v.ndim() != 1) ARG_ERROR(ValueError, i) << "a vector is expected";
    if (!rows.empty() && v.size(0) != rows[0].size(0)) {
      ARG_ERROR(ValueError, i) << "lengths differ";
    }
    x4::plain(v, "a row");
    rows.push_back(v);
  }

  int64_t d = rows[0].size(0);
  tvm::ffi::Tensor out = x4::make({static_cast<int64_t>(rows.size()), d}, x4::type_of<float>());
  float* to = x4::first<float>(out);
  for (const TensorView& v : rows) {
    const float* from = x4::first<float>(v);
    for (int64_t j = 0; j < d; ++j) *to++ = static_cast<float>(from[j] * *scale);
  }
  *rv = std::move(out);
}

extern "C" {
TVM_FFI_DLL_EXPORT int __tvm_ffi_stack_rows(void*, const TVMFFIAny* args, int32_t num_args,
                                            TVMFFIAny* rv) {
  TVM_FFI_SAFE_CALL_BEGIN();
  stack_rows(reinterpret_cast<const tvm::ffi::AnyView*>(args), num_args,
             reinterpret_cast<tvm::ffi::Any*>(rv));
  TVM_FFI_SAFE_CALL_END();
}
}
