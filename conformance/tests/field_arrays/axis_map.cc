// SPDX-License-Identifier: Apache-2.0
// Functions of the caller, called for each slice of an array or each index of a new one.
using namespace ks;

#if BUG == 7
static std::mutex last_mutex;
static Function last_function{nullptr};
#endif

static double ResultNumber(const Any &r, const char *name)
{
  KS_CHECK(r.type_index() == ffi::TypeIndex::kTVMFFIFloat ||
               r.type_index() == ffi::TypeIndex::kTVMFFIInt,
           TypeError)
      << name << " must return a number";
  return r.cast<double>();
}

// y[i] = f(slice i of x along the axis, i); progress(done, all) -> bool is asked after each.
static Tensor ReduceAxis(TensorView x, int64_t axis, Function f, Optional<Function> progress)
{
  CheckDType(x, "x", {kF32, kF64});
  CheckRank(x, "x", 2);
  CheckMemory(x, "x");
  KS_CHECK(axis >= -2 && axis < 2, ValueError) << "axis must be in -2..1";
  KS_CHECK(f != nullptr, TypeError) << "f: a function is expected";
  if (axis < 0) axis += 2;
#if BUG == 7
  {
    std::lock_guard<std::mutex> lock(last_mutex);
    last_function = f;  // named in messages
  }
#endif
  // Along axis 1 the slices are rows, along axis 0 columns.
  int64_t count = x.shape()[size_t(1 - axis)], length = x.shape()[size_t(axis)];
  std::vector<int64_t> xs = Strides(x);
  int64_t item = ItemSize(x.dtype());
  Tensor out = Alloc({count}, x.dtype(), x.device());
  for (int64_t i = 0; i < count; ++i) {
    Tensor slice = Alloc({length}, x.dtype(), x.device());
#if BUG == 5
    const char *from = static_cast<const char *>(x.data_ptr());
#else
    const char *from = Data<char>(x);
#endif
    for (int64_t j = 0; j < length; ++j)
      std::memcpy(Data<char>(slice) + j * item,
                  from + (i * xs[size_t(1 - axis)] + j * xs[size_t(axis)]) * item, size_t(item));
#if BUG == 2
    TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(slice));
#endif
#if BUG == 1
    auto r = f.CallExpected<Any>(slice, i);
    double y = std::numeric_limits<double>::quiet_NaN();
    if (r.is_ok()) y = ResultNumber(r.value(), "f");
#else
    double y = ResultNumber(f(slice, i), "f");
#endif
    Store(Data<void>(out), x.dtype(), i, y);
#if BUG == 4
    if (progress.has_value()) progress.value()(i + 1, count);
#else
    if (progress.has_value()) {
      Any go = progress.value()(i + 1, count);
      KS_CHECK(go.type_index() == ffi::TypeIndex::kTVMFFIBool, TypeError)
          << "progress must return a bool";
      KS_CHECK(go.cast<bool>(), RuntimeError) << "stopped by progress after " << i + 1;
    }
#endif
  }
  return out;
}

// A tensor with f(i) as its element i, counted in row order.
static Tensor Tabulate(Function f, Shape shape, DLDataType dtype)
{
  KS_CHECK(f != nullptr, TypeError) << "f: a function is expected";
#if BUG == 6
  KS_CHECK(
      (dtype.code == kDLFloat && dtype.bits >= 32) || (dtype.code == kDLInt && dtype.bits == 32),
      TypeError)
      << "dtype must be float32, float64 or int32";
  DLDataType element{dtype.code, dtype.bits, 1};
#else
  KS_CHECK(In(dtype, {kF32, kF64, kI32}), TypeError) << "dtype must be float32, float64 or int32";
  DLDataType element = dtype;
#endif
  KS_CHECK(shape.size() <= 8, ValueError) << "shape has more than 8 dimensions";
  int64_t numel = 1;
  for (int64_t e : shape) {
    KS_CHECK(e >= 0, ValueError) << "shape: negative extent";
    if (__builtin_mul_overflow(numel, e, &numel)) TVM_FFI_THROW(ValueError) << "shape is too large";
  }
  KS_CHECK(numel >= 0 && numel <= (1 << 20), ValueError) << "shape is too large";
  Tensor out = Alloc(std::vector<int64_t>(shape.begin(), shape.end()), dtype, DLDevice{kDLCPU, 0});
  for (int64_t i = 0; i < numel; ++i) {
    double v = ResultNumber(f(i), "f");
#if BUG != 3
    if (Same(element, kI32))
      KS_CHECK(v >= -2147483648.0 && v <= 2147483647.0 && v == std::floor(v), ValueError)
          << "f(" << i << ") is not an int32";
#endif
    Store(Data<void>(out), element, i, v);
  }
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce_axis, ReduceAxis)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tabulate, Tabulate)
