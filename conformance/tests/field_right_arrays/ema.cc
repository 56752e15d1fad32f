// SPDX-License-Identifier: Apache-2.0
// An object that keeps an exponential moving average of vectors, and may be used by many threads.
namespace {

using namespace set;

class EmaObj : public ffi::Object {
 public:
  EmaObj(double decay, int64_t size) : decay_(decay), mean_(static_cast<size_t>(size), 0.0) {}

  int64_t Update(TensorView x) {
    const DLTensor* t = Raw(x);
    NeedShape(t, {static_cast<int64_t>(mean_.size())}, "x");
    const double* p = Elements<double>(t, "x");
    const int64_t step = Stride(t, 0);
    std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = 0; i < mean_.size(); ++i) {
      mean_[i] = decay_ * mean_[i] + (1 - decay_) * p[static_cast<int64_t>(i) * step];
    }
    remaining_ *= decay_;
    return ++updates_;
  }

  // The average without the weight of the zeros that it began with.
  Tensor Value() {
    Tensor out = NewTensor({static_cast<int64_t>(mean_.size())}, TypeOf<double>());
    std::lock_guard<std::mutex> lock(mutex_);
    if (updates_ == 0) TVM_FFI_THROW(RuntimeError) << "no value before the first update";
    double* p = Elements<double>(out.GetDLTensorPtr(), "value");
    for (size_t i = 0; i < mean_.size(); ++i) p[i] = mean_[i] / (1 - remaining_);
    return out;
  }

  void Reset() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::fill(mean_.begin(), mean_.end(), 0.0);
    remaining_ = 1;
    updates_ = 0;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vendor4.Ema", EmaObj, ffi::Object);

 private:
  std::mutex mutex_;
  const double decay_;
  std::vector<double> mean_;
  double remaining_ = 1;
  int64_t updates_ = 0;
};

class Ema : public ffi::ObjectRef {
 public:
  Ema(double decay, int64_t size) { data_ = ffi::make_object<EmaObj>(decay, size); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Ema, ffi::ObjectRef, EmaObj);
};

Ema MakeEma(double decay, int64_t size) {
  if (!(decay >= 0 && decay < 1)) TVM_FFI_THROW(ValueError) << "decay must be in [0, 1)";
  if (size < 1 || size > 4096) TVM_FFI_THROW(ValueError) << "size must be from 1 to 4096";
  return Ema(decay, size);
}

void EmaInto(Ema ema, TensorView out) {
  const auto* cell = ema.as<EmaObj>();
  if (cell == nullptr) TVM_FFI_THROW(TypeError) << "an average is needed";
  NeedRank(Raw(out), 1, "out");
  NeedCompact(Raw(out), "out");
  double* to = Elements<double>(Raw(out), "out");
  const Tensor value = const_cast<EmaObj*>(cell)->Value();
  NeedShape(Raw(out), {value.size(0)}, "out");
  std::copy_n(Elements<double>(value.GetDLTensorPtr(), "value"), value.numel(), to);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  tvm::ffi::reflection::ObjectDef<EmaObj>()
      .def("update", &EmaObj::Update)
      .def("value", &EmaObj::Value)
      .def("reset", &EmaObj::Reset);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ema, MakeEma);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ema_into, EmaInto);
