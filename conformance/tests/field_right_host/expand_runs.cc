// SPDX-License-Identifier: Apache-2.0
// Run lengths to elements, in memory that the caller's allocator gives: alloc(n) is to return a
// tensor of n elements, which is filled and passed on.
using tvm::ffi::Array;
using tvm::ffi::Function;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

static Tensor expand(TensorView values, Array<int64_t> counts, Function alloc) {
  if (!alloc.defined()) TVM_FFI_THROW(TypeError) << "alloc must be a function";
  const float* src = kit::dense<float>(values, "values", 1);
  if (values.size(0) != static_cast<int64_t>(counts.size()))
    TVM_FFI_THROW(ValueError) << values.size(0) << " values, but " << counts.size() << " counts";
  int64_t total = 0;
  for (int64_t n : counts) {
    if (n < 0 || n > 1000) TVM_FFI_THROW(ValueError) << "a run of " << n << " elements";
    total += n;
  }
  // alloc is code of somebody else: it may write to values, or give their memory out again.
  std::vector<float> copy(src, src + counts.size());
  Tensor out = alloc(total).cast<Tensor>();
  if (!out.defined()) TVM_FFI_THROW(TypeError) << "alloc gave no tensor";
  float* dst = kit::dense<float>(out, "the tensor of alloc", 1);
  if (out.size(0) != total)
    TVM_FFI_THROW(ValueError) << "alloc gave " << out.size(0) << " elements, not " << total;
  for (size_t i = 0; i < copy.size(); ++i) dst = std::fill_n(dst, counts[i], copy[i]);
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(expand_runs, expand);
