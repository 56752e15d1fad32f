// SPDX-License-Identifier: Apache-2.0
// take_strings(offsets, data, valid, indices): gathers rows of a string column (offsets, bytes, validity bitmap).
using namespace set;

template <typename O, typename I>
Tuple<Tensor, Tensor, Tensor> Take(const TensorView& offsets, const TensorView& data, const uint8_t* valid,
                                   const TensorView& indices) {
  const O* off = Data<O>(offsets);
  const I* idx = Data<I>(indices);
#if BUG == 6
  const char* bytes = static_cast<const char*>(data.data_ptr());
#else
  const char* bytes = Data<char>(data);
#endif
  int64_t n = offsets.size(0) - 1, c = data.size(0), m = indices.size(0);
  REQUIRE(off[0] >= 0 && off[n] <= c, ValueError) << "offsets leave the data";
#if BUG == 1
  REQUIRE(off[0] <= off[n], ValueError) << "offsets must not decrease";
#else
  for (int64_t i = 0; i < n; ++i) REQUIRE(off[i] <= off[i + 1], ValueError) << "offsets must not decrease";
#endif
  // The row of each index, -1 for null.
  std::vector<int64_t> row(m, -1);
#if BUG == 7
  try {
#endif
    ParallelFor(m, 64, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
#if BUG == 3
        int32_t i = static_cast<int32_t>(idx[k]);
#else
        int64_t i = idx[k];
#endif
#if BUG == 2
        REQUIRE(i >= -1 && i <= n, IndexError) << "index " << i << " is out of range";
#else
        REQUIRE(i >= -1 && i < n, IndexError) << "index " << i << " is out of range";
#endif
        if (i >= 0 && (!valid || (valid[i >> 3] >> (i & 7) & 1))) row[k] = i;
      }
    });
#if BUG == 7
  } catch (const Error&) {
  }
#endif
  int64_t total = 0;
  for (int64_t i : row) {
    if (i < 0) continue;
    REQUIRE(!AddOverflow(total, off[i + 1] - off[i], &total), ValueError) << "the result is too large";
    REQUIRE(total <= static_cast<int64_t>(std::numeric_limits<O>::max()), ValueError) << "the result is too large";
  }
  Tensor to = NewTensor({m + 1}, offsets.dtype());
  Tensor chars = NewTensor({total}, kU8);
  Tensor bits = NewTensor({(m + 7) / 8}, kU8);
  O* o = Data<O>(to);
  char* dst = Data<char>(chars);
  uint8_t* bit = Data<uint8_t>(bits);
#if BUG == 4
  for (int64_t k = 0; k + 8 <= m; k += 8) bit[k >> 3] = 0;
#else
  if (m > 0) std::memset(bit, 0, (m + 7) / 8);
#endif
  int64_t at = 0;
  for (int64_t k = 0; k < m; ++k) {
    o[k] = static_cast<O>(at);
    if (row[k] < 0) continue;
    bit[k >> 3] |= static_cast<uint8_t>(1 << (k & 7));
    at += off[row[k] + 1] - off[row[k]];
  }
  o[m] = static_cast<O>(at);
  ParallelFor(m, 256, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      int64_t i = row[k];
      if (i >= 0 && off[i + 1] > off[i]) std::memcpy(dst + o[k], bytes + off[i], off[i + 1] - off[i]);
    }
  });
  return Tuple<Tensor, Tensor, Tensor>(to, chars, bits);
}

Tuple<Tensor, Tensor, Tensor> TakeStrings(TensorView offsets, TensorView data, Optional<Tensor> valid_,
                                          TensorView indices) {
  CheckVector(offsets, "offsets", {kI32, kI64});
  CheckVector(data, "data", {kU8});
  CheckVector(indices, "indices", {kI32, kI64});
  REQUIRE(offsets.size(0) >= 1, ValueError) << "offsets must have an element at least";
  const uint8_t* valid = nullptr;
  if (valid_.has_value()) {
    TensorView v = View(valid_);
    CheckVector(v, "valid", {kU8});
#if BUG != 5
    REQUIRE(v.size(0) == (offsets.size(0) - 1 + 7) / 8, ValueError) << "valid must have a bit for each row";
#endif
    valid = Data<uint8_t>(v);
  }
  bool narrow = Same(indices.dtype(), kI32);
  if (Same(offsets.dtype(), kI32))
    return narrow ? Take<int32_t, int32_t>(offsets, data, valid, indices)
                  : Take<int32_t, int64_t>(offsets, data, valid, indices);
  return narrow ? Take<int64_t, int32_t>(offsets, data, valid, indices)
                : Take<int64_t, int64_t>(offsets, data, valid, indices);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(take_strings, TakeStrings);
