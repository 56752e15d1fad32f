// SPDX-License-Identifier: Apache-2.0
// The functions that a library of this folder defines itself. The build has put those of the
// runtime that it is made of under other names: TVMFFIx is reference_TVMFFIx there.
#ifndef TVMFFI_CONFORMANCE_TESTS_HOSTILE_GENERATIONS_EXPORTED_H_
#define TVMFFI_CONFORMANCE_TESTS_HOSTILE_GENERATIONS_EXPORTED_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define EXPORTED __attribute__((visibility("default")))

// A runtime that reports this version.
#define REPORTS(a, b, c)                             \
  EXPORTED void TVMFFIGetVersion(TVMFFIVersion *out) \
  {                                                  \
    *out = (TVMFFIVersion){a, b, c};                 \
  }

#endif  // TVMFFI_CONFORMANCE_TESTS_HOSTILE_GENERATIONS_EXPORTED_H_
