// SPDX-License-Identifier: Apache-2.0
// What generated code gets from its runtime by way of variables: its context, through which it
// finds what its module imports, and addresses that somebody registered.
//
// A library has one variable for its context however often it is loaded. It holds the module that
// was loaded last or called last, never one that has ended, and NULL when none is left; and whoever
// looks up with one of these modules finds what the others import, too, behind its own.
//
// Generated code borrows what it finds, and may keep it in variables of its own as long as the
// library stays where it is. So the functions found live as long as any module of the same file;
// and for ever, if the file is never closed.
#ifndef REFERENCE_SRC_MODULE_MODULE_CONTEXT_H_
#define REFERENCE_SRC_MODULE_MODULE_CONTEXT_H_

#include "module/library.h"

// A library begins to live.
void module_context_join(Library *library);

// A library ends: its module isn't a context any more.
void module_context_leave(Library *library);

// Makes the library's module its context. Where it has no variable, nothing happens.
void module_context_set(Library *library);

// Stores the address of every registered context symbol for which the library has a variable.
void module_context_fill_symbols(Library *library);

// Makes the module the context before one of its functions is called. The variable belongs to
// several modules only if the file was loaded more than once.
static inline void module_context_enter(const Library *library)
{
  if (library->slot == NULL) return;
  if (__atomic_load_n(library->slot, __ATOMIC_RELAXED) != library->context) {
    __atomic_store_n(library->slot, library->context, __ATOMIC_RELAXED);
  }
}

#endif  // REFERENCE_SRC_MODULE_MODULE_CONTEXT_H_
