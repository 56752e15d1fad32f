// SPDX-License-Identifier: Apache-2.0
// Sorting out duplicates, and joining two lists of keys.
namespace
{

template <typename T>
uint64_t OrderBits(T v)
{  // the order of these is that of the values; one number for all NaNs, and for both zeros
  if constexpr (std::is_same_v<T, float>) {
#if BUG == 2
    int32_t s;
    if (v == 0) v = 0;
    std::memcpy(&s, &v, 4);
    return static_cast<uint64_t>(static_cast<int64_t>(s)) ^ (uint64_t(1) << 63);
#else
    if (v == 0) v = 0;
    if (std::isnan(v)) return ~uint64_t(0);
#endif
    uint32_t u;
    std::memcpy(&u, &v, 4);
    return (u >> 31) ? ~u : u | 0x80000000u;
  } else {
    return static_cast<uint64_t>(static_cast<int64_t>(v)) ^ (uint64_t(1) << 63);
  }
}

template <typename T>
Tuple<Tensor, Optional<Tensor>, Optional<Tensor>> UniqueOf(TensorView x, bool inverse, bool counts)
{
  int64_t n = x.size(0);
  const T *p = Ptr<T>(x);
  std::vector<std::pair<uint64_t, int64_t>> order(n);
  for (int64_t i = 0; i < n; ++i) order[i] = {OrderBits<T>(p[i]), i};
  std::sort(order.begin(), order.end());
  std::vector<T> values;
  std::vector<int64_t> at(n), many;
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 6
    if (i == 0 || p[order[i].second] != p[order[i - 1].second]) {
#else
    if (i == 0 || order[i].first != order[i - 1].first) {
#endif
      T v = p[order[i].second];
      if constexpr (std::is_floating_point_v<T>) {
        if (v == 0) v = 0;
      }
      values.push_back(v);
      many.push_back(0);
    }
    ++many.back();
    at[order[i].second] = static_cast<int64_t>(values.size()) - 1;
  }
  Optional<Tensor> oi, oc;
#if BUG == 1
  if (inverse && n > 0) oi = FromVector(at, kI64);
  if (counts && n > 0) oc = FromVector(many, kI64);
#else
  if (inverse) oi = FromVector(at, kI64);
  if (counts) oc = FromVector(many, kI64);
#endif
  return Tuple<Tensor, Optional<Tensor>, Optional<Tensor>>(FromVector(values, x.dtype()), oi, oc);
}

Tuple<Tensor, Optional<Tensor>, Optional<Tensor>> Unique(TensorView x, bool return_inverse,
                                                         bool return_counts)
{
  CheckTensor(x, {kI32, kI64, kU8, kF32}, 1, "x");
  if (Is(x.dtype(), kI32)) return UniqueOf<int32_t>(x, return_inverse, return_counts);
  if (Is(x.dtype(), kI64)) return UniqueOf<int64_t>(x, return_inverse, return_counts);
  if (Is(x.dtype(), kU8)) return UniqueOf<uint8_t>(x, return_inverse, return_counts);
  return UniqueOf<float>(x, return_inverse, return_counts);
}

#if BUG == 5
using Key = uint32_t;
#else
using Key = int64_t;
#endif

// The pairs of rows with equal keys, by row of the left, then of the right.
Tuple<Tensor, Tensor> HashJoin(TensorView left, TensorView right, const String &how)
{
  CheckTensor(left, {kI64}, 1, "left");
  CheckTensor(right, {kI64}, 1, "right");
  std::string mode(how.data(), how.size());
#if BUG != 4
  REQUIRE(mode == "inner" || mode == "left" || mode == "anti", ValueError)
      << "how must be inner, left or anti, not \"" << mode << "\"";
#endif
  int64_t n = left.size(0), m = right.size(0);
  const int64_t *l = Ptr<int64_t>(left), *r = Ptr<int64_t>(right);
#if BUG == 3
  static std::unordered_map<Key, std::vector<int64_t>> table;
  table.clear();
#else
  std::unordered_map<Key, std::vector<int64_t>> table;
#endif
  for (int64_t i = 0; i < m; ++i) table[static_cast<Key>(r[i])].push_back(i);
  std::vector<int64_t> li, ri;
  for (int64_t i = 0; i < n; ++i) {
    auto it = table.find(static_cast<Key>(l[i]));
    if (it == table.end()) {
      if (mode == "left" || mode == "anti") {
        li.push_back(i);
        ri.push_back(-1);
      }
      continue;
    }
    if (mode == "anti") continue;
    for (int64_t k : it->second) {
      li.push_back(i);
      ri.push_back(k);
    }
    REQUIRE(li.size() <= size_t(1) << 27, ValueError) << "more than 2^27 pairs";
  }
  return Tuple<Tensor, Tensor>(FromVector(li, kI64), FromVector(ri, kI64));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(unique, Unique);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hash_join, HashJoin);
