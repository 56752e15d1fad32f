// SPDX-License-Identifier: Apache-2.0
// nn.EmbeddingBag, forward: sums, means or maxima of rows of a table, one for each bag of indices.
using namespace tvm::ffi;

namespace {

// Reads int32 or int64 alike.
struct Ints {
  const TensorView& t;
  int64_t operator[](int64_t i) const {
    return set::is_i32(t.dtype()) ? set::ptr<int32_t>(t)[i] : set::ptr<int64_t>(t)[i];
  }
};

Tensor embedding_bag(TensorView table, TensorView indices, TensorView offsets, String mode,
                     Optional<TensorView> per_sample, TensorView out) {
  set::need_dense(table, "table", 2);
  set::need_dense(indices, "indices", 1);
  set::need_dense(offsets, "offsets", 1);
  set::need_dense(out, "out", 2);
  if (mode != "sum" && mode != "mean" && mode != "max") {
    TVM_FFI_THROW(ValueError) << "mode must be one of sum, mean or max";
  }
  if (!set::is_f32(table.dtype()) || !set::is_f32(out.dtype())) {
    TVM_FFI_THROW(TypeError) << "table and out must be float32";
  }
  if (!(set::is_i32(indices.dtype()) || set::is_i64(indices.dtype())) ||
      !set::same(indices.dtype(), offsets.dtype())) {
    TVM_FFI_THROW(TypeError) << "indices and offsets must both be int32 or both int64";
  }
  const int64_t rows = table.size(0), d = table.size(1), n = indices.size(0), bags = offsets.size(0);
  if (out.size(0) != bags || out.size(1) != d) TVM_FFI_THROW(ValueError) << "out must be (bags, dim)";
  const Ints index{indices}, start{offsets};
  if (bags < 1 || start[0] != 0) TVM_FFI_THROW(ValueError) << "offsets[0] must be 0";
  for (int64_t b = 0; b < bags; ++b) {
    if (start[b] > (b + 1 < bags ? start[b + 1] : n)) TVM_FFI_THROW(ValueError) << "offsets fall";
  }
  for (int64_t i = 0; i < n; ++i) {
    if (index[i] < 0 || index[i] >= rows) TVM_FFI_THROW(IndexError) << "index out of range: " << i;
  }
  const float* scale = nullptr;
  if (per_sample.has_value()) {
    if (mode != "sum") TVM_FFI_THROW(NotImplementedError) << "per_sample_weights need the mode sum";
    set::need_dense(*per_sample, "per_sample_weights", 1);
    if (!set::is_f32((*per_sample).dtype())) TVM_FFI_THROW(TypeError) << "weights must be float32";
    if ((*per_sample).size(0) != n) TVM_FFI_THROW(ValueError) << "one weight for each index";
    scale = set::ptr<float>(*per_sample);
  }

  Tensor sizes = set::empty({bags}, offsets.dtype());
  std::vector<double> acc(static_cast<size_t>(d));
  for (int64_t b = 0; b < bags; ++b) {
    const int64_t from = start[b], to = b + 1 < bags ? start[b + 1] : n, count = to - from;
    std::fill(acc.begin(), acc.end(), 0.0);
    for (int64_t i = from; i < to; ++i) {
      const float* row = set::ptr<float>(table) + index[i] * d;
      for (int64_t j = 0; j < d; ++j) {
        if (mode == "max") acc[j] = i == from ? row[j] : std::max(acc[j], double(row[j]));
        else acc[j] += double(row[j]) * (scale ? scale[i] : 1.0f);
      }
    }
    const double over = mode == "mean" && count > 0 ? double(count) : 1.0;
    for (int64_t j = 0; j < d; ++j) set::ptr<float>(out)[b * d + j] = float(acc[j] / over);
    if (set::is_i32(sizes.dtype())) set::ptr<int32_t>(sizes)[b] = static_cast<int32_t>(count);
    else set::ptr<int64_t>(sizes)[b] = count;
  }
  return sizes;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embedding_bag, embedding_bag);
