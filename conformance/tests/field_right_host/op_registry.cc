// SPDX-License-Identifier: Apache-2.0
// Functions of a number by name, for the whole process: a later one of the same name takes the
// place of the earlier. A function is called without the lock, so it may use the registry itself.
using namespace tvm::ffi;

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, Function, std::less<>> ops;

  // Never destroyed: when the process ends, the code behind the functions may be gone before.
  static Registry& get() {
    static Registry* one = new Registry();
    return *one;
  }
};

std::string_view text(const String& s) { return {s.data(), s.size()}; }

bool add(String name, Function fn) {
  if (!fn.defined()) TVM_FFI_THROW(TypeError) << "fn must be a function";
  if (name.size() < 1 || name.size() > 64)
    TVM_FFI_THROW(ValueError) << "a name has 1 to 64 letters, this one " << name.size();
  Registry& r = Registry::get();
  std::lock_guard<std::mutex> hold(r.mutex);
  auto it = r.ops.find(text(name));
  if (it == r.ops.end()) {
    if (r.ops.size() >= 1000) TVM_FFI_THROW(RuntimeError) << "there are 1000 operators already";
    r.ops.emplace(text(name), std::move(fn));
    return false;
  }
  std::swap(it->second, fn);  // the old one is let go by the caller, behind the lock
  return true;
}

double call(String name, double x) {
  Function fn;
  {
    Registry& r = Registry::get();
    std::lock_guard<std::mutex> hold(r.mutex);
    auto it = r.ops.find(text(name));
    if (it == r.ops.end()) TVM_FFI_THROW(KeyError) << "no operator " << name;
    fn = it->second;
  }
  return fn(x).cast<double>();
}

bool drop(String name) {
  decltype(Registry::ops)::node_type node;
  Registry& r = Registry::get();
  std::lock_guard<std::mutex> hold(r.mutex);
  auto it = r.ops.find(text(name));
  if (it == r.ops.end()) return false;
  node = r.ops.extract(it);
  return true;
}

Array<String> names() {
  Registry& r = Registry::get();
  std::lock_guard<std::mutex> hold(r.mutex);
  Array<String> all;
  for (const auto& op : r.ops) all.push_back(op.first);
  return all;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(op_add, add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(op_call, call);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(op_drop, drop);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(op_names, names);
