// SPDX-License-Identifier: Apache-2.0
// A sketch of a distribution: up to `capacity` centroids, and the two nearest of more are merged.
namespace sketchkit {
namespace ffi = tvm::ffi;

struct Centroid {
  double mean;
  int64_t weight;
};

class QuantilesObj : public ffi::Object {
 public:
  explicit QuantilesObj(int64_t capacity) : capacity(capacity) {}

  int64_t Add(double value) {
    Check(value);
    std::lock_guard<std::mutex> hold(lock_);
    Insert({value, 1});
    return total_;
  }

  // All of them, or none.
  int64_t Extend(kit::TensorView values) {
    const double* v = kit::elements<double>(values, "values", 1);
    for (int64_t i = 0; i < values.size(0); ++i) Check(v[i]);
    std::lock_guard<std::mutex> hold(lock_);
    for (int64_t i = 0; i < values.size(0); ++i) Insert({v[i], 1});
    return total_;
  }

  int64_t Count() { return std::lock_guard<std::mutex>(lock_), total_; }

  double At(double q) {
    if (!(q >= 0 && q <= 1)) TVM_FFI_THROW(ValueError) << "q must be from 0 to 1";
    std::lock_guard<std::mutex> hold(lock_);
    if (total_ == 0) TVM_FFI_THROW(RuntimeError) << "the sketch is empty";
    double target = q * double(total_ - 1);
    int64_t passed = 0;
    for (const Centroid& c : sorted_) {
      passed += c.weight;
      if (double(passed) > target) return c.mean;
    }
    return sorted_.back().mean;
  }

  void Absorb(QuantilesObj* other) {
    std::vector<Centroid> theirs;
    {
      std::lock_guard<std::mutex> hold(other->lock_);
      theirs = other->sorted_;
    }
    std::lock_guard<std::mutex> hold(lock_);
    for (const Centroid& c : theirs) Insert(c);
  }

  static constexpr bool _type_mutable = true;
  const int64_t capacity;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("sketchkit.Quantiles", QuantilesObj, ffi::Object);

 private:
  static void Check(double value) {
    if (!(std::fabs(value) <= 1e9)) TVM_FFI_THROW(ValueError) << "value " << value << " refused";
  }

  void Insert(Centroid c) {
    auto at = std::upper_bound(sorted_.begin(), sorted_.end(), c.mean,
                               [](double v, const Centroid& o) { return v < o.mean; });
    sorted_.insert(at, c);
    total_ += c.weight;
    if (int64_t(sorted_.size()) <= capacity) return;
    auto gap = [this](size_t i) { return sorted_[i + 1].mean - sorted_[i].mean; };
    size_t best = 0;
    for (size_t i = 1; i + 1 < sorted_.size(); ++i) best = gap(i) < gap(best) ? i : best;
    Centroid &a = sorted_[best], &b = sorted_[best + 1];
    double sum = a.mean * double(a.weight) + b.mean * double(b.weight);
    a = {sum / double(a.weight + b.weight), a.weight + b.weight};
    sorted_.erase(sorted_.begin() + int64_t(best) + 1);
  }

  std::mutex lock_;
  std::vector<Centroid> sorted_;
  int64_t total_ = 0;
};

class Quantiles : public ffi::ObjectRef {
 public:
  explicit Quantiles(int64_t capacity) : ObjectRef(ffi::make_object<QuantilesObj>(capacity)) {}
  QuantilesObj* Inner() const { return static_cast<QuantilesObj*>(data_.get()); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Quantiles, ffi::ObjectRef, QuantilesObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<QuantilesObj>(ffi::reflection::init(false))
      .def("add", &QuantilesObj::Add)
      .def("extend", &QuantilesObj::Extend)
      .def("count", &QuantilesObj::Count);
}

Quantiles Sketch(int64_t capacity) {
  if (capacity < 2 || capacity > 512) TVM_FFI_THROW(ValueError) << "capacity must be 2 to 512";
  return Quantiles(capacity);
}

double Quantile(Quantiles s, double q) { return s.Inner()->At(q); }

Quantiles Merged(Quantiles a, Quantiles b) {
  if (a->capacity != b->capacity) TVM_FFI_THROW(ValueError) << "capacities differ";
  Quantiles out(a->capacity);
  out.Inner()->Absorb(a.Inner());
  out.Inner()->Absorb(b.Inner());
  return out;
}
}  // namespace sketchkit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sketch, sketchkit::Sketch);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantile, sketchkit::Quantile);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(merged, sketchkit::Merged);
