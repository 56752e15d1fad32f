// SPDX-License-Identifier: Apache-2.0
// Where in a value something stands: paths of steps, each to a field, an element or the value of a
// key. A path holds the one that it continues.
#ifndef REFERENCE_SRC_FRONTEND_ACCESS_PATH_H_
#define REFERENCE_SRC_FRONTEND_ACCESS_PATH_H_

#include <tvm/ffi/c_api.h>

typedef enum {
  ACCESS_ATTR,
  ACCESS_ARRAY_ITEM,
  ACCESS_MAP_ITEM,
  ACCESS_ATTR_MISSING,
  ACCESS_ARRAY_ITEM_MISSING,
  ACCESS_MAP_ITEM_MISSING
} AccessKind;

// Makes a step.
// key: borrow. Returns own; NULL with an error.
TVMFFIObject *access_step(AccessKind kind, const TVMFFIAny *key);

// Makes the path without steps. Returns own; NULL with an error.
TVMFFIObject *access_root(void);

// Makes a path with a step more.
// path: own, also on failure; NULL gives NULL. step: borrow. Returns own; NULL with an error.
TVMFFIObject *access_extend(TVMFFIObject *path, TVMFFIObject *step);

#endif  // REFERENCE_SRC_FRONTEND_ACCESS_PATH_H_
