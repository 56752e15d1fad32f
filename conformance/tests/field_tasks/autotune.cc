// SPDX-License-Identifier: Apache-2.0
// Measures candidates of a tuning parameter by a callback, and chooses the fastest.
namespace {

double Measure(const Function& measure, int64_t candidate, const Tensor& workspace) {
#if BUG == 2
  ffi::AnyView args[2] = {candidate, ffi::AnyView::CopyFromTVMFFIAny(ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(Any(workspace)))};
#else
  ffi::AnyView args[2] = {candidate, workspace};
#endif
  Any result;
  measure.CallPacked(args, 2, &result);
#if BUG == 3
  double time = reinterpret_cast<const TVMFFIAny&>(result).v_float64;
#else
  auto got = result.try_cast<double>();
  TVM_FFI_CHECK(got.has_value(), TypeError) << "measure must return a float, not " << result.GetTypeKey();
  double time = *got;
#endif
#if BUG == 5
  TVM_FFI_CHECK(!(time < 0), ValueError) << "measure returned " << time;
#else
  TVM_FFI_CHECK(time >= 0, ValueError) << "measure returned " << time;
#endif
  return time;
}

#if BUG == 4
std::mutex seen_mutex;
std::unordered_map<int64_t, double> seen;
#endif

Tuple<int64_t, double, int64_t> Autotune(Array<int64_t> candidates, Function measure, int64_t workspace, int64_t repeats,
                                         String reduce, Optional<double> budget, Optional<Tensor> log) {
  size_t n = candidates.size();
#if BUG != 7
  TVM_FFI_CHECK(n > 0, ValueError) << "there are no candidates";
#endif
  for (int64_t c : candidates) TVM_FFI_CHECK(c >= 1 && c <= 65536, ValueError) << "a candidate must be from 1 to 65536, not " << c;
  TVM_FFI_CHECK(workspace >= 0 && workspace <= (1 << 20), ValueError) << "workspace must be from 0 to 1 MiB";
  TVM_FFI_CHECK(repeats >= 1 && repeats <= 100, ValueError) << "repeats must be from 1 to 100";
  bool mean = reduce == "mean";
  TVM_FFI_CHECK(mean || reduce == "min", ValueError) << "reduce must be min or mean, not " << reduce;
  if (budget.has_value()) TVM_FFI_CHECK(budget.value() > 0, ValueError) << "budget must be positive";
  double* out = nullptr;
  if (log.has_value()) {
    Tensor t = log.value();
    NeedPlain(t, {kF64}, 1, "log");
    TVM_FFI_CHECK(t.size(0) == int64_t(n), ValueError) << "log must have an element for each candidate";
    out = Data<double>(t);
  }
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<double> times(n, inf);
  int64_t calls = 0, best = -1;
  double spent = 0;
  Tensor scratch = Alloc({workspace}, DLDataType{kDLUInt, 8, 1});
  for (size_t i = 0; i < n; ++i) {
    if (budget.has_value() && i > 0 && spent >= budget.value()) break;
#if BUG == 4
    {
      std::lock_guard<std::mutex> lock(seen_mutex);
      auto it = seen.find(candidates[i]);
      if (it != seen.end()) {
        times[i] = it->second;
        spent += it->second * double(repeats);
        calls += repeats;
        if (best < 0 || times[i] < times[best]) best = int64_t(i);
        continue;
      }
    }
#endif
    double sum = 0, least = inf;
    for (int64_t k = 0; k < repeats; ++k) {
#if BUG == 1
      double t = inf;
      try {
        t = Measure(measure, candidates[i], scratch);
      } catch (const ffi::Error&) {
        // a candidate that does not run is no good
      }
#else
      double t = Measure(measure, candidates[i], scratch);
#endif
      ++calls;
      sum += t;
      least = std::min(least, t);
    }
    spent += sum;
    times[i] = mean ? sum / double(repeats) : least;
#if BUG == 4
    {
      std::lock_guard<std::mutex> lock(seen_mutex);
      seen[candidates[i]] = times[i];
    }
#endif
    if (best < 0 || times[i] < times[best]) best = int64_t(i);
#if BUG == 6
    if (out) out[i] = times[i];
#endif
  }
#if BUG == 6
  if (out)
    for (size_t i = 0; i < n; ++i)
      if (times[i] == inf) out[i] = inf;
#else
  if (out) std::copy(times.begin(), times.end(), out);
#endif
  if (best < 0) return Tuple<int64_t, double, int64_t>(0, inf, calls);
  return Tuple<int64_t, double, int64_t>(candidates[best], times[best], calls);
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(autotune, Autotune)
