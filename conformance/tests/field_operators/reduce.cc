// SPDX-License-Identifier: Apache-2.0
// reduce(x, op, axes, keepdims, correction) -> tensor: sum, mean, max, min or var over some axes, or
// over all of them (axes is None). Any strides are taken. The sum of int32 is int64.
namespace {

using namespace kit;

enum class Op { kSum, kMean, kMax, kMin, kVar };

struct Plan {
  int kept_rank = 0, cut_rank = 0;
  int64_t kept[kMaxRank] = {}, kept_stride[kMaxRank] = {};
  int64_t cut[kMaxRank] = {}, cut_stride[kMaxRank] = {};
};

// Calls f(offset) for each index of a box, the last dimension fastest.
template <typename F>
void for_each(int rank, const int64_t* extent, const int64_t* stride, const F& f) {
  int64_t index[kMaxRank] = {}, offset = 0;
  for (int i = 0; i < rank; ++i) {
    if (extent[i] == 0) return;
  }
  while (true) {
    f(offset);
    int i = rank - 1;
    for (; i >= 0; --i) {
      offset += stride[i];
      if (++index[i] < extent[i]) break;
      offset -= stride[i] * extent[i];
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

template <typename T>
double reduce_float(Op op, const T* base, const Plan& p, int64_t count, int64_t correction) {
  if (op == Op::kMax || op == Op::kMin) {
    double best = op == Op::kMax ? -std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::infinity();
    bool nan = false;
    for_each(p.cut_rank, p.cut, p.cut_stride, [&](int64_t at) {
      double v = load(base[at]);
      if (BUG != 1 && std::isnan(v)) nan = true;
      if (op == Op::kMax ? v > best : v < best) best = v;
    });
    return nan ? std::numeric_limits<double>::quiet_NaN() : best;
  }
#if BUG == 2
  if (op != Op::kVar && std::is_same<T, Half>::value) {
    Half total = to_half(0);
    for_each(p.cut_rank, p.cut, p.cut_stride,
             [&](int64_t at) { total = to_half(load(total) + load(base[at])); });
    return op == Op::kSum ? load(total) : load(total) / static_cast<double>(count);
  }
#endif
  long double sum = 0, squares = 0;
  for_each(p.cut_rank, p.cut, p.cut_stride, [&](int64_t at) {
    double v = load(base[at]);
    sum += v;
    if (BUG == 3) squares += v * v;
  });
  if (op == Op::kSum) return static_cast<double>(sum);
  long double mean = sum / count;
  if (op == Op::kMean) return static_cast<double>(mean);
#if BUG == 3
  double average = static_cast<double>(mean), power = static_cast<double>(squares / count);
  return (power - average * average) * static_cast<double>(count) /
         static_cast<double>(count - correction);
#endif
  for_each(p.cut_rank, p.cut, p.cut_stride, [&](int64_t at) {
    long double d = load(base[at]) - mean;
    squares += d * d;
  });
  return static_cast<double>(squares / (count - correction));
}

template <typename T>
void run_float(Op op, const View& x, const Plan& p, int64_t count, int64_t correction, T* out) {
  for_each(p.kept_rank, p.kept, p.kept_stride, [&](int64_t at) {
    store(out++, reduce_float(op, x.as<T>() + at, p, count, correction));
  });
}

template <typename Out>
void run_int(Op op, const View& x, const Plan& p, Out* out) {
  for_each(p.kept_rank, p.kept, p.kept_stride, [&](int64_t at) {
    const int32_t* base = x.as<int32_t>() + at;
#if BUG == 4
    uint32_t sum = 0;
#else
    int64_t sum = 0;
#endif
    int32_t best = op == Op::kMax ? std::numeric_limits<int32_t>::min()
                                  : std::numeric_limits<int32_t>::max();
    for_each(p.cut_rank, p.cut, p.cut_stride, [&](int64_t i) {
      int32_t v = base[i];
      sum += v;
      if (op == Op::kMax ? v > best : v < best) best = v;
    });
#if BUG == 4
    *out++ = op == Op::kSum ? static_cast<Out>(static_cast<int32_t>(sum)) : static_cast<Out>(best);
#else
    *out++ = op == Op::kSum ? static_cast<Out>(sum) : static_cast<Out>(best);
#endif
  });
}

Op parse_op(const String& name) {
  std::string text(name.data(), name.size());
  if (text == "sum") return Op::kSum;
  if (text == "mean") return Op::kMean;
  if (text == "max") return Op::kMax;
  if (text == "min") return Op::kMin;
  if (text == "var") return Op::kVar;
  TVM_FFI_THROW(ValueError) << "op must be sum, mean, max, min or var, and is \"" << text << "\"";
}

Tensor reduce(TensorView x_arg, String op_name, Optional<Array<int64_t>> axes, bool keepdims,
              int64_t correction) {
  View x = view_of(x_arg, "x", 0, kMaxRank);
  need_type(x, {kF16, kF32, kF64, kI32});
  Op op = parse_op(op_name);
  bool is_int = same_type(x.dtype, kI32);
  if (is_int && (op == Op::kMean || op == Op::kVar)) {
    TVM_FFI_THROW(TypeError) << "x must be of floats for op mean and var, and is int32";
  }
  bool cut[kMaxRank] = {};
#if BUG == 5
  int64_t* wanted = new int64_t[axes.has_value() ? axes.value().size() + 1 : 1];
  int64_t* next = wanted;
#endif
  if (axes.has_value()) {
    for (int64_t axis : axes.value()) {
      if (axis < -x.rank || axis >= x.rank) {
        TVM_FFI_THROW(ValueError) << "axes must be from " << -x.rank << " to " << x.rank - 1
                                  << ", and one is " << axis;
      }
#if BUG == 5
      *next++ = axis;
#endif
      int64_t at = axis < 0 ? axis + x.rank : axis;
      if (BUG != 6 && cut[at]) {
        TVM_FFI_THROW(ValueError) << "axes must differ: " << axis << " is there twice";
      }
      cut[at] = true;
    }
  } else {
    std::fill(cut, cut + x.rank, true);
  }
#if BUG == 5
  delete[] wanted;
#endif
  Plan p;
  std::vector<int64_t> shape;
  int64_t count = 1;
  for (int i = 0; i < x.rank; ++i) {
    if (cut[i]) {
      p.cut[p.cut_rank] = x.shape[i];
      p.cut_stride[p.cut_rank++] = x.stride[i];
      count *= x.shape[i];
      if (keepdims && !(BUG == 7 && !axes.has_value())) shape.push_back(1);
    } else {
      p.kept[p.kept_rank] = x.shape[i];
      p.kept_stride[p.kept_rank++] = x.stride[i];
      shape.push_back(x.shape[i]);
    }
  }
  if (op != Op::kVar && correction != 0) {
    TVM_FFI_THROW(ValueError) << "correction must be 0 but for op var, and is " << correction;
  }
  if (op == Op::kVar && (correction < 0 || correction >= count)) {
    TVM_FFI_THROW(ValueError) << "correction must be at least 0 and less than the number of reduced "
                              << "elements (" << count << "), and is " << correction;
  }
  if ((op == Op::kMax || op == Op::kMin) && count == 0) {
    TVM_FFI_THROW(ValueError) << "x has no elements in axes that op max or min reduces";
  }
  Tensor out = allocate(shape, is_int && op == Op::kSum ? kI64 : x.dtype, x.device);
  if (is_int) {
    if (op == Op::kSum) {
      run_int(op, x, p, data_of<int64_t>(out));
    } else {
      run_int(op, x, p, data_of<int32_t>(out));
    }
  } else if (same_type(x.dtype, kF16)) {
    run_float(op, x, p, count, correction, data_of<Half>(out));
  } else if (same_type(x.dtype, kF32)) {
    run_float(op, x, p, count, correction, data_of<float>(out));
  } else {
    run_float(op, x, p, count, correction, data_of<double>(out));
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce, reduce);
