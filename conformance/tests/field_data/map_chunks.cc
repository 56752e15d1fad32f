// SPDX-License-Identifier: Apache-2.0
// map_chunks(x, chunk, f, progress, out): out = f of each chunk of rows of x, as a compiled loop over a packed function.
using namespace set;

int64_t MapChunks(TensorView x, int64_t chunk_, Function f, Optional<Function> progress, TensorView out) {
  CheckCPU(x, "x");
  CheckRank(x, "x", 2);
  CheckDtype(x, "x", {kF32, kF64, kI32});
  CheckContiguous(x, "x");
  CheckCPU(out, "out");
  CheckRank(out, "out", 2);
  REQUIRE(Same(out.dtype(), x.dtype()), TypeError) << "out must have the dtype of x";
  int64_t n = x.size(0), d = x.size(1);
  REQUIRE(out.size(0) == n && out.size(1) == d, ValueError) << "out must have the shape of x";
  CheckRows(out, "out");
  REQUIRE(chunk_ >= 1, ValueError) << "chunk must be positive, is " << chunk_;
  REQUIRE(f.defined(), TypeError) << "f is None";
#if BUG == 6
  int chunk = static_cast<int>(chunk_);
  int count = static_cast<int>((n + chunk - 1) / chunk);
#else
  int64_t chunk = std::min(chunk_, std::max<int64_t>(n, 1));
  int64_t count = (n + chunk - 1) / chunk;
#endif
  int64_t item = x.dtype().bits / 8;
  // All results first, so that an error leaves out as it was.
  std::vector<Tensor> results;
  for (int64_t i = 0; i < count; ++i) {
    int64_t start = i * chunk, rows = std::min<int64_t>(chunk, n - start);
    Tensor part = NewTensor({rows, d}, x.dtype());
    if (rows * d > 0) std::memcpy(Data<char>(part), Data<char>(x) + start * d * item, rows * d * item);
#if BUG == 2
    auto called = f.CallExpected<Any>(part);
    if (called.is_err()) {
      results.push_back(part);
      continue;
    }
    Any got = std::move(called).value();
#elif BUG == 3
    Any* argument = new Any(part);
    Any got = f(*argument);
#else
    Any got = f(part);
#endif
    auto y = got.try_cast<Tensor>();
    REQUIRE(y.has_value() && y->defined(), TypeError) << "f must return a tensor";
    TensorView v(*y);
    REQUIRE(Same(v.dtype(), x.dtype()), TypeError) << "f must return a tensor of the dtype of x";
    CheckCPU(v, "the result of f");
    CheckRank(v, "the result of f", 2);
#if BUG == 1
    REQUIRE(v.size(1) == d, ValueError) << "f must return a tensor of the shape of its argument";
#else
    REQUIRE(v.size(0) == rows && v.size(1) == d, ValueError) << "f must return a tensor of the shape of its argument";
#endif
    CheckContiguous(v, "the result of f");
    // The callee may change its argument or result later: keep a copy.
    Tensor own = NewTensor({rows, d}, x.dtype());
    if (rows * d > 0) std::memcpy(Data<char>(own), Data<char>(v), rows * d * item);
    results.push_back(own);
    if (progress.has_value()) {
      Any go_ = progress.value()(i + 1, static_cast<int64_t>(count));
#if BUG != 5
      auto go = go_.try_cast<bool>();
      REQUIRE(go.has_value(), TypeError) << "progress must return a bool";
      REQUIRE(*go, RuntimeError) << "cancelled";
#endif
    }
  }
#if BUG == 4
  int64_t step = d * item;
#else
  int64_t step = n > 1 ? Stride(out, 0) * item : d * item;
#endif
  char* dst = Data<char>(out);
  int64_t row = 0;
  for (const Tensor& t : results)
    for (int64_t r = 0; r < t.size(0); ++r, ++row)
      if (d > 0) std::memcpy(dst + row * step, Data<char>(t) + r * d * item, d * item);
  return count;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_chunks, MapChunks);
