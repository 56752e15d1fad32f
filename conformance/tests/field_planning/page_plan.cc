// SPDX-License-Identifier: Apache-2.0
// Preparation of paged attention: page lists of a batch in CSR form, and the slots of tokens.
#if BUG == 5
static std::vector<int32_t> g_pages;
#endif

static Tuple<Tensor, Tensor, Tensor> page_plan(TensorView block_table, TensorView seq_lens, int64_t page_size,
                                               int64_t num_pages) {
  check_tensor(block_table, "block_table", 2, {I32});
  check_rows(block_table, "block_table");
  check_tensor(seq_lens, "seq_lens", 1, {I32, I64});
  check_dense(seq_lens, "seq_lens");
  int64_t b = block_table.shape()[0], w = block_table.shape()[1];
  check_extent(seq_lens, 0, b, "seq_lens");
  check_range(page_size, 1, 1024, "page_size");
  check_range(num_pages, 0, std::numeric_limits<int32_t>::max(), "num_pages");
#if BUG == 2
  int64_t row = w;
#else
  int64_t row = strides_of(block_table)[0];
#endif
  const int32_t* table = data_of<int32_t>(block_table);
#if BUG == 4
  const void* lens = seq_lens.data_ptr();
#else
  const void* lens = data_of<char>(seq_lens);
#endif
  DLDataType lt = seq_lens.dtype();
#if BUG == 3
  lt = I32;
#endif
#if BUG == 5
  std::vector<int32_t>& pages = g_pages;
  pages.clear();
#else
  std::vector<int32_t> pages;
#endif
  std::vector<int32_t> indptr(b + 1), last(b);
  for (int64_t i = 0; i < b; ++i) {
    int64_t len = int_at(lens, lt, i);
#if BUG == 1
    check_range(len, 0, std::numeric_limits<int32_t>::max(), "seq_lens");
#else
    check_range(len, 0, w * page_size, "seq_lens");
#endif
    int64_t count = (len + page_size - 1) / page_size;
    for (int64_t j = 0; j < count; ++j) {
      int32_t page = table[i * row + j];
      check_range(page, 0, num_pages - 1, "block_table");
      pages.push_back(page);
    }
    NEED(pages.size() < (size_t(1) << 31), ValueError) << "too many pages";
    indptr[i + 1] = int32_t(pages.size());
#if BUG == 6
    last[i] = int32_t(len % page_size);
#else
    last[i] = len == 0 ? 0 : int32_t((len - 1) % page_size + 1);
#endif
  }
  Tensor out_indptr = alloc({b + 1}, I32);
  Tensor out_pages = alloc({int64_t(pages.size())}, I32);
  Tensor out_last = alloc({b}, I32);
  std::copy(indptr.begin(), indptr.end(), data_of<int32_t>(out_indptr));
  std::copy(pages.begin(), pages.end(), data_of<int32_t>(out_pages));
  std::copy(last.begin(), last.end(), data_of<int32_t>(out_last));
  return Tuple<Tensor, Tensor, Tensor>(out_indptr, out_pages, out_last);
}

// out[t] = slot of position positions[t] of request request[t]; -1 stays -1 (padding of a CUDA graph).
static void slot_mapping(TensorView block_table, TensorView request, TensorView positions, int64_t page_size,
                         TensorView out) {
  check_tensor(block_table, "block_table", 2, {I32});
  check_rows(block_table, "block_table");
  check_tensor(request, "request", 1, {I32});
  check_dense(request, "request");
  check_tensor(positions, "positions", 1, {I64});
  check_dense(positions, "positions");
  check_tensor(out, "out", 1, {I64});
  check_dense(out, "out");
  check_range(page_size, 1, 1024, "page_size");
  int64_t b = block_table.shape()[0], w = block_table.shape()[1], n = positions.shape()[0];
  check_extent(request, 0, n, "request");
  check_extent(out, 0, n, "out");
  int64_t row = strides_of(block_table)[0];
  const int32_t* table = data_of<int32_t>(block_table);
  const int32_t* req = data_of<int32_t>(request);
  const int64_t* pos = data_of<int64_t>(positions);
  std::vector<int64_t> slots(n);
  parallel_for(n, 4096, [&](int64_t lo, int64_t hi) {
    for (int64_t t = lo; t < hi; ++t) {
      check_range(req[t], 0, b - 1, "request");
#if BUG == 7
      check_range(pos[t], std::numeric_limits<int64_t>::min(), w * page_size - 1, "positions");
#else
      check_range(pos[t], -1, w * page_size - 1, "positions");
#endif
      if (pos[t] < 0) {
        slots[t] = -1;
        continue;
      }
      int64_t page = table[req[t] * row + pos[t] / page_size];
      check_range(page, 0, std::numeric_limits<int32_t>::max(), "block_table");
      slots[t] = page * page_size + pos[t] % page_size;
    }
  });
  std::copy(slots.begin(), slots.end(), data_of<int64_t>(out));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(page_plan, page_plan);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(slot_mapping, slot_mapping);
