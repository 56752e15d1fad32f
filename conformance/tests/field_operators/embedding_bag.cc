// SPDX-License-Identifier: Apache-2.0
// embedding_bag(weight, indices, offsets, per_sample_weights, mode, padding_idx, out): row b of out is
// the sum, mean or maximum of the rows of weight that indices[offsets[b]:offsets[b+1]] name. Those
// that name padding_idx do not count; of no rows it is 0. It is summed in double.
namespace {

using namespace kit;

enum class Mode { kSum, kMean, kMax };

struct Bags {
  View weight, indices, offsets, factors, out;
  bool has_factors = false;
  Mode mode = Mode::kSum;
  int64_t padding = -1;
};

int64_t whole(const View& v, int64_t i) {
  return same_type(v.dtype, kI32) ? v.as<int32_t>()[i] : v.as<int64_t>()[i];
}

template <typename T>
void run(const Bags& b) {
  int64_t dim = b.weight.shape[1], bags = b.out.shape[0];
  int64_t step = BUG == 7 ? dim : b.weight.stride[0];
  std::vector<double> row(static_cast<size_t>(dim));
  for (int64_t i = 0; i < bags; ++i) {
    int64_t begin = whole(b.offsets, i), end = whole(b.offsets, i + 1), counted = 0;
    if (BUG == 5 && begin == end) continue;
    std::fill(row.begin(), row.end(), 0.0);
    for (int64_t j = begin; j < end; ++j) {
      int64_t at = whole(b.indices, j);
      if (at == b.padding) continue;
      const T* w = b.weight.as<T>() + at * step;
      if (b.mode == Mode::kMax) {
        for (int64_t d = 0; d < dim; ++d) {
          double v = load(w[d]);
          bool first = BUG == 4 ? false : counted == 0;
          if (first || std::isnan(v) || v > row[d]) row[d] = v;
        }
      } else {
        double f = b.has_factors ? load(b.factors.as<T>()[BUG == 6 ? j - begin : j]) : 1;
        for (int64_t d = 0; d < dim; ++d) row[d] += f * load(w[d]);
      }
      ++counted;
    }
    T* out = b.out.as<T>() + i * b.out.stride[0];
    double share = 1;
    if (b.mode == Mode::kMean) {
      int64_t length = BUG == 3 ? end - begin : counted;
      share = length > 0 ? static_cast<double>(length) : 1;
    }
    for (int64_t d = 0; d < dim; ++d) store(out + d, row[d] / share);
  }
}

void embedding_bag(TensorView weight, TensorView indices, TensorView offsets,
                   Optional<Tensor> per_sample_weights, String mode, Optional<int64_t> padding_idx,
                   TensorView out) {
  Bags b;
  b.weight = view(weight, "weight", 2);
  need_type(b.weight, {kF16, kF32, kF64});
  need_rows(b.weight);
  b.indices = view(indices, "indices", 1);
  need_type(b.indices, {kI32, kI64});
  need_dense(b.indices);
  b.offsets = view(offsets, "offsets", 1);
  need_same_type(b.offsets, b.indices);
  need_dense(b.offsets);
  if (b.offsets.shape[0] < 1) TVM_FFI_THROW(ValueError) << "offsets must have at least one element";
  b.out = view(out, "out", 2);
  need_same_type(b.out, b.weight);
  need_extent(b.out, 0, b.offsets.shape[0] - 1, "one less than elements of offsets");
  need_extent(b.out, 1, b.weight.shape[1], "columns of weight");
  need_rows(b.out);
  int64_t step = b.out.stride[0] < 0 ? -b.out.stride[0] : b.out.stride[0];
  if (b.out.numel() != 0 && b.out.shape[0] > 1 && step < b.out.shape[1]) {
    TVM_FFI_THROW(ValueError) << "out must not have rows that overlap";
  }
  std::string how(mode.data(), mode.size());
  if (how == "mean") {
    b.mode = Mode::kMean;
  } else if (how == "max") {
    b.mode = Mode::kMax;
  } else if (how != "sum") {
    TVM_FFI_THROW(ValueError) << "mode must be sum, mean or max, and is \"" << how << "\"";
  }
  int64_t rows = b.weight.shape[0], count = b.indices.shape[0];
  if (per_sample_weights.has_value()) {
    if (b.mode != Mode::kSum) {
      TVM_FFI_THROW(ValueError) << "per_sample_weights is only for mode sum";
    }
    b.has_factors = true;
    b.factors = view(per_sample_weights.value(), "per_sample_weights", 1);
    need_same_type(b.factors, b.weight);
    need_extent(b.factors, 0, count, "elements of indices");
    need_dense(b.factors);
    if (overlap(b.out, b.factors)) {
      TVM_FFI_THROW(ValueError) << "out must not overlap per_sample_weights";
    }
  }
  if (padding_idx.has_value()) {
    b.padding = padding_idx.value();
    if (b.padding < 0 || b.padding >= rows) {
      TVM_FFI_THROW(ValueError) << "padding_idx must be from 0 to " << rows - 1 << ", and is "
                                << b.padding;
    }
  }
  if (overlap(b.out, b.weight) || overlap(b.out, b.indices) || overlap(b.out, b.offsets)) {
    TVM_FFI_THROW(ValueError) << "out must not overlap weight, indices or offsets";
  }
  int64_t last = 0;
  for (int64_t i = 0; i < b.offsets.shape[0]; ++i) {
    int64_t at = whole(b.offsets, i);
    if (i == 0 ? at != 0 : at < last) {
      TVM_FFI_THROW(ValueError) << "offsets must start with 0 and not fall, and element " << i
                                << " is " << at;
    }
    last = at;
  }
  if (BUG == 2 ? last < count : last != count) {
    TVM_FFI_THROW(ValueError) << "offsets must end with the number of indices (" << count
                              << "), and ends with " << last;
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = whole(b.indices, i);
    if ((BUG != 1 && at < 0) || at >= rows) {
      TVM_FFI_THROW(IndexError) << "indices must be from 0 to " << rows - 1 << ", and element " << i
                                << " is " << at;
    }
  }
  if (same_type(b.weight.dtype, kF16)) {
    run<Half>(b);
  } else if (same_type(b.weight.dtype, kF32)) {
    run<float>(b);
  } else {
    run<double>(b);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embedding_bag, embedding_bag);
