// SPDX-License-Identifier: Apache-2.0
// embedding_bag_hashed: pooled embeddings of sparse features whose ids are hashed into a table.
//
//   table        [rows, d]         float32 or float16, rows >= 1
//   ids          [n]               int64 or int32, any values
//   offsets      [bags + 1]        int64 or int32; bag i has ids[offsets[i]:offsets[i + 1]]
//   weights      [n] or None       float32, only with "sum" and "mean"
//   mode         "sum", "mean", "max"
//   num_hashes   1 to 4            an id stands for the sum of this many rows
//   padding_id   int or None       ids that are left out
//   num_threads  1 to 8
//   out          [bags, d]         float32; 0 for bags without ids
//
// Row h of an id is mix(id + (h + 1) * 0x9e3779b97f4a7c15) % rows, with the finalizer of splitmix64
// and unsigned numbers of 64 bits. The mean is taken over the ids that are not left out, whatever
// their weights.
namespace {

enum class Mode { kSum, kMean, kMax };

struct Job {
  Mode mode;
  int64_t num_hashes;
  bool has_padding;
  int64_t padding;
  const float* weights;
};

template <typename T>
double Load(T v) {
  return static_cast<double>(v);
}
template <>
double Load<uint16_t>(uint16_t v) {
  return HalfToDouble(v);
}

template <typename T>
void Pool(const Arg& table, const Ints& ids, bool narrow, const Ints& offsets, const Job& job,
          float* out, int64_t begin, int64_t end, double* sum, double* one) {
  const int64_t d = table.dim(1);
  const uint64_t rows = static_cast<uint64_t>(table.dim(0));
  const T* base = table.data<T>();
  (void)narrow;
  for (int64_t bag = begin; bag < end; ++bag) {
    int64_t count = 0;
#if BUG == 6
    std::fill_n(sum, d, 0.0);
#else
    std::fill_n(sum, d, job.mode == Mode::kMax ? -std::numeric_limits<double>::infinity() : 0.0);
#endif
    for (int64_t i = offsets[bag]; i < offsets[bag + 1]; ++i) {
#if BUG == 3
      ++count;
      if (job.has_padding && ids[i] == job.padding) continue;
#else
      if (job.has_padding && ids[i] == job.padding) continue;
      ++count;
#endif
      std::fill_n(one, d, 0.0);
      for (int64_t h = 0; h < job.num_hashes; ++h) {
        uint64_t key = static_cast<uint64_t>(ids[i]);
#if BUG == 4
        if (narrow) key = static_cast<uint32_t>(key);
#endif
        const uint64_t row = Mix64(key + static_cast<uint64_t>(h + 1) * kGolden) % rows;
        const T* from = base + row * d;
        for (int64_t c = 0; c < d; ++c) one[c] += Load(from[c]);
      }
      if (job.mode == Mode::kMax) {
        for (int64_t c = 0; c < d; ++c) {
          if (one[c] > sum[c] || std::isnan(one[c])) sum[c] = one[c];
        }
      } else {
        const double w = job.weights != nullptr ? static_cast<double>(job.weights[i]) : 1.0;
        for (int64_t c = 0; c < d; ++c) sum[c] += w * one[c];
      }
    }
    float* to = out + bag * d;
    for (int64_t c = 0; c < d; ++c) {
      const double v = count == 0 ? 0.0 : job.mode == Mode::kMean ? sum[c] / count : sum[c];
      to[c] = static_cast<float>(v);
    }
  }
}

template <typename T>
void Run(const Arg& table, const Ints& ids, bool narrow, const Ints& offsets, const Job& job,
         float* out, int64_t bags, int64_t num_threads) {
  const int64_t d = table.dim(1);
#if BUG == 1
  const int64_t chunk = std::max<int64_t>(bags / num_threads, 1);
#else
  const int64_t chunk = std::max<int64_t>((bags + num_threads - 1) / num_threads, 1);
#endif
  std::vector<double> space(2 * d * num_threads + 1);
  auto work = [&](int64_t k) {
    const int64_t begin = std::min(k * chunk, bags);
    const int64_t end = std::min(begin + chunk, bags);
#if BUG == 2
    double* sum = space.data();
#else
    double* sum = space.data() + 2 * d * k;
#endif
    Pool<T>(table, ids, narrow, offsets, job, out, begin, end, sum, sum + d);
  };
  std::vector<std::thread> threads;
  threads.reserve(num_threads);
  for (int64_t k = 1; k < num_threads && k * chunk < bags; ++k) {
    try {
      threads.emplace_back(work, k);
    } catch (const std::system_error&) {
      work(k);  // no more threads to be had
    }
  }
  work(0);
  for (std::thread& t : threads) t.join();
}

void EmbeddingBag(DLTensor* table_tensor, DLTensor* ids_tensor, DLTensor* offsets_tensor,
                  Optional<Tensor> weights_tensor, String mode, int64_t num_hashes,
                  Optional<int64_t> padding_id, int64_t num_threads, DLTensor* out_tensor) {
  const Arg table("table", table_tensor);
  const Arg ids("ids", ids_tensor);
  const Arg offsets("offsets", offsets_tensor);
  const Arg out("out", out_tensor);
  table.Type({kF32, kF16}).Rank(2).Cpu().Contiguous();
  ids.Type({kI64, kI32}).Rank(1).Cpu().Contiguous();
  offsets.Type({kI64, kI32}).Rank(1).Cpu().Contiguous();
  if (table.dim(0) < 1) TVM_FFI_THROW(ValueError) << "table must have rows";
  const int64_t n = ids.dim(0);
  const int64_t bags = offsets.dim(0) - 1;
  if (bags < 0) TVM_FFI_THROW(ValueError) << "offsets must have at least one element";
  out.Type({kF32}).Rank(2).Extent(0, bags).Extent(1, table.dim(1)).Cpu().Contiguous();

  Job job{};
  if (mode == "sum") {
    job.mode = Mode::kSum;
  } else if (mode == "mean") {
    job.mode = Mode::kMean;
  } else if (mode == "max") {
    job.mode = Mode::kMax;
  } else {
    TVM_FFI_THROW(ValueError) << "mode must be \"sum\", \"mean\" or \"max\"";
  }
  if (weights_tensor.has_value()) {
    const Arg w("weights", weights_tensor.value());
    w.Type({kF32}).Rank(1).Extent(0, n).Cpu().Contiguous();
#if BUG != 5
    if (job.mode == Mode::kMax) TVM_FFI_THROW(ValueError) << "weights must be None for \"max\"";
#endif
    job.weights = w.data<float>();
  }
  if (num_hashes < 1 || num_hashes > 4) {
    TVM_FFI_THROW(ValueError) << "num_hashes must be from 1 to 4, not " << num_hashes;
  }
  if (num_threads < 1 || num_threads > 8) {
    TVM_FFI_THROW(ValueError) << "num_threads must be from 1 to 8, not " << num_threads;
  }
  job.num_hashes = num_hashes;
  job.has_padding = padding_id.has_value();
  job.padding = padding_id.has_value() ? padding_id.value() : 0;

  const Ints at(offsets);
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "offsets must begin with 0, not " << at[0];
  for (int64_t b = 0; b < bags; ++b) {
    if (at[b + 1] < at[b]) TVM_FFI_THROW(ValueError) << "offsets must not decrease";
  }
#if BUG != 7
  if (at[bags] != n) {
    TVM_FFI_THROW(ValueError) << "offsets must end with the number of ids, " << n << ", not "
                              << at[bags];
  }
#endif
  const Ints id(ids);
  const bool narrow = ids.Is(kI32);
  if (table.Is(kF32)) {
    Run<float>(table, id, narrow, at, job, out.data<float>(), bags, num_threads);
  } else {
    Run<uint16_t>(table, id, narrow, at, job, out.data<float>(), bags, num_threads);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(embedding_bag_hashed, EmbeddingBag);
