// SPDX-License-Identifier: Apache-2.0
// Functions by name. The table owns one reference to each (FUN-21).
//
// A look-up must add its reference before an override in another thread releases the table's. So
// each entry has a lock of one bit, held for the few instructions in which the function is read and
// counted, or replaced. Writers besides exclude each other by a mutex, which readers don't know.
#include <pthread.h>
#include <time.h>

#include "object.h"
#include "raise.h"
#include "table.h"

static Table functions;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

//--------------------------------------------------------------------------------------------------
// One entry
//--------------------------------------------------------------------------------------------------

// The holder needs some nanoseconds, unless it has lost its processor; then, and lest it be less
// urgent than this thread, waiting means to sleep.
static void registry_wait(TableEntry *entry)
{
  for (int tries = 1; atomic_load_explicit(&entry->busy, memory_order_relaxed); ++tries) {
    if (tries % 256 == 0) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  }
}

static void registry_lock(TableEntry *entry)
{
  while (atomic_exchange_explicit(&entry->busy, true, memory_order_acquire)) registry_wait(entry);
}

static void registry_unlock(TableEntry *entry)
{
  atomic_store_explicit(&entry->busy, false, memory_order_release);
}

// Returns own: the function, with a reference more; NULL if the name has none.
static TVMFFIObject *registry_take(TableEntry *entry)
{
  registry_lock(entry);
  TVMFFIObject *function = entry->value;
  if (function != NULL) object_retain(function);  // FUN-22
  registry_unlock(entry);
  return function;
}

// function: own. Returns own: what stood there before.
static TVMFFIObject *registry_exchange(TableEntry *entry, TVMFFIObject *function)
{
  registry_lock(entry);
  TVMFFIObject *old = entry->value;
  entry->value = function;
  registry_unlock(entry);
  return old;
}

//--------------------------------------------------------------------------------------------------
// A process that forks: in the child other threads are gone, and their locks are free.
//--------------------------------------------------------------------------------------------------

static void registry_before_fork(void)
{
  pthread_mutex_lock(&writers);
}

static void registry_after_fork(void)
{
  pthread_mutex_unlock(&writers);
}

static void registry_after_fork_in_child(void)
{
  table_each(&functions, registry_unlock);
  pthread_mutex_unlock(&writers);
}

static void registry_watch_forks(void)
{
  pthread_atfork(registry_before_fork, registry_after_fork, registry_after_fork_in_child);
}

//--------------------------------------------------------------------------------------------------
// The C API
//--------------------------------------------------------------------------------------------------

typedef enum { REGISTRY_DONE, REGISTRY_TAKEN, REGISTRY_NO_MEMORY } RegistryStatus;

// Enters the function, adding a reference. replaced: own; the one that it replaces, or NULL.
static RegistryStatus registry_enter(const TVMFFIByteArray *name, TVMFFIObject *function,
                                     bool override, TVMFFIObject **replaced)
{
  *replaced = NULL;
  pthread_once(&fork_once, registry_watch_forks);
  pthread_mutex_lock(&writers);
  RegistryStatus status = REGISTRY_DONE;
  TableEntry *entry = table_find(&functions, name->data, name->size);
  if (entry != NULL && !override) {
    status = REGISTRY_TAKEN;  // FUN-26, FUN-27
  } else {
    if (function != NULL) object_retain(function);  // FUN-29: before the old one is let go of
    if (entry != NULL) {
      *replaced = registry_exchange(entry, function);  // FUN-28
    } else if (table_add(&functions, name->data, name->size, function) != 0) {
      *replaced = function;
      status = REGISTRY_NO_MEMORY;
    }
  }
  pthread_mutex_unlock(&writers);
  return status;
}

static int registry_refuse(const char *caller, const TVMFFIByteArray *name)
{
  return raise_error("RuntimeError", caller, ": a global function `", raise_name(name).text,
                     "` is registered already, and overriding it was not allowed", NULL);
}

static int registry_set(const char *caller, const TVMFFIByteArray *name, TVMFFIObject *function,
                        bool override)
{
  TVMFFIObject *replaced;
  RegistryStatus status = registry_enter(name, function, override, &replaced);
  // Without a lock: its deleter may use the registry.
  if (replaced != NULL) object_release(replaced);
  if (status == REGISTRY_NO_MEMORY) return raise_out_of_memory();
  if (status == REGISTRY_DONE) return 0;
  return registry_refuse(caller, name);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  if (raise_unless_bytes(__func__, "name", name) != 0) return -1;
  if (out == NULL) return raise_null(__func__, "out");
  TableEntry *entry = table_find(&functions, name->data, name->size);  // FUN-24
  *out = entry == NULL ? NULL : registry_take(entry);                  // FUN-20, FUN-23
  return 0;
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  const TVMFFIObject *function = f;
  if (raise_unless_bytes(__func__, "name", name) != 0) return -1;
  if (function != NULL && function->type_index != kTVMFFIFunction) {  // FUN-37
    return raise_wrong_type(__func__, "f", "a Function", function->type_index);
  }
  return registry_set(__func__, name, f, allow_override != 0);
}

// Doc, metadata and flags are checked but not kept: no function of this runtime gives them back.
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo *method_info, int allow_override)
{
  if (method_info == NULL) return raise_null(__func__, "method_info");
  if (raise_unless_bytes(__func__, "method_info->name", &method_info->name) != 0 ||
      raise_unless_bytes(__func__, "method_info->doc", &method_info->doc) != 0 ||
      raise_unless_bytes(__func__, "method_info->metadata", &method_info->metadata) != 0) {
    return -1;  // FUN-34
  }
  const TVMFFIAny *method = &method_info->method;                                    // LAY-16
  if (method->type_index != kTVMFFIFunction && method->type_index != kTVMFFINone) {  // FUN-35
    return raise_wrong_type(__func__, "method_info->method", "a Function", method->type_index);
  }
  TVMFFIObject *function = method->type_index == kTVMFFIFunction ? method->v_obj : NULL;
  if (function == NULL && method->type_index == kTVMFFIFunction) {
    return raise_null(__func__, "method_info->method");
  }
  return registry_set(__func__, &method_info->name, function, allow_override != 0);  // FUN-33
}
