// SPDX-License-Identifier: Apache-2.0
// Event hooks: handlers by name and priority, called with the arguments of the event.
struct Handler {
  int64_t id;
  int64_t priority;
  Function fn;
};

class HooksObj : public ffi::Object {
 public:
  std::mutex mu;
  int64_t capacity = 0, next_id = 1, size = 0;
#if BUG == 1
  std::unordered_map<std::string_view, std::vector<Handler>> events;
#else
  std::unordered_map<std::string, std::vector<Handler>> events;
#endif
#if BUG == 4
  std::vector<Function> all;
#endif
#if BUG == 6
  std::vector<Any> last;
#endif
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("r2.Hooks", HooksObj, ffi::Object);
};

class Hooks : public ffi::ObjectRef {
 public:
  explicit Hooks(ffi::ObjectPtr<HooksObj> p) : ffi::ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Hooks, ffi::ObjectRef, HooksObj);
};

static void check_name(const String& name) {
  REQUIRE(name.size() > 0 && name.size() <= 64, ValueError, "name must have 1 to 64 bytes");
}
static auto key_of(const String& name) {
#if BUG == 1
  return std::string_view(name.data(), name.size());
#else
  return std::string(name.data(), name.size());
#endif
}

static Hooks hooks_new(int64_t capacity) {
  REQUIRE(capacity >= 1 && capacity <= 1024, ValueError, "capacity must be 1 to 1024");
  auto p = ffi::make_object<HooksObj>();
  p->capacity = capacity;
  return Hooks(std::move(p));
}

static int64_t hooks_on(Hooks hooks, const String& name, Function fn, int64_t priority) {
  check_name(name);
  REQUIRE(fn != nullptr, TypeError, "fn must not be None");
#if BUG == 7
  int32_t prio = static_cast<int32_t>(priority);
  REQUIRE(prio >= -1000 && prio <= 1000, ValueError, "priority must be -1000 to 1000");
#else
  int64_t prio = priority;
  REQUIRE(prio >= -1000 && prio <= 1000, ValueError, "priority must be -1000 to 1000");
#endif
  auto* h = const_cast<HooksObj*>(hooks.get());
  std::lock_guard<std::mutex> hold(h->mu);
  REQUIRE(h->size < h->capacity, ValueError, "no room for another handler");
#if BUG == 5
  int64_t id = h->size + 1;
#else
  int64_t id = h->next_id;
#endif
  auto& list = h->events[key_of(name)];
  auto at = std::find_if(list.begin(), list.end(), [&](const Handler& x) { return x.priority < prio; });
  list.insert(at, Handler{id, prio, fn});
#if BUG == 4
  h->all.push_back(fn);
#endif
  ++h->next_id;
  ++h->size;
  return id;
}

static bool hooks_off(Hooks hooks, int64_t id) {
  auto* h = const_cast<HooksObj*>(hooks.get());
  Function gone;  // released without the lock
  std::lock_guard<std::mutex> hold(h->mu);
  for (auto it = h->events.begin(); it != h->events.end(); ++it) {
    auto& list = it->second;
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].id != id) continue;
      gone = std::move(list[i].fn);
      list.erase(list.begin() + int64_t(i));
      if (list.empty()) h->events.erase(it);
      --h->size;
      return true;
    }
  }
  return false;
}

static Array<String> hooks_names(Hooks hooks) {
  auto* h = const_cast<HooksObj*>(hooks.get());
  std::vector<std::string> names;
  {
    std::lock_guard<std::mutex> hold(h->mu);
    for (auto& kv : h->events) names.emplace_back(kv.first);
  }
  std::sort(names.begin(), names.end());
  Array<String> out;
  for (auto& n : names) out.push_back(String(n));
  return out;
}

static int64_t hooks_count(Hooks hooks, const String& name) {
  check_name(name);
  auto* h = const_cast<HooksObj*>(hooks.get());
  std::lock_guard<std::mutex> hold(h->mu);
  auto it = h->events.find(key_of(name));
  return it == h->events.end() ? 0 : int64_t(it->second.size());
}

static Array<Any> emit(const AnyView* args, int32_t n) {
  REQUIRE(n >= 2, TypeError, "hooks_emit takes hooks, a name, and the arguments of the event");
  auto hooks = args[0].try_cast<Hooks>();
  REQUIRE(hooks.has_value(), TypeError, "argument 0 must be r2.Hooks, is " << args[0].GetTypeKey());
  auto name = args[1].try_cast<String>();
  REQUIRE(name.has_value(), TypeError, "argument 1 must be a string, is " << args[1].GetTypeKey());
  check_name(*name);
  std::vector<AnyView> more;
  for (int32_t i = 2; i < n; ++i) {
    TVMFFIAny a = args[i].CopyToTVMFFIAny();
    REQUIRE(a.type_index != kTVMFFIObjectRValueRef, TypeError, "arguments of events can't be moved");
    more.push_back(args[i]);
  }
  auto* h = const_cast<HooksObj*>(hooks->get());
  std::vector<Handler> list;
#if BUG == 2
  std::lock_guard<std::mutex> hold(h->mu);
  auto it = h->events.find(key_of(*name));
  if (it != h->events.end()) list = it->second;
#else
  {
    std::lock_guard<std::mutex> hold(h->mu);
    auto it = h->events.find(key_of(*name));
    if (it != h->events.end()) list = it->second;
  }
#endif
#if BUG == 6
  h->last.clear();
  for (auto& a : more) h->last.push_back(Any(a));
#endif
  Array<Any> out;
  for (auto& x : list) {
    Any r;
#if BUG == 3
    try {
      x.fn.CallPacked(more.data(), int32_t(more.size()), &r);
    } catch (const ffi::Error&) {
    }
#else
    x.fn.CallPacked(more.data(), int32_t(more.size()), &r);
#endif
    out.push_back(std::move(r));
  }
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(hooks_new, hooks_new);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hooks_on, hooks_on);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hooks_off, hooks_off);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hooks_names, hooks_names);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hooks_count, hooks_count);

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_hooks_emit(void*, const TVMFFIAny* args, int32_t num_args,
                                                       TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<Any*>(result) = emit(reinterpret_cast<const AnyView*>(args), num_args);
  TVM_FFI_SAFE_CALL_END();
}
