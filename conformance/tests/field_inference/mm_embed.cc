// SPDX-License-Identifier: Apache-2.0
// Puts the features of images and audio in the place of the placeholder tokens of a prompt.
namespace {

template <typename I>
std::vector<int64_t> Places(const I* ids, int64_t n, const std::vector<int64_t>& tokens) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 1
    auto same = [&](int64_t t) { return int32_t(t) == int32_t(ids[i]); };
#else
    auto same = [&](int64_t t) { return t == int64_t(ids[i]); };
#endif
#if BUG == 6
    if (tokens.size() > 1 ? std::binary_search(tokens.begin(), tokens.end(), int64_t(ids[i])) : same(tokens[0]))
      places.push_back(i);
#else
    if (std::any_of(tokens.begin(), tokens.end(), same)) places.push_back(i);
#endif
  }
  return places;
}

int64_t merge_embeddings(TensorView input_ids, TensorView embeds, Array<Tensor> features,
                         Variant<int64_t, Array<int64_t>> placeholder) {
  CheckType(input_ids, {kI32, kI64}, "input_ids");
  CheckRank(input_ids, 1, "input_ids");
  CheckPlace(input_ids, "input_ids");
  CheckContiguous(input_ids, "input_ids");
  CheckType(embeds, {kF32, kF16, kBF16}, "embeds");
  CheckRank(embeds, 2, "embeds");
  CheckSize(embeds, 0, input_ids.size(0), "embeds");
  CheckPlace(embeds, "embeds");
  int64_t stride = CheckRows(embeds, "embeds", true), n = embeds.size(0), d = embeds.size(1), rows = 0;
  std::vector<int64_t> tokens;
  if (auto one = placeholder.as<int64_t>()) {
    tokens.push_back(*one);
  } else {
    for (int64_t t : placeholder.get<Array<int64_t>>()) tokens.push_back(t);
    REQUIRE(!tokens.empty(), ValueError) << "placeholder: at least one token is needed";
  }
  for (int64_t t : tokens) REQUIRE(t >= 0, ValueError) << "placeholder: " << t << " is no token";
  for (size_t i = 0; i < features.size(); ++i) {
    Tensor t = features[i];
    TensorView f = View(t, "features");
    CheckType(f, {embeds.dtype()}, "features");
    CheckRank(f, 2, "features");
#if BUG == 3
    if (i == 0)
#endif
      CheckSize(f, 1, d, "features");
    CheckPlace(f, "features");
    CheckContiguous(f, "features");
    rows += f.size(0);
  }
  std::vector<int64_t> places = input_ids.dtype().bits == 64 ? Places(Data<int64_t>(input_ids), n, tokens)
                                                             : Places(Data<int32_t>(input_ids), n, tokens);
#if BUG == 5
  if (int64_t(places.size()) != rows) return 0;
#elif BUG != 2
  REQUIRE(int64_t(places.size()) == rows, ValueError)
      << "features: " << rows << " rows for " << places.size() << " placeholders";
#endif
#if BUG == 4
  static std::mutex lock;
  static Array<Tensor> last;  // the copies below may still be under way
  {
    std::lock_guard<std::mutex> guard(lock);
    last = features;
  }
#endif
  size_t item = ItemSize(embeds), next = 0;
  char* to = Data<char>(embeds);
  for (const Tensor& t : features) {
    const char* from = Data<char>(t);
    for (int64_t r = 0; r < t.size(0); ++r, ++next) {
#if BUG == 2
      REQUIRE(next < places.size(), ValueError) << "features: more rows than " << places.size() << " placeholders";
#endif
      if (d > 0) std::memmove(to + places[next] * stride * item, from + r * d * item, d * item);
    }
  }
#if BUG == 2
  REQUIRE(next == places.size(), ValueError) << "features: fewer rows than " << places.size() << " placeholders";
#endif
  return rows;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge_embeddings, merge_embeddings)
