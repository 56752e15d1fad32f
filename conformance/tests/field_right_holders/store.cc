// SPDX-License-Identifier: Apache-2.0
// an object that keeps tensors by name, and callbacks that hear of them
class StoreObj : public ffi::Object {
 public:
  explicit StoreObj(int64_t capacity) : capacity_(capacity) {}
  int64_t put(String key, Tensor x) {
    check(dl(x), "x", {F32}, 1);
    REQUIRE(key.size() > 0, KeyError, "the key must not be empty");
    Optional<ffi::Function> hook;
    int64_t size;
    {
      std::lock_guard<std::mutex> guard(lock_);
      std::string k(key.data(), key.size());
      if (items_.find(k) == items_.end())
        REQUIRE(static_cast<int64_t>(items_.size()) < capacity_, ValueError, "the store is full: it holds " << capacity_);
      items_[k] = x;
      hook = hook_;
      size = static_cast<int64_t>(items_.size());
    }
    if (hook.has_value()) (*hook)(key, size);
    return size;
  }
  Tensor get(String key) const {
    std::lock_guard<std::mutex> guard(lock_);
    auto it = items_.find(std::string(key.data(), key.size()));
    REQUIRE(it != items_.end(), KeyError, "no tensor " << key);
    return it->second;
  }
  bool drop(String key) {
    Tensor gone;
    std::lock_guard<std::mutex> guard(lock_);
    auto it = items_.find(std::string(key.data(), key.size()));
    if (it == items_.end()) return false;
    gone = it->second;
    items_.erase(it);
    return true;
  }
  Array<String> keys() const {
    std::lock_guard<std::mutex> guard(lock_);
    Array<String> out;
    for (const auto& kv : items_) out.push_back(String(kv.first));
    return out;
  }
  void watch(Optional<ffi::Function> hook) {
    std::lock_guard<std::mutex> guard(lock_);
    hook_ = hook;
  }
  double total() const {
    std::lock_guard<std::mutex> guard(lock_);
    double sum = 0;
    for (const auto& kv : items_)
      for (int64_t i = 0, n = count(dl(kv.second)); i < n; ++i) sum += load(dl(kv.second), i);
    return sum;
  }
  Map<String, Any> state() const {
    Array<String> names = keys();
    return Map<String, Any>{{"keys", names}, {"capacity", capacity_}, {"full", static_cast<int64_t>(names.size()) == capacity_}};
  }
  // a function that puts under one key
  ffi::Function putter(String key) const;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blind_t3.Store", StoreObj, ffi::Object);

 private:
  const int64_t capacity_;
  mutable std::mutex lock_;
  std::map<std::string, Tensor> items_;
  Optional<ffi::Function> hook_;
};
class Store : public ffi::ObjectRef {
 public:
  explicit Store(ffi::ObjectPtr<StoreObj> p) : ffi::ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Store, ffi::ObjectRef, StoreObj);
};
static StoreObj* inside(const Store& s) { return const_cast<StoreObj*>(s.operator->()); }
ffi::Function StoreObj::putter(String key) const {
  Store self = ffi::GetRef<Store>(this);
  return ffi::Function::FromTyped([self, key](Tensor x) { return inside(self)->put(key, x); });
}
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<StoreObj>()
      .def("put", &StoreObj::put)
      .def("get", &StoreObj::get)
      .def("drop", &StoreObj::drop)
      .def("keys", &StoreObj::keys)
      .def("watch", &StoreObj::watch)
      .def("total", &StoreObj::total)
      .def("state", &StoreObj::state)
      .def("putter", &StoreObj::putter);
}
Store store_new(int64_t capacity) {
  REQUIRE(capacity >= 1 && capacity <= 64, ValueError, "capacity must lie in [1, 64]");
  return Store(ffi::make_object<StoreObj>(capacity));
}
int64_t store_put(Store store, String key, Tensor x) { return inside(store)->put(key, x); }
double store_total(Store store, Array<double> weights) {
  for (double w : weights) REQUIRE(w >= -100 && w <= 100, ValueError, "weights must lie in [-100, 100]");
  double product = 1;
  for (double w : weights) product *= w;
  return inside(store)->total() * product;
}
void store_watch(Store store, Optional<ffi::Function> hook) { inside(store)->watch(hook); }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_new, store_new);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_put, store_put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_total, store_total);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_watch, store_watch);
