// SPDX-License-Identifier: Apache-2.0
// The table of functions by name, for the functions that tell of it.
#ifndef REFERENCE_SRC_REGISTRY_REGISTRY_H_
#define REFERENCE_SRC_REGISTRY_REGISTRY_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// Removes a name and releases its function. Returns false if the name wasn't registered.
bool registry_remove(const TVMFFIByteArray *name);

// Returns the registered names, in the order of registration. Own: to be freed; the texts are
// borrowed for the life of the process. NULL if there is no memory.
TVMFFIByteArray *registry_names(size_t *count);

// Makes the metadata of a function. Returns 1; 0 if the name isn't registered; -1 with
// InternalError if there is no memory. out: own, written if there are any.
int registry_get_metadata(const TVMFFIByteArray *name, TVMFFIAny *out);

#endif  // REFERENCE_SRC_REGISTRY_REGISTRY_H_
