// SPDX-License-Identifier: Apache-2.0
// Logits processing before sampling, in place: penalties for the tokens of a row's history, a
// processor of the caller's, a bit mask of allowed tokens (grammars), temperature; in this order.
namespace {

using namespace set;

struct Options {
  double repetition = 1, presence = 0, frequency = 0, temperature = 1;
};

Options Read(const ffi::Map<ffi::String, ffi::Any>& map) {
  Options o;
  for (const auto& item : map) {
    const std::string key(item.first.data(), item.first.size());
    double* to = nullptr;
    bool positive = false;
    if (key == "repetition_penalty") {
      to = &o.repetition;
      positive = true;
    } else if (key == "presence_penalty") {
      to = &o.presence;
    } else if (key == "frequency_penalty") {
      to = &o.frequency;
    } else if (key == "temperature") {
      to = &o.temperature;
      positive = true;
    } else {
      if (BUG == 8) continue;
      TVM_FFI_THROW(ValueError) << "options: unknown option \"" << key << "\"";
    }
    if (item.second == nullptr) continue;  // None: as if it were not there
    const auto number = item.second.try_cast<double>();
    if (!number.has_value()) {
      TVM_FFI_THROW(TypeError) << "options[\"" << key << "\"]: must be a number, not "
                               << item.second.GetTypeKey();
    }
    if (!std::isfinite(*number) || (positive && *number <= 0)) {
      TVM_FFI_THROW(ValueError) << "options[\"" << key << "\"]: must be "
                                << (positive ? "a finite number > 0" : "finite") << ", not "
                                << *number;
    }
    *to = *number;
  }
  return o;
}

// What the processor makes of a row. It may keep what it is given, so that each call has a tensor
// of its own.
void Process(const ffi::Function& processor, std::vector<float>* row, DLDevice device) {
  const int64_t v = static_cast<int64_t>(row->size());
  Tensor given = NewTensor({v}, kF32, device);
  if (v != 0) std::memcpy(Data(given), row->data(), v * sizeof(float));
  ffi::Any result;
#if BUG == 5
  try {
    result = processor(given);
  } catch (const ffi::Error&) {
    return;
  }
#else
  result = processor(given);
#endif
  auto back = result.try_cast<Tensor>();
  if (!back.has_value() || !back->defined()) {
    TVM_FFI_THROW(TypeError) << "processor: must return a tensor, not " << result.GetTypeKey();
  }
  View view = Look(*back, "the result of processor", 1, {kF32});
#if BUG != 4
  NeedShape(view, {v});
#endif
#if BUG == 10
  given = Tensor();
  result = nullptr;
  back.reset();
  Tensor other = NewTensor({v}, kF32, device);  // for the next stage
  if (v != 0) std::memset(Data(other), 0, v * sizeof(float));
#endif
  for (int64_t i = 0; i < v; ++i) (*row)[i] = *view.at<float>(i * view.stride[0]);
}

void ProcessLogits(TensorView logits_, TensorView history_,
                   ffi::Map<ffi::String, ffi::Any> options_, Optional<TensorView> mask_,
                   Optional<ffi::Function> processor_) {
  View logits = Look(logits_, "logits", 2, {kF32});
  NeedRows(logits);
  NeedDistinct(logits);
  const int64_t b = logits.shape[0], v = logits.shape[1];
  View history = Look(history_, "history", 2, {kI32});
  const int64_t h = history.shape[1];
  NeedShape(history, {b, h});
  NeedContiguous(history);
  for (int64_t i = 0; i < b * h; ++i) {
    const int32_t token = *history.at<int32_t>(i);
    if (token < -1 || (BUG != 1 && token >= v)) {
      TVM_FFI_THROW(ValueError) << "history: unknown token " << token << " of " << v;
    }
  }
  const Options options = Read(options_);
  View mask;
  const int64_t words = BUG == 7 ? v / 32 : (v + 31) / 32;
  if (mask_.has_value()) {
    mask = Look(mask_.value(), "mask", 2, {kI32});
    NeedShape(mask, {b, (v + 31) / 32});
    NeedContiguous(mask);
  }

  // Nothing is written before the last call of the processor is back.
  std::vector<std::vector<float>> done;
  std::vector<int64_t> counts;
  for (int64_t r = 0; r < b; ++r) {
    float* at = logits.at<float>(r * logits.stride[0]);
    counts.assign(v, 0);
    for (int64_t i = 0; i < h; ++i) {
      const int32_t token = *history.at<int32_t>(r * h + i);
      if (token >= 0) ++counts[token];
    }
    std::vector<float> row(v);
    for (int64_t i = 0; i < v; ++i) {
      double x = at[i];
      if (counts[i] > 0) {
        for (int64_t j = 0; j < (BUG == 3 ? counts[i] : 1); ++j) {
          x = x > 0 || BUG == 2 ? x / options.repetition : x * options.repetition;
        }
        x -= options.presence + options.frequency * static_cast<double>(counts[i]);
      }
      row[i] = static_cast<float>(x);
    }
    if (processor_.has_value()) Process(processor_.value(), &row, logits.device);
    for (int64_t i = 0; i < v; ++i) {
      double x = row[i];
      if (!(BUG == 9 && processor_.has_value())) x /= options.temperature;
      if (mask_.has_value()) {
        const uint32_t word = static_cast<uint32_t>(*mask.at<int32_t>(r * words + i / 32));
        if ((word >> (i % 32) & 1) == 0) x = -std::numeric_limits<double>::infinity();
      }
      row[i] = static_cast<float>(x);
    }
#if BUG == 6
    std::copy(row.begin(), row.end(), at);
#endif
    done.push_back(std::move(row));
  }
  for (int64_t r = 0; r < b && BUG != 6; ++r) {
    std::copy(done[r].begin(), done[r].end(), logits.at<float>(r * logits.stride[0]));
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(process_logits, ProcessLogits);
