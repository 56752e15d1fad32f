// SPDX-License-Identifier: Apache-2.0
// Shared helpers of this kernel set. Independent of BUG.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace set
{
using namespace tvm::ffi;

#define REQUIRE(cond, Kind) \
  if (cond) {               \
  } else                    \
    TVM_FFI_THROW(Kind)

constexpr DLDataType kF16{kDLFloat, 16, 1}, kF32{kDLFloat, 32, 1}, kF64{kDLFloat, 64, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1}, kU8{kDLUInt, 8, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool OneOf(DLDataType a, std::initializer_list<DLDataType> list)
{
  for (DLDataType b : list)
    if (Same(a, b)) return true;
  return false;
}
inline std::string Name(DLDataType t)
{
  return std::string(DLDataTypeToString(t));
}

template <typename T>
T *Data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}
template <typename T>
T *Data(const Tensor &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// Of an optional tensor, which keeps it alive.
inline TensorView View(const Optional<Tensor> &t)
{
  Tensor held = t.value();
  return TensorView(held);
}

inline void CheckCPU(const TensorView &t, const char *what)
{
  REQUIRE(t.device().device_type == kDLCPU, ValueError) << what << " must be on the CPU";
}
inline void CheckRank(const TensorView &t, const char *what, int rank)
{
  REQUIRE(t.ndim() == rank, ValueError)
      << what << " must have " << rank << " dimensions, has " << t.ndim();
}
inline void CheckDtype(const TensorView &t, const char *what,
                       std::initializer_list<DLDataType> list)
{
  REQUIRE(OneOf(t.dtype(), list), TypeError)
      << what << " has unsupported dtype " << Name(t.dtype());
}
inline void CheckContiguous(const TensorView &t, const char *what)
{
  REQUIRE(t.IsContiguous(), ValueError) << what << " must be contiguous";
}
inline void CheckVector(const TensorView &t, const char *what,
                        std::initializer_list<DLDataType> list)
{
  CheckCPU(t, what);
  CheckRank(t, what, 1);
  CheckDtype(t, what, list);
  CheckContiguous(t, what);
}
// The stride of a dimension, also of a contiguous tensor whose producer has left the strides out.
inline int64_t Stride(const TensorView &t, int dim)
{
  if (!t.IsContiguous()) return t.strides()[dim];
  int64_t step = 1;
  for (int i = t.ndim() - 1; i > dim; --i) step *= t.size(i);
  return step;
}
// Elements of the last dimension side by side, rows anywhere.
inline void CheckRows(const TensorView &t, const char *what)
{
  if (t.numel() == 0) return;
  int last = t.ndim() - 1;
  REQUIRE(t.size(last) == 1 || Stride(t, last) == 1, ValueError)
      << what << ": elements of a row must lie side by side";
}

inline bool MulOverflow(int64_t a, int64_t b, int64_t *r)
{
  return __builtin_mul_overflow(a, b, r);
}
inline bool AddOverflow(int64_t a, int64_t b, int64_t *r)
{
  return __builtin_add_overflow(a, b, r);
}

inline Tensor NewTensor(const std::vector<int64_t> &shape, DLDataType dtype)
{
  int64_t n = dtype.bits * dtype.lanes;
  for (int64_t s : shape)
    REQUIRE(s >= 0 && !MulOverflow(n, s, &n), ValueError) << "result is too large";
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.data(), shape.size()), dtype,
                              DLDevice{kDLCPU, 0});
}

inline float HalfToFloat(uint16_t h)
{
  uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, exp = (h >> 10) & 31, man = h & 1023,
           bits;
  if (exp == 31) {
    bits = sign | 0x7f800000u | (man << 13);
  } else if (exp) {
    bits = sign | ((exp + 112) << 23) | (man << 13);
  } else {
    float f = static_cast<float>(man) * 5.9604644775390625e-8f;
    return sign ? -f : f;
  }
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint16_t FloatToHalf(float f)
{
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  uint32_t a = bits & 0x7fffffffu;
  if (a > 0x7f800000u) return sign | 0x7e00;
  if (a >= 0x477ff000u) return sign | 0x7c00;  // 65520 and more
  if (a < 0x38800000u) {                       // subnormal: multiples of 2^-24
    float m;
    std::memcpy(&m, &a, 4);
    return sign | static_cast<uint16_t>(std::nearbyint(static_cast<double>(m) * 16777216.0));
  }
  uint32_t r = a + 0xfffu + ((a >> 13) & 1) - 0x38000000u;
  return sign | static_cast<uint16_t>(r >> 13);
}
inline float BF16ToFloat(uint16_t h)
{
  uint32_t bits = static_cast<uint32_t>(h) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint16_t FloatToBF16(float f)
{
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

// Calls body(begin, end) for parts of 0..n, on up to 4 threads; the first error is thrown again here.
template <typename F>
void ParallelFor(int64_t n, int64_t grain, const F &body)
{
  int64_t parts = std::min<int64_t>(4, n / std::max<int64_t>(grain, 1));
  if (parts <= 1) {
    if (n > 0) body(int64_t{0}, n);
    return;
  }
  std::exception_ptr error;
  std::mutex lock;
  auto run = [&](int64_t p) {
    try {
      body(n * p / parts, n * (p + 1) / parts);
    } catch (...) {
      std::lock_guard<std::mutex> g(lock);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int64_t p = 1; p < parts; ++p) {
    try {
      threads.emplace_back(run, p);
    } catch (const std::system_error &) {
      run(p);
    }
  }
  run(0);
  for (auto &t : threads) t.join();
  if (error) std::rethrow_exception(error);
}
}  // namespace set
