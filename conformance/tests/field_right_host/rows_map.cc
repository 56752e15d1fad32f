// SPDX-License-Identifier: Apache-2.0
// out[i] = f(row i). Each row is handed over as a tensor of its own, which f may keep. After each
// the progress is told, if somebody wants to know it.
namespace {

using namespace tvm::ffi;

void map_rows(DLTensor* x, Function f, DLTensor* out, Optional<Function> progress) {
  if (!f.defined()) TVM_FFI_THROW(TypeError) << "f must be a function";
  for (const DLTensor* t : {x, out}) {
    if (!kit::same(t->dtype, kit::type_of<float>())) TVM_FFI_THROW(TypeError) << "not float32";
    if (t->device.device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "not on the CPU";
    if (reinterpret_cast<uintptr_t>(kit::start<char>(*t)) % sizeof(float) != 0)
      TVM_FFI_THROW(ValueError) << "not aligned";
  }
  if (x->ndim != 2) TVM_FFI_THROW(ValueError) << "x has rows and columns";
  if (out->ndim != 1) TVM_FFI_THROW(ValueError) << "out has one dimension";
  const int64_t n = x->shape[0], d = x->shape[1];
  if (out->shape[0] != n) TVM_FFI_THROW(ValueError) << "out has a number for each row of x";
  if (n > 0 && d > 1 && kit::stride(x, 1) != 1)
    TVM_FFI_THROW(ValueError) << "the columns of x must lie side by side";

  // Kept until all are there: if f fails, out is as it was.
  std::vector<float> results;
  results.reserve(n);
  const float* src = kit::start<const float>(*x);
  const int64_t step = kit::stride(x, 0);
  for (int64_t i = 0; i < n; ++i) {
    Tensor row = kit::own({d}, x->dtype);
    std::copy_n(src + i * step, d, kit::start<float>(row));
    results.push_back(static_cast<float>(f(row).cast<double>()));
    if (progress.has_value()) (*progress)(i + 1, n);
  }
  float* dst = kit::start<float>(*out);
  const int64_t out_step = kit::stride(out, 0);
  for (int64_t i = 0; i < n; ++i) dst[i * out_step] = results[i];
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rows_map, map_rows);
