// SPDX-License-Identifier: Apache-2.0
// Modules that travel inside a library: what `__tvm_ffi__library_bin` says becomes modules that
// import each other.
#ifndef REFERENCE_SRC_MODULE_MODULE_TREE_H_
#define REFERENCE_SRC_MODULE_MODULE_TREE_H_

#include <tvm/ffi/c_api.h>

// Makes the tree of a library, fills the library's context symbols before, and its context when its
// entry comes. Nothing is left of a tree that could not be made. library: borrow, its module. name:
// of the library, for messages. bytes: what the symbol points to. out: own, the root. Returns 0; -1
// with an error, RuntimeError if the bytes are wrong.
int module_tree_load(TVMFFIObject *library, const char *name, const void *bytes,
                     TVMFFIObject **out);

#endif  // REFERENCE_SRC_MODULE_MODULE_TREE_H_
