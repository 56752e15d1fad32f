// SPDX-License-Identifier: Apache-2.0
// Walks through all that values hold, for callbacks that look at it.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_VISIT_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_VISIT_H_

#include "native/native.h"

// ffi.StructuralWalk, ffi.StructuralVisit, ffi.VisitInterrupt
NativeBody structural_walk, structural_visit, structural_interrupt;

// ffi.StructuralVisitorVisit, -DefaultVisit, -DefRegionKind, -WithDefRegionKind
NativeBody visitor_visit, visitor_default_visit, visitor_region, visitor_with_region;

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_VISIT_H_
