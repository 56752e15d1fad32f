// SPDX-License-Identifier: Apache-2.0
// Concatenates matrices of one type below each other; rows may lie apart in memory.
// The result comes from the allocator of the caller's framework where there is one.
namespace {

using tvm::ffi::Array;
using tvm::ffi::Tensor;

Tensor NewResult(const int64_t (&shape)[2], DLDataType dtype) {
  tvm::ffi::ShapeView view(shape, 2);
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() == nullptr) return kit::NewTensor(view, dtype);
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, view, dtype, DLDevice{kDLCPU, 0});
}

Tensor Concat(Array<Tensor> parts) {
  if (parts.empty()) TVM_FFI_THROW(ValueError) << "parts: at least one tensor is needed";
  const DLDataType dtype = kit::Given(parts[0], "parts[0]").dtype;
  const int bits = dtype.bits * dtype.lanes;
  if (bits == 0 || bits % 8 != 0) {
    TVM_FFI_THROW(TypeError) << "parts: elements of whole bytes only";
  }
  const size_t width = static_cast<size_t>(bits / 8);

  std::vector<const DLTensor*> views;
  int64_t rows = 0;
  for (int64_t i = 0; i < static_cast<int64_t>(parts.size()); ++i) {
    const Tensor tensor = parts[i];
    const DLTensor& t = kit::Given(tensor, "an element of parts");
    auto fail = [i](const char* why) { TVM_FFI_THROW(ValueError) << "parts[" << i << "] " << why; };
    if (t.device.device_type != kDLCPU) fail("is not on the CPU");
    if (t.ndim != 2) fail("is not a matrix");
    if (!kit::Same(t.dtype, dtype)) {
      TVM_FFI_THROW(TypeError) << "parts[" << i << "] is of another type than parts[0]";
    }
    if (!views.empty() && t.shape[1] != views[0]->shape[1]) {
      fail("has rows of another length");
    }
    if (t.shape[1] > 1 && t.shape[0] != 0 && kit::Step(t, 1) != 1) fail("has columns that lie apart");
    rows += t.shape[0];
    views.push_back(&t);
  }
  const int64_t columns = views[0]->shape[1];
  Tensor out = NewResult({rows, columns}, dtype);
  char* to = kit::Bytes(*out.GetDLTensorPtr());
  const size_t line = static_cast<size_t>(columns) * width;
  if (line == 0) return out;
  for (const DLTensor* t : views) {
    const int64_t apart = kit::Step(*t, 0) * static_cast<int64_t>(width);
    for (int64_t r = 0; r < t->shape[0]; ++r, to += line) {
      std::memcpy(to, kit::Bytes(*t) + r * apart, line);
    }
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(concat_parts, Concat);
