// SPDX-License-Identifier: Apache-2.0
// Picks the fastest of several candidates by a callback that measures them.
namespace {

using namespace set;

using Measure = TypedFunction<double(int64_t candidate, int64_t repeat)>;

constexpr int64_t kMaxRepeats = 1000;

double Summary(std::vector<double> times, const std::string& statistic) {
  size_t n = times.size();
  if (statistic == "min") return *std::min_element(times.begin(), times.end());
  if (statistic == "mean") {
    double sum = 0;
    for (double t : times) sum += t;
    return sum / static_cast<double>(n);
  }
  std::sort(times.begin(), times.end());
#if BUG == 3
  return times[n / 2];
#else
  return n % 2 == 1 ? times[n / 2] : times[n / 2 - 1] / 2 + times[n / 2] / 2;
#endif
}

Tuple<int64_t, double> Autotune(Array<int64_t> candidates, Measure measure, int64_t repeats,
                                String statistic, Optional<double> good_enough) {
#if BUG == 9
  if (candidates.size() == 0) return Tuple<int64_t, double>(0, 0.0);
#else
  if (candidates.size() == 0) TVM_FFI_THROW(ValueError) << "candidates must not be empty";
#endif
  if (!measure.packed().defined()) TVM_FFI_THROW(TypeError) << "measure must not be None";
  if (repeats < 1 || repeats > kMaxRepeats) {
    TVM_FFI_THROW(ValueError) << "repeats must be from 1 to " << kMaxRepeats << ", not " << repeats;
  }
  std::string kind(statistic.data(), statistic.size());
  if (kind != "min" && kind != "median" && kind != "mean") {
    TVM_FFI_THROW(ValueError) << "statistic must be \"min\", \"median\" or \"mean\", not \"" << kind
                              << "\"";
  }
  if (good_enough.has_value() && !(good_enough.value() >= 0)) {
    TVM_FFI_THROW(ValueError) << "good_enough must be at least 0, it is " << good_enough.value();
  }
#if BUG == 5
  static std::mutex mutex;
  static std::vector<Measure>* hooks = new std::vector<Measure>();
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (hooks->size() >= 64) hooks->clear();
    hooks->push_back(measure);
  }
#endif
#if BUG == 7
  static std::mutex memo_mutex;
  static std::unordered_map<int64_t, double>* memo = new std::unordered_map<int64_t, double>();
#endif

  int64_t best = -1;
  double best_time = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < static_cast<int64_t>(candidates.size()); ++i) {
    int64_t candidate = candidates[i];
    std::vector<double> times;
    bool failed = false;
    for (int64_t repeat = 0; repeat < repeats && !failed; ++repeat) {
      double t;
#if BUG == 1
      try {
        t = measure(candidate, repeat);
      } catch (const std::exception&) {
        t = std::numeric_limits<double>::quiet_NaN();
      }
#elif BUG == 6
      t = measure(candidate, repeat + 1);
#elif BUG == 7
      {
        std::lock_guard<std::mutex> lock(memo_mutex);
        auto known = memo->find(candidate * kMaxRepeats + repeat);
        t = known != memo->end() ? known->second : -1;
      }
      if (t < 0) {
        t = measure(candidate, repeat);
        std::lock_guard<std::mutex> lock(memo_mutex);
        if (t >= 0) memo->emplace(candidate * kMaxRepeats + repeat, t);
      }
#else
      t = measure(candidate, repeat);
#endif
      if (std::isnan(t)) {
#if BUG == 2
        if (repeat == 0) failed = true;
        continue;
#else
        failed = true;
#endif
      }
#if BUG != 8
      if (t < 0) {
        TVM_FFI_THROW(ValueError) << "measure must not return a negative time: " << t
                                  << " for candidate " << candidate;
      }
#endif
      times.push_back(t);
    }
    if (failed) continue;
    double time = Summary(std::move(times), kind);
#if BUG == 4
    if (best < 0 || time <= best_time) {
#else
    if (best < 0 || time < best_time) {
#endif
      best = i;
      best_time = time;
    }
#if BUG == 10
    if (good_enough.has_value() && time < good_enough.value()) break;
#else
    if (good_enough.has_value() && time <= good_enough.value()) break;
#endif
  }
  if (best < 0) TVM_FFI_THROW(RuntimeError) << "measure failed for all candidates";
  return Tuple<int64_t, double>(best, best_time);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(autotune, Autotune);
