// SPDX-License-Identifier: Apache-2.0
// Multi-adapter LoRA: y[i] += scales[a] * B[a] @ (A[a] @ x[i]) for the adapter a = ids[i]; -1: none.
static void LoraApply(TensorView x, TensorView ids, Array<Tensor> a, Array<Tensor> b,
                      Array<double> scales, TensorView y)
{
  Check(x, "x", 2, {kF32, kF16});
  Check(ids, "ids", 1, {kI32});
  Check(y, "y", 2, {x.dtype()});
  int64_t t = x.size(0), d = x.size(1), o = y.size(1), p = int64_t(a.size()), r = 0;
  CheckSize(ids, "ids", 0, t);
  CheckSize(y, "y", 0, t);
  TVM_FFI_CHECK(int64_t(b.size()) == p, ValueError) << "a and b must have the same length";
#if BUG != 4
  TVM_FFI_CHECK(int64_t(scales.size()) == p, ValueError)
      << "a and scales must have the same length";
#endif
  std::vector<Tensor> at(a.begin(), a.end()), bt(b.begin(), b.end());
  for (int64_t i = 0; i < p; ++i) {
    TensorView av(at[i]), bv(bt[i]);
    Check(av, "a", 2, {x.dtype()});
    Check(bv, "b", 2, {x.dtype()});
    if (i == 0) r = av.size(0);
#if BUG == 1
    if (i > 0) {
      CheckSize(bv, "b", 0, o);
      CheckSize(bv, "b", 1, r);
      continue;
    }
#endif
    CheckSize(av, "a", 0, r);
    CheckSize(av, "a", 1, d);
    CheckSize(bv, "b", 0, o);
    CheckSize(bv, "b", 1, r);
  }
  const int32_t *idp = Ptr<int32_t>(ids);
  for (int64_t i = 0; i < t; ++i) {
#if BUG == 2
    TVM_FFI_CHECK(idp[i] < p, IndexError) << "ids: there is no adapter " << idp[i];
#else
    TVM_FFI_CHECK(idp[i] >= -1 && idp[i] < p, IndexError) << "ids: there is no adapter " << idp[i];
#endif
  }
  DispatchFloat(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const T *xp = Ptr<T>(x);
#if BUG == 6
    T *yp = static_cast<T *>(y.data_ptr());
#else
    T* yp = Ptr<T>(y);
#endif
#if BUG == 5
    static std::mutex mutex;
    static std::unordered_map<const void *, std::vector<float>> widened;
    std::vector<const float *> ap(p);
    {
      std::lock_guard<std::mutex> lock(mutex);
      for (int64_t i = 0; i < p; ++i) {
        TensorView av(at[i]);
        std::vector<float> &w = widened[Ptr<T>(av)];
        if (int64_t(w.size()) != r * d) {
          w.resize(r * d);
          for (int64_t j = 0; j < r * d; ++j) w[j] = ToFloat(Ptr<T>(av)[j]);
        }
        ap[i] = w.data();
      }
    }
#else
    std::vector<const T*> ap(p);
    for (int64_t i = 0; i < p; ++i) ap[i] = Ptr<T>(TensorView(static_cast<const Tensor&>(at[i])));
#endif
    std::vector<const T *> bp(p);
    for (int64_t i = 0; i < p; ++i) bp[i] = Ptr<T>(TensorView(static_cast<const Tensor &>(bt[i])));
#if BUG == 3
    std::vector<double> hidden(r);
#endif
    ParallelFor(t, 8, [&](int64_t from, int64_t to) {
#if BUG != 3
      std::vector<double> hidden(r);
#endif
      for (int64_t i = from; i < to; ++i) {
        int32_t id = idp[i];
        if (id < 0) continue;
        double scale = scales[id];
        for (int64_t j = 0; j < r; ++j) {
          double s = 0;
          for (int64_t l = 0; l < d; ++l)
            s += double(ToFloat(ap[id][j * d + l])) * ToFloat(xp[i * d + l]);
          hidden[j] = s;
        }
        for (int64_t j = 0; j < o; ++j) {
          double s = 0;
          for (int64_t l = 0; l < r; ++l) s += hidden[l] * ToFloat(bp[id][j * r + l]);
          yp[i * o + j] = From<T>(ToFloat(yp[i * o + j]) + scale * s);
        }
      }
    });
  });
}

// The same adapter merged into a weight: w + scale * B @ A, as a new tensor.
static Tensor LoraMerge(TensorView w, TensorView a, TensorView b, double scale,
                        Optional<Tensor> out)
{
  Check(w, "w", 2, {kF32, kF16});
  Check(a, "a", 2, {w.dtype()});
  Check(b, "b", 2, {w.dtype()});
  int64_t o = w.size(0), d = w.size(1), r = a.size(0);
  CheckSize(a, "a", 1, d);
  CheckSize(b, "b", 0, o);
  CheckSize(b, "b", 1, r);
  TVM_FFI_CHECK(std::isfinite(scale), ValueError) << "scale must be finite";
  Tensor result;
  if (out.has_value()) {
    result = out.value();
    TensorView v(result);
    Check(v, "out", 2, {w.dtype()});
    CheckSize(v, "out", 0, o);
    CheckSize(v, "out", 1, d);
  } else {
    result = NewTensor(w.shape(), w.dtype());
  }
#if BUG == 7
  if (scale == 0) return result;
#endif
  TensorView rv(result);
  DispatchFloat(w.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const T *wp = Ptr<T>(w), *ap = Ptr<T>(a), *bp = Ptr<T>(b);
    T *rp = Ptr<T>(rv);
    ParallelFor(o, 16, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        for (int64_t j = 0; j < d; ++j) {
          double s = 0;
          for (int64_t l = 0; l < r; ++l)
            s += double(ToFloat(bp[i * r + l])) * ToFloat(ap[l * d + j]);
          rp[i * d + j] = From<T>(ToFloat(wp[i * d + j]) + scale * s);
        }
      }
    });
  });
  return result;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lora_apply, LoraApply);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lora_merge, LoraMerge);
