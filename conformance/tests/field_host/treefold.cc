// SPDX-License-Identifier: Apache-2.0
// Folds over trees and rows, with callbacks of the caller.
namespace
{

double CallbackNumber(const Any &r, const char *name)
{
  auto v = r.try_cast<double>();
  REQUIRE(v.has_value(), TypeError) << name << " must return a number, not " << r.GetTypeKey();
  return *v;
}

// out[i] = values[i] combined with out[c] of each child c of i, the last child first
void TreeFold(TensorView parent, TensorView values, const ffi::Function &combine, TensorView out,
              const Optional<ffi::Function> &progress)
{
  CheckTensor(parent, {kI32, kI64}, 1, "parent");
  CheckTensor(values, {kF32, kF64}, 1, "values");
  CheckTensor(out, {values.dtype()}, 1, "out");
  int64_t n = values.size(0);
  REQUIRE(parent.size(0) == n && out.size(0) == n, ValueError)
      << "parent, values and out must have one length";
  REQUIRE(combine != nullptr, TypeError) << "combine must be a function, not None";
  std::vector<int64_t> up(n);
  for (int64_t i = 0; i < n; ++i) {
    int64_t p = Is(parent.dtype(), kI64) ? Ptr<int64_t>(parent)[i] : Ptr<int32_t>(parent)[i];
#if BUG == 5
    REQUIRE(p < i, ValueError) << "the parent of node " << i << " must be in front of it";
#else
    REQUIRE(p >= -1 && p < i, ValueError)
        << "the parent of node " << i << " must be in front of it, or -1";
#endif
    up[i] = p;
  }
#if BUG == 6
  static std::mutex mutex;
  static Optional<ffi::Function> last;  // not to look it up again
  {
    std::lock_guard<std::mutex> lock(mutex);
    last = combine;
  }
#endif
  bool f32 = Is(values.dtype(), kF32);
  auto put = [&](int64_t i, double v) {
    if (f32) {
      Ptr<float>(out)[i] = static_cast<float>(v);
    } else {
      Ptr<double>(out)[i] = v;
    }
  };
  std::vector<double> acc(n);
  for (int64_t i = 0; i < n; ++i) acc[i] = f32 ? Ptr<float>(values)[i] : Ptr<double>(values)[i];
  for (int64_t i = n - 1; i >= 0; --i) {
#if BUG == 4
    put(i, acc[i]);
#endif
    if (up[i] != -1) {
#if BUG == 1
      double v = acc[up[i]];
      try {
        v = CallbackNumber(combine(acc[up[i]], acc[i]), "combine");
      } catch (const ffi::Error &) {
      }
#else
      double v = CallbackNumber(combine(acc[up[i]], acc[i]), "combine");
#endif
      REQUIRE(!std::isnan(v), ValueError) << "combine returned NaN for node " << i;
      acc[up[i]] = v;
    }
    if (progress.has_value()) {
      Any r = progress.value()(n - i, n);
      if (r == nullptr) continue;
      auto go_on = r.try_cast<bool>();
      REQUIRE(go_on.has_value(), TypeError)
          << "progress must return a bool or None, not " << r.GetTypeKey();
#if BUG != 3
      REQUIRE(*go_on, RuntimeError) << "cancelled after " << (n - i) << " of " << n << " nodes";
#endif
    }
  }
#if BUG != 4
  for (int64_t i = 0; i < n; ++i) put(i, acc[i]);
#endif
}

// result[i] = f(row i of x), each row in memory of its own
Tensor ReduceRows(TensorView x, const ffi::Function &f)
{
  CheckTensor(x, {kF32, kF64}, 2, "x");
  REQUIRE(f != nullptr, TypeError) << "f must be a function, not None";
  int64_t n = x.size(0), d = x.size(1);
  size_t bytes = static_cast<size_t>(d) * (x.dtype().bits / 8);
  Tensor out = Alloc({n}, kF64);
  for (int64_t i = 0; i < n; ++i) {
    Tensor row = Alloc({d}, x.dtype());
    if (bytes) std::memcpy(Out<char>(row), Ptr<char>(x) + i * bytes, bytes);
#if BUG == 2
    ffi::AnyView arg(row);
    TVMFFIObjectIncRef(arg.CopyToTVMFFIAny().v_obj);  // the callee takes a reference of its own
    Any r;
    f.CallPacked(&arg, 1, &r);
    Out<double>(out)[i] = CallbackNumber(r, "f");
#else
    Out<double>(out)[i] = CallbackNumber(f(row), "f");
#endif
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(tree_fold, TreeFold);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce_rows, ReduceRows);
