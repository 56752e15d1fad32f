// SPDX-License-Identifier: Apache-2.0
// A confusion matrix that is filled batch by batch.
namespace {

class ConfusionObj : public ffi::Object {
 public:
  int64_t classes;
#if BUG == 6
  Optional<Array<String>> labels;
#else
  std::vector<std::string> labels;
#endif
  std::vector<double> cells;
  int64_t seen = 0;
#if BUG == 2
  Optional<Tensor> table;
#endif
  mutable std::mutex mutex;

  ConfusionObj(int64_t classes, const Optional<Array<String>>& names) : classes(classes), cells(classes * classes, 0.0) {
    if (names.has_value()) {
#if BUG == 6
      labels = names;
#else
      for (const String& s : names.value()) labels.emplace_back(s.data(), s.size());
#endif
    } else {
#if BUG == 6
      Array<String> made;
      for (int64_t i = 0; i < classes; ++i) made.push_back(std::to_string(i));
      labels = made;
#else
      for (int64_t i = 0; i < classes; ++i) labels.push_back(std::to_string(i));
#endif
    }
  }
  std::string Label(int64_t i) const {
#if BUG == 6
    return std::string(labels.value()[i]);
#else
    return labels[i];
#endif
  }

  static int64_t At(const TensorView& t, int64_t i) {
    return Is(t.dtype(), kI32) ? int64_t(Data<int32_t>(t)[i]) : Data<int64_t>(t)[i];
  }

  int64_t Update(TensorView pred, TensorView target, Optional<Tensor> weight, Optional<int64_t> ignore_index) {
    NeedPlain(pred, {kI32, kI64}, 1, "pred");
    NeedPlain(target, {kI32, kI64}, 1, "target");
    int64_t n = pred.size(0);
    TVM_FFI_CHECK(target.size(0) == n, ValueError) << "pred and target must have the same length";
    const float* w = nullptr;
    if (weight.has_value()) {
      Tensor given = weight.value();
      NeedPlain(given, {kF32}, 1, "weight");
      TVM_FFI_CHECK(given.size(0) == n, ValueError) << "weight must be as long as pred";
      w = Data<float>(given);
    }
    if (ignore_index.has_value())
      TVM_FFI_CHECK(ignore_index.value() >= 0 && ignore_index.value() < classes, ValueError) << "ignore_index is no class";
#if BUG == 5
    bool ignores = true;
    int64_t ignored = ignore_index.value_or(0);
#else
    bool ignores = ignore_index.has_value();
    int64_t ignored = ignore_index.value_or(0);
#endif
    auto check = [&](int64_t p, int64_t t) {
#if BUG == 3
      TVM_FFI_CHECK(p < classes, ValueError) << "pred is no class: " << p;
#else
      TVM_FFI_CHECK(p >= 0 && p < classes, ValueError) << "pred is no class: " << p;
#endif
      TVM_FFI_CHECK(t >= 0 && t < classes, ValueError) << "target is no class: " << t;
    };
    std::lock_guard<std::mutex> lock(mutex);
#if BUG != 1
    for (int64_t i = 0; i < n; ++i) {
      int64_t p = At(pred, i), t = At(target, i);
      check(p, t);
    }
#endif
    int64_t counted = 0;
    for (int64_t i = 0; i < n; ++i) {
      int64_t p = At(pred, i), t = At(target, i);
#if BUG == 1
      check(p, t);
#endif
      if (ignores && t == ignored) continue;
      cells[t * classes + p] += w ? double(w[i]) : 1.0;
      ++counted;
    }
    seen += counted;
    return counted;
  }

  Tensor Matrix() {
    std::lock_guard<std::mutex> lock(mutex);
#if BUG == 2
    if (!table.has_value()) table = Alloc({classes, classes}, kF64);
    Tensor out = table.value();
#else
    Tensor out = Alloc({classes, classes}, kF64);
#endif
    std::memcpy(Data<double>(out), cells.data(), cells.size() * sizeof(double));
    return out;
  }

  int64_t Seen() const {
    std::lock_guard<std::mutex> lock(mutex);
    return seen;
  }

  void Reset() {
    std::lock_guard<std::mutex> lock(mutex);
    std::fill(cells.begin(), cells.end(), 0.0);
#if BUG != 7
    seen = 0;
#endif
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("metrics.Confusion", ConfusionObj, ffi::Object);
  static constexpr bool _type_mutable = true;
};

class Confusion : public ffi::ObjectRef {
 public:
  explicit Confusion(ffi::ObjectPtr<ConfusionObj> p) : ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Confusion, ffi::ObjectRef, ConfusionObj);
};

Confusion Make(int64_t classes, Optional<Array<String>> labels) {
  TVM_FFI_CHECK(classes >= 1 && classes <= 1024, ValueError) << "num_classes must be from 1 to 1024";
  if (labels.has_value()) {
    TVM_FFI_CHECK(int64_t(labels.value().size()) == classes, ValueError) << "there must be one label for each class";
    std::unordered_set<std::string> known;
    for (const String& s : labels.value())
      TVM_FFI_CHECK(known.emplace(s.data(), s.size()).second, ValueError) << "two classes have the label " << s;
  }
  return Confusion(ffi::make_object<ConfusionObj>(classes, labels));
}

int64_t Update(Confusion c, TensorView pred, TensorView target, Optional<Tensor> weight, Optional<int64_t> ignore_index) {
  return c->Update(pred, target, weight, ignore_index);
}
Tensor Matrix(Confusion c) { return c->Matrix(); }
int64_t Seen(Confusion c) { return c->Seen(); }
void Reset(Confusion c) { c->Reset(); }

// Adds the cells of `other` to those of c.
int64_t Merge(Confusion c, Confusion other) {
#if BUG != 4
  TVM_FFI_CHECK(c->classes == other->classes, ValueError) << "both must have the same number of classes";
#endif
  std::vector<double> cells;
  int64_t seen;
  {
    std::lock_guard<std::mutex> lock(other->mutex);
    cells = other->cells;
    seen = other->seen;
  }
  std::lock_guard<std::mutex> lock(c->mutex);
  for (size_t i = 0; i < c->cells.size(); ++i) c->cells[i] += cells[i];
  c->seen += seen;
  return c->seen;
}

// Recall by label.
Map<String, double> Recall(Confusion c) {
  Map<String, double> out;
  std::lock_guard<std::mutex> lock(c->mutex);
  for (int64_t t = 0; t < c->classes; ++t) {
    double sum = 0;
    for (int64_t p = 0; p < c->classes; ++p) sum += c->cells[t * c->classes + p];
    out.Set(String(c->Label(t)), sum > 0 ? c->cells[t * c->classes + t] / sum : 0.0);
  }
  return out;
}

double Sum(TensorView x) {
  NeedPlain(x, {kF64}, 2, "x");
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += Data<double>(x)[i];
  return sum;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<ConfusionObj>(refl::init(false))
      .def_ro("num_classes", &ConfusionObj::classes)
      .def("update", &ConfusionObj::Update)
      .def("matrix", &ConfusionObj::Matrix)
      .def("seen", &ConfusionObj::Seen)
      .def("reset", &ConfusionObj::Reset);
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion, Make)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_update, Update)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_matrix, Matrix)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_seen, Seen)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_reset, Reset)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_merge, Merge)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_recall, Recall)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(confusion_sum, Sum)
