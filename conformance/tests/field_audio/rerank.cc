// SPDX-License-Identifier: Apache-2.0
// rerank: the final list of a recommender, with pinned items and a limit for each group.
//
//   scores         [n]             float32 or float64, not NaN
//   groups         [n]             int32, such as the seller of an item
//   k              1 to 1000       length of the list; it may come out shorter
//   max_per_group  int or None     1 or more; pinned items count, but are never left out for it
//   min_score      float or None   not NaN; items below it are left out, if they aren't pinned
//   pinned         array of ints   items that come first, in this order; distinct, at most k
//   boost          function or None   (score, group) -> score; called once for each item, in order;
//                                  the scores it returns are used for all else; must not be NaN
//
// Returns the tuple (items [m] int64, scores [m] of the type of scores). Items that are not pinned
// come by falling score, of equal ones the one of the lower index first.
namespace {

struct Item {
  double score;
  int64_t index;
  int32_t group;
};

double Boosted(const Function& boost, double score, int32_t group) {
#if BUG == 3
  try {
    return boost(score, static_cast<int64_t>(group)).cast<double>();
  } catch (const ffi::Error&) {
    return score;  // better an item without its boost than no list
  }
#else
  return boost(score, static_cast<int64_t>(group)).cast<double>();
#endif
}

Tuple<Tensor, Tensor> Rerank(DLTensor* scores_tensor, DLTensor* groups_tensor, int64_t k,
                             Optional<int64_t> max_per_group, Optional<double> min_score,
                             Array<int64_t> pinned, Optional<Function> boost) {
  const Arg scores("scores", scores_tensor);
  const Arg groups("groups", groups_tensor);
  scores.Type({kF32, kF64}).Rank(1).Cpu().Contiguous();
  const int64_t n = scores.dim(0);
  groups.Type({kI32}).Rank(1).Extent(0, n).Cpu().Contiguous();
  if (k < 1 || k > 1000) TVM_FFI_THROW(ValueError) << "k must be from 1 to 1000, not " << k;
  if (max_per_group.has_value() && max_per_group.value() < 1) {
    TVM_FFI_THROW(ValueError) << "max_per_group must be 1 or more, not " << max_per_group.value();
  }
  if (min_score.has_value() && std::isnan(min_score.value())) {
    TVM_FFI_THROW(ValueError) << "min_score must not be NaN";
  }
  if (static_cast<int64_t>(pinned.size()) > k) {
    TVM_FFI_THROW(ValueError) << "pinned must not have more than k items";
  }
  std::unordered_set<int64_t> first;
  for (int64_t item : pinned) {
    if (item < 0 || item >= n) {
      TVM_FFI_THROW(IndexError) << "pinned must be from 0 to " << n - 1 << ", not " << item;
    }
#if BUG == 6
    first.insert(item);
#else
    if (!first.insert(item).second) {
      TVM_FFI_THROW(ValueError) << "pinned must not have " << item << " twice";
    }
#endif
  }
  const int32_t* group = groups.data<int32_t>();
#if BUG == 7
  Item* items = new Item[n + 1];
#else
  std::vector<Item> items(n);
#endif
  for (int64_t i = 0; i < n; ++i) {
    const double s = scores.Is(kF32) ? scores.data<float>()[i] : scores.data<double>()[i];
    if (std::isnan(s)) TVM_FFI_THROW(ValueError) << "scores must not be NaN";
    items[i] = Item{s, i, group[i]};
  }
  if (boost.has_value()) {
    // What the caller's function does to the tensors does not matter any more.
    const Function f = boost.value();
#if BUG == 4
    std::unordered_map<int32_t, double> factor;  // one call for each group
#endif
    for (int64_t i = 0; i < n; ++i) {
      Item& it = items[i];
#if BUG == 4
      auto at = factor.find(it.group);
      if (at != factor.end() && it.score != 0) {
        it.score *= at->second;
        continue;
      }
      const double before = it.score;
#endif
      it.score = Boosted(f, it.score, it.group);
      if (std::isnan(it.score)) TVM_FFI_THROW(ValueError) << "boost must not return NaN";
#if BUG == 4
      if (before != 0) factor[it.group] = it.score / before;
#endif
    }
  }

  std::vector<Item> list;
  std::unordered_map<int32_t, int64_t> used;
  for (int64_t item : pinned) {
    list.push_back(items[item]);
#if BUG != 2
    ++used[items[item].group];
#endif
  }
  std::vector<Item> rest;
  for (int64_t i = 0; i < n; ++i) {
    if (first.count(i) != 0) continue;
#if BUG == 5
    if (min_score.has_value() && !(items[i].score > min_score.value())) continue;
#else
    if (min_score.has_value() && items[i].score < min_score.value()) continue;
#endif
    rest.push_back(items[i]);
  }
#if BUG == 7
  delete[] items;
#endif
  std::sort(rest.begin(), rest.end(), [](const Item& a, const Item& b) {
    if (a.score != b.score) return a.score > b.score;
#if BUG == 1
    return a.index > b.index;
#else
    return a.index < b.index;
#endif
  });
  for (const Item& it : rest) {
    if (static_cast<int64_t>(list.size()) >= k) break;
    if (max_per_group.has_value() && used[it.group] >= max_per_group.value()) continue;
    ++used[it.group];
    list.push_back(it);
  }

  const int64_t m = static_cast<int64_t>(list.size());
#if BUG == 8
  const Tensor out_items = NewTensor({m}, kI32, scores.device());
#else
  const Tensor out_items = NewTensor({m}, kI64, scores.device());
#endif
  const Tensor out_scores = NewTensor({m}, scores.type(), scores.device());
  for (int64_t i = 0; i < m; ++i) {
#if BUG == 8
    Arg("items", out_items).data<int32_t>()[i] = static_cast<int32_t>(list[i].index);
#else
    Arg("items", out_items).data<int64_t>()[i] = list[i].index;
#endif
    if (scores.Is(kF32)) {
      Arg("scores", out_scores).data<float>()[i] = static_cast<float>(list[i].score);
    } else {
      Arg("scores", out_scores).data<double>()[i] = list[i].score;
    }
  }
  return Tuple<Tensor, Tensor>(out_items, out_scores);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rerank, Rerank);
