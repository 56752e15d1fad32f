// SPDX-License-Identifier: Apache-2.0
// Cache of encoder outputs by content hash (multimodal prefix caching): snapshots, least recently used out first.
#include <map>

namespace {

struct Entry {
  Tensor data;
  const char* from;
  uint64_t used_at;
};

class EncoderCacheObj : public ffi::Object {
 public:
  int64_t capacity;
  int64_t used = 0;
  uint64_t clock = 0;
  std::map<std::string, Entry> entries;
  std::mutex lock;

  explicit EncoderCacheObj(int64_t rows) : capacity(rows) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("p1.EncoderCache", EncoderCacheObj, ffi::Object);
};

class EncoderCache : public ffi::ObjectRef {
 public:
  explicit EncoderCache(int64_t rows) { data_ = ffi::make_object<EncoderCacheObj>(rows); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(EncoderCache, ffi::ObjectRef, EncoderCacheObj);
};

TVM_FFI_STATIC_INIT_BLOCK() { ffi::reflection::ObjectDef<EncoderCacheObj>(); }

std::string Key(const String& key) {
  std::string k = key;
  REQUIRE(!k.empty() && k.size() <= 256, ValueError) << "key: expected 1 to 256 bytes, got " << k.size();
#if BUG == 3
  k = k.substr(0, 16);  // enough of a hash
#endif
  return k;
}

EncoderCache encoder_cache(int64_t capacity) {
  REQUIRE(capacity >= 1 && capacity <= (int64_t(1) << 40), ValueError) << "capacity: out of range: " << capacity;
  return EncoderCache(capacity);
}

int64_t cache_put(EncoderCache cache, String key, TensorView features) {
  std::string k = Key(key);
  CheckType(features, {kF32, kF16, kBF16}, "features");
  CheckRank(features, 2, "features");
  CheckPlace(features, "features");
  CheckContiguous(features, "features");
  int64_t rows = features.size(0);
  EncoderCacheObj* c = cache.get();
#if BUG != 4
  REQUIRE(rows <= c->capacity, ValueError) << "features: " << rows << " rows, and room for " << c->capacity;
#endif
#if BUG == 1
  Tensor copy = Alloc({0, 0}, features.dtype());
  const char* from = Data<char>(features);
  std::vector<int64_t> shape{rows, features.size(1)}, strides = Strides(features);
  DLTensor view{};
  view.data = const_cast<char*>(from), view.device = kCPU, view.ndim = 2, view.dtype = features.dtype();
  view.shape = shape.data(), view.strides = strides.data();
  TVMFFIObjectHandle handle;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorCreateUnsafeView(
      ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(copy), &view, &handle));
  copy = Tensor(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(handle)));
#else
  Tensor copy = Alloc({rows, features.size(1)}, features.dtype());
  const char* from = Data<char>(copy);
  size_t size = size_t(features.numel()) * ItemSize(features);
  if (size > 0) std::memcpy(Data<char>(copy), Data<char>(features), size);
#endif
#if BUG != 6
  std::lock_guard<std::mutex> guard(c->lock);
#endif
  auto old = c->entries.find(k);
  if (old != c->entries.end()) {
#if BUG != 2
    c->used -= old->second.data.size(0);
#endif
    c->entries.erase(old);
  }
  while (c->used + rows > c->capacity && !c->entries.empty()) {
    auto least = c->entries.begin();
    for (auto it = c->entries.begin(); it != c->entries.end(); ++it)
      if (it->second.used_at < least->second.used_at) least = it;
    c->used -= least->second.data.size(0);
    c->entries.erase(least);
  }
#if BUG == 4
  REQUIRE(rows <= c->capacity, ValueError) << "features: " << rows << " rows, and room for " << c->capacity;
#endif
  c->entries.emplace(k, Entry{copy, from, ++c->clock});
  return c->used += rows;
}

Entry Find(EncoderCacheObj* c, const String& key) {
  std::string k = Key(key);
  std::lock_guard<std::mutex> guard(c->lock);
  auto it = c->entries.find(k);
  REQUIRE(it != c->entries.end(), KeyError) << "key: nothing is cached under \"" << key << "\"";
  it->second.used_at = ++c->clock;
  return it->second;
}

Tensor cache_get(EncoderCache cache, String key) {
  Entry e = Find(cache.get(), key);
#if BUG == 5
  return e.data;
#else
  Tensor out = Alloc({e.data.size(0), e.data.size(1)}, e.data.dtype());
  size_t size = size_t(out.numel()) * ItemSize(out);
  if (size > 0) std::memcpy(Data<char>(out), e.from, size);
  return out;
#endif
}

bool cache_has(EncoderCache cache, String key) {
  std::string k = Key(key);
  std::lock_guard<std::mutex> guard(cache->lock);
  return cache->entries.count(k) > 0;
}

int64_t cache_used(EncoderCache cache) {
  std::lock_guard<std::mutex> guard(cache->lock);
  return cache->used;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoder_cache, encoder_cache)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_put, cache_put)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_get, cache_get)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_has, cache_has)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cache_used, cache_used)
