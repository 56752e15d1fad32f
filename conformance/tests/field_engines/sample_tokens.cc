// SPDX-License-Identifier: Apache-2.0
// Draws a token of each row of logits: a processor (penalties, say) may change them first, then
// temperature, top-k and top-p, and the token is where the given uniform number falls. Tokens are
// in descending order of their logits; of equal ones the first is first. Temperature 0 is greedy.
namespace {
using namespace set;

// What sampling can't be done with: NaN, +infinity, and rows of -infinity only.
void CheckLogits(const char* name, int64_t row, const std::vector<double>& logits) {
  double top = -INFINITY;
  for (double value : logits) {
    if (!(value < INFINITY)) {
      TVM_FFI_THROW(ValueError) << name << " must not have NaN or infinity, as in row " << row;
    }
    top = std::max(top, value);
  }
  if (top == -INFINITY) {
    TVM_FFI_THROW(ValueError) << name << " must leave a token in each row, not as in row " << row;
  }
}

int32_t Draw(const std::vector<double>& logits, int64_t top_k, double top_p, double temperature,
             double uniform) {
  int64_t vocab = static_cast<int64_t>(logits.size());
  std::vector<int32_t> order(vocab);
  for (int64_t i = 0; i < vocab; ++i) order[i] = static_cast<int32_t>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return logits[a] > logits[b]; });
  if (temperature == 0) {
    if (BUG != 6) return order[0];
    temperature = 1;
  }
  int64_t kept = top_k == 0 ? vocab : top_k;
  std::vector<double> weights(kept);
  double total = 0;
  for (int64_t i = 0; i < kept; ++i) {
    weights[i] = std::exp((logits[order[i]] - logits[order[0]]) / temperature);
    total += weights[i];
  }
  double mass = 0;
  int64_t nucleus = 0;
  while (nucleus < kept) {
#if BUG == 4
    if (nucleus > 0 && mass + weights[nucleus] > top_p * total) break;
#endif
    mass += weights[nucleus++];
    if (mass >= top_p * total) break;
  }
  double reached = 0;
  int64_t last = 0;
  for (int64_t i = 0; i < nucleus; ++i) {
    if (weights[i] > 0) last = i;
    reached += weights[i];
    if (reached > uniform * mass) return order[i];
  }
  return order[last];
}

Tensor SampleTokens(DLTensor* logits_, DLTensor* uniforms_, ffi::Variant<int64_t, Tensor> top_k_,
                    double top_p, double temperature, Optional<ffi::Function> processor,
                    Optional<Tensor> out_) {
  View logits = Check("logits", logits_, {kFloat32, kFloat16, kBfloat16}, 2, kRows);
  View uniforms = Check("uniforms", uniforms_, {kFloat32}, 1);
  int64_t rows = logits.shape[0], vocab = logits.shape[1];
  if (vocab < 1 || vocab > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "logits must have from 1 to 2^31 - 1 columns, not " << vocab;
  }
  CheckExtent("uniforms", uniforms, 0, rows);
  std::vector<double> draws(rows);
  for (int64_t i = 0; i < rows; ++i) {
    draws[i] = GetRaw<float>(uniforms.at(i));
    if (!(draws[i] >= 0 && draws[i] < 1)) {
      TVM_FFI_THROW(ValueError) << "uniforms must be in [0, 1), and has " << draws[i];
    }
  }
  std::vector<int64_t> top_k(rows);
  if (auto one = top_k_.as<int64_t>()) {
    std::fill(top_k.begin(), top_k.end(), *one);
    if (*one < 0 || *one > vocab) {
      TVM_FFI_THROW(ValueError) << "top_k must be from 0 (all) to " << vocab << ", not " << *one;
    }
  } else {
    Tensor each = top_k_.get<Tensor>();
    View view = Check("top_k", each.GetDLTensorPtr(), {kInt32}, 1);
    CheckExtent("top_k", view, 0, rows);
    for (int64_t i = 0; i < rows; ++i) {
      top_k[i] = GetRaw<int32_t>(view.at(BUG == 5 ? 0 : i));
      if (top_k[i] < 0 || top_k[i] > vocab) {
        TVM_FFI_THROW(ValueError) << "top_k must be from 0 (all) to " << vocab << ", not "
                                  << top_k[i];
      }
    }
  }
  if (!(top_p > 0 && top_p <= 1)) {
    TVM_FFI_THROW(ValueError) << "top_p must be in (0, 1], not " << top_p;
  }
  if (!(temperature >= 0) || std::isinf(temperature)) {
    TVM_FFI_THROW(ValueError) << "temperature must be 0 (greedy) or positive, not " << temperature;
  }
  Tensor out;
  if (out_.has_value()) out = out_.value();
  View target;
  if (out_.has_value()) {
    target = Check("out", out_, {kInt32}, 1, kStrided);
    CheckExtent("out", target, 0, rows);
    CheckApart("out", target);
  }

  std::vector<std::vector<double>> values(rows, std::vector<double>(vocab));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < vocab; ++j) {
      ByFloatType(logits.dtype, [&](auto element) {
        values[i][j] = Get<decltype(element)>(logits.at(i, j));
      });
    }
#if BUG != 8
    CheckLogits("logits", i, values[i]);
#endif
  }
  if (processor.has_value()) {
    // The processor gets a copy, which it may keep or change.
    Tensor copy = NewTensor({rows, vocab}, kFloat32);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < vocab; ++j) {
        PutRaw<float>(DataOf(copy) + (i * vocab + j) * 4, static_cast<float>(values[i][j]));
      }
    }
    ffi::Any result;
#if BUG == 2
    try {
      result = processor.value()(copy);
    } catch (const std::exception&) {
      result = copy;
    }
#else
    result = processor.value()(copy);
#endif
    auto given = result.as<Tensor>();
    if (!given.has_value()) {
      TVM_FFI_THROW(TypeError) << "processor must return a tensor, not " << result.GetTypeKey();
    }
    View changed = Check("what processor returns", given.value().GetDLTensorPtr(), {kFloat32}, 2,
                         kStrided);
#if BUG != 3
    CheckExtent("what processor returns", changed, 0, rows);
    CheckExtent("what processor returns", changed, 1, vocab);
#endif
#if BUG == 1
    result = nullptr;
    given.reset();
    copy = Tensor();
#endif
#if BUG == 7
    static std::mutex mutex;
    static auto* last = new ffi::Any();  // "for the next call"
    std::lock_guard<std::mutex> lock(mutex);
    *last = processor.value();
#endif
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < vocab; ++j) values[i][j] = GetRaw<float>(changed.at(i, j));
#if BUG != 8
      CheckLogits("what processor returns", i, values[i]);
#endif
    }
  }

  if (!out_.has_value()) {
    out = NewTensor({rows}, kInt32);
    target = Check("out", out.GetDLTensorPtr(), {kInt32}, 1);
  }
  std::vector<int32_t> tokens(rows);
  for (int64_t i = 0; i < rows; ++i) {
#if BUG == 8
    CheckLogits("logits", i, values[i]);
    PutRaw<int32_t>(target.at(i), Draw(values[i], top_k[i], top_p, temperature, draws[i]));
#endif
    tokens[i] = Draw(values[i], top_k[i], top_p, temperature, draws[i]);
  }
  for (int64_t i = 0; i < rows; ++i) PutRaw<int32_t>(target.at(i), tokens[i]);
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sample_tokens, SampleTokens);
