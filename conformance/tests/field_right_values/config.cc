// SPDX-License-Identifier: Apache-2.0
// Options: maps with entries of every kind, nested; keys that are not known are ignored.
template <class T>
T typed(const Any& a, const char* what) {
  auto v = a.try_cast<T>();
  REQUIRE(TypeError, v.has_value()) << what << ": wrong type";
  return *v;
}
Map<String, int64_t> Configure(Map<String, Any> options) {
  auto need = [](const Map<String, Any>& m, const char* key) {
    auto v = m.Get(key);
    REQUIRE(KeyError, v.has_value()) << "option \"" << key << "\" is missing";
    return *v;
  };
  auto tile = typed<Array<Any>>(need(options, "tile"), "tile");
  REQUIRE(ValueError, tile.size() == 2) << "tile: must have two numbers";
  int64_t a = to_int(tile[0], "tile"), b = to_int(tile[1], "tile");
  REQUIRE(ValueError, a >= 1 && a <= 16 && b >= 1 && b <= 16) << "tile: must be from 1 to 16";
  Any mode = need(options, "mode");
  int64_t m = -1;
  if (auto text = mode.try_cast<String>()) {
    REQUIRE(ValueError, *text == "auto") << "mode: unknown";
  } else {
    m = to_int(mode, "mode");
    REQUIRE(ValueError, m >= 0 && m <= 3) << "mode: must be from 0 to 3";
  }
  auto limits = typed<Map<String, Any>>(need(options, "limits"), "limits");
  double high = to_float(need(limits, "high"), "high");
  REQUIRE(ValueError, high >= 0 && high <= 100) << "high: must be from 0 to 100";
  int64_t ordered = 0;
  if (auto low = limits.Get("low")) {
    double l = to_float(*low, "low");
    REQUIRE(ValueError, l >= 0 && l <= high) << "low: must be from 0 to high";
    ordered = 1;
  }
  int64_t names = 0;
  if (auto given = options.Get("names")) {
    auto all = typed<Array<Any>>(*given, "names");
    for (Any n : all) to_string(n, "names");
    names = int64_t(all.size());
  }
  Map<String, int64_t> out;
  out.Set("area", a * b), out.Set("mode", m), out.Set("names", names), out.Set("low_given", ordered);
  return out;
}
// weights by number; (scale, whether negative)
double Weigh(Map<int64_t, double> weights, Tuple<double, bool> how) {
  double sum = 0;
  for (auto [key, w] : weights) {
    REQUIRE(ValueError, key >= 0 && key <= 1000) << "keys must be from 0 to 1000";
    REQUIRE(ValueError, w >= 0 && w <= 100) << "weights must be from 0 to 100";
    sum += double(key) * w;
  }
  double scale = how.get<0>();
  REQUIRE(ValueError, scale >= 0 && scale <= 4) << "scale must be from 0 to 4";
  return how.get<1>() ? -sum * scale : sum * scale;
}
// how many numbers each group has, and all of them in one list
Tuple<Array<int64_t>, Shape> Groups(Array<Variant<int64_t, Array<int64_t>>> groups) {
  Array<int64_t> lengths;
  std::vector<int64_t> all;
  for (const auto& g : groups) {
    Array<int64_t> numbers = g.as<int64_t>() ? Array<int64_t>{*g.as<int64_t>()} : g.get<Array<int64_t>>();
    for (int64_t n : numbers) {
      REQUIRE(ValueError, n >= 0) << "groups: numbers must not be negative";
      all.push_back(n);
    }
    lengths.push_back(int64_t(numbers.size()));
  }
  return Tuple<Array<int64_t>, Shape>(lengths, Shape(all));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(configure, Configure);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(weigh, Weigh);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(groups, Groups);
