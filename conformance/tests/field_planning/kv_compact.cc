// SPDX-License-Identifier: Apache-2.0
// Compaction of KV caches: all slots move at once, caches[*][dst[i]] = caches[*][src[i]].

static int64_t kv_compact(Array<Tensor> caches, TensorView src, TensorView dst, bool clear, Optional<Function> keep) {
  NEED(caches.size() >= 1, ValueError) << "caches: at least one is needed";
  check_tensor(src, "src", 1, {I32, I64});
  check_dense(src, "src");
  check_tensor(dst, "dst", 1, {I32, I64});
  check_dense(dst, "dst");
  int64_t m = src.shape()[0];
  check_extent(dst, 0, m, "dst");
  int64_t slots = -1;
  for (size_t c = 0; c < caches.size(); ++c) {
    Tensor t = caches[c];
    NEED(t.defined(), TypeError) << "caches: None is not a tensor";
    check_tensor(t, "caches", 3, {F16, BF16, F32, I8});
    NEED(t.dtype() == caches[0].dtype(), TypeError) << "caches: must have one data type";
    check_rows(t, "caches");
    if (slots < 0) slots = t.shape()[0];
#if BUG != 1
    check_extent(t, 0, slots, "caches");
#endif
    std::vector<int64_t> step = strides_of(t);
    int inner = std::llabs(step[0]) < std::llabs(step[1]) ? 0 : 1;
    int64_t covered = t.shape()[2];
    for (int d : {inner, 1 - inner}) {
      if (t.shape()[d] <= 1) continue;
      NEED(std::llabs(step[d]) >= covered, ValueError) << "caches: its elements share memory";
      covered += std::llabs(step[d]) * (t.shape()[d] - 1);
    }
  }
  std::vector<int64_t> from(m), to(m);
  DLDataType from_type = src.dtype(), to_type = dst.dtype();
#if BUG == 7
  to_type = from_type;
#endif
  for (int64_t i = 0; i < m; ++i) {
    from[i] = int_at(data_of<char>(src), from_type, i);
    to[i] = int_at(data_of<char>(dst), to_type, i);
#if BUG == 4
    NEED(from[i] < slots, ValueError) << "src: " << from[i] << " is not a slot";
#else
    check_range(from[i], 0, slots - 1, "src");
#endif
    check_range(to[i], 0, slots - 1, "dst");
  }
#if BUG != 6
  std::vector<char> taken(slots, 0);
  for (int64_t i = 0; i < m; ++i) {
    NEED(!taken[to[i]], ValueError) << "dst: slot " << to[i] << " is written twice";
    taken[to[i]] = 1;
  }
#endif
  std::vector<char> moves(m, 1);
  if (keep.has_value()) {
    Function f = keep.value();
    for (int64_t i = 0; i < m; ++i) {
#if BUG == 5
      try {
        moves[i] = f(from[i], to[i]).cast<bool>();
      } catch (const ffi::Error&) {
        moves[i] = 0;
      }
#else
      Any said = f(from[i], to[i]);
      auto flag = said.as<bool>();
      NEED(flag.has_value(), TypeError) << "keep: must return a bool";
      moves[i] = *flag;
#endif
    }
  }
  std::vector<int64_t> source(slots, -1), left(slots, 0);
  int64_t count = 0;
  for (int64_t i = 0; i < m; ++i) {
    if (!moves[i]) continue;
    source[to[i]] = from[i];
    left[from[i]] = 1;
    ++count;
  }
  for (size_t c = 0; c < caches.size(); ++c) {
    Tensor t = caches[c];
    int64_t h = t.shape()[1], w = t.shape()[2], size = bytes_of(t.dtype());
    std::vector<int64_t> step = strides_of(t);
#if BUG == 3
    step = {h * w, w, 1};
#endif
    char* base = data_of<char>(t);
#if BUG == 2
    for (int64_t i = 0; i < m; ++i) {
      if (!moves[i]) continue;
      for (int64_t k = 0; k < h; ++k)
        std::memmove(base + (to[i] * step[0] + k * step[1]) * size, base + (from[i] * step[0] + k * step[1]) * size,
                     w * size);
    }
#else
    std::vector<char> staged(size_t(count) * h * w * size);
    char* p = staged.data();
    for (int64_t s = 0; s < slots; ++s) {
      if (source[s] < 0) continue;
      for (int64_t k = 0; k < h; ++k, p += w * size)
        if (w) std::memcpy(p, base + (source[s] * step[0] + k * step[1]) * size, w * size);
    }
    p = staged.data();
    for (int64_t s = 0; s < slots; ++s) {
      if (source[s] < 0) continue;
      for (int64_t k = 0; k < h; ++k, p += w * size)
        if (w) std::memcpy(base + (s * step[0] + k * step[1]) * size, p, w * size);
    }
#endif
    for (int64_t s = 0; clear && s < slots; ++s)
      if (left[s] && source[s] < 0)
        for (int64_t k = 0; k < h; ++k)
          if (w) std::memset(base + (s * step[0] + k * step[1]) * size, 0, w * size);
  }
#if BUG == 6
  NEED(int64_t(slots - std::count(source.begin(), source.end(), -1)) == count, ValueError)
      << "dst: a slot is written twice";
#endif
  return count;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(kv_compact, kv_compact);
