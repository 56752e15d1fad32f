// SPDX-License-Identifier: Apache-2.0
// Streaming FIR filter with decimation: an object that is given chunks of any length.

namespace {

#if BUG == 2
std::vector<std::vector<float>> history_of_channel;
#endif

class FirStreamObj : public ffi::Object {
 public:
#if BUG == 1
  const float* taps_ = nullptr;
#else
  std::vector<float> taps_;
#endif
  int64_t count_ = 0, channels_ = 0, decim_ = 1;
  int64_t phase_ = 0;  // samples so far, modulo decim
#if BUG != 2
  std::vector<std::vector<float>> history_;
#endif
  std::mutex lock_;

  std::vector<std::vector<float>>& History() {
#if BUG == 2
    return history_of_channel;
#else
    return history_;
#endif
  }

  void Clear() {
    auto& history = History();
    if (static_cast<int64_t>(history.size()) < channels_) history.resize(channels_);
    for (int64_t c = 0; c < channels_; ++c) history[c].assign(count_ - 1, 0.f);
  }

  Tensor Push(TensorView x) {
    std::lock_guard<std::mutex> guard(lock_);
#if BUG == 3
    int64_t first = (decim_ - phase_) % decim_;
    if (x.ndim() > 0) phase_ = (phase_ + x.size(-1)) % decim_;
#endif
    CheckTensor(x, "x", {kF32}, 2);
    CheckContiguous(x, "x");
    CheckDim(x, "x", 0, channels_);
    int64_t n = x.size(1), past = count_ - 1;
#if BUG != 3
    int64_t first = (decim_ - phase_) % decim_;  // the first sample with an output
#endif
    int64_t m = n > first ? (n - first - 1) / decim_ + 1 : 0;
    Tensor y = Alloc({channels_, m}, kF32, x.device());
    float* out = Ptr<float>(TensorView(y));
    auto& history = History();
    std::vector<float> line(past + n);
    for (int64_t c = 0; c < channels_; ++c) {
      const float* in = Ptr<float>(x) + c * n;
      std::copy(history[c].begin(), history[c].end(), line.begin());
      std::copy(in, in + n, line.begin() + past);
      for (int64_t i = 0; i < m; ++i) {
        const float* at = line.data() + past + first + i * decim_;
        double sum = 0;
        for (int64_t k = 0; k < count_; ++k) sum += static_cast<double>(taps_[k]) * static_cast<double>(at[-k]);
        out[c * m + i] = static_cast<float>(sum);
      }
#if BUG == 5
      std::copy(in + n - past, in + n, history[c].begin());
#else
      std::copy(line.end() - past, line.end(), history[c].begin());
#endif
    }
#if BUG != 3
    phase_ = (phase_ + n) % decim_;
#endif
    return y;
  }

  void Reset() {
    std::lock_guard<std::mutex> guard(lock_);
    Clear();
#if BUG != 4
    phase_ = 0;
#endif
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kernels.FirStream", FirStreamObj, ffi::Object);
};

class FirStream : public ffi::ObjectRef {
 public:
  explicit FirStream(ffi::ObjectPtr<FirStreamObj> n) : ffi::ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(FirStream, ffi::ObjectRef, FirStreamObj);
};

#if BUG == 6
std::mutex open_lock;
std::vector<FirStream> open_streams;  // for statistics
#endif

FirStream FirOpen(TensorView taps, int64_t channels, int64_t decim) {
  CheckTensor(taps, "taps", {kF32}, 1);
  CheckContiguous(taps, "taps");
  REQUIRE(taps.size(0) >= 1 && taps.size(0) <= 4096, ValueError) << "taps: expected 1 to 4096, got " << taps.size(0);
  REQUIRE(channels >= 1 && channels <= 64, ValueError) << "channels: has to be 1 to 64, got " << channels;
  REQUIRE(decim >= 1 && decim <= 1024, ValueError) << "decim: has to be 1 to 1024, got " << decim;
  auto s = ffi::make_object<FirStreamObj>();
  s->count_ = taps.size(0);
#if BUG == 1
  s->taps_ = Ptr<float>(taps);
#else
  s->taps_.assign(Ptr<float>(taps), Ptr<float>(taps) + taps.size(0));
#endif
  s->channels_ = channels;
  s->decim_ = decim;
  s->Clear();
  FirStream stream(std::move(s));
#if BUG == 6
  std::lock_guard<std::mutex> guard(open_lock);
  open_streams.push_back(stream);
#endif
  return stream;
}

// How many samples the next chunk has to have at least for an output.
int64_t FirNeeded(FirStream stream) {
  auto* s = const_cast<FirStreamObj*>(stream.get());
  std::lock_guard<std::mutex> guard(s->lock_);
  return (s->decim_ - s->phase_) % s->decim_ + 1;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<FirStreamObj>().def("push", &FirStreamObj::Push).def("reset", &FirStreamObj::Reset);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fir_open, FirOpen);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fir_needed, FirNeeded);
