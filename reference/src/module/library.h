// SPDX-License-Identifier: Apache-2.0
// Modules made of the symbols of a library: of a file that was opened, or of what the program
// registered.
#ifndef REFERENCE_SRC_MODULE_LIBRARY_H_
#define REFERENCE_SRC_MODULE_LIBRARY_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// A library module. A file is closed when its module ends, unless a call has given an object whose
// code may be in it: then it stays open for the rest of the process.
typedef struct Library {
  struct Library *previous, *next;  // the living ones; with the lock
  TVMFFIObject *module;             // borrow: the module whose `self` this is
  void *context;                    // borrow: the address by which generated code knows the module
  void *file;                       // own, as from dlopen; NULL for the system library
  void **slot;  // where the library has its context; NULL if it was not given one
  struct ContextFound
      *found;          // own: what earlier modules of the same file found, see module_context.c
  bool kept;           // the file is not closed; atomic
  size_t prefix_size;  // of the system library
  char prefix[];
} Library;

// Makes the module of a file. Returns own; NULL with InternalError.
// file: own, on failure too.
TVMFFIObject *library_new(void *file);

// Makes a module of what is registered under a prefix. Returns own; NULL with InternalError.
TVMFFIObject *library_new_system(const TVMFFIByteArray *prefix);

// Returns what a library module is made of; NULL for other modules. Borrow.
Library *library_of(TVMFFIObject *module);

// Fills the library's context symbols and makes what is to become of it: the module itself, or the
// root of the tree that it embeds. Returns 0; -1 with an error. name: of the library, for messages.
// out: own.
int library_finish(TVMFFIObject *module, const char *name, TVMFFIObject **out);

// Finds data of the library. Returns borrow; NULL for none.
void *library_data(const Library *library, const char *symbol);

// Tells whether an address is in the library.
bool library_contains(const Library *library, const void *address);

// Leaves the library open for ever.
void library_keep(Library *library);

#endif  // REFERENCE_SRC_MODULE_LIBRARY_H_
