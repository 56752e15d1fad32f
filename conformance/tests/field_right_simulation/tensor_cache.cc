// SPDX-License-Identifier: Apache-2.0
// A cache of tensors by name, which forgets what was not used for the longest time. It keeps the
// tensors themselves, not copies; what it gives is the tensor that was put in.
namespace {

using kit::ffi::Optional;
using kit::ffi::String;
using kit::ffi::Tensor;

class CacheObj : public kit::ffi::Object {
 public:
  explicit CacheObj(int64_t capacity) : capacity_(static_cast<size_t>(capacity)) {}

  int64_t Put(std::string name, Tensor value) {
    Entries gone;  // let go of behind the lock, since a deleter may do anything
    std::lock_guard<std::mutex> hold(lock_);
    auto found = index_.find(name);
    if (found != index_.end()) {
      gone.splice(gone.begin(), entries_, found->second);
      index_.erase(found);
    }
    entries_.emplace_front(name, std::move(value));
    index_.emplace(std::move(name), entries_.begin());
    if (entries_.size() > capacity_) {
      index_.erase(entries_.back().first);
      gone.splice(gone.begin(), entries_, std::prev(entries_.end()));
    }
    return static_cast<int64_t>(entries_.size());
  }

  Optional<Tensor> Get(const std::string& name) {
    std::lock_guard<std::mutex> hold(lock_);
    auto found = index_.find(name);
    if (found == index_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }

  int64_t Clear() {
    Entries gone;
    std::lock_guard<std::mutex> hold(lock_);
    gone.swap(entries_);
    index_.clear();
    return static_cast<int64_t>(gone.size());
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blind2.Cache", CacheObj, kit::ffi::Object);

 private:
  using Entries = std::list<std::pair<std::string, Tensor>>;
  const size_t capacity_;
  std::mutex lock_;
  Entries entries_;  // the one that was used last is the first
  std::unordered_map<std::string, Entries::iterator> index_;
};

KIT_HANDLE(Cache, CacheObj);

TVM_FFI_STATIC_INIT_BLOCK() {
  kit::ffi::reflection::ObjectDef<CacheObj>(kit::ffi::reflection::init(false))
      .def("clear", &CacheObj::Clear);
}

Cache New(int64_t capacity) {
  if (capacity < 1 || capacity > 1024) {
    TVM_FFI_THROW(ValueError) << "capacity must be from 1 to 1024";
  }
  return Cache(kit::ffi::make_object<CacheObj>(capacity));
}

int64_t Put(const Cache& cache, const String& name, const Tensor& value) {
  if (name.size() == 0) TVM_FFI_THROW(ValueError) << "name is empty";
  kit::Cells<float>(value, "value", {kit::kAny});
  return cache->Put(std::string(name.data(), name.size()), value);
}

Optional<Tensor> Get(const Cache& cache, const String& name) {
  return cache->Get(std::string(name.data(), name.size()));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_new, New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_put, Put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_get, Get);
