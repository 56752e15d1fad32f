// SPDX-License-Identifier: Apache-2.0
// Going through all that a module imports, each module once, without recursion.
#ifndef REFERENCE_SRC_MODULE_MODULE_WALK_H_
#define REFERENCE_SRC_MODULE_MODULE_WALK_H_

#include <tvm/ffi/c_api.h>

// Looks at a module. Returns 0 to go on, anything else to end the walk.
// module: borrow.
typedef int ModuleVisit(TVMFFIObject *module, void *state);

// Visits what a module imports, at first hand or others, in the order in which look-ups ask: each
// import followed by its own. The module itself is not visited. Returns what the last visit did; -1
// with an error if there is no memory or an import is no module.
int module_walk(TVMFFIObject *module, ModuleVisit *visit, void *state);

// The same, and the module itself comes first.
int module_walk_all(TVMFFIObject *module, ModuleVisit *visit, void *state);

// Modules that were met.
typedef struct {
  const TVMFFIObject **slots;
  size_t mask;  // number of slots, a power of two, less one
  size_t used;
  const TVMFFIObject *first[32];
} ModuleSet;

// Makes an empty set, which stays where it is.
void module_set_start(ModuleSet *set);

// Adds a module. Returns 1; 0 if it is there already; -1 with InternalError if there is no memory.
int module_set_add(ModuleSet *set, const TVMFFIObject *module);

void module_set_end(ModuleSet *set);

#endif  // REFERENCE_SRC_MODULE_MODULE_WALK_H_
