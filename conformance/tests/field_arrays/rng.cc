// SPDX-License-Identifier: Apache-2.0
// Counter based random numbers: the number at a position depends on seed and position alone.
// uniform_ is written against the C ABI.
using namespace ks;

static inline uint32_t Mix(uint32_t x)
{
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}
static inline uint32_t Key(int64_t seed)
{
  uint64_t low = uint64_t(seed) & 0xffffffffu, high = (uint64_t(seed) >> 32) & 0xffffffffu;
#if BUG == 1
  high = 0;
#endif
  return uint32_t(low * 0x1E3779B1u) ^ uint32_t(high * 0x05EBCA77u);
}
static inline double Unit(int64_t position, uint32_t key)
{
  return double(Mix(uint32_t(position) ^ key) >> 8) / 16777216.0;
}
constexpr int64_t kEnd = int64_t(1) << 32;

static int Raise(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static bool AsInt(const TVMFFIAny &a, int64_t *out)
{
  if (a.type_index != kTVMFFIInt) return false;
  *out = a.v_int64;
  return true;
}
static bool AsFloat(const TVMFFIAny &a, double *out)
{
  if (a.type_index == kTVMFFIFloat) {
    *out = a.v_float64;
    return true;
  }
  if (a.type_index == kTVMFFIInt) {
    *out = double(a.v_int64);
    return true;
  }
  return false;
}
static DLTensor *AsTensor(const TVMFFIAny &a)
{
  if (a.type_index == kTVMFFIDLTensorPtr) return static_cast<DLTensor *>(a.v_ptr);
  if (a.type_index == kTVMFFITensor) return TVMFFITensorGetDLTensorPtr(a.v_obj);
  return nullptr;
}

// uniform_(out, seed, offset, low, high) -> the offset behind the numbers used
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_uniform_(void *, const TVMFFIAny *args,
                                                     int32_t num_args, TVMFFIAny *result)
{
  if (num_args != 5) return Raise("TypeError", "uniform_ takes 5 arguments");
  DLTensor *out = AsTensor(args[0]);
  int64_t seed, offset;
  double low, high;
  if (out == nullptr) return Raise("TypeError", "out: a tensor is expected");
#if BUG == 5
  seed = args[1].v_int64;
#else
  if (!AsInt(args[1], &seed)) return Raise("TypeError", "seed: an int is expected");
#endif
  if (!AsInt(args[2], &offset)) return Raise("TypeError", "offset: an int is expected");
  if (!AsFloat(args[3], &low)) return Raise("TypeError", "low: a float is expected");
  if (!AsFloat(args[4], &high)) return Raise("TypeError", "high: a float is expected");
  if (!In(out->dtype, {kF32, kF64, kBF16}))
    return Raise("TypeError", "out: float32, float64 or bfloat16 is expected");
  if (out->device.device_type != kDLCPU) return Raise("ValueError", "out: must be on the CPU");
  if (!ffi::IsContiguous(*out)) return Raise("ValueError", "out: must be contiguous");
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low))
#if BUG == 4
    return -1;
#else
    return Raise("ValueError", "low and high must be finite");
#endif
  if (!(low < high)) return Raise("ValueError", "low must be less than high");
  if (out->ndim != 1) return Raise("ValueError", "out: must have 1 dimension");
  int64_t n = out->shape[0];
  if (offset < 0 || offset > kEnd || n > kEnd - offset)
    return Raise("ValueError", "offset: out of range");
  char *data = static_cast<char *>(out->data) + out->byte_offset;
  if (n > 0 && reinterpret_cast<uintptr_t>(data) % size_t(out->dtype.bits / 8) != 0)
    return Raise("ValueError", "out: misaligned");
  uint32_t key = Key(seed);
  try {
    ParallelFor(n, 1 << 14, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
#if BUG == 6
        int64_t position = offset + i - begin;
#else
        int64_t position = offset + i;
#endif
        Store(data, out->dtype, i, low + (high - low) * Unit(position, key));
      }
    });
  } catch (const std::exception &e) {
    return Raise("RuntimeError", e.what());
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
#if BUG == 3
  result->v_int64 = offset + n / 4 * 4;
#else
  result->v_int64 = offset + n;
#endif
  return 0;
}

// A generator is a function: gen(n) gives the next n numbers in [0, 1).
static Function MakeGenerator(int64_t seed)
{
#if BUG == 2
  static std::atomic<int64_t> shared_position{0};
  std::atomic<int64_t> *position = &shared_position;
  auto draw = [seed, position](int64_t n) -> Tensor {
#else
  auto position = std::make_shared<std::atomic<int64_t> >(0);
  auto draw = [seed, position](int64_t n) -> Tensor {
#endif
    KS_CHECK(n >= 0 && n <= (1 << 24), ValueError) << "n must be in 0..16777216";
    int64_t at = position->load();
    do {
      KS_CHECK(at <= kEnd - n, ValueError) << "the generator is used up";
    } while (!position->compare_exchange_weak(at, at + n));
    Tensor out = Alloc({n}, kF32, DLDevice{kDLCPU, 0});
    uint32_t key = Key(seed);
    for (int64_t i = 0; i < n; ++i) Data<float>(out)[i] = float(Unit(at + i, key));
#if BUG == 7
    TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(out));
#endif
    return out;
  };
  return Function::FromTyped(draw);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_generator, MakeGenerator)
