// SPDX-License-Identifier: Apache-2.0
// Shared by all kernels of this folder: checks, memory, conversions, loops over threads.
#pragma once
#include <omp.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Bytes;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::Shape;
using ffi::ShapeView;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::Variant;

constexpr DLDataType F32{kDLFloat, 32, 1}, F64{kDLFloat, 64, 1}, F16{kDLFloat, 16, 1},
    BF16{kDLBfloat, 16, 1};
constexpr DLDataType I8{kDLInt, 8, 1}, I32{kDLInt, 32, 1}, I64{kDLInt, 64, 1}, U8{kDLUInt, 8, 1},
    BOOL{kDLBool, 8, 1};

#define REQUIRE(KIND, COND) \
  if (!(COND)) TVM_FFI_THROW(KIND)

// A packed export: any number of arguments. fn(PackedArgs) -> Any.
#define EXPORT_PACKED(NAME, FN)                                                                \
  extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_##NAME(void *, const TVMFFIAny *args, int32_t n, \
                                                     TVMFFIAny *result)                        \
  {                                                                                            \
    TVM_FFI_SAFE_CALL_BEGIN();                                                                 \
    *reinterpret_cast<Any *>(result) =                                                         \
        FN(ffi::PackedArgs(reinterpret_cast<const AnyView *>(args), n));                       \
    TVM_FFI_SAFE_CALL_END();                                                                   \
  }

// ---- views: what a kernel needs of a tensor, of TensorView and of Tensor -----------------------------------------
struct View {
  char *data = nullptr;  // byte_offset is in it
  DLDataType dtype{};
  std::vector<int64_t> shape, strides;  // strides in elements, never absent
  int64_t numel = 1;
  template <class T>
  T *as() const
  {
    return reinterpret_cast<T *>(data);
  }
  int64_t n(int i) const
  {
    return shape[i];
  }
};

enum Layout { kContiguous, kRows, kStrided };

inline View view(const DLTensor &t, const char *name, std::initializer_list<DLDataType> dtypes,
                 int rank, Layout layout = kContiguous)
{
  REQUIRE(ValueError, t.device.device_type == kDLCPU && t.device.device_id == 0)
      << name << ": must be on the CPU";
  bool right = false;
  for (DLDataType d : dtypes) right = right || d == t.dtype;
  REQUIRE(TypeError, right) << name << ": data type " << ffi::DLDataTypeToString(t.dtype)
                            << " is not taken";
  REQUIRE(ValueError, rank < 0 || t.ndim == rank)
      << name << ": must have " << rank << " dimensions, not " << t.ndim;
  View v;
  v.dtype = t.dtype;
  v.data = static_cast<char *>(t.data) + t.byte_offset;
  v.shape.assign(t.shape, t.shape + t.ndim);
  v.strides.resize(t.ndim);
  bool empty = false;
  for (int64_t e : v.shape) {
    REQUIRE(ValueError, e >= 0) << name << ": a negative extent";
    empty = empty || e == 0;
  }
  int64_t dense = 1;
  bool contiguous = true;
  for (int i = t.ndim - 1; i >= 0; --i) {
    v.strides[i] = t.strides ? t.strides[i] : dense;
    if (v.shape[i] != 1 && v.strides[i] != dense) {
      contiguous = false;
      if (i == t.ndim - 1 && layout == kRows && !empty)
        TVM_FFI_THROW(ValueError) << name << ": elements of a row must lie side by side";
    }
    if (!empty) {
      REQUIRE(ValueError, !__builtin_mul_overflow(dense, v.shape[i], &dense))
          << name << ": too large";
    }
  }
  REQUIRE(ValueError, contiguous || empty || layout != kContiguous)
      << name << ": must be contiguous";
  v.numel = empty ? 0 : dense;
  REQUIRE(ValueError, v.numel == 0 || t.data != nullptr) << name << ": has no memory";
  return v;
}
inline View view(const TensorView &t, const char *name, std::initializer_list<DLDataType> dtypes,
                 int rank, Layout layout = kContiguous)
{
  DLTensor d{};
  d.data = t.data_ptr(), d.device = t.device(), d.ndim = t.ndim(), d.dtype = t.dtype(),
  d.byte_offset = t.byte_offset();
  d.shape = const_cast<int64_t *>(t.shape().data());
  // strides() of TensorView refuses absent ones: ask what is there through as_strided's source
  struct Peek {
    DLTensor t;
  };
  static_assert(sizeof(Peek) == sizeof(TensorView), "TensorView is a DLTensor");
  d.strides = reinterpret_cast<const Peek *>(&t)->t.strides;
  return view(d, name, dtypes, rank, layout);
}
inline View view(const Tensor &t, const char *name, std::initializer_list<DLDataType> dtypes,
                 int rank, Layout layout = kContiguous)
{
  REQUIRE(TypeError, t.defined()) << name << ": must be a tensor, not None";
  return view(*t.GetDLTensorPtr(), name, dtypes, rank, layout);
}
inline void same_shape(const View &a, const View &b, const char *what)
{
  REQUIRE(ValueError, a.shape == b.shape) << what << ": shapes differ";
}
inline void same_dtype(const View &a, const View &b, const char *what)
{
  REQUIRE(TypeError, a.dtype == b.dtype) << what << ": data types differ";
}

inline Tensor alloc(const std::vector<int64_t> &shape, DLDataType dtype)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.data(), shape.size()), dtype,
                              DLDevice{kDLCPU, 0});
}
template <class T>
T *data(const Tensor &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// ---- strict values out of Any --------------------------------------------------------------------------------------
inline int64_t to_int(const AnyView &a, const char *name)
{
  if (a.type_index() == ffi::TypeIndex::kTVMFFIInt) return a.cast<int64_t>();
  TVM_FFI_THROW(TypeError) << name << ": must be an int";
}
inline double to_float(const AnyView &a, const char *name)
{
  if (a.type_index() == ffi::TypeIndex::kTVMFFIFloat) return a.cast<double>();
  if (a.type_index() == ffi::TypeIndex::kTVMFFIInt) return static_cast<double>(a.cast<int64_t>());
  TVM_FFI_THROW(TypeError) << name << ": must be a float";
}
inline String to_string(const AnyView &a, const char *name)
{
  if (auto s = a.try_cast<String>()) return *s;
  TVM_FFI_THROW(TypeError) << name << ": must be a string";
}

// ---- floats of 16 bits -----------------------------------------------------------------------------------------------
inline float bf16_to_f32(uint16_t h)
{
  uint32_t u = uint32_t(h) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline float f16_to_f32(uint16_t h)
{
  int e = (h >> 10) & 31, m = h & 1023;
  float f = e == 31 ? (m ? NAN : INFINITY)
            : e     ? std::ldexp(float(m + 1024), e - 25)
                    : std::ldexp(float(m), -24);
  return std::copysign(f, (h & 0x8000) ? -1.0f : 1.0f);
}
// x rounded (half to even) to `bits` of precision with exponents from `least`: exact in double
inline double round_to(double x, int bits, int least)
{
  if (x == 0 || !std::isfinite(x)) return x;
  int e = std::max(std::ilogb(x), least) - (bits - 1);
  return std::copysign(std::ldexp(std::nearbyint(std::ldexp(x, -e)), e), x);
}
inline uint16_t to_bf16(double x)
{
  double r = round_to(x, 8, -126);
  float f = static_cast<float>(r);  // exact, or infinity
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if (f != f) return uint16_t((u >> 16) | 0x40);
  return uint16_t(u >> 16);
}
inline uint16_t to_f16(double x)
{
  uint16_t s = std::signbit(x) ? 0x8000 : 0;
  if (x != x) return s | 0x7e00;
  double a = std::fabs(round_to(x, 11, -14));
  if (a > 65504) return s | 0x7c00;
  if (a == 0) return s;
  int e = std::ilogb(a);
  if (e < -14) return s | uint16_t(std::ldexp(a, 24));
  return s | uint16_t((e + 15) << 10) | uint16_t(std::ldexp(a, 10 - e) - 1024);
}
inline double load(const View &v, int64_t at)
{
  if (v.dtype == F32) return v.as<float>()[at];
  if (v.dtype == F64) return v.as<double>()[at];
  if (v.dtype == F16) return f16_to_f32(v.as<uint16_t>()[at]);
  if (v.dtype == BF16) return bf16_to_f32(v.as<uint16_t>()[at]);
  if (v.dtype == I32) return v.as<int32_t>()[at];
  if (v.dtype == I8) return v.as<int8_t>()[at];
  return v.as<uint8_t>()[at];
}
inline void store(const View &v, int64_t at, double x)
{
  if (v.dtype == F32)
    v.as<float>()[at] = static_cast<float>(x);
  else if (v.dtype == F64)
    v.as<double>()[at] = x;
  else if (v.dtype == F16)
    v.as<uint16_t>()[at] = to_f16(x);
  else
    v.as<uint16_t>()[at] = to_bf16(x);
}

// ---- loops over threads ------------------------------------------------------------------------------------------------
using Range = std::function<void(int64_t, int64_t)>;

// fresh threads for each loop; `body` must not throw
[[maybe_unused]] static void loop_threads(int64_t n, int threads, const Range &body)
{
  threads = static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(threads, n)));
  int64_t step = (n + threads - 1) / threads;
  std::vector<std::thread> team;
  int64_t begin = 0;
  try {
    for (int t = 0; t + 1 < threads && begin < n; ++t, begin += step)
      team.emplace_back(body, begin, std::min(n, begin + step));
  } catch (const std::system_error &) {  // no more threads: the rest is done here
  }
  if (begin < n) body(begin, n);
  for (auto &t : team) t.join();
}

[[maybe_unused]] static void loop_omp(int64_t n, const Range &body)
{
  static std::atomic<pid_t> owner{
      0};  // libgomp's threads do not outlive fork: a child goes without
  pid_t none = 0;
  owner.compare_exchange_strong(none, getpid());
  if (owner != getpid()) return body(0, n);
  int64_t blocks = std::min<int64_t>(n, 2);
#pragma omp parallel for num_threads(2) schedule(static)
  for (int64_t b = 0; b < blocks; ++b) body(n * b / blocks, n * (b + 1) / blocks);
}

// two workers that are kept until the module is unloaded; a child of fork starts its own
namespace
{
class Pool
{
 public:
  static Pool &get()
  {
    struct Owner {
      std::mutex m;
      Pool *pool = nullptr;
      ~Owner()
      {
        if (pool && pool->pid_ == getpid()) delete pool;
      }
    };
    static Owner owner;
    std::lock_guard<std::mutex> lock(owner.m);
    // one of the parent is left alone: its threads are not here
    if (!owner.pool || owner.pool->pid_ != getpid()) owner.pool = new Pool;
    return *owner.pool;
  }
  // splits [0, n) into blocks of a fixed size, whatever the number of workers
  void run(int64_t n, int64_t block, const Range &body)
  {
    std::lock_guard<std::mutex> one(turn_);
    std::unique_lock<std::mutex> lock(m_);
    body_ = &body, n_ = n, block_ = block, next_ = 0, busy_ = static_cast<int>(workers_.size()),
    ++round_;
    wake_.notify_all();
    lock.unlock();
    work();
    lock.lock();
    done_.wait(lock, [this] { return busy_ == 0; });
    body_ = nullptr;
  }
  ~Pool()
  {
    {
      std::lock_guard<std::mutex> lock(m_);
      stop_ = true;
      wake_.notify_all();
    }
    for (auto &w : workers_) w.join();
  }

 private:
  Pool() : pid_(getpid())
  {
    try {
      for (int i = 0; i < 2; ++i) workers_.emplace_back([this] { serve(); });
    } catch (const std::system_error &) {
    }
  }
  void work()
  {
    for (int64_t b; (b = next_.fetch_add(block_)) < n_;) (*body_)(b, std::min(n_, b + block_));
  }
  void serve()
  {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(m_);
    for (;;) {
      wake_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      lock.unlock();
      work();
      lock.lock();
      if (--busy_ == 0) done_.notify_all();
    }
  }
  pid_t pid_;
  std::mutex turn_, m_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> workers_;
  const Range *body_ = nullptr;
  std::atomic<int64_t> next_{0};
  int64_t n_ = 0, block_ = 1;
  int busy_ = 0;
  uint64_t round_ = 0;
  bool stop_ = false;
};
}  // namespace
