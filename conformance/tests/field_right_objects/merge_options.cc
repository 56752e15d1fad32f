// SPDX-License-Identifier: Apache-2.0
// Two maps of numbers in one: where both have a key, `rule` says what counts.
namespace {

using tvm::ffi::Map;
using tvm::ffi::Optional;
using tvm::ffi::String;
using Numbers = Map<String, int64_t>;

enum class Rule { kLast, kFirst, kSum, kRefuse };

Rule Parse(const std::string& rule) {
  static const std::pair<const char*, Rule> known[] = {
      {"last", Rule::kLast}, {"first", Rule::kFirst}, {"sum", Rule::kSum},
      {"refuse", Rule::kRefuse}};
  for (const auto& [name, value] : known) {
    if (rule == name) return value;
  }
  TVM_FFI_THROW(ValueError) << "rule: last, first, sum or refuse, not " << rule;
  TVM_FFI_UNREACHABLE();
}

Numbers Merge(Numbers base, Numbers more, Optional<String> rule) {
  const Rule how = rule.has_value() ? Parse(std::string(kit::View(*rule))) : Rule::kLast;
  Numbers merged;
  for (const auto& [key, value] : base) merged.Set(key, value);
  for (const auto& [key, value] : more) {
    if (base.count(key) != 0) {
      const int64_t before = base[key];
      if (how == Rule::kFirst) continue;
      if (how == Rule::kRefuse) TVM_FFI_THROW(KeyError) << "key " << key << " is in both";
      if (how == Rule::kSum) {
        int64_t sum;
        if (__builtin_add_overflow(before, value, &sum)) {
          TVM_FFI_THROW(ValueError) << "the sum of " << key << " has more than 64 bits";
        }
        merged.Set(key, sum);
        continue;
      }
    }
    merged.Set(key, value);
  }
  return merged;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge_options, Merge);
