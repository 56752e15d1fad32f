// SPDX-License-Identifier: Apache-2.0
// cuts a vector into sections
ffi::Tuple<Array<Tensor>, int64_t> split(Tensor x, Array<int64_t> sections, Map<String, Any> options) {
  for (const auto& kv : options) REQUIRE(kv.first == "order" || kv.first == "scale", ValueError, "unknown option " << kv.first);
  check(dl(x), "x", {F32, F16}, 1);
  auto order = entry(options, String("order")).try_cast<String>();
  REQUIRE(order.has_value(), TypeError, "order must be a string");
  REQUIRE(*order == "forward" || *order == "backward", ValueError, "order must be forward or backward");
  double scale = 1;
  Any given = entry(options, String("scale"));
  if (given != nullptr) {
    auto v = given.try_cast<double>();
    REQUIRE(v.has_value(), TypeError, "scale must be a float");
    scale = *v;
    REQUIRE(scale >= 0 && scale <= 8, ValueError, "scale must lie in [0, 8]");
  }
  int64_t left = x.size(0);
  for (int64_t s : sections) {
    REQUIRE(s >= 0 && s <= left, ValueError, "sections must be of x");
    left -= s;
  }
  REQUIRE(left == 0, ValueError, "sections must cover x");
  std::vector<Tensor> parts;
  int64_t at = 0;
  for (int64_t s : sections) {
    Tensor y = alloc({s}, x.dtype());
    for (int64_t i = 0; i < s; ++i) store(dl(y), i, load(dl(x), at + i) * scale);
    at += s;
    parts.push_back(y);
  }
  if (*order == "backward") parts = std::vector<Tensor>(parts.rbegin(), parts.rend());
  return ffi::Tuple<Array<Tensor>, int64_t>(Array<Tensor>(parts.begin(), parts.end()), static_cast<int64_t>(parts.size()));
}
// min and max of each of several tensors, written where there is a place for them
Map<String, int64_t> ranges(Map<String, Tensor> inputs, Array<Tensor> lows, Optional<Tensor> high) {
  std::map<std::string, Tensor> in;
  for (const auto& kv : inputs) {
    check(dl(kv.second), "an element of inputs", {I32}, 1);
    in[std::string(kv.first.data(), kv.first.size())] = kv.second;
  }
  for (const char* k : {"left", "right"}) {
    REQUIRE(in.count(k), KeyError, k << " is missing");
    REQUIRE(in[k].size(0) > 0, ValueError, k << " is empty");
  }
  REQUIRE(in.size() == 2, ValueError, "inputs are left and right");
  REQUIRE(lows.size() == 2, ValueError, "lows must be two");
  for (const Tensor& t : lows) check(dl(t), "an element of lows", {I32}, 0);
  if (high.has_value()) {
    check(dl(*high), "high", {I32}, 1);
    REQUIRE((*high).size(0) == 2, ValueError, "high must have two elements");
  }
  Map<String, int64_t> out;
  int64_t i = 0;
  for (const char* k : {"left", "right"}) {
    Tensor x = in[k];
    const int32_t* v = data<int32_t>(dl(x));
    int32_t lo = v[0], hi = v[0];
    for (int64_t j = 0; j < x.size(0); ++j) lo = std::min(lo, v[j]), hi = std::max(hi, v[j]);
    data<int32_t>(dl(lows[i]))[0] = lo;
    if (high.has_value()) data<int32_t>(dl(*high))[i] = hi;
    out.Set(String(k), x.size(0));
    ++i;
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(split, split);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ranges, ranges);
