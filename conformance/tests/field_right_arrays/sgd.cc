// SPDX-License-Identifier: Apache-2.0
// A step of stochastic gradient descent for a list of vectors, with momentum and decay.
namespace {

using namespace set;
using Options = ffi::Map<ffi::String, ffi::Any>;

template <typename T>
T Option(const Options& options, const char* key, T otherwise) {
  auto it = options.find(key);
  if (it == options.end() || (*it).second == nullptr) return otherwise;
  std::optional<T> value = (*it).second.try_cast<T>();
  if (!value) TVM_FFI_THROW(TypeError) << "option " << key << " has another type";
  return *value;
}

std::vector<float*> Vectors(const Array<Tensor>& list, size_t count, int64_t length,
                            const char* name) {
  if (list.size() != count) TVM_FFI_THROW(ValueError) << name << " has another length than params";
  std::vector<float*> found;
  for (const Tensor& t : list) {
    NeedShape(t.GetDLTensorPtr(), {length}, name);
    NeedCompact(t.GetDLTensorPtr(), name);
    found.push_back(Elements<float>(t.GetDLTensorPtr(), name));
  }
  return found;
}

// All is looked at before the first element changes.
void Sgd(Array<Tensor> params, Array<Tensor> grads, Optional<Array<Tensor>> momenta,
         Options options) {
  for (const auto& entry : options) {
    const std::string key = entry.first;
    if (key != "lr" && key != "momentum" && key != "decay" && key != "nesterov") {
      TVM_FFI_THROW(KeyError) << "there is no option \"" << key << '"';
    }
  }
  if (options.count("lr") == 0) TVM_FFI_THROW(KeyError) << "lr is missing";
  const double lr = Option<double>(options, "lr", NAN);
  const double momentum = Option<double>(options, "momentum", 0);
  const double decay = Option<double>(options, "decay", 0);
  const bool nesterov = Option<bool>(options, "nesterov", false);
  if (!(lr >= 0)) TVM_FFI_THROW(ValueError) << "lr must be a number, and not negative";
  if (!(momentum >= 0 && momentum < 1)) TVM_FFI_THROW(ValueError) << "momentum is in [0, 1)";
  if (!(decay >= 0)) TVM_FFI_THROW(ValueError) << "decay must not be negative";
  const bool moving = momentum > 0;
  if (moving && !momenta.has_value()) TVM_FFI_THROW(ValueError) << "momentum needs momenta";

  const size_t count = params.size();
  if (count > 0) NeedRank(params[0].GetDLTensorPtr(), 1, "params");
  const int64_t n = count > 0 ? params[0].size(0) : 0;
  const auto p = Vectors(params, count, n, "params"), g = Vectors(grads, count, n, "grads");
  std::vector<float*> v;
  if (momenta.has_value()) v = Vectors(momenta.value(), count, n, "momenta");
  for (size_t k = 0; k < count; ++k) {
    for (int64_t i = 0; i < n; ++i) {
      const double slope = g[k][i] + decay * p[k][i];
      double step = slope;
      if (moving) {
        const double kept = momentum * v[k][i] + slope;
        v[k][i] = static_cast<float>(kept);
        step = nesterov ? slope + momentum * kept : kept;
      }
      p[k][i] = static_cast<float>(p[k][i] - lr * step);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd, Sgd);
