// SPDX-License-Identifier: Apache-2.0
// Values with other values in place of some that they hold, as callbacks say.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_MUTATE_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_MUTATE_H_

#include "native/native.h"

// ffi.StructuralMap, ffi.StructuralMutate. A first argument that is moved into the call may be
// changed in place; these are safe calls of their own, which see that.
NativeBody structural_map, structural_mutate;
NativeDirect structural_call_map, structural_call_mutate;

// ffi.StructuralMutatorMutate, -DefaultMutate, -DefRegionKind, -WithDefRegionKind, -VarRemapGet,
// -VarRemapSet
NativeBody mutator_mutate, mutator_default_mutate, mutator_region, mutator_with_region;
NativeBody mutator_get, mutator_set;

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_MUTATE_H_
