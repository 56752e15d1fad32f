// SPDX-License-Identifier: Apache-2.0
// The order in which jobs run: a binary heap that asks the caller's function which of two keys
// comes first. Whatever that function says, each job comes once.
namespace {

using kit::ffi::Array;
using kit::ffi::Function;
using kit::ffi::Optional;

class Heap {
 public:
  Heap(const double* keys, int64_t n, const Optional<Function>& compare)
      : keys_(keys), compare_(compare), jobs_(static_cast<size_t>(n)) {
    std::iota(jobs_.begin(), jobs_.end(), int64_t{0});
    for (size_t i = jobs_.size() / 2; i-- > 0;) Sink(i);
  }

  int64_t Pop() {
    const int64_t first = jobs_.front();
    jobs_.front() = jobs_.back();
    jobs_.pop_back();
    if (!jobs_.empty()) Sink(0);
    return first;
  }

 private:
  bool Before(int64_t a, int64_t b) const {
    double sign = keys_[a] < keys_[b] ? -1 : keys_[a] > keys_[b] ? 1 : 0;
    if (compare_.has_value()) sign = (*compare_)(keys_[a], keys_[b]).cast<double>();
    if (std::isnan(sign)) TVM_FFI_THROW(ValueError) << "compare came to NaN";
    return sign != 0 ? sign < 0 : a < b;
  }

  void Sink(size_t at) {
    for (;;) {
      size_t best = at;
      for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < jobs_.size(); ++child) {
        if (Before(jobs_[child], jobs_[best])) best = child;
      }
      if (best == at) return;
      std::swap(jobs_[at], jobs_[best]);
      at = best;
    }
  }

  const double* keys_;
  const Optional<Function>& compare_;
  std::vector<int64_t> jobs_;
};

Array<int64_t> Schedule(kit::ffi::TensorView keys, Optional<Function> compare,
                        Optional<int64_t> limit) {
  const double* view = kit::Cells<double>(keys, "keys", {kit::kAny});
  const int64_t n = keys.size(0);
  const int64_t count = limit.has_value() ? *limit : n;
  if (count < 0 || count > n) TVM_FFI_THROW(ValueError) << "limit must be from 0 to " << n;
  // The function may change the tensor meanwhile.
  std::vector<double> own(view, view + n);
  for (double key : own) {
    if (!std::isfinite(key)) TVM_FFI_THROW(ValueError) << "a key is not finite";
  }
  Array<int64_t> order;
  if (count == 0) return order;
  Heap heap(own.data(), n, compare);
  for (int64_t i = 0; i < count; ++i) order.push_back(heap.Pop());
  return order;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(schedule, Schedule);
