// SPDX-License-Identifier: Apache-2.0
// What a compiler's runtime keeps for tuning: measuring tiles by a callback, a log of the best ones, and dispatch over
// compiled variants by the size of a dynamic extent.

static constexpr int64_t kMost = 4096;

// index and cost of the cheapest of the first `budget` tiles; the first of equals
Tuple<int64_t, double> tune(TensorView tiles, Function cost, Optional<int64_t> budget) {
  REQUIRE(cost.defined(), TypeError, "cost must not be None");
  CheckType("tiles", tiles, {kI32});
  CheckRank("tiles", tiles, 2);
  REQUIRE(tiles.size(1) == 2, ValueError, "tiles: pairs expected");
  CheckContiguous("tiles", tiles);
  int64_t k = tiles.size(0);
  REQUIRE(k >= 1 && k <= kMost, ValueError, "1 to " << kMost << " tiles expected");
  int64_t n = k;
  if (budget.has_value()) {
#if BUG == 3
    REQUIRE(budget.value() >= 0, ValueError, "budget must not be negative");
    if (budget.value() > 0)
#else
    REQUIRE(budget.value() >= 1, ValueError, "budget must be positive");
#endif
      n = std::min(n, budget.value());
  }
  const int32_t* t = Ptr<int32_t>(tiles);
  for (int64_t i = 0; i < 2 * k; ++i) REQUIRE(t[i] >= 1 && t[i] <= 1024, ValueError, "tiles must be in [1, 1024]");
  std::vector<int32_t> copy(t, t + 2 * n);  // the callback may do with its caller's memory what it likes
  int64_t at = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
    double v;
    try {
      v = cost(static_cast<int64_t>(copy[2 * i]), static_cast<int64_t>(copy[2 * i + 1])).cast<double>();
    } catch (const ffi::Error&) {
      continue;  // a tile that can't be compiled
    }
#else
    double v = cost(static_cast<int64_t>(copy[2 * i]), static_cast<int64_t>(copy[2 * i + 1])).cast<double>();
#endif
#if BUG != 1
    REQUIRE(!std::isnan(v), ValueError, "cost is not a number");
#endif
    if (v < best) {
      best = v;
      at = i;
    }
  }
  return Tuple<int64_t, double>(at, best);
}

struct Entry {
  double cost;
  std::vector<int64_t> tile;  // a copy: nothing of the caller's is kept
};
#if BUG == 4
using Key = std::string_view;
static Key KeyOf(const String& s) { return Key(s.data(), s.size()); }
#else
using Key = std::string;
static Key KeyOf(const String& s) { return Key(s.data(), s.size()); }
#endif
static std::mutex log_lock;
static std::map<Key, Entry>& Log() {
  static auto* log = new std::map<Key, Entry>;  // outlives whoever asks for it at exit
  return *log;
}

bool log_put(String key, Shape tile, double cost) {
  REQUIRE(key.size() > 0, ValueError, "key is empty");
  REQUIRE(tile.size() >= 1 && tile.size() <= 8, ValueError, "a tile of 1 to 8 numbers expected");
  for (int64_t v : tile) REQUIRE(v >= 1, ValueError, "a tile has positive numbers, got " << v);
  std::lock_guard<std::mutex> hold(log_lock);
  auto& log = Log();
#if BUG == 5
  auto [at, added] = log.try_emplace(KeyOf(key), Entry{cost, {tile.begin(), tile.end()}});
  REQUIRE(cost >= 0 && std::isfinite(cost), ValueError, "cost must be finite and not negative");
#else
  REQUIRE(cost >= 0 && std::isfinite(cost), ValueError, "cost must be finite and not negative");
  auto [at, added] = log.try_emplace(KeyOf(key), Entry{cost, {tile.begin(), tile.end()}});
#endif
  if (!added && !(cost < at->second.cost)) return false;
  at->second = Entry{cost, {tile.begin(), tile.end()}};
  return true;
}

Optional<Shape> log_get(String key) {
  std::lock_guard<std::mutex> hold(log_lock);
  auto found = Log().find(KeyOf(key));
  if (found == Log().end()) return std::nullopt;
  return Shape(found->second.tile);
}

int64_t log_clear() {
  std::lock_guard<std::mutex> hold(log_lock);
  int64_t n = static_cast<int64_t>(Log().size());
  Log().clear();
  return n;
}

// the sum of what sink says of each cost, in the order of the keys
double log_fold(Function sink) {
  REQUIRE(sink.defined(), TypeError, "sink must not be None");
  std::vector<std::pair<std::string, double>> entries;
  {
    std::lock_guard<std::mutex> hold(log_lock);
    for (auto& [key, entry] : Log()) entries.emplace_back(std::string(key), entry.cost);
  }
  double sum = 0;
  for (auto& [key, cost] : entries) sum += sink(String(key), cost).cast<double>();
  return sum;
}

// f(n): the variant for the least bound that n does not exceed
Function make_dispatcher(Array<int64_t> bounds, Array<Function> variants) {
  REQUIRE(bounds.size() >= 1, ValueError, "no bounds");
  REQUIRE(bounds.size() == variants.size(), ValueError, "a variant for each bound expected");
  for (const Function& f : variants) REQUIRE(f.defined(), TypeError, "variants: None among them");
  std::vector<int64_t> limits;
  for (int64_t b : bounds) {
    REQUIRE(b >= 1, ValueError, "bounds must be positive");
    REQUIRE(limits.empty() || b > limits.back(), ValueError, "bounds must rise");
    limits.push_back(b);
  }
#if BUG == 7
  std::vector<TVMFFIObjectHandle> held;
  for (Function f : variants) held.push_back(ffi::details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(f));
#else
  std::vector<Function> held(variants.begin(), variants.end());
#endif
  return Function::FromTyped([limits, held](int64_t n) -> double {
    REQUIRE(n >= 0, ValueError, "n must not be negative");
    size_t i = std::lower_bound(limits.begin(), limits.end(), n) - limits.begin();
#if BUG == 6
    i = std::min(i, limits.size() - 1);
#else
    REQUIRE(i < limits.size(), IndexError, "no variant for " << n);
#endif
#if BUG == 7
    TVMFFIAny arg, result;
    std::memset(&arg, 0, sizeof(arg));
    std::memset(&result, 0, sizeof(result));
    arg.type_index = kTVMFFIInt;
    arg.v_int64 = n;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(held[i], &arg, 1, &result));
    return ffi::details::AnyUnsafe::MoveTVMFFIAnyToAny(&result).cast<double>();
#else
    return held[i](n).cast<double>();
#endif
  });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(tune, tune);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(log_put, log_put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(log_get, log_get);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(log_clear, log_clear);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(log_fold, log_fold);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_dispatcher, make_dispatcher);
