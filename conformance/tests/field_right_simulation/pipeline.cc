// SPDX-License-Identifier: Apache-2.0
// Passes a tensor through functions, one after the other.
namespace {

using kit::ffi::Any;
using kit::ffi::Array;
using kit::ffi::Function;
using kit::ffi::Optional;
using kit::ffi::Tensor;

Tensor Pipeline(Tensor x, Array<Function> stages, bool strict, Optional<Tensor> out) {
  kit::Cells<float>(x, "x", {kit::kAny});
  const int64_t n = x.size(0);
  if (out.has_value()) kit::Cells<float>(*out, "out", {n});

  for (const Function& stage : stages) {
    if (stage == nullptr) TVM_FFI_THROW(TypeError) << "a stage is None";
  }

  Tensor now = x;
  for (size_t i = 0; i < stages.size(); ++i) {
    Any made = stages[static_cast<int64_t>(i)](now);
    auto next = made.as<Tensor>();
    if (!next.has_value()) {
      TVM_FFI_THROW(TypeError) << "stage " << i << " returned no tensor but " << made.GetTypeKey();
    }
    const float* cells = kit::Cells<float>(*next, "what a stage returned", {n});
    if (strict) {
      for (int64_t k = 0; k < n; ++k) {
        if (std::isnan(cells[k])) TVM_FFI_THROW(ValueError) << "stage " << i << " made a NaN";
      }
    }
    now = *next;
  }
  if (!out.has_value()) return now;  // may be x itself, or what a stage keeps
  float* to = kit::Cells<float>(*out, "out", {n});
  const float* from = kit::Cells<float>(now, "x", {n});
  if (n > 0) std::memmove(to, from, static_cast<size_t>(n) * sizeof(float));
  return *out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pipeline, Pipeline);
