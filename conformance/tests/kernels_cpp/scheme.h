// SPDX-License-Identifier: Apache-2.0
// scheme(options) -> int: how many bytes so many elements of a data type take, of a map with "count" and, if it is not
// float32, "dtype". scheme.json describes it. An including file may look at less of the data type.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SCHEME_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SCHEME_H_

#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#ifndef LANES
#define LANES(type) ((type).lanes == 1)
#endif

namespace scheme
{

namespace ffi = tvm::ffi;

inline int64_t Scheme(ffi::Map<ffi::String, ffi::Any> options)
{
  int64_t count = -1, bits = 32;
  for (const auto &entry : options) {
    const ffi::String &key = entry.first;
    if (key == "count") {
      const auto given = entry.second.try_cast<int64_t>();
      if (!given) TVM_FFI_THROW(TypeError) << "count must be an int";
      count = *given;
    } else if (key == "dtype") {
      const auto given = entry.second.try_cast<DLDataType>();
      if (!given) TVM_FFI_THROW(TypeError) << "dtype must be a data type";
      if (given->code != kDLFloat || (given->bits != 32 && given->bits != 16) || !LANES(*given))
        TVM_FFI_THROW(ValueError) << "dtype must be float32 or float16";
      bits = given->bits;
    } else {
      TVM_FFI_THROW(ValueError) << "unknown option";
    }
  }
  if (count < 0 || count > 1000) TVM_FFI_THROW(ValueError) << "count must be 0 to 1000";
  return count * bits / 8;
}

}  // namespace scheme

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scheme, scheme::Scheme);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SCHEME_H_
