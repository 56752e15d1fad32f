// SPDX-License-Identifier: Apache-2.0
// For whom a runtime is made, by what it has (spec/README.md, "scope").
#ifndef TVMFFI_CONFORMANCE_BATTERY_SCOPE_SIGNS_H_
#define TVMFFI_CONFORMANCE_BATTERY_SCOPE_SIGNS_H_

#include "battery/iut.h"

// The CLAUSE_SCOPE_ bits of the scopes that the library shows signs of. Core: always. Frontend: it
// registers one of the functions that language packages call by name (`ffi.Array`, `ffi.Map`,
// `ffi.String`, `ffi.ModuleLoadFromFile`, `ffi.FunctionListGlobalNamesFunctor`). Headers: it knows
// one of the types whose objects compiled C++ code makes and reads in place (`ffi.Array`, `ffi.Map`,
// `ffi.List`, `ffi.Dict`).
unsigned scope_signs(Iut *iut);

#endif  // TVMFFI_CONFORMANCE_BATTERY_SCOPE_SIGNS_H_
