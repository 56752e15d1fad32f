// SPDX-License-Identifier: Apache-2.0
// Joins two tables by one or more key columns.
namespace host {

enum class How { kInner, kLeft, kSemi, kAnti };

template <typename K>
struct Side {
  std::vector<const K*> columns;
  const uint8_t* valid = nullptr;  // null: all rows are
  int64_t rows = 0;

  bool Valid(int64_t row) const { return valid == nullptr || valid[row] != 0; }
};

template <typename K>
uint64_t HashRow(const Side<K>& side, int64_t row) {
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (const K* column : side.columns) {
    uint64_t x = static_cast<uint64_t>(column[row]);
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
#if BUG == 4
    h += x;
#else
    h = (h ^ x) * 0xc4ceb9fe1a85ec53u;
    h ^= h >> 29;
#endif
  }
  return h;
}

template <typename K>
bool EqualRows(const Side<K>& a, int64_t i, const Side<K>& b, int64_t j) {
#if BUG == 4
  return HashRow(a, i) == HashRow(b, j);
#else
  for (size_t c = 0; c < a.columns.size(); ++c) {
    if (a.columns[c][i] != b.columns[c][j]) return false;
  }
  return true;
#endif
}

struct Pairs {
  std::vector<int64_t> left, right;
};

// The right rows of each hash, in order.
using Index = std::unordered_map<uint64_t, std::vector<int64_t>>;

template <typename K>
void Probe(const Side<K>& left, const Side<K>& right, const Index& index, How how, int64_t begin,
           int64_t end, Pairs* out) {
  for (int64_t i = begin; i < end; ++i) {
    bool found = false;
    const auto it = left.Valid(i) ? index.find(HashRow(left, i)) : index.end();
    if (it != index.end()) {
      for (int64_t j : it->second) {
        if (!EqualRows(left, i, right, j)) continue;
        found = true;
        if (how == How::kSemi || how == How::kAnti) break;
        out->left.push_back(i);
        out->right.push_back(j);
#if BUG == 2
        break;
#endif
      }
    }
    if (how == How::kLeft && !found) {
      out->left.push_back(i);
      out->right.push_back(BUG == 5 ? 0 : -1);
    }
#if BUG == 9
    if ((how == How::kSemi && found) || (how == How::kAnti && !found && left.Valid(i))) {
      out->left.push_back(i);
    }
#else
    if ((how == How::kSemi && found) || (how == How::kAnti && !found)) out->left.push_back(i);
#endif
  }
}

template <typename K>
Pairs Join(const Side<K>& left, const Side<K>& right, How how, int64_t threads) {
  Index index;
  for (int64_t j = 0; j < right.rows; ++j) {
#if BUG == 3
    index[HashRow(right, j)].push_back(j);
#else
    if (right.Valid(j)) index[HashRow(right, j)].push_back(j);
#endif
  }
  // No thread for less than 64 rows.
  threads = std::max<int64_t>(1, std::min(threads, left.rows / 64));
  std::vector<Pairs> parts(static_cast<size_t>(threads));
  std::vector<std::exception_ptr> errors(static_cast<size_t>(threads));
  const int64_t share = (left.rows + threads - 1) / threads;
  const auto work = [&](int64_t t) {
    try {
      Probe(left, right, index, how, std::min(left.rows, t * share),
            std::min(left.rows, (t + 1) * share), &parts[BUG == 1 ? 0 : t]);
    } catch (...) {
      errors[t] = std::current_exception();
    }
  };
  std::vector<std::thread> workers;
  try {
    for (int64_t t = 1; t < threads; ++t) workers.emplace_back(work, t);
    work(0);
  } catch (...) {
    for (std::thread& w : workers) w.join();
    throw;
  }
  for (std::thread& w : workers) w.join();
  for (const std::exception_ptr& e : errors) {
    if (e) std::rethrow_exception(e);
  }
  for (int64_t t = 1; t < threads; ++t) {
    parts[0].left.insert(parts[0].left.end(), parts[t].left.begin(), parts[t].left.end());
    parts[0].right.insert(parts[0].right.end(), parts[t].right.begin(), parts[t].right.end());
  }
  return std::move(parts[0]);
}

inline const uint8_t* Mask(const Optional<Tensor>& valid, const char* name, int64_t rows) {
  if (!valid.has_value()) return nullptr;
  const Tensor held = valid.value();  // the argument keeps it alive
  const TensorView v(held);
  CheckDense(v, name, 1, {kBool});
  CheckExtent(v, name, 0, rows);
  return Data<const uint8_t>(v);
}

template <typename K>
Side<K> Read(const Array<Tensor>& columns, const Optional<Tensor>& valid, const char* name,
             const char* valid_name, DLDataType type) {
  Side<K> side;
  for (size_t c = 0; c < columns.size(); ++c) {
    const Tensor held = columns[static_cast<int64_t>(c)];
    if (!held.defined()) TVM_FFI_THROW(TypeError) << name << " must not have a column of None";
    const TensorView column(held);
    CheckDense(column, name, 1, {type});
    if (c == 0) side.rows = column.size(0);
#if BUG == 8
    if (column.size(0) < side.rows) {
      TVM_FFI_THROW(ValueError) << name << " must have columns of " << side.rows << " rows";
    }
#else
    CheckExtent(column, name, 0, side.rows);
#endif
    side.columns.push_back(Data<const K>(column));
  }
  side.valid = Mask(valid, valid_name, side.rows);
  return side;
}

template <typename K>
Pairs Run(const Array<Tensor>& left, const Array<Tensor>& right,
          const Optional<Tensor>& left_valid, const Optional<Tensor>& right_valid, How how,
          int64_t threads, DLDataType type) {
  return Join(Read<K>(left, left_valid, "left", "left_valid", type),
              Read<K>(right, right_valid, "right", "right_valid", type), how, threads);
}

// Key columns of either table, of one type. Rows that are not valid match none. Returns rows of
// both tables side by side; of semi and anti joins those of the left one, and None.
Tuple<Tensor, Optional<Tensor>> HashJoin(Array<Tensor> left, Array<Tensor> right, String how,
                                         Optional<Tensor> left_valid,
                                         Optional<Tensor> right_valid, int64_t threads,
                                         Optional<int64_t> limit) {
  if (left.empty()) TVM_FFI_THROW(ValueError) << "left must have a column";
#if BUG == 7
  if (right.empty()) TVM_FFI_THROW(ValueError) << "right must have a column";
  if (right.size() < left.size()) {
    TVM_FFI_THROW(ValueError) << "right must have " << left.size() << " columns";
  }
#else
  if (right.size() != left.size()) {
    TVM_FFI_THROW(ValueError) << "right must have " << left.size() << " columns, got "
                              << right.size();
  }
#endif
  const bool pairs = how == "inner" || how == "left";
  if (!pairs && how != "semi" && how != "anti") {
    TVM_FFI_THROW(ValueError) << "how must be inner, left, semi or anti";
  }
  const How way = how == "inner"  ? How::kInner
                  : how == "left" ? How::kLeft
                  : how == "semi" ? How::kSemi
                                  : How::kAnti;
  if (threads < 1 || threads > 16) {
    TVM_FFI_THROW(ValueError) << "threads must be from 1 to 16, got " << threads;
  }
  if (limit.has_value() && limit.value() < 0) {
    TVM_FFI_THROW(ValueError) << "limit must be at least 0, got " << limit.value();
  }
  const Tensor first = left[0];
  if (!first.defined()) TVM_FFI_THROW(TypeError) << "left must not have a column of None";
  const DLDataType type = first.dtype();
  CheckType(TensorView(first), "left", {kI32, kI64});
  const Pairs found = Same(type, kI32)
                          ? Run<int32_t>(left, right, left_valid, right_valid, way, threads, type)
                          : Run<int64_t>(left, right, left_valid, right_valid, way, threads, type);
  const auto size = static_cast<int64_t>(found.left.size());
#if BUG == 6
  if (limit.has_value() && size >= limit.value() && size > 0) {
#else
  if (limit.has_value() && size > limit.value()) {
#endif
    TVM_FFI_THROW(ValueError) << "limit is exceeded: the join has " << size << " rows";
  }
  const Tensor rows = NewVector(found.left, kI64);
  if (!pairs) return Tuple<Tensor, Optional<Tensor>>(rows, std::nullopt);
  return Tuple<Tensor, Optional<Tensor>>(rows, NewVector(found.right, kI64));
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(hash_join, host::HashJoin);
