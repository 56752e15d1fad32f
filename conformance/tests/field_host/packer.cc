// SPDX-License-Identifier: Apache-2.0
// Variadic helpers of a binding: packing tensors into one buffer, joining them, broadcasting shapes.
#include <tvm/ffi/any.h>
namespace
{

using ffi::AnyView;
using ffi::PackedArgs;

TensorView AsTensor(const AnyView &a, int i)
{
  auto t = a.try_cast<TensorView>();
  REQUIRE(t.has_value(), TypeError)
      << "argument " << i << " must be a tensor, not " << a.GetTypeKey();
  return *t;
}

// pack(align, *tensors) -> (bytes, offsets)
void Pack(PackedArgs args, Any *rv)
{
  REQUIRE(args.size() >= 1, TypeError) << "pack takes an alignment and tensors";
  auto align = args[0].try_cast<int64_t>();
  REQUIRE(align.has_value(), TypeError) << "argument 0 must be an int";
  REQUIRE(*align >= 1 && *align <= 4096 && (*align & (*align - 1)) == 0, ValueError)
      << "the alignment must be a power of two up to 4096";
  std::vector<int64_t> offsets, sizes;
  int64_t total = 0;
  for (int i = 1; i < args.size(); ++i) {
    TensorView t = AsTensor(args[i], i);
#if BUG == 5
    int64_t bytes = static_cast<int64_t>(ffi::GetDataSize(t));
#else
    CheckCpu(t, "a tensor");
    REQUIRE(t.dtype().lanes == 1 && t.dtype().bits % 8 == 0 && t.dtype().bits <= 64, TypeError)
        << "argument " << i << " must have elements of whole bytes";
    CheckContiguous(t, "a tensor");
    CheckData(t, "a tensor");
    int64_t bytes = Numel(t, "a tensor") * (t.dtype().bits / 8);
#endif
    total = (total + *align - 1) / *align * *align;
    offsets.push_back(total);
    sizes.push_back(bytes);
    total += bytes;
    REQUIRE(total >= 0 && total <= (int64_t(1) << 40), ValueError) << "the tensors are too large";
  }
#if BUG == 5
  DLTensor like{};
  like.device = DLDevice{kDLCPU, 0};
  like.dtype = kU8;
  like.ndim = 1;
  like.shape = &total;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&like, &handle));
  for (int i = 1; i < args.size(); ++i) {
    TensorView t = AsTensor(args[i], i);
    CheckCpu(t, "a tensor");
    REQUIRE(t.dtype().lanes == 1 && t.dtype().bits % 8 == 0 && t.dtype().bits <= 64, TypeError)
        << "argument " << i << " must have elements of whole bytes";
    CheckContiguous(t, "a tensor");
    CheckData(t, "a tensor");
  }
  Tensor buffer(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
      static_cast<TVMFFIObject *>(handle)));
#else
  Tensor buffer = Alloc({total}, kU8);
#endif
  char *to = Out<char>(buffer);
#if BUG != 2
  if (total > 0) std::memset(to, 0, static_cast<size_t>(total));
#endif
  for (int i = 1; i < args.size(); ++i) {
    if (sizes[i - 1] == 0) continue;
    TensorView t = AsTensor(args[i], i);
#if BUG == 4
    std::memcpy(to + offsets[i - 1], t.data_ptr(), static_cast<size_t>(sizes[i - 1]));
#else
    std::memcpy(to + offsets[i - 1], Ptr<char>(t), static_cast<size_t>(sizes[i - 1]));
#endif
  }
  *rv = Tuple<Tensor, ffi::Shape>(buffer, ffi::Shape(offsets.begin(), offsets.end()));
}

// concat_rows(part, *parts) -> their rows one after the other
void ConcatRows(PackedArgs args, Any *rv)
{
  REQUIRE(args.size() >= 1, TypeError) << "concat_rows takes at least one tensor";
  int64_t rows = 0;
  TensorView first = AsTensor(args[0], 0);
  CheckDType(first, {kF32, kF64, kI32, kU8}, "argument 0");
  for (int i = 0; i < args.size(); ++i) {
    TensorView t = AsTensor(args[i], i);
    CheckCpu(t, "a part");
    CheckRank(t, 2, "a part");
    CheckContiguous(t, "a part");
#if BUG == 3
    if (i <= 1)
      REQUIRE(Is(t.dtype(), first.dtype()), TypeError)
          << "argument " << i << " has another data type";
#else
    REQUIRE(Is(t.dtype(), first.dtype()), TypeError)
        << "argument " << i << " has another data type";
#endif
    CheckData(t, "a part");
    REQUIRE(t.size(1) == first.size(1), ValueError)
        << "argument " << i << " has another number of columns";
    rows += t.size(0);
    REQUIRE(rows <= (int64_t(1) << 40), ValueError) << "too many rows";
  }
  Tensor out = Alloc({rows, first.size(1)}, first.dtype());
  char *to = Out<char>(out);
  for (int i = 0; i < args.size(); ++i) {
    TensorView t = AsTensor(args[i], i);
    size_t bytes = static_cast<size_t>(t.numel()) * (first.dtype().bits / 8);
    if (bytes) std::memcpy(to, Ptr<char>(t), bytes);
    to += bytes;
  }
  *rv = out;
}

// broadcast_shapes(*shapes) -> the shape that all of them broadcast to, as NumPy has it
void BroadcastShapes(PackedArgs args, Any *rv)
{
  std::vector<int64_t> out;  // last dimension first
  for (int i = 0; i < args.size(); ++i) {
    auto s = args[i].try_cast<ffi::Shape>();
    REQUIRE(s.has_value(), TypeError)
        << "argument " << i << " must be a shape, not " << args[i].GetTypeKey();
    for (size_t k = 0; k < s->size(); ++k) {
      int64_t d = (*s)[s->size() - 1 - k];
      REQUIRE(d >= 0, ValueError) << "a negative extent";
      if (k == out.size()) {
        out.push_back(d);
#if BUG == 6
      } else if (out[k] <= 1) {
        out[k] = std::max(out[k], d);
      } else {
        REQUIRE(d <= 1 || d == out[k], ValueError) << "the shapes do not broadcast";
#else
      } else if (out[k] == 1) {
        out[k] = d;
      } else {
        REQUIRE(d == 1 || d == out[k], ValueError) << "the shapes do not broadcast";
#endif
      }
    }
  }
  *rv = ffi::Shape(out.rbegin(), out.rend());
}

template <typename F>
int Guard(F f, const TVMFFIAny *args, int32_t n, TVMFFIAny *result)
{
#if BUG == 1
  try {
    f(PackedArgs(reinterpret_cast<const AnyView *>(args), n), reinterpret_cast<Any *>(result));
    return 0;
  } catch (const std::exception &) {
    return -1;
  }
#else
  TVM_FFI_SAFE_CALL_BEGIN();
  f(PackedArgs(reinterpret_cast<const AnyView *>(args), n), reinterpret_cast<Any *>(result));
  TVM_FFI_SAFE_CALL_END();
#endif
}

}  // namespace

extern "C" {
TVM_FFI_DLL_EXPORT int __tvm_ffi_pack(void *, const TVMFFIAny *args, int32_t n, TVMFFIAny *result)
{
  return Guard(Pack, args, n, result);
}
TVM_FFI_DLL_EXPORT int __tvm_ffi_concat_rows(void *, const TVMFFIAny *args, int32_t n,
                                             TVMFFIAny *result)
{
  return Guard(ConcatRows, args, n, result);
}
TVM_FFI_DLL_EXPORT int __tvm_ffi_broadcast_shapes(void *, const TVMFFIAny *args, int32_t n,
                                                  TVMFFIAny *result)
{
  return Guard(BroadcastShapes, args, n, result);
}
}
