// SPDX-License-Identifier: Apache-2.0
// Runs an encoder, a callback, over chunks of rows, as chunked prefill and micro-batched vision towers do.
namespace {

void CheckChunk(const TensorView& t, const TensorView& x, int64_t rows) {
  CheckType(t, {x.dtype()}, "encoder's result");
  CheckRank(t, 2, "encoder's result");
#if BUG != 1
  CheckSize(t, 0, rows, "encoder's result");
#endif
  CheckSize(t, 1, x.size(1), "encoder's result");
  CheckPlace(t, "encoder's result");
  CheckContiguous(t, "encoder's result");
}

int64_t run_chunked(TensorView x, int64_t chunk, Function encoder, Optional<Function> progress, TensorView out) {
  CheckType(x, {kF32, kF16, kBF16}, "x");
  CheckRank(x, 2, "x");
  CheckPlace(x, "x");
  int64_t stride = CheckRows(x, "x", false), n = x.size(0), d = x.size(1);
  REQUIRE(chunk >= 1, ValueError) << "chunk: has to be positive, got " << chunk;
  CheckType(out, {x.dtype()}, "out");
  CheckRank(out, 2, "out");
  CheckSize(out, 0, n, "out");
  CheckSize(out, 1, d, "out");
  CheckPlace(out, "out");
  CheckContiguous(out, "out");
  REQUIRE(encoder != nullptr, TypeError) << "encoder: is None";
  size_t row = d * ItemSize(x);
  const char* from = Data<char>(x);
  std::vector<char> done(n * row);  // nothing is written before all has come out
#if BUG == 6
  int64_t chunks = (n + chunk - 1) / chunk;
#else
  int64_t chunks = n / chunk + (n % chunk != 0);
#endif
  for (int64_t k = 0; k < chunks; ++k) {
    int64_t begin = k * chunk, rows = std::min(chunk, n - begin);
#if BUG == 5
    static thread_local std::vector<std::pair<DLDataType, Tensor>> buffers;
    Tensor part(nullptr);
    for (auto& [type, b] : buffers)
      if (SameType(type, x.dtype()) && b.size(0) == rows && b.size(1) == d) part = b;
    if (!part.defined()) {
      part = Alloc({rows, d}, x.dtype());
      if (buffers.size() >= 4) buffers.erase(buffers.begin());
      buffers.emplace_back(x.dtype(), part);
    }
#else
    Tensor part = Alloc({rows, d}, x.dtype());
#endif
    for (int64_t r = 0; r < rows && row > 0; ++r)
      std::memcpy(Data<char>(part) + r * row, from + (begin + r) * stride * ItemSize(x), row);
#if BUG == 2
    ffi::Expected<Any> outcome = encoder.CallExpected<Any>(part);
    if (outcome.is_err()) continue;
    Any result = outcome.value();
#elif BUG == 3
    TVMFFIAny arg{}, back{};
    arg.type_index = ffi::TypeIndex::kTVMFFITensor;
    arg.v_obj = static_cast<TVMFFIObject*>(ffi::detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(part)));
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(
        ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(encoder), &arg, 1, &back));
    TVMFFIObjectDecRef(arg.v_obj);
    Any result = ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&back);
#else
    Any result = encoder(part);
#endif
    auto cast = result.try_cast<Tensor>();
    REQUIRE(cast.has_value() && cast->defined(), TypeError) << "encoder: expected a tensor as result, got " << result.GetTypeKey();
    Tensor t = *cast;
    CheckChunk(t, x, rows);
    if (rows * row > 0) std::memcpy(done.data() + begin * row, Data<char>(t), rows * row);
    if (progress.has_value()) {
      Any go = progress.value()(begin + rows, n);
#if BUG != 4
      auto yes = go.try_cast<bool>();
      REQUIRE(yes.has_value(), TypeError) << "progress: expected a bool as result, got " << go.GetTypeKey();
      REQUIRE(*yes, RuntimeError) << "cancelled after " << begin + rows << " of " << n << " rows";
#endif
    }
  }
  if (!done.empty()) std::memcpy(Data<char>(out), done.data(), done.size());
  return chunks;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run_chunked, run_chunked)
