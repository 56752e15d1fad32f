// SPDX-License-Identifier: Apache-2.0
// Replaces ids by what a table has for them, and counts those that it does not have.
namespace {

using tvm::ffi::Map;
using tvm::ffi::Optional;
using tvm::ffi::TensorView;

template <typename Id>
int64_t remap(const TensorView& ids, const std::unordered_map<int64_t, int64_t>& table,
              const Optional<int64_t>& fallback, std::vector<int64_t>* made) {
  int64_t missing = 0;
  const Id* id = set::begin<const Id>(ids);
  for (int64_t i = 0; i < ids.size(0); ++i) {
    auto found = table.find(id[i]);
    if (found != table.end()) {
      made->push_back(found->second);
      continue;
    }
    if (!fallback.has_value()) {
      TVM_FFI_THROW(KeyError) << "the table has nothing for " << id[i] << ", at " << i;
    }
    made->push_back(*fallback);
    ++missing;
  }
  return missing;
}

int64_t RemapIds(TensorView ids, Map<int64_t, int64_t> table, Optional<int64_t> fallback,
                 TensorView out) {
  const bool narrow = set::same(ids.dtype(), set::kI32);
  set::dense(ids, narrow ? set::kI32 : set::kI64, 1, "ids");
  set::dense(out, set::kI64, 1, "out");
  const int64_t n = ids.size(0);
  if (out.size(0) != n) TVM_FFI_THROW(ValueError) << "out must have " << n << " elements";

  std::unordered_map<int64_t, int64_t> lookup;
  for (const auto& [from, to] : table) lookup.emplace(from, to);
  std::vector<int64_t> made;  // out may be the memory of ids, and is not touched by a refusal
  made.reserve(static_cast<size_t>(n));
  const int64_t missing = narrow ? remap<int32_t>(ids, lookup, fallback, &made)
                                 : remap<int64_t>(ids, lookup, fallback, &made);
  std::copy(made.begin(), made.end(), set::begin<int64_t>(out));
  return missing;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(remap_ids, RemapIds);
