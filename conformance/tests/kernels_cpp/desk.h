// SPDX-License-Identifier: Apache-2.0
// bid(key, price, options): whether it is the least price of the key so far, in this process. options has a factor,
// which is finite. route(bounds, variants, n): what the variant for the least bound that n does not exceed
// gives for it. count(keys, where): how often each key is there; where is the CPU or the first CUDA device.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace ffi = tvm::ffi;

static bool Bid(ffi::String key, double price, ffi::Map<ffi::String, ffi::Any> options)
{
  static std::mutex lock;
  static auto *best = new std::map<std::string, double>;
  double factor = 1;
  for (const auto &entry : options) {
    const ffi::Any value = entry.second;
    if (entry.first != "factor") TVM_FFI_THROW(ValueError) << "unknown option " << entry.first;
    const auto number = value.try_cast<double>();
    if (!number) TVM_FFI_THROW(TypeError) << "factor is a float";
    factor = *number;
    if (!std::isfinite(factor)) TVM_FFI_THROW(ValueError) << "factor is finite";
  }
  if (!(price >= 0)) TVM_FFI_THROW(ValueError) << "price is at least 0";
  const std::lock_guard<std::mutex> hold(lock);
  const auto found = best->emplace(std::string(key.data(), key.size()), price * factor);
  if (!found.second && !(price * factor < found.first->second)) return false;
  found.first->second = price * factor;
  return true;
}

static double Route(ffi::Array<int64_t> bounds, ffi::Array<ffi::Function> variants, int64_t n)
{
  if (bounds.empty()) TVM_FFI_THROW(ValueError) << "bounds is empty";
  if (LENGTHS_DIFFER(bounds, variants))
    TVM_FFI_THROW(ValueError) << "a variant for each of bounds is needed";
  for (const ffi::Function &variant : variants)
    if (!variant.defined()) TVM_FFI_THROW(TypeError) << "None among variants";
  for (size_t i = 1; i < bounds.size(); ++i)
    if (bounds[i] <= bounds[i - 1]) TVM_FFI_THROW(ValueError) << "bounds must rise";
  if (n < 0) TVM_FFI_THROW(ValueError) << "n is at least 0";
  size_t at = 0;
  while (at < bounds.size() && bounds[at] < n) ++at;
  if (at == bounds.size()) TVM_FFI_THROW(IndexError) << "no variant for n";
  return variants[CHOSEN(at)](n).cast<double>();
}

static ffi::Map<int64_t, int64_t> Count(ffi::Array<int64_t> keys, DLDevice where)
{
  if ((where.device_type != kDLCPU && where.device_type != kDLCUDA) || where.device_id != 0)
    TVM_FFI_THROW(ValueError) << "where is cpu or cuda";
  ffi::Map<int64_t, int64_t> counts;
  for (const int64_t key : keys) counts.Set(key, counts.count(key) ? counts[key] + 1 : 1);
  return counts;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bid, Bid)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(route, Route)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(count, Count)
