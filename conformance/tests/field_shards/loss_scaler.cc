// SPDX-License-Identifier: Apache-2.0
// Dynamic loss scaling for training with 16-bit gradients.
//
// loss_scaler(init_scale, growth, backoff, interval, min_scale, on_backoff) -> LossScaler
//   LossScaler.scale() -> float
//   LossScaler.update(found_inf) -> float, the new scale: after `interval` steps in a row without
//   infinities it is multiplied by growth (up to 2^32); on infinities by backoff (down to min_scale)
//   on_backoff(scale) -> float, or None: may choose another scale than the one proposed. If it fails,
//   so does update, and nothing has changed.
// loss_unscale(scaler, grads) -> bool: divides gradients by the scale, in place. If any is infinite
//   or NaN, it leaves all as they are and returns true.
// An object may be used by several threads.
namespace {

using namespace set;
using ffi::Function;

constexpr double kMostScale = 4294967296.0;

struct Settings {
  double growth, backoff, min_scale;
  int64_t interval;
};

#if BUG == 2
int64_t shared_steps = 0;
#endif

class LossScalerObj : public ffi::Object {
 public:
  LossScalerObj(double scale, const Settings& settings, Optional<Function> on_backoff)
      : settings_(settings), scale_(scale) {
#if BUG == 9
    if (on_backoff.has_value()) callback_ = ffi::AnyView(on_backoff.value());
#elif BUG == 6
    if (on_backoff.has_value()) callback_ = new Function(on_backoff.value());
#else
    if (on_backoff.has_value()) callback_ = on_backoff.value();
#endif
  }

  double Scale() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return scale_;
  }

  double Update(bool found_inf) {
    if (found_inf) return BackOff();
#if BUG != 8
    std::lock_guard<std::mutex> lock(mutex_);
#endif
    ++version_;
    int64_t& steps = Steps();
    if (++steps >= settings_.interval) {
      steps = 0;
      scale_ = std::min(kMostScale, scale_ * settings_.growth);
    }
    return scale_;
  }

  [[maybe_unused]] static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("lowprec.LossScaler", LossScalerObj, ffi::Object);

 private:
  int64_t& Steps() {
#if BUG == 2
    return shared_steps;
#else
    return steps_;
#endif
  }

  double BackOff() {
    // The callback runs without the lock, since it may ask for the scale. If another thread was
    // there meanwhile, its update comes first, and this one is made again.
    for (int attempt = 0; attempt < 16; ++attempt) {
      std::unique_lock<std::mutex> lock(mutex_);
      uint64_t version = version_;
      double scale = scale_ * settings_.backoff;
#if BUG != 7
      scale = std::max(scale, settings_.min_scale);
#endif
      if (HasCallback()) {
        lock.unlock();
#if BUG == 3
        try {
          scale = Choose(scale);
        } catch (const ffi::Error&) {
        }
#else
        scale = Choose(scale);
#endif
        lock.lock();
        if (version != version_) continue;
      }
      ++version_;
      scale_ = scale;
#if BUG != 1
      Steps() = 0;
#endif
      return scale;
    }
    TVM_FFI_THROW(RuntimeError) << "on_backoff must not update the scaler that it is called by";
    TVM_FFI_UNREACHABLE();
  }

  double Choose(double proposed) {
#if BUG == 9
    Function callback = callback_.cast<Function>();
#elif BUG == 6
    Function callback = *callback_;
#else
    Function callback = callback_;
#endif
    double scale = callback(proposed).cast<double>();
#if BUG == 5
    if (scale < settings_.min_scale || scale > kMostScale) {
#else
    if (!(scale >= settings_.min_scale && scale <= kMostScale)) {
#endif
      TVM_FFI_THROW(ValueError) << "on_backoff must return a scale from " << settings_.min_scale
                                << " to 2^32, not " << scale;
    }
    return scale;
  }

  Settings settings_;
  mutable std::mutex mutex_;
  double scale_;
  int64_t steps_ = 0;
  uint64_t version_ = 0;
#if BUG == 9
  bool HasCallback() const { return callback_.type_index() != ffi::TypeIndex::kTVMFFINone; }
  ffi::AnyView callback_;
#elif BUG == 6
  bool HasCallback() const { return callback_ != nullptr; }
  Function* callback_ = nullptr;
#else
  bool HasCallback() const { return callback_ != nullptr; }
  Function callback_;
#endif
};

class LossScaler : public ffi::ObjectRef {
 public:
  explicit LossScaler(ffi::ObjectPtr<LossScalerObj> n) : ffi::ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(LossScaler, ffi::ObjectRef, LossScalerObj);
};

LossScaler Create(double init_scale, double growth, double backoff, int64_t interval,
                  double min_scale, Optional<Function> on_backoff) {
  if (!(init_scale > 0 && init_scale <= kMostScale)) {
    TVM_FFI_THROW(ValueError) << "init_scale must be above 0, and at most 2^32, not "
                              << init_scale;
  }
  if (!(growth >= 1) || !std::isfinite(growth)) {
    TVM_FFI_THROW(ValueError) << "growth must be finite and at least 1, not " << growth;
  }
  if (!(backoff > 0 && backoff < 1)) {
    TVM_FFI_THROW(ValueError) << "backoff must lie between 0 and 1, not " << backoff;
  }
  if (interval < 1) TVM_FFI_THROW(ValueError) << "interval must be at least 1, not " << interval;
  if (!(min_scale > 0 && min_scale <= init_scale)) {
    TVM_FFI_THROW(ValueError) << "min_scale must be above 0, and at most init_scale, not "
                              << min_scale;
  }
  Settings settings{growth, backoff, min_scale, interval};
  return LossScaler(ffi::make_object<LossScalerObj>(init_scale, settings, on_backoff));
}

bool Finite(const TensorView& t, Real kind) {
  int64_t n = Count(t);
  const void* data = Data(t);
  for (int64_t i = 0; i < n; ++i) {
    float v = Load(data, i, kind);
#if BUG == 10
    if (std::isinf(v)) return false;
#else
    if (!std::isfinite(v)) return false;
#endif
  }
  return true;
}

void Divide(const TensorView& t, Real kind, double scale) {
  int64_t n = Count(t);
  void* data = Data(t);
  for (int64_t i = 0; i < n; ++i) {
    Store(data, i, kind, static_cast<float>(Load(data, i, kind) / scale));
  }
}

bool Unscale(LossScaler scaler, Array<Tensor> grads) {
  struct Grad {
    TensorView view;
    Real kind;
  };
  std::vector<Grad> all;
  for (size_t i = 0; i < grads.size(); ++i) {
    std::string name = "grads[" + std::to_string(i) + "]";
    Tensor grad = grads[i];
    TensorView view = View(grad, name);
    Real kind = CheckReal(name, view);
    CheckBasics(name, view, -1);
    CheckCompact(name, view);
    all.push_back(Grad{view, kind});
  }
  double scale = scaler->Scale();
#if BUG == 4
  for (const Grad& g : all) {
    if (!Finite(g.view, g.kind)) return true;
    Divide(g.view, g.kind, scale);
  }
#else
  for (const Grad& g : all) {
    if (!Finite(g.view, g.kind)) return true;
  }
  for (const Grad& g : all) Divide(g.view, g.kind, scale);
#endif
  return false;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<LossScalerObj>()
      .def("scale", &LossScalerObj::Scale)
      .def("update", &LossScalerObj::Update);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(loss_scaler, Create);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(loss_unscale, Unscale);
