// SPDX-License-Identifier: Apache-2.0
// The text of tokens: their bytes joined, special ones left out if wished. Invalid ids are refused.
#include "kit.h"

namespace kit
{

Bytes Detokenize(Variant<Tensor, Array<int64_t>> ids, Array<Bytes> vocab,
                 Map<int64_t, String> special, bool skip_special, String separator)
{
  std::vector<int64_t> tokens;
  if (const Optional<Tensor> tensor = ids.as<Tensor>()) {
    TensorView t = View(tensor.value());
    Dense(t, 1, "ids");
    Typed(IsI32(t) || IsI64(t), "ids");
    for (int64_t i = 0; i < t.size(0); ++i)
#if BUG == 5
      tokens.push_back(Data<int32_t>(t)[i]);
#else
      tokens.push_back(IntAt(t, i));
#endif
  } else {
    for (const int64_t id : ids.get<Array<int64_t>>()) tokens.push_back(id);
  }
  std::string text;
  bool first = true;
  for (const int64_t id : tokens) {
    const bool is_special = special.count(id) > 0;
    if (is_special && skip_special) continue;
#if BUG == 4
    text += std::string(separator);
#else
    if (!first) text += std::string(separator);
#endif
    first = false;
    if (is_special) {
      text += std::string(special[id]);
      continue;
    }
#if BUG == 1
    if (id >= static_cast<int64_t>(vocab.size())) continue;
    TVM_FFI_CHECK(0 <= id, IndexError) << "ids: negative";
#else
    TVM_FFI_CHECK(0 <= id && id < static_cast<int64_t>(vocab.size()), IndexError)
        << "ids: " << id << " is not a token";
#endif
    const Bytes token = vocab[id];
#if BUG == 2
    text += token.data();
#else
    text.append(token.data(), token.size());
#endif
  }
#if BUG == 3
  static thread_local std::string all;
  all += text;
  return Bytes(all);
#else
  return Bytes(text);
#endif
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(detokenize, kit::Detokenize);
