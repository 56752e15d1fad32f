// SPDX-License-Identifier: Apache-2.0
// How many intervals each point lies in. The ends of the last intervals are kept in order, since
// queries for the same ones tend to follow each other.
namespace {

namespace ffi = tvm::ffi;

struct Index {
  std::vector<int64_t> starts, ends;                // as they were given: the key
  std::vector<int64_t> sorted_starts, sorted_ends;  // what queries look at
};

class Cache {
 public:
  std::shared_ptr<const Index> Get(const int64_t* starts, const int64_t* ends, int64_t n) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (last_ != nullptr && last_->starts.size() == static_cast<size_t>(n) &&
          std::equal(starts, starts + n, last_->starts.begin()) &&
          std::equal(ends, ends + n, last_->ends.begin())) {
        return last_;
      }
    }
    auto made = std::make_shared<Index>();
    made->starts.assign(starts, starts + n);
    made->ends.assign(ends, ends + n);
    made->sorted_starts = made->starts;
    made->sorted_ends = made->ends;
    std::sort(made->sorted_starts.begin(), made->sorted_starts.end());
    std::sort(made->sorted_ends.begin(), made->sorted_ends.end());
    if (n <= kMostKept) {
      std::lock_guard<std::mutex> lock(mutex_);
      last_ = made;
    }
    return made;
  }

 private:
  static constexpr int64_t kMostKept = 1 << 16;
  std::mutex mutex_;
  std::shared_ptr<const Index> last_;
};

Cache& cache() {
  static Cache one;
  return one;
}

ffi::Tensor StabCount(ffi::TensorView starts, ffi::TensorView ends, ffi::TensorView points,
                      ffi::Map<ffi::String, ffi::Any> options) {
  bool closed = false;
  for (const auto& [key, value] : options) {
    if (key != "closed") TVM_FFI_THROW(KeyError) << "unknown option " << key;
    auto flag = value.try_cast<bool>();
    if (!flag.has_value()) TVM_FFI_THROW(TypeError) << "closed must be a bool";
    closed = *flag;
  }
  set::dense(starts, set::kI64, 1, "starts");
  set::dense(ends, set::kI64, 1, "ends");
  set::dense(points, set::kI64, 1, "points");
  const int64_t n = starts.size(0), m = points.size(0);
  TVM_FFI_CHECK_EQ(ends.size(0), n, ValueError) << "starts and ends must be pairs";
  const int64_t* from = set::begin<const int64_t>(starts);
  const int64_t* to = set::begin<const int64_t>(ends);
  for (int64_t i = 0; i < n; ++i) {
    TVM_FFI_CHECK_LE(from[i], to[i], ValueError) << "interval " << i << " ends before it starts";
  }

  ffi::Tensor counts = set::make({m}, set::kI64);
  const std::shared_ptr<const Index> index = cache().Get(from, to, n);
  const int64_t* point = set::begin<const int64_t>(points);
  int64_t* count = set::begin<int64_t>(counts);
  const auto& s = index->sorted_starts;
  const auto& e = index->sorted_ends;
  for (int64_t i = 0; i < m; ++i) {
    auto begun = std::upper_bound(s.begin(), s.end(), point[i]) - s.begin();
    auto over = closed ? std::lower_bound(e.begin(), e.end(), point[i])
                       : std::upper_bound(e.begin(), e.end(), point[i]);
    count[i] = begun - (over - e.begin());
  }
  return counts;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(stab_count, StabCount);
