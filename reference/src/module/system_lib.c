// SPDX-License-Identifier: Apache-2.0
// The system library: symbols that the program itself registers, and the modules made of them.
#include "module/system_lib.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "core/any.h"
#include "core/raise.h"
#include "core/table.h"
#include "module/library.h"
#include "module/module.h"

// Both are added to with the lock held and read without it, and forget nothing.
static Table symbols;  // to addresses
static Table modules;  // by prefix, to a ModuleObject that lives as long as the process

// What the table of symbols leads to.
typedef _Atomic(void *) SystemLibAddress;

// Adds a symbol that may have come meanwhile. With the lock. Returns false if there is no memory.
static bool system_lib_add(const char *name, size_t size, SystemLibAddress *fresh)
{
  TableEntry *entry = table_find(&symbols, name, size);
  if (entry == NULL) return table_add(&symbols, name, size, fresh) == 0;
  atomic_store((SystemLibAddress *)entry->value, atomic_load(fresh));  // MOD-63
  free(fresh);
  return true;
}

int TVMFFIEnvModRegisterSystemLibSymbol(const char *name, void *symbol)
{
  if (name == NULL) return raise_null(__func__, "name");
  SystemLibAddress *address = malloc(sizeof *address);
  if (address == NULL) return raise_out_of_memory();
  atomic_init(address, symbol);
  module_lock();
  bool added = system_lib_add(name, strlen(name), address);
  module_unlock();
  if (added) return 0;
  free(address);
  return raise_out_of_memory();
}

void *system_lib_symbol(const char *name, size_t size)
{
  TableEntry *entry = table_find(&symbols, name, size);
  return entry == NULL ? NULL : atomic_load((SystemLibAddress *)entry->value);
}

// Returns the module that stands in the table. Borrow; NULL for none.
static TVMFFIObject *system_lib_module(const TableEntry *entry)
{
  return entry == NULL ? NULL : &((ModuleObject *)entry->value)->header;
}

// Enters the module of a prefix, unless another thread was faster.
// module: own. Returns own: the one that is entered; NULL if there is no memory.
static TVMFFIObject *system_lib_enter(const TVMFFIByteArray *prefix, TVMFFIObject *module)
{
  module_lock();
  TableEntry *entry = table_find(&modules, prefix->data, prefix->size);
  TVMFFIObject *entered = system_lib_module(entry);
  if (entered == NULL && table_add(&modules, prefix->data, prefix->size, module_of(module)) == 0) {
    entered = module;
  }
  if (entered != NULL) object_retain(entered);
  module_unlock();
  if (entered != module) object_release(module);
  return entered;
}

static int system_lib_find(const TVMFFIByteArray *prefix, TVMFFIObject **out)
{
  TableEntry *entry = table_find(&modules, prefix->data, prefix->size);
  if (entry != NULL) {
    *out = system_lib_module(entry);
    object_retain(*out);
    return 0;
  }
  TVMFFIObject *module = library_new_system(prefix), *root;
  if (module == NULL) return -1;
  int code = library_finish(module, "the system library", &root);
  object_release(module);
  if (code != 0) return -1;
  *out = system_lib_enter(prefix, root);
  return *out != NULL ? 0 : raise_out_of_memory();
}

int system_lib_get(const NativeCall *call)
{
  TVMFFIByteArray prefix = {"", 0};
  TVMFFIObject *module;
  if (call->num_args > 1) {
    return native_fail(call, "TypeError", "takes one argument at most, a prefix");
  }
  if (call->num_args == 1) {
    if (!native_is_string(&call->args[0])) {
      return native_fail(call, "TypeError", "the prefix must be a string");
    }
    prefix = native_text(&call->args[0]);
  }
  if (prefix.size != 0 && memchr(prefix.data, '\0', prefix.size) != NULL) {
    return native_fail(call, "ValueError", "no symbol has a NUL in its name");
  }
  if (system_lib_find(&prefix, &module) != 0) return -1;
  return native_give(call, any_object(module));
}
