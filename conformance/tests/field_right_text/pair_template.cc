// SPDX-License-Identifier: Apache-2.0
// Puts one or two lists of token ids between [CLS] and [SEP], and numbers the parts.
namespace {

using tvm::ffi::Array;
using tvm::ffi::Optional;
using tvm::ffi::Tuple;

struct Kept {
  size_t a, b;
};

// What is left of both when ids are taken off the longer one, of the second where they are equal.
Kept longest_first(size_t a, size_t b, bool pair, size_t room) {
  if (a + b <= room) return {a, b};
  size_t excess = a + b - room;
  if (!pair) return {a - excess, 0};
  size_t apart = a > b ? a - b : b - a;
  size_t level = std::min(excess, apart);
  (a > b ? a : b) -= level;
  excess -= level;
  return {a - excess / 2, b - (excess + 1) / 2};
}

void check(const Array<int64_t>& ids, const char* what) {
  for (int64_t id : ids) {
    if (id < 0) TVM_FFI_THROW(ValueError) << what << " has the negative id " << id;
  }
}

Tuple<Array<int64_t>, Array<int64_t>> PairTemplate(Array<int64_t> first,
                                                   Optional<Array<int64_t>> second, int64_t cls,
                                                   int64_t sep, Optional<int64_t> max_length) {
  const bool pair = second.has_value();
  const int64_t special = pair ? 3 : 2;
  check(first, "first");
  if (pair) check(*second, "second");
  if (cls < 0 || sep < 0) TVM_FFI_THROW(ValueError) << "cls and sep must be ids";

  Kept kept{first.size(), pair ? second->size() : 0};
  if (max_length.has_value()) {
    if (*max_length < special) {
      TVM_FFI_THROW(ValueError) << "max_length must leave room for " << special
                                << " special tokens, got " << *max_length;
    }
    kept = longest_first(kept.a, kept.b, pair, static_cast<size_t>(*max_length - special));
  }

  Array<int64_t> ids, types;
  auto put = [&](int64_t id, int64_t type) {
    ids.push_back(id);
    types.push_back(type);
  };
  put(cls, 0);
  for (size_t i = 0; i < kept.a; ++i) put(first[i], 0);
  put(sep, 0);
  if (pair) {
    for (size_t i = 0; i < kept.b; ++i) put((*second)[i], 1);
    put(sep, 1);
  }
  return Tuple<Array<int64_t>, Array<int64_t>>(std::move(ids), std::move(types));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pair_template, PairTemplate);
