// SPDX-License-Identifier: Apache-2.0
// What an error tells of the walk in which it was raised: the objects on the way to where it
// happened, the innermost first.
#ifndef REFERENCE_SRC_FRONTEND_VISIT_CONTEXT_H_
#define REFERENCE_SRC_FRONTEND_VISIT_CONTEXT_H_

#include "native/native.h"

// Notes in an error that an object lies on the way. Without memory it is not noted.
// error: borrow. object: borrow.
void visit_context_add(TVMFFIObject *error, TVMFFIObject *object);

// ffi.VisitErrorContext.FindAccessPaths
NativeBody visit_context_find;

#endif  // REFERENCE_SRC_FRONTEND_VISIT_CONTEXT_H_
