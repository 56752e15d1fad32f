// SPDX-License-Identifier: Apache-2.0
// vad_stream: voice activity of one chunk of several streams, from the energy of frames, with
// hysteresis, a minimal duration of speech and a hangover.
//
//   energy   [b, t]          float32 or float64
//   lengths  [b] or None     int32, frames that count, 0 to t; None: all of them
//   speech   [b]             bool, kept between chunks, false at the start: within speech
//   run      [b]             int32, kept between chunks, 0 at the start: frames towards a change,
//                            0 to 1000000
//   options  map             "on": float, speech begins at this energy
//                            "off": float, not above "on" (the default): it ends below this one
//                            "min_speech": int, frames in a row that begin it, 1 to 1000000 (1)
//                            "hangover": int, frames below "off" that still belong to it,
//                            0 to 1000000 (0)
//   mask     [b, t]          bool, true within speech; false for frames that don't count
//
// Returns the number of frames within speech. Other keys in options are refused. NaN is neither
// above "on" nor below "off". Nothing is written if the call is refused.
namespace {

struct Options {
  double on = 0, off = 0;
  int64_t min_speech = 1, hangover = 0;
};

constexpr int64_t kMost = 1000000;

Options Read(const Map<String, ffi::Any>& map) {
  Options o;
  bool has_on = false, has_off = false;
  for (auto kv : map) {
    const String key = kv.first;
    if (key == "on") {
      o.on = kv.second.cast<double>();
      has_on = true;
    } else if (key == "off") {
      o.off = kv.second.cast<double>();
      has_off = true;
    } else if (key == "min_speech") {
      o.min_speech = kv.second.cast<int64_t>();
    } else if (key == "hangover") {
      o.hangover = kv.second.cast<int64_t>();
#if BUG != 1
    } else {
      TVM_FFI_THROW(ValueError) << "options has an unknown key: " << std::string(key);
#endif
    }
  }
  if (!has_on) TVM_FFI_THROW(ValueError) << "options must have \"on\"";
  if (!has_off) o.off = o.on;
  if (!std::isfinite(o.on)) TVM_FFI_THROW(ValueError) << "options: \"on\" must be finite";
  if (!std::isfinite(o.off)) TVM_FFI_THROW(ValueError) << "options: \"off\" must be finite";
#if BUG != 6
  if (o.off > o.on) TVM_FFI_THROW(ValueError) << "options: \"off\" must not be above \"on\"";
#endif
  if (o.min_speech < 1 || o.min_speech > kMost) {
    TVM_FFI_THROW(ValueError) << "options: \"min_speech\" must be from 1 to " << kMost;
  }
  if (o.hangover < 0 || o.hangover > kMost) {
    TVM_FFI_THROW(ValueError) << "options: \"hangover\" must be from 0 to " << kMost;
  }
  return o;
}

void CheckRun(int32_t run) {
  if (run < 0 || run > kMost) {
    TVM_FFI_THROW(ValueError) << "run must be from 0 to " << kMost << ", not " << run;
  }
}

template <typename T>
int64_t Stream(const T* e, int64_t frames, int64_t t, const Options& o, bool* speech_state,
               int32_t* run_state, bool* mask) {
  bool speech = *speech_state;
  int64_t run = *run_state;
  int64_t active = 0;
  for (int64_t f = 0; f < frames; ++f) {
    const double v = static_cast<double>(e[f]);
    if (!speech) {
      run = v >= o.on ? run + 1 : 0;
      if (run >= o.min_speech) {
        speech = true;
        run = 0;
      }
    } else {
      run = v < o.off ? run + 1 : 0;
#if BUG == 2
      if (run >= o.hangover && run > 0) {
#else
      if (run > o.hangover) {
#endif
        speech = false;
        run = 0;
      }
    }
    mask[f] = speech;
    if (speech) ++active;
  }
#if BUG == 7
  std::fill(mask + frames, mask + t, speech);
#else
  std::fill(mask + frames, mask + t, false);
#endif
  *speech_state = speech;
#if BUG == 3
  *run_state = 0;  // counted within a chunk
#else
  *run_state = static_cast<int32_t>(run);
#endif
  return active;
}

int64_t VadStream(DLTensor* energy_tensor, Optional<Tensor> lengths_tensor, DLTensor* speech_tensor,
                  DLTensor* run_tensor, Map<String, ffi::Any> options, DLTensor* mask_tensor) {
  const Arg energy("energy", energy_tensor);
  const Arg speech("speech", speech_tensor);
  const Arg run("run", run_tensor);
  const Arg mask("mask", mask_tensor);
  energy.Type({kF32, kF64}).Rank(2).Cpu().Contiguous();
  const int64_t batch = energy.dim(0);
  const int64_t t = energy.dim(1);
  speech.Type({kBool}).Rank(1).Extent(0, batch).Cpu().Contiguous();
  run.Type({kI32}).Rank(1).Extent(0, batch).Cpu().Contiguous();
  mask.Type({kBool}).Rank(2).Extent(0, batch).Extent(1, t).Cpu().Contiguous();
  const Options o = Read(options);
  const int32_t* lengths = nullptr;
  if (lengths_tensor.has_value()) {
    const Arg l("lengths", lengths_tensor.value());
    l.Type({kI32}).Rank(1).Extent(0, batch).Cpu().Contiguous();
    lengths = l.data<int32_t>();
    for (int64_t b = 0; b < batch; ++b) {
      if (lengths[b] < 0 || lengths[b] > t) {
        TVM_FFI_THROW(ValueError) << "lengths must be from 0 to " << t << ", not " << lengths[b];
      }
    }
  }
  bool* s = speech.data<bool>();
  int32_t* r = run.data<int32_t>();
#if BUG != 4
  for (int64_t b = 0; b < batch; ++b) CheckRun(r[b]);
#endif
#if BUG == 5
  static thread_local int64_t active = 0;
#else
  int64_t active = 0;
#endif
  for (int64_t b = 0; b < batch; ++b) {
#if BUG == 4
    CheckRun(r[b]);
#endif
    const int64_t frames = lengths != nullptr ? lengths[b] : t;
    if (energy.Is(kF32)) {
      active += Stream(energy.data<float>() + b * t, frames, t, o, s + b, r + b,
                       mask.data<bool>() + b * t);
    } else {
      active += Stream(energy.data<double>() + b * t, frames, t, o, s + b, r + b,
                       mask.data<bool>() + b * t);
    }
  }
  return active;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vad_stream, VadStream);
