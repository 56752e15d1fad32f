// SPDX-License-Identifier: Apache-2.0
// Operators by name: op_register keeps a function, op_call calls it with whatever follows the name.
// Written against the C convention where the number of arguments is open.
namespace {

namespace ffi = tvm::ffi;

class Registry {
 public:
  static Registry* Global() {
    static Registry* self = new Registry();
    return self;
  }

  // Returns what was there before, so that it is released behind the lock.
  ffi::Function Set(const std::string& name, ffi::Function f, bool replace) {
    std::lock_guard<std::mutex> guard(lock_);
    auto it = table_.find(name);
    if (it == table_.end()) {
      if (table_.size() >= 1024) TVM_FFI_THROW(RuntimeError) << "no room for another operator";
      table_.emplace(name, std::move(f));
      return ffi::Function();
    }
    if (!replace) TVM_FFI_THROW(KeyError) << "operator " << name << " exists already";
    std::swap(it->second, f);
    return f;
  }

  ffi::Function Find(const std::string& name) {
    std::lock_guard<std::mutex> guard(lock_);
    auto it = table_.find(name);
    return it == table_.end() ? ffi::Function() : it->second;
  }

  ffi::Function Take(const std::string& name) {
    std::lock_guard<std::mutex> guard(lock_);
    auto it = table_.find(name);
    if (it == table_.end()) return ffi::Function();
    ffi::Function f = std::move(it->second);
    table_.erase(it);
    return f;
  }

 private:
  std::mutex lock_;
  std::unordered_map<std::string, ffi::Function> table_;
};

void Register(ffi::String name, ffi::Function f, ffi::Optional<bool> replace) {
  if (!f.defined()) TVM_FFI_THROW(TypeError) << "op_register: f is None";
  Registry::Global()->Set(std::string(kit::View(name)), std::move(f), replace.value_or(true));
}

bool Remove(ffi::String name) {
  return Registry::Global()->Take(std::string(kit::View(name))).defined();
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(op_register, Register);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(op_remove, Remove);

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_op_call(void*, const TVMFFIAny* args, int32_t num_args,
                                                    TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (num_args < 1) TVM_FFI_THROW(TypeError) << "op_call takes a name and its arguments";
  const auto* views = reinterpret_cast<const ffi::AnyView*>(args);
  std::optional<ffi::String> name = views[0].try_cast<ffi::String>();
  if (!name) TVM_FFI_THROW(TypeError) << "op_call: the name is a " << views[0].GetTypeKey();
  // A reference of its own: the operator may be removed while it runs.
  ffi::Function f = Registry::Global()->Find(std::string(kit::View(*name)));
  if (!f.defined()) TVM_FFI_THROW(KeyError) << "no operator " << *name;
  f.CallPacked(views + 1, num_args - 1, reinterpret_cast<ffi::Any*>(result));
  TVM_FFI_SAFE_CALL_END();
}
