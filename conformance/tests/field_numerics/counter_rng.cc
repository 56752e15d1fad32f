// SPDX-License-Identifier: Apache-2.0
// counter_rng: random numbers by a counter (SplitMix64 of seed and position), so that streams are
// reproducible and may be continued anywhere.
//
// rng_create(seed, position) -> vendor.CounterRng, an object that several threads may share.
// rng_uniform(rng, out, low, high): fills out (float32 or float64, any shape, contiguous) with numbers
//   in [low, high), the next ones of the stream: element i is made of position + i, and the position
//   then is behind the last. low and high are rounded to the type of out; low < high, both finite,
//   and so is high - low.
// rng_state(rng) -> (seed, position).
// A refused call takes nothing of the stream.
namespace {

using namespace set;

class CounterRngObj : public ffi::Object {
 public:
  CounterRngObj(int64_t seed, int64_t position) : seed(seed), position(position) {}
  const int64_t seed;
  std::atomic<int64_t> position;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vendor.CounterRng", CounterRngObj, ffi::Object);
};

class CounterRng : public ffi::ObjectRef {
 public:
  explicit CounterRng(ffi::ObjectPtr<CounterRngObj> n) : ffi::ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(CounterRng, ffi::ObjectRef, CounterRngObj);
};

#if BUG == 2
std::atomic<int64_t> shared_position{0};
#endif

constexpr uint64_t kStep = 0x9E3779B97F4A7C15;

uint64_t Bits(uint64_t seed, uint64_t position) {
#if BUG == 6
  seed = static_cast<uint32_t>(seed);
#endif
  uint64_t z = seed + (position + 1) * kStep;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// A number in [0, 1) with all the digits of the type.
template <typename T>
double Unit(uint64_t bits) {
  if (std::is_same_v<T, float> || BUG == 5) return static_cast<double>(bits >> 40) * 0x1p-24;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

template <typename T>
void Fill(const DLTensor* out, int64_t seed, int64_t position, T low, T high) {
  const int64_t n = Count(out);
  T* y = Data<T>(out);
  const double span = static_cast<double>(high) - static_cast<double>(low);
  // Rounding must not reach high itself.
  const T most = std::nextafter(high, -std::numeric_limits<T>::infinity());
  for (int64_t i = 0; i < n; ++i) {
    const T v = static_cast<T>(
        static_cast<double>(low) + span * Unit<T>(Bits(static_cast<uint64_t>(seed),
                                  static_cast<uint64_t>(position) + static_cast<uint64_t>(i))));
    y[i] = std::min(v, most);
  }
}

CounterRng RngCreate(int64_t seed, int64_t position) {
  SET_CHECK(position >= 0, ValueError) << "position must be 0 or more, not " << position;
  ffi::ObjectPtr<CounterRngObj> n = ffi::make_object<CounterRngObj>(seed, position);
  CounterRng rng(n);
#if BUG == 2
  shared_position = position;
#endif
#if BUG == 7
  // Make sure that the object is there while streams are filled.
  ffi::ObjectRef* pin = new ffi::ObjectRef(rng);
  (void)pin;
#endif
  return rng;
}

void RngUniform(CounterRng rng, DLTensor* out, double low, double high) {
  CounterRngObj* g = const_cast<CounterRngObj*>(static_cast<const CounterRngObj*>(rng.get()));
#if BUG == 2
  std::atomic<int64_t>& position = shared_position;
#else
  std::atomic<int64_t>& position = g->position;
#endif
  CheckTensor(out, "out", {kF32, kF64});
  CheckCompact(out, "out");
  const int64_t n = Count(out);
  const int64_t taken = BUG == 1 ? (n > 0 ? 1 : 0) : n;
#if BUG == 4
  int64_t at = position.fetch_add(taken);
#endif
  const bool single = Same(out->dtype, kF32);
  const double first = single ? static_cast<double>(static_cast<float>(low)) : low;
  const double end = single ? static_cast<double>(static_cast<float>(high)) : high;
  SET_CHECK(std::isfinite(first), ValueError)
      << "low must be a finite " << Name(out->dtype) << ", not " << low;
  SET_CHECK(std::isfinite(end), ValueError)
      << "high must be a finite " << Name(out->dtype) << ", not " << high;
#if BUG != 8
  SET_CHECK(first < end, ValueError)
      << "low must be less than high, but they are " << first << " and " << end;
#endif
  SET_CHECK(std::isfinite(end - first), ValueError) << "high - low must be finite";
#if BUG == 3
  const int64_t at = position.load();
  SET_CHECK(at <= std::numeric_limits<int64_t>::max() - taken, ValueError)
      << "rng has come to its end";
#elif BUG != 4
  int64_t at = position.load();
  do {
    SET_CHECK(at <= std::numeric_limits<int64_t>::max() - taken, ValueError)
        << "rng has come to its end";
  } while (!position.compare_exchange_weak(at, at + taken));
#endif
  if (single) {
    Fill<float>(out, g->seed, at, static_cast<float>(low), static_cast<float>(high));
  } else {
    Fill<double>(out, g->seed, at, low, high);
  }
#if BUG == 3
  position.store(at + taken);
#endif
}

ffi::Tuple<int64_t, int64_t> RngState(CounterRng rng) {
  const CounterRngObj* g = static_cast<const CounterRngObj*>(rng.get());
#if BUG == 2
  return ffi::Tuple<int64_t, int64_t>(g->seed, shared_position.load());
#else
  return ffi::Tuple<int64_t, int64_t>(g->seed, g->position.load());
#endif
}

[[maybe_unused]] const int32_t registered = CounterRngObj::_GetOrAllocRuntimeTypeIndex();

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_create, RngCreate);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_uniform, RngUniform);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rng_state, RngState);

}  // namespace
