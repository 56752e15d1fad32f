// SPDX-License-Identifier: Apache-2.0
// Any number of matrices below one another, in a new tensor; written against the C calling
// convention, as our code generator does it.
namespace {

using namespace set;

bool Served(DLDataType t) { return Is<float>(t) || Is<double>(t) || Is<int16_t>(t); }

Tensor ConcatRows(const TVMFFIAny* args, int32_t num_args) {
  if (num_args < 1) TVM_FFI_THROW(TypeError) << "concat_rows needs at least one matrix";
  std::vector<TensorView> parts;
  parts.reserve(static_cast<size_t>(num_args));
  int64_t rows = 0;
  for (int32_t i = 0; i < num_args; ++i) {
    const auto view = ffi::AnyView::CopyFromTVMFFIAny(args[i]).try_cast<TensorView>();
    if (!view.has_value()) TVM_FFI_THROW(TypeError) << "argument " << i << " is not a tensor";
    const DLTensor* t = Raw(parts.emplace_back(*view));
    const DLTensor* first = Raw(parts[0]);
    if (!Served(t->dtype)) TVM_FFI_THROW(TypeError) << "argument " << i << ": data type";
    if (!Same(t->dtype, first->dtype)) TVM_FFI_THROW(TypeError) << "data types differ";
    if (t->device.device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "not in memory of the CPU";
    NeedRank(t, 2, "each matrix");
    if (t->shape[1] != first->shape[1]) TVM_FFI_THROW(ValueError) << "matrices differ in width";
    NeedRows(t, "each matrix");
    rows += t->shape[0];
  }
  const int64_t width = parts[0].size(1);
  Tensor out = NewTensor({rows, width}, parts[0].dtype());
  char* to = static_cast<char*>(out.data_ptr()) + out.byte_offset();
  const size_t item = parts[0].dtype().bits / 8, row_bytes = item * static_cast<size_t>(width);
  for (const TensorView& part : parts) {
    const DLTensor* t = Raw(part);
    if (Count(t) == 0) continue;
    const char* from = static_cast<const char*>(t->data) + t->byte_offset;
    const int64_t step = Stride(t, 0) * static_cast<int64_t>(item);
    for (int64_t i = 0; i < t->shape[0]; ++i, to += row_bytes) {
      std::memcpy(to, from + i * step, row_bytes);
    }
  }
  return out;
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_concat_rows(void*, const TVMFFIAny* args,
                                                        int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<set::ffi::Any*>(result) = ConcatRows(args, num_args);
  TVM_FFI_SAFE_CALL_END();
}
