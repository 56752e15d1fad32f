// SPDX-License-Identifier: Apache-2.0
// Reduction of rows by segment, ids in any order. Returns the segments and how many rows each has.
using namespace ks;

enum class Op { kSum, kMean, kMax };

template <typename T, typename Acc>
static void Reduce(const TensorView &data, const std::vector<int64_t> &ids,
                   const std::vector<int64_t> &counts, Op op, const Tensor &out)
{
  int64_t n = data.shape()[0], d = data.shape()[1], s = int64_t(counts.size());
  const T *x = Data<T>(data);
  T *y = Data<T>(out);
  // Columns are independent of each other.
  ParallelFor(d, 32, [&](int64_t begin, int64_t end) {
#if BUG == 4
    static std::vector<Acc> acc;
    acc.resize(size_t(s));
#else
    std::vector<Acc> acc(static_cast<size_t>(s));
#endif
    for (int64_t c = begin; c < end; ++c) {
      Acc start = op == Op::kMax ? (std::numeric_limits<Acc>::has_infinity
                                        ? -std::numeric_limits<Acc>::infinity()
                                        : std::numeric_limits<Acc>::lowest())
                                 : Acc(0);
      std::fill(acc.begin(), acc.end(), start);
      for (int64_t i = 0; i < n; ++i) {
        Acc v = Acc(x[i * d + c]);
        Acc &a = acc[size_t(ids[size_t(i)])];
        if (op == Op::kMax) {
#if BUG == 5
          if (v > a) a = v;
#else
          if (v > a || v != v) a = v;
#endif
        } else {
          a += v;
        }
      }
      for (int64_t k = 0; k < s; ++k) {
#if BUG == 3
        if (counts[size_t(k)] == 0) continue;
#else
        if (counts[size_t(k)] == 0) {
          y[k * d + c] = T(0);
          continue;
        }
#endif
        Acc a = acc[size_t(k)];
        y[k * d + c] = op == Op::kMean ? T(a / Acc(counts[size_t(k)])) : T(a);
      }
    }
  });
}

static Tuple<Tensor, Tensor> SegmentReduce(TensorView data, TensorView ids, int64_t num_segments,
                                           String op_name)
{
  std::string name(op_name.data(), op_name.size());
  KS_CHECK(name == "sum" || name == "mean" || name == "max", ValueError)
      << "op must be sum, mean or max";
  Op op = name == "sum" ? Op::kSum : name == "mean" ? Op::kMean : Op::kMax;
  CheckDType(data, "data", {kF32, kF64, kI32});
  CheckDType(ids, "ids", {kI32, kI64});
  CheckRank(data, "data", 2);
  CheckRank(ids, "ids", 1);
  CheckMemory(data, "data");
  CheckMemory(ids, "ids");
  CheckContiguous(data, "data");
  CheckContiguous(ids, "ids");
  CheckExtent(ids, "ids", 0, data.shape()[0]);
  KS_CHECK(num_segments >= 1 && num_segments <= 65536, ValueError)
      << "num_segments must be in 1..65536";
  KS_CHECK(op != Op::kMean || !Same(data.dtype(), kI32), TypeError)
      << "mean of integers is not supported";
#if BUG == 6
  Tensor early = Alloc({num_segments, data.shape()[1]}, data.dtype(), data.device());
  TVMFFIObjectHandle raw =
      ffi::detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(early));
#endif
  int64_t n = data.shape()[0];
  std::vector<int64_t> index(static_cast<size_t>(n)), counts(static_cast<size_t>(num_segments), 0);
  const void *p = Data<void>(ids);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
    int64_t k = int32_t(LoadIndex(p, ids.dtype(), i));
#else
    int64_t k = LoadIndex(p, ids.dtype(), i);
#endif
#if BUG == 1
    KS_CHECK(k >= 0 && k <= num_segments, IndexError) << "ids[" << i << "] is " << k;
#else
    KS_CHECK(k >= 0 && k < num_segments, IndexError) << "ids[" << i << "] is " << k;
#endif
    index[size_t(i)] = k;
    counts[size_t(k)] += 1;
  }
#if BUG == 6
  Tensor out(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
      static_cast<TVMFFIObject *>(raw)));
#else
  Tensor out = Alloc({num_segments, data.shape()[1]}, data.dtype(), data.device());
#endif
  Tensor sizes = Alloc({num_segments}, kI64, data.device());
  if (Same(data.dtype(), kF32))
    Reduce<float, double>(data, index, counts, op, out);
  else if (Same(data.dtype(), kF64))
    Reduce<double, double>(data, index, counts, op, out);
  else
    Reduce<int32_t, int64_t>(data, index, counts, op, out);
  std::copy(counts.begin(), counts.end(), Data<int64_t>(sizes));
  return Tuple<Tensor, Tensor>(out, sizes);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_reduce, SegmentReduce)
