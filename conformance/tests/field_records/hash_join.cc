// SPDX-License-Identifier: Apache-2.0
// Databases: joins two key columns (Arrow: keys and validity bitmaps), and returns the row numbers of both sides.
#include <unordered_map>
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

struct Bits {
  const uint8_t* p = nullptr;
  bool operator()(int64_t i) const {
#if BUG == 1
    return !p || (p[i >> 3] >> (7 - (i & 7)) & 1);
#else
    return !p || (p[i >> 3] >> (i & 7) & 1);
#endif
  }
};

static Bits bitmap(const Optional<Tensor>& t, Tensor* hold, const char* name, int64_t n, bool right) {
  Bits b;
  if (!t.has_value()) return b;
  *hold = t.value();
  TensorView v = view_of(*hold, name);
  check_cpu(v, name);
  check_same(v, name, kU8);
  check_rank(v, name, 1);
#if BUG == 3
  if (!right) check_size(v, name, 0, (n + 7) / 8);
#else
  check_size(v, name, 0, (n + 7) / 8);
#endif
  check_dense(v, name);
#if BUG == 2
  b.p = right ? static_cast<const uint8_t*>(v.data_ptr()) : data<uint8_t>(v);
#else
  b.p = data<uint8_t>(v);
#endif
  // a null pointer may stand for no bytes
  static const uint8_t none = 0;
  if (!b.p) b.p = &none;
  return b;
}

enum class How { kInner, kLeft, kSemi, kAnti };

template <class T>
ffi::Tuple<Tensor, Tensor> join(const TensorView& left, const TensorView& right, Bits lv, Bits rv, How how, bool null_equal,
                                std::optional<int64_t> max_rows) {
  int64_t n = left.shape()[0], m = right.shape()[0];
  const T *l = data<T>(left), *r = data<T>(right);
#if BUG == 5
  using Key = int32_t;
#else
  using Key = T;
#endif
  std::unordered_map<Key, std::vector<int64_t>> table;
  std::vector<int64_t> nulls;
  table.reserve(m);
  for (int64_t j = 0; j < m; ++j) {
    if (rv(j)) table[static_cast<Key>(r[j])].push_back(j);
    else if (null_equal) nulls.push_back(j);
  }
  static const std::vector<int64_t> none;
  auto matches = [&](int64_t i) -> const std::vector<int64_t>& {
    if (!lv(i)) return null_equal ? nulls : none;
    auto it = table.find(static_cast<Key>(l[i]));
    return it == table.end() ? none : it->second;
  };
  int64_t rows = 0;
  for (int64_t i = 0; i < n; ++i) {
    int64_t k = static_cast<int64_t>(matches(i).size());
    if (how == How::kInner) rows += k;
    else if (how == How::kLeft) rows += std::max<int64_t>(k, 1);
    else if (how == How::kSemi) rows += k > 0;
    else rows += k == 0;
  }
#if BUG == 6
  int64_t limit = max_rows.value_or(0);
  if (limit && rows > limit) TVM_FFI_THROW(ValueError) << "the join has " << rows << " rows";
#else
  if (max_rows && rows > *max_rows) TVM_FFI_THROW(ValueError) << "the join has " << rows << " rows";
#endif
  Tensor a = env_alloc({rows}, kI64), b = env_alloc({rows}, kI64);
  int64_t *pa = data<int64_t>(TensorView(a)), *pb = data<int64_t>(TensorView(b));
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    const std::vector<int64_t>& found = matches(i);
    if (how == How::kInner || how == How::kLeft)
      for (int64_t j : found) pa[at] = i, pb[at++] = j;
    if (how == How::kSemi && !found.empty()) pa[at] = i, pb[at++] = found[0];
#if BUG == 4
    if ((how == How::kLeft || how == How::kAnti) && found.empty()) pa[at++] = i;
#else
    if ((how == How::kLeft || how == How::kAnti) && found.empty()) pa[at] = i, pb[at++] = -1;
#endif
  }
  return ffi::Tuple<Tensor, Tensor>(a, b);
}

ffi::Tuple<Tensor, Tensor> hash_join(TensorView left, TensorView right, String how, Optional<Tensor> left_valid,
                                     Optional<Tensor> right_valid, bool null_equal, Optional<int64_t> max_rows) {
  check_cpu(left, "left");
#if BUG == 7
  check_cpu(left, "right");
#else
  check_cpu(right, "right");
#endif
  check_dtype(left, "left", {kI32, kI64});
  check_same(right, "right", left.dtype());
  check_rank(left, "left", 1);
  check_rank(right, "right", 1);
  check_dense(left, "left");
  check_dense(right, "right");
  check_aligned(left, "left");
  check_aligned(right, "right");
  How h;
  if (how == "inner") h = How::kInner;
  else if (how == "left") h = How::kLeft;
  else if (how == "semi") h = How::kSemi;
  else if (how == "anti") h = How::kAnti;
  else TVM_FFI_THROW(ValueError) << "unknown join " << how;
  std::optional<int64_t> limit;
  if (max_rows.has_value()) limit = max_rows.value();
  if (limit && *limit < 0) TVM_FFI_THROW(ValueError) << "max_rows must not be negative";
  Tensor hold_left, hold_right;
  Bits lv = bitmap(left_valid, &hold_left, "left_valid", left.shape()[0], false);
  Bits rv = bitmap(right_valid, &hold_right, "right_valid", right.shape()[0], true);
  if (same(left.dtype(), kI32)) return join<int32_t>(left, right, lv, rv, h, null_equal, limit);
  return join<int64_t>(left, right, lv, rv, h, null_equal, limit);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hash_join, hash_join);
