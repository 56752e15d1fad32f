// SPDX-License-Identifier: Apache-2.0
// Window functions for filters. Up to 32 windows are kept; callers get copies.
namespace {

using Weights = std::shared_ptr<const std::vector<double>>;
using Key = std::pair<int64_t, int>;  // length; kind and whether it is periodic

class Cache {
 public:
  Weights get(const Key& key) {
    std::lock_guard<std::mutex> hold(lock_);
    auto it = kept_.find(key);
    return it == kept_.end() ? nullptr : it->second;
  }
  void put(const Key& key, Weights w) {
    std::lock_guard<std::mutex> hold(lock_);
    if (kept_.size() >= 32) kept_.clear();
    kept_[key] = std::move(w);
  }

 private:
  std::mutex lock_;
  std::map<Key, Weights> kept_;
};

Weights compute(bool hamming, int64_t n, bool periodic) {
  auto w = std::make_shared<std::vector<double>>(n, 1.0);
  if (n > 1) {
    double span = static_cast<double>(periodic ? n : n - 1);
    double a = hamming ? 0.54 : 0.5;
    for (int64_t i = 0; i < n; ++i) {
      (*w)[i] = a - (1 - a) * std::cos(2 * 3.14159265358979323846 * static_cast<double>(i) / span);
    }
  }
  return w;
}

tvm::ffi::Tensor window(tvm::ffi::String kind, int64_t n, bool periodic) {
  static Cache cache;
  bool hamming = kind == "hamming";
  if (!hamming && kind != "hann") TVM_FFI_THROW(ValueError) << "unknown window: " << kind;
  if (n < 1 || n > 1024) TVM_FFI_THROW(ValueError) << "a window has 1 to 1024 weights";
  Key key(n, (hamming ? 2 : 0) + (periodic ? 1 : 0));
  Weights w = cache.get(key);
  if (w == nullptr) {
    w = compute(hamming, n, periodic);
    cache.put(key, w);
  }
  tvm::ffi::Tensor out = x4::make({n}, x4::type_of<double>());
  std::copy(w->begin(), w->end(), x4::first<double>(out));
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(window, window);
