// SPDX-License-Identifier: Apache-2.0
// The table of virtual functions of a module class.
#ifndef REFERENCE_SRC_MODULE_MODULE_CXX_TABLE_H_
#define REFERENCE_SRC_MODULE_MODULE_CXX_TABLE_H_

#include <stdbool.h>

// Where a method stands in the table.
typedef enum {
  MODULE_CXX_KIND,
  MODULE_CXX_PROPERTY_MASK,
  MODULE_CXX_GET_FUNCTION,
  MODULE_CXX_IMPLEMENTS_FUNCTION,
  MODULE_CXX_DOC,
  MODULE_CXX_METADATA,
  MODULE_CXX_WRITE_TO_FILE,
  MODULE_CXX_WRITE_FORMATS,
  MODULE_CXX_SAVE_TO_BYTES,
  MODULE_CXX_INSPECT_SOURCE,
  MODULE_CXX_IMPORT_MODULE,
  MODULE_CXX_CLEAR_IMPORTS,
  MODULE_CXX_NUM_METHODS
} ModuleCxxPlace;

// Set in this thread when the method that imports failed: it cannot throw, being C, and has raised
// an error.
extern _Thread_local bool module_cxx_import_failed;

#endif  // REFERENCE_SRC_MODULE_MODULE_CXX_TABLE_H_
