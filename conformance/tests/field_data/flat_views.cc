// SPDX-License-Identifier: Apache-2.0
// flatten(parts, align): one flat buffer of several tensors, as for a bucket of gradients.
// unflatten(flat, shapes, align): tensors in the memory of such a buffer.
using namespace set;

void CheckAlign(int64_t align) {
  REQUIRE(align >= 1 && align <= 1024 && (align & (align - 1)) == 0, ValueError)
      << "align must be a power of 2 up to 1024, is " << align;
}
int64_t Up(int64_t n, int64_t align) { return (n + align - 1) & ~(align - 1); }

Tuple<Tensor, Array<int64_t>> Flatten(Array<Tensor> parts, int64_t align) {
  CheckAlign(align);
  REQUIRE(parts.size() > 0, ValueError) << "parts is empty";
  Array<int64_t> offsets;
  int64_t total = 0;
  REQUIRE(parts[0].defined(), TypeError) << "an element of parts is None";
  DLDataType dtype = parts[0].dtype();
#if BUG == 6
  int64_t bound = 0;
  for (const Tensor& t : parts)
    if (t.defined()) bound += Up(t.numel(), align);
  DLTensor proto{};
  proto.device = DLDevice{kDLCPU, 0}, proto.dtype = dtype, proto.ndim = 1, proto.shape = &bound;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&proto, &handle));
#endif
  for (const Tensor& t : parts) {
    REQUIRE(t.defined(), TypeError) << "an element of parts is None";
    CheckCPU(t, "parts");
    CheckDtype(t, "parts", {kF16, kF32, kI64});
    REQUIRE(Same(t.dtype(), dtype), TypeError) << "parts must have one dtype";
    CheckContiguous(t, "parts");
    offsets.push_back(total);
    REQUIRE(!AddOverflow(total, Up(t.numel(), align), &total), ValueError) << "parts are too large";
  }
#if BUG == 6
  Tensor flat(detail::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<Object*>(handle)));
#else
  Tensor flat = NewTensor({total}, dtype);
#endif
  int64_t item = dtype.bits / 8;
  char* to = Data<char>(flat);
  for (const Tensor& t : parts) {
    int64_t n = t.numel() * item, up = Up(t.numel(), align) * item;
    if (n > 0) std::memcpy(to, Data<char>(t), n);
#if BUG != 5
    if (up > n) std::memset(to + n, 0, up - n);
#endif
    to += up;
  }
  return Tuple<Tensor, Array<int64_t>>(flat, offsets);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(flatten, Flatten);

// Memory of another tensor, which lives as long as the view.
struct ViewAlloc {
#if BUG == 1
  char* base;
  explicit ViewAlloc(const Tensor& t) : base(Data<char>(t)) {}
  char* Base() const { return base; }
#else
  Tensor owner;
  explicit ViewAlloc(const Tensor& t) : owner(t) {}
#if BUG == 2
  char* Base() const { return static_cast<char*>(owner.data_ptr()); }
#else
  char* Base() const { return Data<char>(owner); }
#endif
#endif
  void AllocData(DLTensor* t, int64_t offset) { t->data = Base() + offset; }
  void FreeData(DLTensor*) {}
};

Array<Tensor> Unflatten(Tensor flat, Array<Shape> shapes, int64_t align) {
  REQUIRE(flat.defined(), TypeError) << "flat is None";
  CheckAlign(align);
  CheckVector(flat, "flat", {kF16, kF32, kI64});
  int64_t n = flat.size(0), item = flat.dtype().bits / 8, at = 0;
  Array<Tensor> views;
  for (const Shape& s : shapes) {
    int64_t size = 1, reach = 1;  // reach: of the strides, where an extent is 0
    for (int64_t e : s) {
      REQUIRE(e >= 0, ValueError) << "an extent is negative";
#if BUG == 4
      (void)reach;
      size = static_cast<int64_t>(static_cast<uint64_t>(size) * static_cast<uint64_t>(e));
#else
      REQUIRE(!MulOverflow(size, e, &size) && !MulOverflow(reach, std::max<int64_t>(e, 1), &reach), ValueError) << "a shape is too large";
#endif
    }
    int64_t start = at;
#if BUG == 3
    REQUIRE(size <= n && Up(at, align) <= n, ValueError) << "flat is too short for the shapes";
#else
    REQUIRE(start <= n && size <= n - start, ValueError) << "flat is too short for the shapes";
#endif
    views.push_back(Tensor::FromNDAlloc(ViewAlloc(flat), ShapeView(s.data(), s.size()), flat.dtype(), flat.device(),
                                        start * item));
    at += Up(size, align);
  }
  return views;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unflatten, Unflatten);
