// SPDX-License-Identifier: Apache-2.0
// Named tensors, kept until they are dropped or replaced. They are not copied.
namespace x4 {
namespace {

class Registry {
 public:
  // Never destroyed: at the end of the process the runtime may be gone before this library.
  static Registry& Get() {
    static Registry* one = new Registry();
    return *one;
  }

  void Put(const std::string& name, ffi::Tensor x) {
    // What is replaced is released after the lock is.
    std::lock_guard<std::mutex> hold(lock_);
    std::swap(tables_[name], x);
  }

  ffi::Tensor Find(const std::string& name) {
    std::lock_guard<std::mutex> hold(lock_);
    auto it = tables_.find(name);
    if (it == tables_.end()) TVM_FFI_THROW(KeyError) << "no table \"" << name << '"';
    return it->second;
  }

  bool Drop(const std::string& name) {
    ffi::Tensor gone;
    std::lock_guard<std::mutex> hold(lock_);
    auto it = tables_.find(name);
    if (it == tables_.end()) return false;
    gone = std::move(it->second);
    tables_.erase(it);
    return true;
  }

 private:
  std::mutex lock_;
  std::map<std::string, ffi::Tensor> tables_;
};

std::string Checked(const ffi::String& name) {
  if (name.empty() || name.size() > 64) {
    TVM_FFI_THROW(ValueError) << "a name has 1 to 64 bytes";
  }
  return name;
}

void Put(ffi::String name, ffi::Tensor x) {
  if (!x.defined()) TVM_FFI_THROW(TypeError) << "a tensor is expected, not None";
  if (x.ndim() != 1) TVM_FFI_THROW(ValueError) << "a table has 1 dimension";
  if (!holds<float>(x.dtype())) TVM_FFI_THROW(TypeError) << "a table is of float32";
  plain(x, "x");
  Registry::Get().Put(Checked(name), std::move(x));
}

double Sum(ffi::String name) {
  ffi::Tensor x = Registry::Get().Find(Checked(name));
  const float* p = first<float>(x);
  return std::accumulate(p, p + x.size(0), 0.0);
}

ffi::Tensor Find(ffi::String name) { return Registry::Get().Find(Checked(name)); }

bool Drop(ffi::String name) { return Registry::Get().Drop(Checked(name)); }

}  // namespace
}  // namespace x4

TVM_FFI_DLL_EXPORT_TYPED_FUNC(table_put, x4::Put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(table_sum, x4::Sum);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(table_get, x4::Find);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(table_drop, x4::Drop);
