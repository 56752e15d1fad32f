// SPDX-License-Identifier: Apache-2.0
// Repacking of 4-bit weights for a kernel's layout, and of their scales.

#if BUG == 5
static std::mutex g_lock;
static std::map<int64_t, std::vector<int>> g_orders;
#endif

// qweight [r, n]: word (i, c) holds rows 8*i .. 8*i+7 of column c, lowest bits first. Rows are taken in the order perm (row p
// of the new matrix is row perm[p] of the old one); nibble t of a new word is row 8*i + order[t]; flip turns the highest bit
// of each (unsigned to signed). out, if given, is written and returned.
static Tensor repack_int4(TensorView qweight, Optional<Tensor> perm, Shape order, bool flip, Optional<Tensor> out) {
  check_tensor(qweight, "qweight", 2, {I32, U32});
  check_dense(qweight, "qweight");
  int64_t r = qweight.shape()[0], n = qweight.shape()[1], k = 8 * r;
  NEED(order.size() == 8, ValueError) << "order: must have 8 entries";
  unsigned seen = 0;
  for (int t = 0; t < 8; ++t) {
    check_range(order[t], 0, 7, "order");
    seen |= 1u << order[t];
  }
#if BUG != 1
  NEED(seen == 255, ValueError) << "order: must be a permutation of 0 to 7";
#endif
  std::vector<int64_t> rows(k);
  std::iota(rows.begin(), rows.end(), 0);
  if (perm.has_value()) {
    Tensor p = perm.value();
    check_tensor(p, "perm", 1, {I32});
    check_dense(p, "perm");
    check_extent(p, 0, k, "perm");
    for (int64_t i = 0; i < k; ++i) {
      rows[i] = data_of<int32_t>(p)[i];
#if BUG == 2
      check_range(rows[i], 0, k, "perm");
#else
      check_range(rows[i], 0, k - 1, "perm");
#endif
    }
  }
  if (out.has_value()) {
    Tensor o = out.value();
    check_tensor(o, "out", 2, {qweight.dtype()});
    check_dense(o, "out");
    check_extent(o, 0, r, "out");
    check_extent(o, 1, n, "out");
  }
  std::vector<int> places(order.begin(), order.begin() + 8);
#if BUG == 5
  {
    std::lock_guard<std::mutex> guard(g_lock);
    int64_t key = order[0] * 8 + order[1];
    places = g_orders.emplace(key, places).first->second;
  }
#endif
  const uint32_t* in = data_of<uint32_t>(qweight);
  std::vector<uint32_t> words(size_t(r) * n);
  uint32_t mask = flip ? 8 : 0;
  parallel_for(r, 64, [&](int64_t lo, int64_t hi) {
    for (int64_t i = lo; i < hi; ++i)
      for (int t = 0; t < 8; ++t) {
        int64_t row = rows[8 * i + places[t]];
        const uint32_t* from = in + (row / 8) * n;
        int shift = 4 * int(row % 8);
        for (int64_t c = 0; c < n; ++c) words[i * n + c] |= (((from[c] >> shift) & 15) ^ mask) << (4 * t);
      }
  });
#if BUG == 3
  Tensor result = alloc({r, n}, qweight.dtype());
#else
  Tensor result = out.has_value() ? out.value() : alloc({r, n}, qweight.dtype());
#endif
  std::copy(words.begin(), words.end(), data_of<uint32_t>(result));
#if BUG == 6
  // the caller keeps a reference, the result is another one
  if (out.has_value()) TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(result));
#endif
  return result;
}

// out[g, c] = scales[g, (c % tile) * (n / tile) + c / tile]: neighbours in out are n / tile columns apart in scales.
static Tensor interleave_scales(TensorView scales, int64_t tile) {
  check_tensor(scales, "scales", 2, {F16, BF16, F32});
  int64_t g = scales.shape()[0], n = scales.shape()[1];
  NEED(tile >= 1, ValueError) << "tile: must be positive";
  NEED(n % tile == 0, ValueError) << "scales: its columns are no multiple of tile";
  Tensor out = alloc({g, n}, scales.dtype());
  const char* in = data_of<char>(scales);
  char* to = data_of<char>(out);
  int64_t size = bytes_of(scales.dtype());
#if BUG == 4
  std::vector<int64_t> step = {n, 1};
#else
  std::vector<int64_t> step = strides_of(scales);
#endif
  for (int64_t i = 0; i < g; ++i)
    for (int64_t c = 0; c < n; ++c)
      std::memcpy(to + (i * n + c) * size, in + (i * step[0] + ((c % tile) * (n / tile) + c / tile) * step[1]) * size, size);
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(repack_int4, repack_int4);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(interleave_scales, interleave_scales);
