// SPDX-License-Identifier: Apache-2.0
// Random numbers by xoshiro256**. A generator is an object: it is made of a seed, or of the state
// of another one, and each call draws as a whole, so that threads may share it.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Array;
using vx::ffi::Tensor;
using State = std::array<uint64_t, 4>;

State Seeded(uint64_t seed) {
  State s;
  for (uint64_t& word : s) {
    seed += 0x9e3779b97f4a7c15;
    uint64_t z = seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    word = z ^ z >> 31;
  }
  return s;
}

uint64_t Step(State& s) {
  const auto turn = [](uint64_t v, int by) { return v << by | v >> (64 - by); };
  const uint64_t out = turn(s[1] * 5, 7) * 9, moved = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= moved;
  s[3] = turn(s[3], 45);
  return out;
}

double Unit(State& s) { return static_cast<double>(Step(s) >> 11) * 0x1p-53; }  // below 1

class RngObj : public vx::ffi::Object {
 public:
  explicit RngObj(const State& state) : state_(state) {}

  template <typename F>
  auto Draw(F f) {
    std::lock_guard<std::mutex> hold(lock_);
    return f(state_);
  }
  int64_t Next() { return Draw([](State& s) { return static_cast<int64_t>(Step(s) >> 1); }); }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blind4.Rng", RngObj, vx::ffi::Object);

 private:
  std::mutex lock_;
  State state_;
};

class Rng : public vx::ffi::ObjectRef {
 public:
  explicit Rng(const State& s) : ObjectRef(vx::ffi::make_object<RngObj>(s)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Rng, vx::ffi::ObjectRef, RngObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  vx::ffi::reflection::ObjectDef<RngObj>(vx::ffi::reflection::init(false))
      .def("next", &RngObj::Next);
}

Rng New(vx::ffi::Variant<int64_t, Array<int64_t>> from) {
  if (const auto seed = from.as<int64_t>()) return Rng(Seeded(static_cast<uint64_t>(*seed)));
  const auto words = from.as<Array<int64_t>>();
  if (!words.has_value() || words->size() != 4) {
    TVM_FFI_THROW(ValueError) << "from: a seed, or the 4 numbers of a state";
  }
  State s;
  for (size_t i = 0; i < 4; ++i) s[i] = static_cast<uint64_t>((*words)[static_cast<int64_t>(i)]);
  if ((s[0] | s[1] | s[2] | s[3]) == 0) TVM_FFI_THROW(ValueError) << "from: a state of zeros";
  return Rng(s);
}

void Uniform(Rng rng, double low, double high, DLTensor* out) {
  const View to = vx::Look(out, "out", 1, {Num::F32, Num::F64});
  if (!(low >= -1e6 && high <= 1e6 && low < high)) {
    TVM_FFI_THROW(ValueError) << "low must be less than high, and both within a million";
  }
  const_cast<RngObj*>(rng.get())->Draw([&](State& s) {
    for (int64_t i = 0; i < to.shape[0]; ++i) to.Put(low + (high - low) * Unit(s), i);
  });
}

Tensor Normal(Rng rng, vx::ffi::Shape shape) {
  if (shape.size() != 2) TVM_FFI_THROW(ValueError) << "shape: 2 extents are needed";
  for (int64_t extent : shape) {
    if (extent < 0 || extent > 64) TVM_FFI_THROW(ValueError) << "shape: extents from 0 to 64";
  }
  const Tensor made = vx::NewTensor(shape, DLDataType{kDLFloat, 64, 1});
  const View to = vx::Look(made, "result", 2, {Num::F64});
  const_cast<RngObj*>(rng.get())->Draw([&](State& s) {
    for (int64_t i = 0; i < to.count; ++i) {
      const double radius = std::sqrt(-2 * std::log(1 - Unit(s)));
      const double angle = 2 * std::acos(-1.0) * Unit(s);
      to.Put(radius * std::cos(angle), i / shape[1], i % shape[1]);
    }
  });
  return made;
}

Array<int64_t> StateOf(Rng rng) {
  const State s = const_cast<RngObj*>(rng.get())->Draw([](State& now) { return now; });
  Array<int64_t> words;
  for (uint64_t w : s) words.push_back(static_cast<int64_t>(w));
  return words;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_new, New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_uniform, Uniform);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_normal, Normal);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_state, StateOf);
