// SPDX-License-Identifier: Apache-2.0
// Functions by name. The table owns one reference to each (FUN-21).
//
// A look-up must add its reference before an override in another thread releases the table's. So
// each entry has a lock of one bit, held for the few instructions in which the function is read and
// counted, or replaced. Writers besides exclude each other by a mutex, which readers don't know.
// Nothing is released and no error is raised with the mutex held, because both may run foreign
// code.
//
// The functions of the runtime itself are entered at the first look-up that finds nothing, or the
// first registration. That needs no memory and cannot fail.
#include "registry/registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/any.h"
#include "core/bytes.h"
#include "core/global.h"
#include "core/memory.h"
#include "core/object.h"
#include "core/raise.h"
#include "core/table.h"
#include "native/native_schema.h"
#include "registry/native_table.h"

// What a name stands for.
typedef struct {
  TVMFFIObject *function;  // own; may be NULL
  TVMFFIAny metadata;      // own; None for none, an opaque pointer to the spec of a native function
} RegistryValue;

// An entry, in cache lines of its own, so that threads that look up different names don't disturb
// each other; its name follows the part in which look-ups read. A removed name keeps its entry.
typedef struct RegistryEntry {
  struct RegistryEntry *previous, *next;  // in one of the lists
  TVMFFIAny metadata;
  bool registered;
  _Alignas(64) TableEntry table;  // whose value is the function
} RegistryEntry;

// Lists, by what stands before their first and behind their last entry: the names in the order of
// registration, and those that were removed.
static RegistryEntry order, removed;
static size_t order_count;

static TableSlot first_functions[4 * NATIVE_TABLE_MAX];
static TableSlots first_slots = {.mask = 4 * NATIVE_TABLE_MAX - 1, .slots = first_functions};
static RegistryEntry natives[NATIVE_TABLE_MAX];
static Table functions;

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static atomic_bool started;

//--------------------------------------------------------------------------------------------------
// One entry
//--------------------------------------------------------------------------------------------------

static RegistryEntry *registry_whole(TableEntry *entry)
{
  return (RegistryEntry *)((char *)entry - offsetof(RegistryEntry, table));
}

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

// Exchanges what the name stands for. With the mutex.
static void registry_exchange(RegistryEntry *entry, RegistryValue *value)
{
  RegistryValue old = {.metadata = entry->metadata};
  entry->metadata = value->metadata;
  registry_lock(&entry->table);
  old.function = entry->table.value;
  entry->table.value = value->function;
  registry_unlock(&entry->table);
  *value = old;
}

static void registry_release(const RegistryValue *value)
{
  if (value->function != NULL) object_release(value->function);
  any_release(&value->metadata);
}

// Moves an entry behind all others of a list. With the mutex.
static void registry_move(RegistryEntry *entry, RegistryEntry *list)
{
  if (entry->next != NULL) {
    entry->previous->next = entry->next;
    entry->next->previous = entry->previous;
  }
  entry->previous = list->previous;
  entry->next = list;
  entry->previous->next = list->previous = entry;
}

// Makes an entry one of the registered names, or one of the others. With the mutex.
static void registry_set_registered(RegistryEntry *entry, bool registered)
{
  if (entry->registered == registered) return;
  entry->registered = registered;
  order_count = registered ? order_count + 1 : order_count - 1;
  registry_move(entry, registered ? &order : &removed);
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

//--------------------------------------------------------------------------------------------------
// Finding
//--------------------------------------------------------------------------------------------------

// Begins anew in the child of a process that forked during it.
static void registry_start(void)
{
  static bool watching;
  global_set_find(TVMFFIFunctionGetGlobal);
  order.previous = order.next = &order;
  removed.previous = removed.next = &removed;
  order_count = first_slots.used = 0;
  memset(first_functions, 0, sizeof first_functions);
  atomic_store_explicit(&functions.newest, &first_slots, memory_order_relaxed);
  for (size_t i = 0; i < native_table_count; ++i) {
    const NativeSpec *spec = native_table_spec(i);
    RegistryEntry *entry = &natives[i];
    *entry = (RegistryEntry){.metadata = {.type_index = kTVMFFIOpaquePtr}};
    entry->metadata.v_ptr = (void *)spec;
    entry->table.name = spec->name;
    entry->table.size = strlen(spec->name);
    entry->table.value = native_table_function(i);
    table_insert(&functions, &entry->table);
    registry_set_registered(entry, true);
  }
  if (!watching) {
    watching = true;
    pthread_atfork(registry_before_fork, registry_after_fork, registry_after_fork_in_child);
  }
  atomic_store_explicit(&started, true, memory_order_release);
}

static void registry_ensure(void)
{
  if (!atomic_load_explicit(&started, memory_order_acquire)) {
    pthread_once(&start_once, registry_start);
  }
}

// Returns the entry of a name, registered or not; NULL if there is none.
static TableEntry *registry_find(const TVMFFIByteArray *name)
{
  TableEntry *entry = table_find(&functions, name->data, name->size);  // FUN-24
  if (entry != NULL || atomic_load_explicit(&started, memory_order_acquire)) return entry;
  registry_ensure();
  return table_find(&functions, name->data, name->size);
}

// The same for a registered name. With the mutex.
static RegistryEntry *registry_find_registered(const TVMFFIByteArray *name)
{
  TableEntry *entry = table_find(&functions, name->data, name->size);
  return entry != NULL && registry_whole(entry)->registered ? registry_whole(entry) : NULL;
}

//--------------------------------------------------------------------------------------------------
// Entering and removing
//--------------------------------------------------------------------------------------------------

typedef enum { REGISTRY_DONE, REGISTRY_TAKEN, REGISTRY_NO_MEMORY } RegistryStatus;

// Makes an entry that stands for nothing. NULL if there is no memory. With the mutex.
static RegistryEntry *registry_add(const TVMFFIByteArray *name)
{
  const size_t line = _Alignof(RegistryEntry);
  size_t room = offsetof(RegistryEntry, table) + sizeof(TableEntry) + line - 1;
  if (table_reserve(&functions) != 0 || !memory_add(&room, name->size)) return NULL;
  RegistryEntry *entry = aligned_alloc(line, room / line * line);
  if (entry == NULL) return NULL;
  char *copy = (char *)(&entry->table + 1);
  if (name->size != 0) memcpy(copy, name->data, name->size);
  entry->previous = entry->next = NULL;
  entry->registered = false;
  entry->metadata = any_none();
  entry->table.value = NULL;
  entry->table.size = name->size;
  entry->table.name = copy;
  atomic_init(&entry->table.busy, false);
  table_insert(&functions, &entry->table);
  return entry;
}

// Enters a value. On success `value` is what stood there before, to be released.
static RegistryStatus registry_enter(const TVMFFIByteArray *name, RegistryValue *value,
                                     bool override)
{
  RegistryStatus status = REGISTRY_DONE;
  registry_ensure();
  pthread_mutex_lock(&writers);
  TableEntry *known = table_find(&functions, name->data, name->size);
  RegistryEntry *entry = known != NULL ? registry_whole(known) : registry_add(name);
  if (entry == NULL) {
    status = REGISTRY_NO_MEMORY;
  } else if (entry->registered && !override) {
    status = REGISTRY_TAKEN;  // FUN-26, FUN-27
  } else {
    registry_exchange(entry, value);  // FUN-28
    registry_set_registered(entry, true);
  }
  pthread_mutex_unlock(&writers);
  return status;
}

static int registry_refuse(const char *caller, const TVMFFIByteArray *name)
{
  return raise_error("RuntimeError", caller, ": `name` is `", raise_name(name).text,
                     "`, which is registered already, and `allow_override` is 0", NULL);
}

static int registry_set(const char *caller, const TVMFFIByteArray *name, TVMFFIObject *function,
                        const TVMFFIByteArray *metadata, bool override)
{
  RegistryValue value = {.function = function, .metadata = any_none()};
  if (bytes_make_string(metadata->data, metadata->size, &value.metadata) != 0) return -1;
  if (function != NULL) object_retain(function);  // FUN-29: before the old one is let go of
  RegistryStatus status = registry_enter(name, &value, override);
  registry_release(&value);
  if (status == REGISTRY_NO_MEMORY) return raise_out_of_memory();
  return status == REGISTRY_DONE ? 0 : registry_refuse(caller, name);
}

bool registry_remove(const TVMFFIByteArray *name)
{
  RegistryValue value = {.metadata = any_none()};
  registry_ensure();
  pthread_mutex_lock(&writers);
  RegistryEntry *entry = registry_find_registered(name);
  if (entry != NULL) {
    registry_exchange(entry, &value);       // REG-9
    registry_set_registered(entry, false);  // REG-10
  }
  pthread_mutex_unlock(&writers);
  registry_release(&value);
  return entry != NULL;
}

//--------------------------------------------------------------------------------------------------
// Telling
//--------------------------------------------------------------------------------------------------

TVMFFIByteArray *registry_names(size_t *count)
{
  registry_ensure();
  pthread_mutex_lock(&writers);
  TVMFFIByteArray *names = malloc((order_count + 1) * sizeof *names);
  *count = 0;
  for (const RegistryEntry *entry = order.next; names != NULL && entry != &order;
       entry = entry->next) {
    names[(*count)++] = (TVMFFIByteArray){entry->table.name, entry->table.size};
  }
  pthread_mutex_unlock(&writers);
  return names;
}

int registry_get_metadata(const TVMFFIByteArray *name, TVMFFIAny *out)
{
  char text[NATIVE_SCHEMA_ROOM];
  TVMFFIAny metadata = any_none();
  registry_ensure();
  pthread_mutex_lock(&writers);
  const RegistryEntry *entry = registry_find_registered(name);
  if (entry != NULL) metadata = any_share(&entry->metadata);
  pthread_mutex_unlock(&writers);
  if (entry == NULL) return 0;
  if (metadata.type_index != kTVMFFIOpaquePtr) {
    *out = metadata;
    return 1;
  }
  size_t size = native_schema_write(metadata.v_ptr, text, sizeof text);
  return bytes_make_string(text, size, out) == 0 ? 1 : -1;
}

//--------------------------------------------------------------------------------------------------
// The C API
//--------------------------------------------------------------------------------------------------

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  if (raise_unless_bytes(__func__, "name", name) != 0) return -1;
  if (out == NULL) return raise_null(__func__, "out");
  TableEntry *entry = registry_find(name);
  *out = entry == NULL ? NULL : registry_take(entry);  // FUN-20, FUN-23
  return 0;
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  const TVMFFIByteArray no_metadata = {NULL, 0};
  const TVMFFIObject *function = f;
  if (raise_unless_bytes(__func__, "name", name) != 0) return -1;
  if (function != NULL && function->type_index != kTVMFFIFunction) {  // FUN-37
    return raise_wrong_type(__func__, "f", "a Function", function->type_index);
  }
  return registry_set(__func__, name, f, &no_metadata, allow_override != 0);  // REG-13
}

// Doc and flags are checked but not kept: no function of this runtime gives them back.
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
  if (function != NULL && function->type_index != kTVMFFIFunction) {
    return raise_wrong_type(__func__, "method_info->method", "a Function", function->type_index);
  }
  return registry_set(__func__, &method_info->name, function, &method_info->metadata,
                      allow_override != 0);  // FUN-33, REG-12, REG-15
}
