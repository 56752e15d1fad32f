// SPDX-License-Identifier: Apache-2.0
// concat(axis, *tensors) and split(x, sections, axis), for elements of any type of whole bytes.
using namespace ks;

static void CheckAny(const TensorView &t, const char *name)
{
  KS_CHECK(t.dtype().bits % 8 == 0 && t.dtype().lanes == 1 && t.dtype().bits > 0, TypeError)
      << name << ": elements must be of whole bytes";
  CheckMemory(t, name);
}

// Copies src to dst, both strided (in elements), of the same shape.
static void CopyStrided(const char *src, const std::vector<int64_t> &ss, char *dst,
                        const std::vector<int64_t> &ds, const std::vector<int64_t> &shape,
                        int64_t item)
{
  int64_t numel = 1;
  for (int64_t e : shape) numel *= e;
  if (numel == 0) return;
  std::vector<int64_t> at(shape.size(), 0);
  int64_t s = 0, d = 0;
  for (int64_t i = 0; i < numel; ++i) {
    std::memcpy(dst + d * item, src + s * item, size_t(item));
    for (size_t k = shape.size(); k-- > 0;) {
      s += ss[k];
      d += ds[k];
      if (++at[k] < shape[k]) break;
      s -= ss[k] * shape[k];
      d -= ds[k] * shape[k];
      at[k] = 0;
    }
  }
}

static Tensor Concat(ffi::PackedArgs args)
{
  KS_CHECK(args.size() >= 1, TypeError) << "concat: axis is missing";
  KS_CHECK(args[0].type_index() == ffi::TypeIndex::kTVMFFIInt, TypeError)
      << "axis: an int is expected";
  int64_t axis = args[0].cast<int64_t>();
  KS_CHECK(args.size() >= 2, ValueError) << "concat: no tensors";
  std::vector<TensorView> parts;
  for (int i = 1; i < args.size(); ++i) {
    auto t = args[i].try_cast<TensorView>();
    KS_CHECK(t.has_value(), TypeError) << "argument " << i << ": a tensor is expected";
    parts.push_back(*t);
  }
  const TensorView &first = parts[0];
  int64_t rank = first.ndim();
  KS_CHECK(axis >= -rank && axis < rank, ValueError) << "axis is out of range";
  if (axis < 0) axis += rank;
  std::vector<int64_t> shape(first.shape().begin(), first.shape().end());
  int64_t total = 0;
#if BUG == 5
  // The outcome of the common case, where all parts are as large as the first.
  std::vector<int64_t> guess = shape;
  guess[size_t(axis)] *= int64_t(parts.size());
  CheckAny(first, "concat");
  TVMFFIObjectHandle held = ffi::detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(
      Alloc(guess, first.dtype(), first.device()));
#endif
  for (size_t i = 0; i < parts.size(); ++i) {
    const TensorView &t = parts[i];
    CheckAny(t, "concat");
#if BUG != 2
    KS_CHECK(Same(t.dtype(), first.dtype()), TypeError) << "tensors of different data types";
#endif
    KS_CHECK(t.ndim() == rank, ValueError) << "tensors of different ranks";
    for (int64_t k = 0; k < rank; ++k)
      KS_CHECK(k == axis || t.shape()[k] == shape[size_t(k)], ValueError)
          << "extents differ off the axis";
    if (__builtin_add_overflow(total, t.shape()[axis], &total))
      TVM_FFI_THROW(ValueError) << "too large";
  }
  shape[size_t(axis)] = total;
#if BUG == 5
  Tensor out(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
      static_cast<TVMFFIObject *>(held)));
  if (total != guess[size_t(axis)]) out = Alloc(shape, first.dtype(), first.device());
#else
  Tensor out = Alloc(shape, first.dtype(), first.device());
#endif
  std::vector<int64_t> os = Strides(out);
  int64_t item = ItemSize(first.dtype()), at = 0;
  for (const TensorView &t : parts) {
    std::vector<int64_t> part(t.shape().begin(), t.shape().end()), ts = Strides(t);
    char *dst = Data<char>(out) + at * os[size_t(axis)] * item;
#if BUG == 3
    if (axis == 0) {
      std::memcpy(dst, Data<char>(t), size_t(t.numel() * item));
    } else {
      CopyStrided(Data<char>(t), ts, dst, os, part, item);
    }
#else
    CopyStrided(Data<char>(t), ts, dst, os, part, item);
#endif
    at += t.shape()[axis];
  }
  return out;
}

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_concat(void *, const TVMFFIAny *args, int32_t num_args,
                                                   TVMFFIAny *result)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<Any *>(result) =
      Concat(ffi::PackedArgs(reinterpret_cast<const AnyView *>(args), num_args));
  TVM_FFI_SAFE_CALL_END();
}

// sections: a number of equal parts, or the extent of each part.
static Array<Tensor> Split(Tensor x, Variant<int64_t, Array<int64_t>> sections, int64_t axis)
{
  KS_CHECK(x.defined(), TypeError) << "x: a tensor is expected";
  CheckAny(x, "x");
  KS_CHECK(x.ndim() >= 2, ValueError) << "x: must have at least 2 dimensions";
  KS_CHECK(axis == 0 || axis == 1, ValueError) << "axis must be 0 or 1";
  int64_t extent = x.shape()[size_t(axis)];
  std::vector<int64_t> parts;
  if (auto count = sections.as<int64_t>()) {
    KS_CHECK(*count >= 1 && *count <= std::max<int64_t>(extent, 1), ValueError)
        << "sections is out of range";
    KS_CHECK(extent % *count == 0, ValueError) << "the extent is not a multiple of sections";
    parts.assign(size_t(*count), extent / *count);
  } else {
    int64_t sum = 0;
    for (int64_t e : sections.get<Array<int64_t>>()) {
#if BUG != 4
      KS_CHECK(e >= 0, ValueError) << "a part is negative";
#endif
      if (__builtin_add_overflow(sum, e, &sum)) TVM_FFI_THROW(ValueError) << "parts are too large";
      parts.push_back(e);
    }
    KS_CHECK(sum == extent, ValueError) << "the parts must sum up to the extent";
  }
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end()), xs = Strides(x);
  int64_t item = ItemSize(x.dtype()), at = 0;
  Array<Tensor> result;
#if BUG == 1
  if (parts.size() == 1) {
    result.push_back(x);
    return result;
  }
#endif
  for (int64_t e : parts) {
#if BUG == 4
    if (e < 0) {
      at += e;
      continue;
    }
#endif
    shape[size_t(axis)] = e;
#if BUG == 6
    if (e == 0) continue;
#endif
    Tensor part = Alloc(shape, x.dtype(), x.device());
    CopyStrided(Data<char>(x) + at * xs[size_t(axis)] * item, xs, Data<char>(part), Strides(part),
                shape, item);
    result.push_back(part);
    at += e;
  }
  return result;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(split, Split)
