// SPDX-License-Identifier: Apache-2.0
// Tensors by name, as many as the cache has room for: the one that was not used for the longest
// time goes first. A tensor is kept, not copied, and comes back as it is.
namespace x7 {

using namespace tvm::ffi;

class TensorCacheObj : public Object {
 public:
  explicit TensorCacheObj(size_t room) : room_(room) {}

  Optional<String> Put(const String& key, Tensor value) {
    std::list<Entry> old;  // dropped when the lock is gone: a deleter may do anything
    Optional<String> gone;
    std::lock_guard<std::mutex> hold(mutex_);
    std::list<Entry> one;
    one.emplace_back(std::string(key.data(), key.size()), std::move(value));
    auto it = by_key_.find(one.front().first);
    if (it != by_key_.end()) {
      old.splice(old.end(), entries_, it->second);
      by_key_.erase(it);
    }
    by_key_.emplace(one.front().first, one.begin());
    entries_.splice(entries_.begin(), one);
    if (entries_.size() > room_) {
      by_key_.erase(entries_.back().first);
      old.splice(old.end(), entries_, std::prev(entries_.end()));
      gone = String(old.back().first);
    }
    return gone;
  }

  Optional<Tensor> Get(const String& key) {
    std::lock_guard<std::mutex> hold(mutex_);
    auto it = by_key_.find(std::string(key.data(), key.size()));
    if (it == by_key_.end()) {
      ++misses_;
      return std::nullopt;
    }
    ++hits_;
    entries_.splice(entries_.begin(), entries_, it->second);
    return it->second->second;
  }

  Map<String, int64_t> Stats() {
    std::lock_guard<std::mutex> hold(mutex_);
    return {{"size", static_cast<int64_t>(entries_.size())}, {"hits", hits_}, {"misses", misses_}};
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("x7.TensorCache", TensorCacheObj, Object);

 private:
  using Entry = std::pair<std::string, Tensor>;
  const size_t room_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
  int64_t hits_ = 0, misses_ = 0;
};

class TensorCache : public ObjectRef {
 public:
  explicit TensorCache(ObjectPtr<TensorCacheObj> p) : ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TensorCache, ObjectRef, TensorCacheObj);
};

TensorCache open(int64_t room) {
  if (room < 1) TVM_FFI_THROW(ValueError) << "a cache needs room for a tensor";
  return TensorCache(make_object<TensorCacheObj>(static_cast<size_t>(room)));
}

Optional<String> put(TensorCache cache, String key, Tensor value) {
  if (!value.defined()) TVM_FFI_THROW(TypeError) << "None is not a tensor";
  return cache->Put(key, std::move(value));
}

Optional<Tensor> get(TensorCache cache, String key) { return cache->Get(key); }

Map<String, int64_t> stats(TensorCache cache) { return cache->Stats(); }

}  // namespace x7

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_open, x7::open);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_put, x7::put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_get, x7::get);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_stats, x7::stats);
