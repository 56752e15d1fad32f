// SPDX-License-Identifier: Apache-2.0
// What the dynamic linker knows of an address. (Also used by tools: it needs nothing of the
// runtime.)
#ifndef REFERENCE_SRC_LOADED_LOADED_H_
#define REFERENCE_SRC_LOADED_LOADED_H_

#include <link.h>
#include <stdbool.h>

// Tells whether an address lies in a library; `library` is what dlopen gave. NULL lies in none.
bool loaded_contains(void *library, const void *address);

// Gives the entry of the symbol that begins at an address, in the symbol table as it is mapped:
// st_value is relative to where the library was loaded. Borrowed, and write-protected; NULL if
// there is no such symbol, or none that the dynamic linker knows. name: borrowed; what the symbol
// is called. NULL: nobody asks.
ElfW(Sym) * loaded_symbol(const void *address, const char **name);

#endif  // REFERENCE_SRC_LOADED_LOADED_H_
