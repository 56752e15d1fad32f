// SPDX-License-Identifier: Apache-2.0
// y = act(scale * x + shift), with the details in a map; y may be x.
namespace {

using namespace tvm::ffi;

struct Plan {
  double scale = 1, shift = 0;
  enum { kNone, kRelu, kAbs } act = kNone;
};

double Number(const Any& v, const String& key) {
  auto d = v.try_cast<double>();
  if (!d.has_value()) TVM_FFI_THROW(TypeError) << "options[" << key << "] is not a number";
  if (!(*d >= -100 && *d <= 100)) {
    TVM_FFI_THROW(ValueError) << "options[" << key << "] is too large";
  }
  return *d;
}

Plan Parse(const Map<String, Any>& options) {
  Plan plan;
  bool has_act = false;
  for (const auto& kv : options) {
    if (kv.first == "scale") {
      plan.scale = Number(kv.second, kv.first);
    } else if (kv.first == "shift") {
      plan.shift = Number(kv.second, kv.first);
    } else if (kv.first == "act") {
      auto name = kv.second.try_cast<String>();
      if (!name.has_value()) TVM_FFI_THROW(TypeError) << "options[act] is not a string";
      if (*name == "none") {
        plan.act = Plan::kNone;
      } else if (*name == "relu") {
        plan.act = Plan::kRelu;
      } else if (*name == "abs") {
        plan.act = Plan::kAbs;
      } else {
        TVM_FFI_THROW(ValueError) << "unknown act: " << *name;
      }
      has_act = true;
    } else {
      TVM_FFI_THROW(KeyError) << "unknown option: " << kv.first;
    }
  }
  if (!has_act) TVM_FFI_THROW(KeyError) << "options: act is missing";
  return plan;
}

void ScaleOptions(TensorView x, Map<String, Any> options, TensorView y) {
  Plan plan = Parse(options);
  if (!x4::holds<float>(x.dtype()) || !x4::holds<float>(y.dtype())) {
    TVM_FFI_THROW(TypeError) << "float32 only";
  }
  if (x.ndim() != 1 || y.ndim() != 1 || x.size(0) != y.size(0)) {
    TVM_FFI_THROW(ValueError) << "x and y are vectors of one length";
  }
  x4::plain(x, "x");
  x4::plain(y, "y");
  const float* in = x4::first<float>(x);
  float* out = x4::first<float>(y);
  for (int64_t i = 0, n = x.size(0); i < n; ++i) {
    double v = plan.scale * in[i] + plan.shift;
    if (plan.act == Plan::kRelu && v < 0) v = 0;
    if (plan.act == Plan::kAbs) v = std::fabs(v);
    out[i] = static_cast<float>(v);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_options, ScaleOptions);
