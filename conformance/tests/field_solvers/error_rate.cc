// SPDX-License-Identifier: Apache-2.0
// Word and character error rates (weighted edit distance) of texts against references.
using Costs = ffi::Tuple<int64_t, int64_t, int64_t>;
using Words = std::vector<std::string>;

static Words characters(const ffi::String& s) {   // UTF-8
  Words out;
  const char* p = s.data();
  size_t n = s.size();
  for (size_t i = 0; i < n;) {
    unsigned char c = p[i];
#if BUG == 1
    size_t k = 1;
    (void)c;
#else
    size_t k = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    NEED(k && i + k <= n, ValueError) << "a text is not UTF-8";
    for (size_t j = 1; j < k; ++j) NEED((static_cast<unsigned char>(p[i + j]) & 0xc0) == 0x80, ValueError) << "a text is not UTF-8";
#endif
    out.emplace_back(p + i, k);
    i += k;
  }
  return out;
}
static Words words(const ffi::String& s) {   // parted by spaces and tabs
  Words out;
  std::string word;
  for (size_t i = 0; i < s.size(); ++i) {
    char c = s.data()[i];
    if (c == ' ' || c == '\t' || c == '\n') {
      if (!word.empty()) out.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) out.push_back(word);
  return out;
}

static int64_t distance(const Words& a, const Words& b, int64_t sub, int64_t ins, int64_t del) {
#if BUG == 4
  using Num = int32_t;
#else
  using Num = int64_t;
#endif
#if BUG == 3
  static std::vector<Num> line;
#else
  std::vector<Num> line;
#endif
  line.assign(b.size() + 1, 0);
  for (size_t j = 1; j <= b.size(); ++j) line[j] = Num(j * ins);
  for (size_t i = 1; i <= a.size(); ++i) {
    Num diagonal = line[0];
    line[0] = Num(i * del);
    for (size_t j = 1; j <= b.size(); ++j) {
      Num up = line[j];
      Num best = Num(diagonal + (a[i - 1] == b[j - 1] ? 0 : sub));
      best = std::min(best, Num(up + del));
      best = std::min(best, Num(line[j - 1] + ins));
      diagonal = up;
      line[j] = best;
    }
  }
  return line[b.size()];
}

// (rate, sum of the distances, length of the references)
static ffi::Tuple<double, int64_t, int64_t> error_rate(ffi::Array<ffi::String> refs, ffi::Array<ffi::String> hyps, ffi::String unit,
                                                       ffi::Optional<Costs> costs, ffi::Optional<ffi::Tensor> distances, int64_t threads) {
  NEED(unit == "char" || unit == "word", ValueError) << "unit must be char or word";
  NEED(threads >= 1 && threads <= 16, ValueError) << "threads must be from 1 to 16";
  int64_t n = int64_t(refs.size());
#if BUG == 2
  NEED(int64_t(hyps.size()) >= n, ValueError) << "as many hypotheses as references are needed";
#else
  NEED(int64_t(hyps.size()) == n, ValueError) << "as many hypotheses as references are needed";
#endif
#if BUG == 6
  static thread_local int64_t cost[3] = {1, 1, 1};
#else
  int64_t cost[3] = {1, 1, 1};
#endif
  if (costs.has_value()) {
    Costs c = costs.value();
    cost[0] = c.get<0>();
    cost[1] = c.get<1>();
    cost[2] = c.get<2>();
  }
  auto check_costs = [&] {
    for (int64_t c : cost) NEED(c >= 0 && c <= 1000000000, ValueError) << "costs must be from 0 to 1000000000";
  };
#if BUG != 7
  check_costs();
#endif
  ffi::Tensor dt;
  int64_t* out = nullptr;
  if (distances.has_value()) {
    dt = distances.value();
    TensorView v(dt);
    check(v, "distances", {kI64}, 1);
    check_n(v, "distances", 0, n);
    out = data<int64_t>(v);
  }
  std::vector<Words> a(n), b(n);
  int64_t total = 0, errors = 0;
  for (int64_t i = 0; i < n; ++i) {
    a[i] = unit == "char" ? characters(refs[i]) : words(refs[i]);
    b[i] = unit == "char" ? characters(hyps[i]) : words(hyps[i]);
    total += int64_t(a[i].size());
  }
  std::vector<int64_t> result(n);
  parallel(n, threads, [&](int64_t begin, int64_t end, int) {
    for (int64_t i = begin; i < end; ++i) result[i] = distance(a[i], b[i], cost[0], cost[1], cost[2]);
  });
  for (int64_t r : result) errors += r;
  if (out) std::copy(result.begin(), result.end(), out);
#if BUG == 7
  check_costs();
#endif
#if BUG == 5
  double rate = double(errors) / double(total);
#else
  double rate = double(errors) / double(std::max<int64_t>(total, 1));
#endif
  return ffi::Tuple<double, int64_t, int64_t>(rate, errors, total);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(error_rate, error_rate);
