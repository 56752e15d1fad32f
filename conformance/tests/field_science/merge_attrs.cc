// SPDX-License-Identifier: Apache-2.0
// merge_attrs(policy, *maps): one map of all attributes (int or string by name), and how many keys were in conflict.
// policy says what becomes of a key that has a value already: "first" or "last" wins, "error", or a function
// (key, old, new) -> value. The maps given are not changed.
namespace {

using Value = Variant<int64_t, String>;

Value value_of(const Any& v, const std::string& what) {
  std::optional<int64_t> i;
  if (v.type_index() == ffi::TypeIndex::kTVMFFIInt) i = v.as<int64_t>();
  if (i.has_value()) return Value(*i);
  const std::optional<String> s = v.as<String>();
  REQUIRE(s.has_value(), TypeError, what << " must be an int or a string, is " << v.GetTypeKey());
  return Value(*s);
}

void merge_attrs(const AnyView* args, int32_t num_args, Any* result) {
#if BUG != 6
  REQUIRE(num_args >= 1, TypeError, "merge_attrs takes a policy and any number of maps");
#endif
  enum { kFirst, kLast, kError, kCall } policy;
  Optional<Function> resolve;
  if (auto f = args[0].as<Function>()) {
    REQUIRE(*f != nullptr, TypeError, "policy is None");
    policy = kCall;
    resolve = *f;
  } else {
    const std::optional<String> text = args[0].try_cast<String>();
    REQUIRE(text.has_value(), TypeError, "policy must be a string or a function");
    if (*text == "first") {
      policy = kFirst;
    } else if (*text == "error") {
      policy = kError;
    } else {
      REQUIRE(*text == "last", ValueError, "unknown policy " << *text);
      policy = kLast;
    }
  }
  std::vector<Map<String, Any>> maps;
  for (int32_t a = 1; a < num_args; ++a) {
    auto m = args[a].try_cast<Map<String, Any>>();
    REQUIRE(m.has_value(), TypeError, "argument " << a << " is no map with strings as keys");
#if BUG == 1
    if (a == 1)
#endif
      for (const auto& kv : *m) value_of(kv.second, std::string(kv.first));
    maps.push_back(*m);
  }
#if BUG == 5
  if (maps.empty()) return;
#endif
  Map<String, Any> merged;
  int64_t conflicts = 0;
  for (const auto& m : maps) {
    for (const auto& kv : m) {
      const auto it = merged.find(kv.first);
      if (it == merged.end()) {
        merged.Set(kv.first, kv.second);
        continue;
      }
      ++conflicts;
      const Any old = (*it).second;
      switch (policy) {
        case kFirst:
          break;
        case kLast:
          merged.Set(kv.first, kv.second);
          break;
        case kError:
          TVM_FFI_THROW(KeyError) << "the key " << kv.first << " is given twice";
          break;
        case kCall: {
#if BUG == 3
          Any got = old;
          try {
            got = (*resolve)(kv.first, old, kv.second);
          } catch (const ffi::Error&) {
            got = kv.second;
          }
#elif BUG == 4
          AnyView packed[3] = {kv.first, old, kv.second};
          TVMFFIAny raw;
          raw.type_index = ffi::TypeIndex::kTVMFFINone;
          raw.zero_padding = 0;
          raw.v_int64 = 0;
          TVM_FFI_CHECK_SAFE_CALL(
              TVMFFIFunctionCall(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(*resolve),
                                 reinterpret_cast<TVMFFIAny*>(packed), 3, &raw));
          const Any got = AnyView::CopyFromTVMFFIAny(raw);
#else
          const Any got = (*resolve)(kv.first, old, kv.second);
#endif
#if BUG != 2
          value_of(got, "the result of policy");
#endif
          merged.Set(kv.first, got);
          break;
        }
      }
    }
  }
  *result = ffi::Tuple<Map<String, Any>, int64_t>(merged, conflicts);
}

}  // namespace

EXPORT_PACKED(merge_attrs, merge_attrs);
