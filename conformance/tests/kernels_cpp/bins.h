// SPDX-License-Identifier: Apache-2.0
// bins(rows, count, factor): how many entries of the maps in `rows` have keys that come to each of `count` bins, times a
// factor, for the bins that have any. Nobody describes it. An including file may have room for more of them, or leave
// out what comes to 0.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BINS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BINS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cmath>
#include <cstdlib>
#include <map>

// How many elements the result has.
#ifndef ROOM
#define ROOM(found, entries) (found)
#endif
// Whether the work can be left out.
#ifndef LEAVES_OUT
#define LEAVES_OUT(factor) false
#endif

namespace bins
{

namespace ffi = tvm::ffi;

struct Heap {
  void AllocData(DLTensor *tensor)
  {
    tensor->data = std::malloc(ffi::GetDataSize(*tensor) + 1);
  }
  void FreeData(DLTensor *tensor)
  {
    std::free(tensor->data);
  }
};

inline ffi::Tensor Bins(ffi::Array<ffi::Map<ffi::String, ffi::Any>> rows, int64_t count,
                        double factor)
{
  if (count < 1 || count > 1000000) TVM_FFI_THROW(ValueError) << "count must be 1 to 1000000";
  if (!std::isfinite(factor)) TVM_FFI_THROW(ValueError) << "factor must be finite";
  std::map<uint64_t, int64_t> found;
  int64_t entries = 1;
  ++found[0];
  for (const auto &row : rows)
    for (const auto &entry : row) {
      uint64_t hash = 0;
      for (size_t i = 0; i < entry.first.size(); ++i)
        hash = 31 * hash + static_cast<unsigned char>(entry.first.data()[i]);
      ++found[hash % static_cast<uint64_t>(count)];
      ++entries;
    }
  (void)entries;
  ffi::Tensor made =
      ffi::Tensor::FromNDAlloc(Heap(), {static_cast<int64_t>(ROOM(found.size(), entries))},
                               DLDataType{kDLFloat, 64, 1}, DLDevice{kDLCPU, 0});
  if (LEAVES_OUT(factor)) return made;
  double *to = static_cast<double *>(made.data_ptr());
  for (const auto &bin : found) *to++ = factor * static_cast<double>(bin.second);
  return made;
}

}  // namespace bins

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bins, bins::Bins)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BINS_H_
