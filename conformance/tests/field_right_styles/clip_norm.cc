// SPDX-License-Identifier: Apache-2.0
// Scales gradients in place so that their common norm is at most the limit. Returns the norm that
// they had.
namespace x4 {
namespace {

struct Part {
  float* data;
  int64_t size;
};

std::vector<Part> Parts(const ffi::Array<ffi::Tensor>& grads) {
  std::vector<Part> parts;
  parts.reserve(grads.size());
  size_t at = 0;
  for (const ffi::Tensor& g : grads) {
    std::string name = "grads[" + std::to_string(at++) + "]";
    TVM_FFI_CHECK(g.defined(), TypeError) << name << " is None";
    TVM_FFI_CHECK(holds<float>(g.dtype()), TypeError) << name << " is not of float32";
    TVM_FFI_CHECK_EQ(g.ndim(), 1, ValueError) << name << " is not flat";
    plain(g, name.c_str());
    parts.push_back(Part{first<float>(g), g.size(0)});
  }
  return parts;
}

double ClipNorm(ffi::Array<ffi::Tensor> grads, double limit) {
  std::vector<Part> parts = Parts(grads);
  if (!(limit >= 1e-3 && limit <= 1e6)) {
    TVM_FFI_THROW(ValueError) << "limit: 0.001 to 1000000 expected, got " << limit;
  }
  double squares = 0;
  for (const Part& p : parts) {
    for (int64_t i = 0; i < p.size; ++i) squares += static_cast<double>(p.data[i]) * p.data[i];
  }
  const double norm = std::sqrt(squares);
  if (norm > limit) {
    const double by = limit / norm;
    for (const Part& p : parts) {
      for (int64_t i = 0; i < p.size; ++i) p.data[i] = static_cast<float>(p.data[i] * by);
    }
  }
  return norm;
}

}  // namespace
}  // namespace x4

TVM_FFI_DLL_EXPORT_TYPED_FUNC(clip_norm, x4::ClipNorm);
