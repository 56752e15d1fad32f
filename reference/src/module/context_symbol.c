// SPDX-License-Identifier: Apache-2.0
#include "module/context_symbol.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "core/raise.h"

// They are never removed.
typedef struct ContextSymbol {
  _Atomic(struct ContextSymbol *) next;
  void *address;
  char name[];
} ContextSymbol;

static _Atomic(ContextSymbol *) symbols;

int TVMFFIEnvModRegisterContextSymbol(const char *name, void *symbol)
{
  if (name == NULL) return raise_null(__func__, "name");
  size_t size = strlen(name) + 1;
  ContextSymbol *added = malloc(sizeof *added + size);
  if (added == NULL) return raise_out_of_memory();
  atomic_init(&added->next, NULL);
  added->address = symbol;
  memcpy(added->name, name, size);
  _Atomic(ContextSymbol *) *link = &symbols;
  ContextSymbol *there = NULL;
  while (!atomic_compare_exchange_strong_explicit(link, &there, added, memory_order_release,
                                                  memory_order_acquire)) {
    link = &there->next;
    there = NULL;
  }
  return 0;
}

int context_symbol_visit_all(ContextSymbolVisit *visit, void *state)
{
  int code = 0;
  const ContextSymbol *symbol = atomic_load_explicit(&symbols, memory_order_acquire);
  for (; symbol != NULL && code == 0;
       symbol = atomic_load_explicit(&symbol->next, memory_order_acquire)) {
    code = visit(symbol->name, symbol->address, state);
  }
  return code;
}
