// SPDX-License-Identifier: Apache-2.0
// Modules of a kind that the tests bring along: "node", of which each has one function, which gives
// its number.
#ifndef REFERENCE_TESTS_MODULE_NODE_H_
#define REFERENCE_TESTS_MODULE_NODE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// The nodes that live.
extern atomic_int nodes_living;

// Makes a node whose function has this name. Own. Nodes are numbered from 0 after `nodes_start`.
TVMFFIObject *node_new(const char *name, size_t size);

// Starts to count anew, and registers ffi.Module.load_from_bytes.node, which makes a node of bytes
// that are the name of its function. A name "none" gives None, "raise" raises ValueError, "silent"
// returns -1 without an error, "error" gives an object that is no module, "again" gives the node
// that was made last, "twice" one that imports itself at second hand, "loop" loads a system library
// of prefix "loop".
void nodes_start(void);

// The same, and registers what the libraries of the tests call by context symbols.
void load_start(void);

// Calls a function of a module with one argument, which must give an int.
int64_t call_one(TVMFFIObject *module, const char *name, TVMFFIAny argument);

// Calls a function of a module, found among the module and its imports, which must give a number;
// -1 if there is no such function.
int64_t call_in(TVMFFIObject *module, const char *name);

// Looks up a function in the module itself. Own; NULL for none.
TVMFFIObject *function_of(TVMFFIObject *module, const char *name);

// Loads one of the libraries of the tests. Own.
TVMFFIObject *load(const char *name);

// Tells whether one of them is mapped.
bool is_mapped(const char *name);
// Whether a library that is closed is not mapped any more: musl unmaps none.
bool linker_unmaps(void);

// The path of one of them. Borrow: until the next call in this thread.
const char *path_of(const char *name);

#endif  // REFERENCE_TESTS_MODULE_NODE_H_
