// SPDX-License-Identifier: Apache-2.0
// A store of named tensors for the whole process. Tensors are kept and handed out as they are, not
// copied. It holds the 128 names that were put last; the store itself is never destroyed, since
// tensors may be released by code that is gone when static objects are.
#include <list>

namespace {

using tvm::ffi::Array;
using tvm::ffi::Optional;
using tvm::ffi::String;
using tvm::ffi::Tensor;

constexpr size_t kMost = 128;

struct Store {
  using Entry = std::pair<std::string, Tensor>;
  std::mutex lock;
  std::list<Entry> entries;  // the oldest first

  std::list<Entry>::iterator Find(std::string_view key) {
    return std::find_if(entries.begin(), entries.end(),
                        [key](const Entry& e) { return e.first == key; });
  }

  static Store& Get() {
    static Store* store = new Store;
    return *store;
  }
};

// Whether there was one of this name.
bool Put(String key, Tensor value) {
  if (key.size() == 0) TVM_FFI_THROW(ValueError) << "key is empty";
  kit::Given(value, "value");
  std::list<Store::Entry> fresh, gone;  // `gone` is released behind the lock
  fresh.emplace_back(std::string(kit::View(key)), std::move(value));
  Store& store = Store::Get();
  std::lock_guard<std::mutex> guard(store.lock);
  auto old = store.Find(kit::View(key));
  const bool replaced = old != store.entries.end();
  if (replaced) gone.splice(gone.end(), store.entries, old);
  store.entries.splice(store.entries.end(), fresh);
  if (store.entries.size() > kMost) gone.splice(gone.end(), store.entries, store.entries.begin());
  return replaced;
}

Optional<Tensor> Get(String key) {
  Store& store = Store::Get();
  std::lock_guard<std::mutex> guard(store.lock);
  auto it = store.Find(kit::View(key));
  if (it == store.entries.end()) return std::nullopt;
  return it->second;
}

bool Drop(String key) {
  std::list<Store::Entry> gone;
  Store& store = Store::Get();
  std::lock_guard<std::mutex> guard(store.lock);
  auto it = store.Find(kit::View(key));
  if (it == store.entries.end()) return false;
  gone.splice(gone.end(), store.entries, it);
  return true;
}

Array<String> Keys() {
  std::vector<std::string> keys;
  {
    Store& store = Store::Get();
    std::lock_guard<std::mutex> guard(store.lock);
    for (const Store::Entry& e : store.entries) keys.push_back(e.first);
  }
  std::sort(keys.begin(), keys.end());
  Array<String> out;
  for (const std::string& key : keys) out.push_back(String(key));
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_put, Put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_get, Get);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_drop, Drop);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_keys, Keys);
