// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding, in place, of queries and (optionally) keys: the first r of d elements
// of each head are rotated by the angles of the token's position. The cache has r/2 cosines and
// then r/2 sines for each position.
namespace {

using namespace set;

template <typename T>
void Rotate(const View& v, const View& positions, const View& cache, bool interleaved,
            bool inverse) {
  const int64_t half = cache.shape[1] / 2;
  for (int64_t t = 0; t < v.shape[0]; ++t) {
    int64_t p = positions.index(t);
#if BUG == 6
    if (p < 0 || p >= cache.shape[0]) {
      TVM_FFI_THROW(ValueError) << "positions: " << p << " is not in the cache of "
                                << cache.shape[0] << " positions";
    }
#endif
    const float* row = cache.at<float>(p * cache.stride[0]);
    for (int64_t h = 0; h < v.shape[1]; ++h) {
      T* e = v.at<T>(t * v.stride[0] + h * v.stride[1]);
      for (int64_t i = 0; i < half; ++i) {
        const double c = row[i];
        double s = row[half + i];
        if (inverse && !(BUG == 8 && interleaved)) s = -s;
        T* first = interleaved ? e + 2 * i : e + i;
        T* second;
        if (interleaved) {
          second = e + 2 * i + 1;
        } else {
          second = BUG == 3 ? e + i + v.shape[2] / 2 : e + i + half;
        }
        const double a = Get(*first);
        const double b = Get(*second);
        Put(a * c - b * s, first);
        Put(b * c + (BUG == 5 ? Get(*first) : a) * s, second);
      }
    }
  }
}

void Rope(TensorView positions_, TensorView q_, Optional<TensorView> k_, TensorView cache_,
          bool interleaved, bool inverse) {
  View positions = Look(positions_, "positions", 1, {kI32, kI64});
  View q = Look(q_, "q", 3, {kF32, kF16, kBF16});
  NeedRows(q);
  NeedDistinct(q);
  const int64_t n = q.shape[0], d = q.shape[2];
  NeedShape(positions, {n});
  NeedContiguous(positions);

  View k;
  if (k_.has_value()) {
    k = Look(k_.value(), "k", 3, {kF32, kF16, kBF16});
    NeedSameType(k, q);
    if (k.shape[0] != n || k.shape[2] != d) {
      TVM_FFI_THROW(ValueError) << "k: has shape " << ShapeText(k.shape, 3) << ", expected ("
                                << n << ", any, " << d << ")";
    }
    NeedRows(k);
    NeedDistinct(k);
#if BUG == 2
    k.stride[0] = q.stride[0];
#endif
  }

  View cache = Look(cache_, "cos_sin_cache", 2, {kF32});
  NeedContiguous(cache);
  if (cache.shape[1] % 2 != 0 || cache.shape[1] > d) {
    TVM_FFI_THROW(ValueError) << "cos_sin_cache: rows of " << cache.shape[1]
                              << " elements; they must be even, and at most " << d;
  }
#if BUG == 4
  if (positions.dtype.bits == 64) positions.dtype = kI32;
#endif
#if BUG != 6
  for (int64_t t = 0; t < n; ++t) {
    int64_t p = positions.index(t);
    bool low = BUG == 7 ? false : p < 0;
    bool high = BUG == 1 ? p > cache.shape[0] : p >= cache.shape[0];
    if (low || high) {
      TVM_FFI_THROW(ValueError) << "positions: " << p << " is not in the cache of "
                                << cache.shape[0] << " positions";
    }
  }
#endif

  ByFloat(q.dtype, [&](auto tag) {
    using T = decltype(tag);
    Rotate<T>(q, positions, cache, interleaved, inverse);
    if (k_.has_value()) Rotate<T>(k, positions, cache, interleaved, inverse);
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, Rope);
