// SPDX-License-Identifier: Apache-2.0
// Trees of draft tokens: ancestor masks, and greedy verification.

// mask[i, j] = 1 where j is i or an ancestor of it; depth of roots is 0. Returns the largest depth, -1 of no nodes.
static int64_t tree_mask(TensorView parents, TensorView depth, TensorView mask) {
  check_tensor(parents, "parents", 1, {I32, I64});
  check_dense(parents, "parents");
  check_tensor(depth, "depth", 1, {I32});
  check_dense(depth, "depth");
  check_tensor(mask, "mask", 2, {BOOL, U8});
  check_dense(mask, "mask");
  int64_t n = parents.shape()[0];
  check_extent(depth, 0, n, "depth");
  check_extent(mask, 0, n, "mask");
  check_extent(mask, 1, n, "mask");
  DLDataType type = parents.dtype();
  const void* up = data_of<char>(parents);
  int32_t* d = data_of<int32_t>(depth);
  uint8_t* m = data_of<uint8_t>(mask);
#if BUG != 6
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 1
    check_range(int_at(up, type, i), -1, i, "parents");
#else
    check_range(int_at(up, type, i), -1, i - 1, "parents");
#endif
  }
#endif
  int64_t deepest = -1;
  for (int64_t i = 0; i < n; ++i) {
    int64_t p = int_at(up, type, i);
#if BUG == 6
    check_range(p, -1, i - 1, "parents");
#endif
    uint8_t* row = m + i * n;
    if (p < 0) {
      d[i] = 0;
      std::memset(row, 0, n);
    } else {
      d[i] = d[p] + 1;
      std::memmove(row, m + p * n, n);
    }
    row[i] = 1;
    deepest = std::max<int64_t>(deepest, d[i]);
  }
  return deepest;
}

// Follows from node 0 the first child whose draft token is what the target model says at its parent.
// accepted[b] = nodes of the path, -1 behind it; lengths[b] = nodes in it; bonus[b] = the target's token at its end.
static void verify_greedy(TensorView draft, TensorView target, TensorView parents, TensorView accepted, TensorView lengths,
                          Optional<Tensor> bonus) {
  check_tensor(draft, "draft", 2, {I32, I64});
  check_dense(draft, "draft");
  check_tensor(target, "target", 2, {draft.dtype()});
  check_dense(target, "target");
  check_tensor(parents, "parents", 1, {I32});
  check_dense(parents, "parents");
  check_tensor(accepted, "accepted", 2, {I32});
  check_dense(accepted, "accepted");
  check_tensor(lengths, "lengths", 1, {I32});
  check_dense(lengths, "lengths");
  int64_t b = draft.shape()[0], n = draft.shape()[1], most = accepted.shape()[1];
  NEED(n >= 1 && most >= 1, ValueError) << "at least one node is needed";
  check_extent(target, 0, b, "target");
  check_extent(target, 1, n, "target");
  check_extent(parents, 0, n, "parents");
  check_extent(accepted, 0, b, "accepted");
  check_extent(lengths, 0, b, "lengths");
#if BUG == 3
  Tensor extra = bonus.value();
  {
#else
  if (bonus.has_value()) {
    Tensor extra = bonus.value();
#endif
    check_tensor(extra, "bonus", 1, {draft.dtype()});
    check_dense(extra, "bonus");
    check_extent(extra, 0, b, "bonus");
  }
  DLDataType type = draft.dtype();
  const void* said = data_of<char>(draft);
  const void* want = data_of<char>(target);
  const int32_t* up = data_of<int32_t>(parents);
  NEED(up[0] == -1, ValueError) << "parents[0] must be -1";
  for (int64_t i = 1; i < n; ++i) check_range(up[i], 0, i - 1, "parents");
  int32_t* path = data_of<int32_t>(accepted);
  int32_t* count = data_of<int32_t>(lengths);
  parallel_for(b, 8, [&](int64_t lo, int64_t hi) {
    for (int64_t r = lo; r < hi; ++r) {
      int64_t at = 0, len = 1;
      path[r * most] = 0;
#if BUG == 5
      while (len <= most) {
#else
      while (len < most) {
#endif
        int64_t next = -1;
        for (int64_t c = at + 1; c < n && next < 0; ++c)
          if (up[c] == at && int_at(said, type, r * n + c) == int_at(want, type, r * n + at)) next = c;
        if (next < 0) break;
        path[r * most + len++] = int32_t(next);
        at = next;
      }
      count[r] = int32_t(len);
#if BUG != 2
      for (int64_t i = len; i < most; ++i) path[r * most + i] = -1;
#endif
      if (bonus.has_value()) {
        int64_t token = int_at(want, type, r * n + at);
#if BUG == 4
        data_of<int32_t>(bonus.value())[r] = int32_t(token);
#else
        if (type == I64)
          data_of<int64_t>(bonus.value())[r] = token;
        else
          data_of<int32_t>(bonus.value())[r] = int32_t(token);
#endif
      }
    }
  });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(tree_mask, tree_mask);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(verify_greedy, verify_greedy);
