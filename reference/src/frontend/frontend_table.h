// SPDX-License-Identifier: Apache-2.0
// The functions of this room that are registered from the start, behind all others.
#ifndef REFERENCE_SRC_FRONTEND_FRONTEND_TABLE_H_
#define REFERENCE_SRC_FRONTEND_FRONTEND_TABLE_H_

#include "native/native.h"

enum { FRONTEND_TABLE_COUNT = 40 };
extern const NativeSpec frontend_table[];

#endif  // REFERENCE_SRC_FRONTEND_FRONTEND_TABLE_H_
