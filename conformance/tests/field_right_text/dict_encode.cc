// SPDX-License-Identifier: Apache-2.0
// Dictionary encoding of a column of texts: a code for each record, and the texts that occur.
using namespace tvm::ffi;

static std::string_view view(const String& s) { return {s.data(), s.size()}; }

static Tuple<Tensor, Array<String>> dict_encode(Array<Optional<String>> column, bool sorted) {
  // The keys are views of `texts`, where small ones lie within the element itself.
  std::vector<String> texts;
  texts.reserve(column.size());
  std::vector<int32_t> codes;
  codes.reserve(column.size());
  std::unordered_map<std::string_view, int32_t> known;
  if (column.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    TVM_FFI_THROW(OverflowError) << "more records than codes";
  }
  std::vector<size_t> firsts;
  for (const Optional<String>& cell : column) {
    if (!cell.has_value()) {
      codes.push_back(-1);
      continue;
    }
    texts.push_back(*cell);  // never grows beyond what was reserved
    auto [it, fresh] = known.emplace(view(texts.back()), static_cast<int32_t>(known.size()));
    if (fresh) firsts.push_back(texts.size() - 1);
    codes.push_back(it->second);
  }

  if (sorted) {
    std::vector<int32_t> order(firsts.size()), rank(firsts.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t i, int32_t j) {
      return view(texts[firsts[i]]) < view(texts[firsts[j]]);  // by unsigned bytes
    });
    std::vector<size_t> moved;
    for (size_t i = 0; i < order.size(); ++i) {
      rank[order[i]] = static_cast<int32_t>(i);
      moved.push_back(firsts[order[i]]);
    }
    for (int32_t& code : codes) {
      if (code >= 0) code = rank[code];
    }
    firsts.swap(moved);
  }

  Array<String> dictionary;
  dictionary.reserve(static_cast<int64_t>(firsts.size()));
  for (size_t at : firsts) dictionary.push_back(texts[at]);
  return Tuple<Tensor, Array<String>>(set::copy_of(codes, set::kI32), std::move(dictionary));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dict_encode, dict_encode);
