// SPDX-License-Identifier: Apache-2.0
// Adds the product of low-rank adapters to a projection: y[t] += scale * b @ (a @ x[t]) with the
// adapter of each token (-1: none). Tokens are divided among threads.
#include <exception>
#include <thread>

namespace {

using namespace set;

void LoraApply(TensorView y_, TensorView x_, ffi::Array<Tensor> a_, ffi::Array<Tensor> b_,
               TensorView scales_, TensorView ids_, int64_t num_threads) {
  View y = Look(y_, "y", 2, {kF32, kF16, kBF16});
  const int64_t t = y.shape[0], n = y.shape[1];
  NeedRows(y);
  NeedDistinct(y);
  View x = Look(x_, "x", 2, {kF32, kF16, kBF16});
  NeedSameType(x, y);
  const int64_t k = x.shape[1];
  NeedShape(x, {t, k});
  NeedRows(x);

  const int64_t p = static_cast<int64_t>(a_.size());
  if (static_cast<int64_t>(b_.size()) != p) {
    TVM_FFI_THROW(ValueError) << "b: has " << b_.size() << " adapters, a has " << p;
  }
  std::vector<View> a, b;
  int64_t rank = 0;
  for (int64_t i = 0; i < p; ++i) {
    if (!a_[i].defined() || !b_[i].defined()) {
      TVM_FFI_THROW(TypeError) << (a_[i].defined() ? "b" : "a") << "[" << i << "]: is None";
    }
    a.push_back(Look(a_[i], "a", 2, {kF32, kF16, kBF16}));
    b.push_back(Look(b_[i], "b", 2, {kF32, kF16, kBF16}));
#if BUG == 9
    if (i > 0) continue;
#endif
    if (i == 0) rank = a[0].shape[0];
    NeedSameType(a[i], y);
    NeedSameType(b[i], y);
    NeedShape(a[i], {rank, k});
    NeedShape(b[i], {n, rank});
    NeedContiguous(a[i]);
    NeedContiguous(b[i]);
  }
  View scales = Look(scales_, "scales", 1, {kF32});
  NeedShape(scales, {p});
  NeedContiguous(scales);
  View ids = Look(ids_, "ids", 1, {kI32});
  NeedShape(ids, {t});
  NeedContiguous(ids);
  for (int64_t i = 0; i < t; ++i) {
    const int64_t id = ids.index(i);
    if (id < -1 || (BUG == 1 ? id > p : id >= p)) {
      TVM_FFI_THROW(ValueError) << "ids: unknown adapter " << id << " of " << p;
    }
  }
  if (num_threads < 1 || num_threads > 64) {
    TVM_FFI_THROW(ValueError) << "num_threads: must be in 1 to 64, not " << num_threads;
  }

  ByFloat(y.dtype, [&](auto tag) {
    using T = decltype(tag);
#if BUG == 2
    std::vector<double> common(rank);
#endif
    auto work = [&](int64_t begin, int64_t end, double* low) {
#if BUG == 2
      low = common.data();
#endif
      for (int64_t i = begin; i < end; ++i) {
        int64_t id = ids.index(i);
        if (BUG == 3 && id < 0) id = 0;
        if (id < 0) continue;
        const T* in = x.at<T>(i * x.stride[0]);
        T* to = y.at<T>(i * (BUG == 7 ? n : y.stride[0]));
        for (int64_t r = 0; r < rank; ++r) {
          const T* row = a[id].template at<T>(r * k);
          double s = 0;
          for (int64_t j = 0; j < k; ++j) s += Get(row[j]) * Get(in[j]);
          low[r] = s;
        }
        const double scale = *scales.at<float>(BUG == 4 ? 0 : id);
        for (int64_t j = 0; j < n; ++j) {
          const T* row = b[id].template at<T>(j * rank);
          double s = 0;
          const int64_t used = BUG == 8 ? rank / 4 * 4 : rank;
          for (int64_t r = 0; r < used; ++r) s += Get(row[r]) * low[r];
          Put((BUG == 6 ? 0 : Get(to[j])) + scale * s, &to[j]);
        }
      }
    };

    // All memory is there before the first thread, which then can't fail.
    const int64_t threads = std::max<int64_t>(1, std::min(num_threads, t));
    std::vector<double> low(threads * rank);
#if BUG == 5
    const int64_t share = std::max<int64_t>(1, t / threads);
#else
    const int64_t share = (t + threads - 1) / threads;
#endif
    std::vector<std::thread> others;
    others.reserve(threads);
    int64_t next = 1;
    for (; next < threads; ++next) {
      const int64_t begin = std::min(t, next * share), end = std::min(t, (next + 1) * share);
      double* mine = low.data() + next * rank;
      try {
        others.emplace_back([=, &work] { work(begin, end, mine); });
      } catch (const std::exception&) {
        break;  // no more threads to be had: the rest is done here
      }
    }
    work(0, std::min(t, share), low.data());
    for (std::thread& other : others) other.join();
    for (; next < threads; ++next) {
      work(std::min(t, next * share), std::min(t, (next + 1) * share), low.data());
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lora_apply, LoraApply);
