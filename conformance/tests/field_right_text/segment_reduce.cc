// SPDX-License-Identifier: Apache-2.0
// Sum, mean or maximum of the rows of each segment.
namespace ffi = tvm::ffi;

namespace {

enum class Op { kSum, kMean, kMax };

Op op_of(const ffi::String& name) {
  if (name == "sum") return Op::kSum;
  if (name == "mean") return Op::kMean;
  if (name == "max") return Op::kMax;
  TVM_FFI_THROW(ValueError) << "op is sum, mean or max, not " << name;
}

// The ends of the segments, widened to 64 bits; each thread has its own workspace for them.
const std::vector<int64_t>& offsets(const ffi::TensorView& at, int64_t n) {
  static thread_local std::vector<int64_t> ends;
  const bool wide = set::same(at.dtype(), set::kI64);
  set::dense(at, wide ? set::kI64 : set::kI32, 1, "at");
  if (at.size(0) < 1) TVM_FFI_THROW(ValueError) << "at has no element";
  if (wide) {
    const int64_t* p = set::begin<const int64_t>(at);
    ends.assign(p, p + at.size(0));
  } else {
    const int32_t* p = set::begin<const int32_t>(at);
    ends.assign(p, p + at.size(0));
  }
  if (ends.front() != 0 || ends.back() != n || !std::is_sorted(ends.begin(), ends.end())) {
    TVM_FFI_THROW(ValueError) << "at must rise from 0 to " << n;
  }
  return ends;
}

template <typename T>
bool above(T a, T b) {
  return a > b || (std::isnan(a) && !std::isnan(b));
}

template <typename T>
void reduce(const ffi::TensorView& x, const std::vector<int64_t>& ends, Op op, T fill,
            const ffi::TensorView& out, int64_t* rows) {
  const int64_t d = x.size(1);
  const T* in = set::begin<const T>(x);
  T* to = set::begin<T>(out);
  for (size_t s = 0; s + 1 < ends.size(); ++s, to += d) {
    const int64_t first = ends[s], last = ends[s + 1];
    for (int64_t j = 0; j < d; ++j) {
      int64_t best = first;
      double sum = 0;
      for (int64_t i = first; i < last; ++i) {
        sum += in[i * d + j];
        if (above(in[i * d + j], in[best * d + j])) best = i;
      }
      if (first == last) {
        to[j] = fill;
        best = -1;
      } else if (op == Op::kMax) {
        to[j] = in[best * d + j];
      } else {
        to[j] = static_cast<T>(op == Op::kSum ? sum : sum / static_cast<double>(last - first));
      }
      if (rows != nullptr) *rows++ = best;
    }
  }
}

void SegmentReduce(ffi::TensorView x, ffi::TensorView at, ffi::String op_name,
                   ffi::Optional<double> fill, ffi::TensorView out,
                   ffi::Optional<ffi::TensorView> rows) {
  const Op op = op_of(op_name);
  const bool wide = set::same(x.dtype(), set::kF64);
  set::dense(x, wide ? set::kF64 : set::kF32, 2, "x");
  set::dense(out, x.dtype(), 2, "out");
  const auto& ends = offsets(at, x.size(0));
  const int64_t m = at.size(0) - 1;
  if (out.size(0) != m || out.size(1) != x.size(1)) {
    TVM_FFI_THROW(ValueError) << "out must be " << m << " by " << x.size(1);
  }
  int64_t* best = nullptr;
  if (rows.has_value()) {
    if (op != Op::kMax) TVM_FFI_THROW(ValueError) << "rows are those of a maximum";
    set::dense(*rows, set::kI64, 2, "rows");
    if ((*rows).size(0) != m || (*rows).size(1) != x.size(1)) {
      TVM_FFI_THROW(ValueError) << "rows must be as large as out";
    }
    best = set::begin<int64_t>(*rows);
  }
  if (!fill.has_value() && op != Op::kSum &&
      std::adjacent_find(ends.begin(), ends.end()) != ends.end()) {
    TVM_FFI_THROW(ValueError) << "an empty segment has no " << op_name << ", and fill is None";
  }
  const double empty = fill.has_value() ? *fill : 0.0;
  if (wide) {
    reduce<double>(x, ends, op, empty, out, best);
  } else {
    reduce<float>(x, ends, op, static_cast<float>(empty), out, best);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_reduce, SegmentReduce);
