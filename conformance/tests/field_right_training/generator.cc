// SPDX-License-Identifier: Apache-2.0
// A counter-based random generator as an object, and dropout that draws from it. Number i of a seed
// is always the same; a call takes the numbers that it needs in one step, so threads may share it.
using namespace tvm::ffi;

namespace {

class GeneratorObj : public Object {
 public:
  explicit GeneratorObj(int64_t seed) : seed_(static_cast<uint64_t>(seed)) {}

  uint64_t Take(uint64_t count) const { return next_.fetch_add(count); }
  double Number(uint64_t i) const {  // splitmix64 of seed and counter, in [0, 1)
    uint64_t z = seed_ * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  int64_t Seed() const { return static_cast<int64_t>(seed_); }
  int64_t Offset() const { return static_cast<int64_t>(next_.load()); }
  void SetOffset(int64_t offset) const {
    if (offset < 0) TVM_FFI_THROW(ValueError) << "offset must not be negative";
    next_.store(static_cast<uint64_t>(offset));
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("x6.Generator", GeneratorObj, Object);

 private:
  uint64_t seed_;
  mutable std::atomic<uint64_t> next_{0};
};

class Generator : public ObjectRef {
 public:
  explicit Generator(int64_t seed) : ObjectRef(make_object<GeneratorObj>(seed)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Generator, ObjectRef, GeneratorObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  reflection::ObjectDef<GeneratorObj>()
      .def("seed", &GeneratorObj::Seed)
      .def("offset", &GeneratorObj::Offset)
      .def("set_offset", &GeneratorObj::SetOffset);
}

Generator generator(int64_t seed) { return Generator(seed); }

Array<double> uniform(Generator gen, int64_t count) {
  if (count < 0 || count > 65536) TVM_FFI_THROW(ValueError) << "count must be from 0 to 65536";
  uint64_t first = gen->Take(static_cast<uint64_t>(count));
  Array<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(gen->Number(first + i));
  return numbers;
}

Tensor dropout(Generator gen, Tensor x, double p, bool training, Optional<Tensor> mask) {
  set::need_dense(x, "x", -1);
  if (!set::is_f32(x.dtype())) TVM_FFI_THROW(TypeError) << "x must be float32";
  if (!(p >= 0 && p <= 1)) TVM_FFI_THROW(ValueError) << "dropout probability must be from 0 to 1";
  uint8_t* kept = nullptr;
  if (mask.has_value()) {
    set::need_dense(*mask, "mask", -1);
    if (!set::is((*mask).dtype(), kDLBool, 8)) TVM_FFI_THROW(TypeError) << "mask must be bool";
    if (!set::same_shape(*mask, x)) TVM_FFI_THROW(ValueError) << "mask must have the shape of x";
    kept = set::ptr<uint8_t>(*mask);
  }
  Tensor y = set::empty(x.shape(), x.dtype());
  const int64_t n = x.numel();
  const uint64_t first = training ? gen->Take(static_cast<uint64_t>(n)) : 0;
  for (int64_t i = 0; i < n; ++i) {
    const bool keep = !training || gen->Number(first + i) >= p;
    const double scale = training ? 1 / (1 - p) : 1;
    set::ptr<float>(y)[i] = keep ? static_cast<float>(set::ptr<float>(x)[i] * scale) : 0.0f;
    if (kept != nullptr) kept[i] = keep;
  }
  return y;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(generator, generator);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(uniform, uniform);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dropout, dropout);
