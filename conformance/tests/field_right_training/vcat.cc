// SPDX-License-Identifier: Apache-2.0
// vcat(out, *parts): joins tensors along their first dimension. Written against the bare C ABI,
// since the number of arguments is open.
using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Tensor;

static bool plain(DLDataType t) {
  if (t.lanes != 1) return false;
  bool size = t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64;
  switch (t.code) {
    case kDLInt:
    case kDLUInt: return size;
    case kDLFloat: return size && t.bits != 8;
    case kDLBfloat: return t.bits == 16;
    case kDLBool: return t.bits == 8;
    default: return false;
  }
}

static Tensor tensor_at(const TVMFFIAny* args, int i) {
  auto t = AnyView::CopyFromTVMFFIAny(args[i]).as<Tensor>();
  if (!t || !t->defined()) TVM_FFI_THROW(TypeError) << "vcat: argument " << i << " is not a tensor";
  if (!set::on_cpu(*t)) TVM_FFI_THROW(ValueError) << "vcat: argument " << i << " is not on the CPU";
  if (!plain(t->dtype())) TVM_FFI_THROW(TypeError) << "vcat: data type of argument " << i;
  if (t->ndim() < 1) TVM_FFI_THROW(ValueError) << "vcat: zero-dimensional tensor, argument " << i;
  return *t;
}

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_vcat(void*, const TVMFFIAny* args, int32_t num_args,
                                                 TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (num_args < 2) TVM_FFI_THROW(TypeError) << "vcat: expected an output or None, and a tensor";
  Tensor first = tensor_at(args, 1);
  std::vector<int64_t> shape(first.shape().begin(), first.shape().end());
  for (int i = 2; i < num_args; ++i) {
    Tensor t = tensor_at(args, i);
    if (!set::same(t.dtype(), first.dtype())) TVM_FFI_THROW(TypeError) << "vcat: data types differ";
    if (t.ndim() != first.ndim() ||
        !std::equal(shape.begin() + 1, shape.end(), t.shape().begin() + 1)) {
      TVM_FFI_THROW(ValueError) << "vcat: extents may differ in the first dimension only";
    }
    if (__builtin_add_overflow(shape[0], t.shape()[0], &shape[0])) {
      TVM_FFI_THROW(OverflowError) << "vcat: too many rows";
    }
  }
  Tensor out;
  if (args[0].type_index == kTVMFFINone) {
    out = set::empty(tvm::ffi::ShapeView(shape.data(), shape.size()), first.dtype());
  } else {
    out = tensor_at(args, 0);
    if (!set::same(out.dtype(), first.dtype())) TVM_FFI_THROW(TypeError) << "vcat: type of out";
    if (static_cast<size_t>(out.ndim()) != shape.size() ||
        !std::equal(shape.begin(), shape.end(), out.shape().begin())) {
      TVM_FFI_THROW(ValueError) << "vcat: out has the wrong shape";
    }
    if (!out.IsContiguous()) TVM_FFI_THROW(ValueError) << "vcat: out must be contiguous";
  }
  const size_t bytes = first.dtype().bits / 8;
  char* to = set::ptr<char>(out);
  for (int i = 1; i < num_args; ++i) {
    Tensor t = tensor_at(args, i);
    const char* from = set::ptr<char>(t);
    set::walk(t, [&](int64_t at) {
      std::memcpy(to, from + at * static_cast<int64_t>(bytes), bytes);
      to += bytes;
    });
  }
  *reinterpret_cast<Any*>(result) = std::move(out);
  TVM_FFI_SAFE_CALL_END();
}
