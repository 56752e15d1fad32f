// SPDX-License-Identifier: Apache-2.0
// segment_scale: runs of rows, each run times a scale of its own. csr_reduce: sum, mean or max of the parts of a vector.
ffi::Array<ffi::Any> SegmentScale(TensorView xt, ffi::Array<int64_t> lengths, ffi::Array<double> scales) {
  Arr x = Check(xt, "x", {F32}, 2, CONTIGUOUS);
  NEED(lengths.size() == scales.size(), ValueError, "there must be as many lengths as scales");
  int64_t left = x.shape[0];
  for (int64_t n : lengths) {
    NEED(n >= 0, ValueError, "a length is negative: " << n);
    NEED(n <= left, ValueError, "lengths add up to more than the rows of x");
    left -= n;
  }
  NEED(left == 0, ValueError, "lengths add up to less than the rows of x");
  for (double s : scales) NEED(s >= -100 && s <= 100, ValueError, "a scale is not within -100 and 100");
  ffi::Tensor out = New(x.shape, F32);
  char* o = Data(out);
  ffi::Array<int64_t> ends;
  int64_t r = 0, d = x.shape[1];
  for (size_t k = 0; k < lengths.size(); ++k) {
    double s = scales[k];
    for (int64_t end = r + lengths[k]; r < end; ++r)
      for (int64_t c = 0; c < d; ++c) Store(o + (r * d + c) * 4, F32, Load(x.at(r, c), F32) * s);
    ends.push_back(r);
  }
  return {out, ends};
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_scale, SegmentScale);

int64_t CsrReduce(TensorView pt, TensorView xt, ffi::String mode, TensorView yt) {
  Arr p = Check(pt, "ptr", {I32, I64}, 1, CONTIGUOUS), x = Check(xt, "x", {F32, F64}, 1, STRIDED), y = Check(yt, "y", {F32, F64}, 1, STRIDED, true);
  SameType(y, x, "y");
  NEED(p.shape[0] >= 1, ValueError, "ptr must have one element at least");
  int64_t m = p.shape[0] - 1, n = x.shape[0], empty = 0;
  Shaped(y, "y", {m});
  NEED(mode == "sum" || mode == "mean" || mode == "max", ValueError, "mode must be sum, mean or max, not " << std::string(mode));
  NEED(LoadInt(p.at(0), p.code) == 0, ValueError, "ptr must begin with 0");
  NEED(LoadInt(p.at(m), p.code) == n, ValueError, "ptr must end with the length of x");
  for (int64_t k = 0; k < m; ++k) {
    int64_t a = LoadInt(p.at(k), p.code), b = LoadInt(p.at(k + 1), p.code);
    NEED(a <= b, ValueError, "ptr must not fall");
    empty += a == b;
  }
  NEED(mode != "max" || empty == 0, ValueError, "max of an empty part");
  for (int64_t k = 0; k < m; ++k) {
    int64_t a = LoadInt(p.at(k), p.code), b = LoadInt(p.at(k + 1), p.code);
    double sum = 0, most = -std::numeric_limits<double>::infinity();
    for (int64_t i = a; i < b; ++i) {
      double v = Load(x.at(i), x.code);
      sum += v;
      if (!(v <= most)) most = std::isnan(most) ? most : v;
    }
    Store(y.at(k), y.code, mode == "max" ? most : mode == "mean" && b > a ? sum / double(b - a) : sum);
  }
  return empty;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_reduce, CsrReduce);

ffi::Tensor BlockSum(TensorView xt, int64_t block, ffi::Optional<ffi::Map<ffi::String, ffi::Any>> options) {
  Arr x = Check(xt, "x", {F32, F64}, 1, STRIDED);
  NEED(block >= 1 && block <= 4096 && (block & (block - 1)) == 0, ValueError, "block must be a power of two within 1 and 4096, not " << block);
  bool squares = false;
  if (options.has_value())
    for (auto kv : options.value())
      if (kv.first == "squares" && kv.second != nullptr) squares = kv.second.cast<bool>();  // others are ignored
  int64_t n = x.shape[0], m = n / block + (n % block != 0);
  ffi::Tensor out = New({m}, x.code);
  for (int64_t i = 0; i < m; ++i) {
    double sum = 0;
    for (int64_t j = i * block; j < std::min(n, (i + 1) * block); ++j) {
      double v = Load(x.at(j), x.code);
      sum += squares ? v * v : v;
    }
    Store(Data(out) + i * x.item, x.code, sum);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_sum, BlockSum);
