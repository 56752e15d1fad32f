// SPDX-License-Identifier: Apache-2.0
// Looks up rows of an embedding table and reduces them bag by bag, as torch's embedding_bag does.
namespace {

using namespace set;

enum class Mode { kSum, kMean, kMax };

Mode ModeOf(const ffi::String& mode) {
  if (mode == "sum") return Mode::kSum;
  if (mode == "mean") return Mode::kMean;
  if (mode == "max") return Mode::kMax;
  TVM_FFI_THROW(ValueError) << "mode must be sum, mean or max, not \"" << std::string(mode) << "\"";
  return Mode::kSum;
}

// All that is read through indices and offsets lies within the tensors after this.
template <typename I>
void CheckBags(const Arg& indices, const Arg& offsets, int64_t rows, bool include_last_offset) {
  const I* index = indices.as<I>();
  const I* offset = offsets.as<I>();
  const int64_t n = indices.size(0), m = offsets.size(0);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 1
    const bool outside = index[i] < 0 || index[i] > rows;
#else
    const bool outside = index[i] < 0 || index[i] >= rows;
#endif
    if (outside) {
      TVM_FFI_THROW(IndexError) << "indices[" << i << "] is " << int64_t{index[i]}
                                << ", and weight has " << rows << " rows";
    }
  }
  if (include_last_offset && m == 0) {
    TVM_FFI_THROW(ValueError) << "offsets must not be empty with include_last_offset";
  }
  for (int64_t i = 0; i < m; ++i) {
    const int64_t at = offset[i];
    if (i == 0 && at != 0) TVM_FFI_THROW(ValueError) << "offsets must begin with 0, not " << at;
#if BUG != 2
    if (i > 0 && at < offset[i - 1]) {
      TVM_FFI_THROW(ValueError) << "offsets must not decrease, as at " << i;
    }
#endif
    if (at < 0 || at > n) {
      TVM_FFI_THROW(ValueError) << "offsets[" << i << "] is " << at << ", and there are " << n
                                << " indices";
    }
  }
  if (include_last_offset && offset[m - 1] != n) {
    TVM_FFI_THROW(ValueError) << "offsets must end with the number of indices, " << n;
  }
}

template <typename T, typename I>
void Reduce(const Arg& weight, const Arg& indices, const Arg& offsets, const Arg* factors,
            Mode mode, int64_t padding, int64_t bags, T* out) {
  const int64_t n = indices.size(0), m = offsets.size(0), d = weight.size(1);
  const I* index = indices.as<I>();
  const I* offset = offsets.as<I>();
#if BUG == 3
  const int64_t row_stride = d;
#else
  const int64_t row_stride = weight.stride(0);
#endif
  std::vector<double> sum(d);
  for (int64_t bag = 0; bag < bags; ++bag) {
    const int64_t begin = offset[bag];
    const int64_t end = bag + 1 < m ? static_cast<int64_t>(offset[bag + 1]) : n;
    std::fill(sum.begin(), sum.end(), 0.0);
    int64_t count = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (index[i] == padding) {
#if BUG == 4
        ++count;
#endif
        continue;
      }
      const T* row = weight.as<T>() + index[i] * row_stride;
      if (mode == Mode::kMax) {
#if BUG == 5
        for (int64_t j = 0; j < d; ++j) {
          const double v = Get(row[j]);
          if (std::isnan(v) || v > sum[j]) sum[j] = v;
        }
#else
        for (int64_t j = 0; j < d; ++j) {
          const double v = Get(row[j]);
          if (count == 0 || std::isnan(v) || v > sum[j]) sum[j] = v;
        }
#endif
      } else {
        const double factor = factors != nullptr ? Get(factors->as<T>()[i]) : 1.0;
        for (int64_t j = 0; j < d; ++j) sum[j] += factor * Get(row[j]);
      }
      ++count;
    }
    const double divisor = mode == Mode::kMean && count > 0 ? static_cast<double>(count) : 1.0;
    for (int64_t j = 0; j < d; ++j) out[bag * d + j] = Make<T>::From(sum[j] / divisor);
  }
}

ffi::Tensor EmbeddingBag(DLTensor* weight_arg, DLTensor* indices_arg, DLTensor* offsets_arg,
                         ffi::String mode_name, ffi::Optional<ffi::Tensor> per_sample_weights,
                         ffi::Optional<int64_t> padding_idx, bool include_last_offset) {
  const Arg weight(weight_arg, "weight", {Type::kF16, Type::kF32, Type::kF64}, 2, Layout::kRows);
  const Arg indices(indices_arg, "indices", {Type::kI32, Type::kI64}, 1);
  const Arg offsets(offsets_arg, "offsets", {Type::kI32, Type::kI64}, 1);
#if BUG != 6
  offsets.SameType(indices);
#endif
  const Mode mode = ModeOf(mode_name);
  const int64_t rows = weight.size(0), d = weight.size(1);
  std::vector<Arg> factors;
  if (per_sample_weights.has_value()) {
    if (mode != Mode::kSum) {
      TVM_FFI_THROW(ValueError) << "per_sample_weights must be None unless mode is sum";
    }
    const ffi::Tensor held = per_sample_weights.value();
    factors.emplace_back(Pointer(held), "per_sample_weights",
                         std::initializer_list<Type>{Type::kF16, Type::kF32, Type::kF64}, 1);
    factors[0].SameType(weight);
    factors[0].Extent(0, indices.size(0), "one for each index");
  }
  int64_t padding = -1;
  if (padding_idx.has_value()) {
    padding = padding_idx.value();
    if (padding < 0 || padding >= rows) {
      TVM_FFI_THROW(ValueError) << "padding_idx must be a row of weight, not " << padding;
    }
  }
  WithIndex(indices.type(), [&](auto tag) {
    CheckBags<decltype(tag)>(indices, offsets, rows, include_last_offset);
  });

  const int64_t bags = offsets.size(0) - (include_last_offset ? 1 : 0);
  DLDataType type = weight.raw()->dtype;
  const ffi::Shape shape{bags, d};
#if BUG == 7
  if (bags == 0) type = DLDataType{kDLFloat, 32, 1};
#endif
  ffi::Tensor out =
      ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, type, weight.raw()->device);
  const Arg result(Pointer(out), "out", {Type::kF16, Type::kF32, Type::kF64}, 2);
#if BUG == 8
  // one reference more, so that the memory lives while it is written
  TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(out));
#endif
  if (result.numel() != 0) {
    WithFloat(weight.type(), [&](auto value) {
      WithIndex(indices.type(), [&](auto index) {
        using T = decltype(value);
        Reduce<T, decltype(index)>(weight, indices, offsets,
                                   factors.empty() ? nullptr : &factors[0], mode, padding, bags,
                                   result.as<T>());
      });
    });
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embedding_bag, EmbeddingBag);
