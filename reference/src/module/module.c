// SPDX-License-Identifier: Apache-2.0
#include "module/module.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "core/thread.h"
#include "module/module_cxx.h"
#include "module/module_walk.h"

_Static_assert(sizeof(void *) != 8 ||
                   (offsetof(ModuleObject, header) == 8 && offsetof(ModuleObject, imports) == 32 &&
                    sizeof(ModuleObject) == 48),
               "compiled code knows these offsets");

//--------------------------------------------------------------------------------------------------
// The lock, which a child of a fork finds free
//--------------------------------------------------------------------------------------------------

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void module_before_fork(void)
{
  pthread_mutex_lock(&mutex);
}

static void module_watch_forks(void)
{
  pthread_atfork(module_before_fork, module_unlock, module_unlock);
}

void module_lock(void)
{
  pthread_once(&fork_once, module_watch_forks);
  pthread_mutex_lock(&mutex);
}

void module_unlock(void)
{
  pthread_mutex_unlock(&mutex);
}

bool module_try_retain(TVMFFIObject *module)
{
  return object_try_retain(module);
}

int module_failed(const char *what, const TVMFFIByteArray *name)
{
  TVMFFIObject *error = thread_take_raised();
  if (error == NULL) {
    return raise_error("InternalError", what, raise_name(name).text, " failed without an error",
                       NULL);
  }
  thread_raise(error);
  return -1;
}

//--------------------------------------------------------------------------------------------------
// Modules of this runtime
//--------------------------------------------------------------------------------------------------

ModuleOwn *module_own(TVMFFIObject *module)
{
  ModuleObject *object = module_of(module);
  return object->vtable == module_cxx_vtable ? (ModuleOwn *)object : NULL;
}

int tvmffi_module_create(const tvmffi_module_kind *kind, void *self, TVMFFIObjectHandle *out)
{
  if (kind == NULL) return raise_null(__func__, "kind");
  if (out == NULL) return raise_null(__func__, "out");
  if (kind->size < offsetof(tvmffi_module_kind, property_mask)) {
    return raise_error("ValueError", __func__, ": `kind->size` is too small to be true", NULL);
  }
  if (kind->name == NULL) return raise_null(__func__, "kind->name");
  ModuleOwn *own = calloc(1, sizeof *own);
  if (own == NULL) return raise_out_of_memory();
  own->base.vtable = module_cxx_vtable;
  object_init(&own->base.header, kTVMFFIModule, nest_delete);
  memcpy(&own->kind, kind, kind->size < sizeof own->kind ? kind->size : sizeof own->kind);
  own->self = self;
  *out = &own->base.header;
  return 0;
}

// Its own end comes first: a library may have to keep what was found through it.
void module_end(TVMFFIObject *module, Nest *nest)
{
  ModuleOwn *own = (ModuleOwn *)module_of(module);
  if (own->kind.deleter != NULL) own->kind.deleter(own->self);
  nest_drop(nest, own->base.imports);
  nest_drop(nest, own->base.found);
}

NEST_START static void module_start(void)
{
  nest_set_end(kTVMFFIModule, module_end, offsetof(ModuleObject, header));
}

//--------------------------------------------------------------------------------------------------
// What modules can do
//--------------------------------------------------------------------------------------------------

// Checks what a function of a kind gave. Returns 0; -1 with TypeError, and the value is released.
static int module_check(const ModuleOwn *own, const char *what, TVMFFIAny *value, bool is_right)
{
  if (is_right) return 0;
  int32_t type_index = value->type_index;
  any_release(value);
  *value = any_none();
  return raise_error("TypeError", "a module of kind ", own->kind.name, " gave as ", what,
                     " a value of type index ", raise_number(type_index).text, NULL);
}

static bool module_is_text(const TVMFFIAny *value, int32_t small, int32_t large)
{
  return value->type_index == small || (value->type_index == large && value->v_obj != NULL);
}

static int module_get_text(const ModuleOwn *own,
                           int (*get)(void *, const TVMFFIByteArray *, TVMFFIAny *),
                           const char *what, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  TVMFFIAny value = any_none();
  if (get != NULL) {
    if (get(own->self, name, &value) != 0) return module_failed(what, name);
    bool is_right =
        value.type_index == kTVMFFINone || module_is_text(&value, kTVMFFISmallStr, kTVMFFIStr);
    if (module_check(own, what, &value, is_right) != 0) return -1;
  }
  *out = value;
  return 0;
}

int module_get_function(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIObject **out)
{
  const ModuleOwn *own = module_own(module);
  if (own == NULL) return module_cxx_get_function(module, name, out);
  TVMFFIObjectHandle found = NULL;
  if (own->kind.get_function != NULL && own->kind.get_function(own->self, name, &found) != 0) {
    return module_failed("the look-up of ", name);
  }
  if (found != NULL) {
    TVMFFIAny value = any_object(found);
    if (module_check(own, "function", &value, value.type_index == kTVMFFIFunction) != 0) return -1;
  }
  *out = found;
  return 0;
}

int module_implements_function(TVMFFIObject *module, const TVMFFIByteArray *name, int *out)
{
  if (module_own(module) == NULL) return module_cxx_implements_function(module, name, out);
  TVMFFIObject *function = NULL;
  if (module_get_function(module, name, &function) != 0) return -1;
  *out = function != NULL;
  if (function != NULL) object_release(function);
  return 0;
}

int module_get_metadata(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  const ModuleOwn *own = module_own(module);
  if (own == NULL) return module_cxx_get_metadata(module, name, out);
  return module_get_text(own, own->kind.get_function_metadata, "metadata of ", name, out);
}

int module_get_doc(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  const ModuleOwn *own = module_own(module);
  if (own == NULL) return module_cxx_get_doc(module, name, out);
  return module_get_text(own, own->kind.get_function_doc, "description of ", name, out);
}

int module_get_kind(TVMFFIObject *module, TVMFFIAny *out)
{
  const ModuleOwn *own = module_own(module);
  const char *kind = own != NULL ? own->kind.name : module_cxx_get_kind(module);
  if (kind == NULL) return raise_error("InternalError", "the module has no kind", NULL);
  return bytes_make_string(kind, strlen(kind), out);
}

int module_get_property_mask(TVMFFIObject *module, int64_t *out)
{
  const ModuleOwn *own = module_own(module);
  if (own == NULL) return module_cxx_get_property_mask(module, out);
  *out = own->kind.property_mask;
  return 0;
}

int module_inspect_source(TVMFFIObject *module, const TVMFFIByteArray *format, TVMFFIAny *out)
{
  const ModuleOwn *own = module_own(module);
  if (own == NULL) return module_cxx_inspect_source(module, format, out);
  if (module_get_text(own, own->kind.inspect_source, "source in format ", format, out) != 0)
    return -1;
  return out->type_index != kTVMFFINone ? 0 : bytes_make_string("", 0, out);
}

int module_get_write_formats(TVMFFIObject *module, TVMFFIObject **out)
{
  if (module_own(module) == NULL) return module_cxx_get_write_formats(module, out);
  *out = sequence_new(kTVMFFIArray, 0);
  return *out != NULL ? 0 : raise_out_of_memory();
}

int module_write_to_file(TVMFFIObject *module, const TVMFFIByteArray *file,
                         const TVMFFIByteArray *format)
{
  const ModuleOwn *own = module_own(module);
  if (own == NULL) return module_cxx_write_to_file(module, file, format);
  return raise_error("RuntimeError", "a module of kind ", own->kind.name,
                     " can't be written to a file, in whatever format", NULL);
}

int tvmffi_module_save_to_bytes(TVMFFIObjectHandle module, TVMFFIAny *out)
{
  TVMFFIObject *object = module;
  if (object == NULL) return raise_null(__func__, "module");
  if (out == NULL) return raise_null(__func__, "out");
  if (object->type_index != kTVMFFIModule) {
    return raise_wrong_type(__func__, "module", "a Module", object->type_index);
  }
  const ModuleOwn *own = module_own(object);
  if (own == NULL) return module_cxx_save_to_bytes(object, out);
  if (own->kind.save_to_bytes == NULL) {
    return raise_error("RuntimeError", "a module of kind ", own->kind.name, " can't be saved",
                       NULL);
  }
  TVMFFIAny value = any_none();
  if (own->kind.save_to_bytes(own->self, &value) != 0) {
    return module_failed("saving a module of kind ",
                         &(TVMFFIByteArray){own->kind.name, strlen(own->kind.name)});
  }
  bool is_right = module_is_text(&value, kTVMFFISmallBytes, kTVMFFIBytes);
  if (module_check(own, "saved bytes", &value, is_right) != 0) return -1;
  *out = value;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Imports. Whoever goes through them has a reference to the array, which is then not changed.
//--------------------------------------------------------------------------------------------------

TVMFFIObject *module_imports(TVMFFIObject *module)
{
  module_lock();
  TVMFFIObject *imports = module_of(module)->imports;
  if (imports != NULL) object_retain(imports);
  module_unlock();
  return imports;
}

TVMFFIObject *module_exchange_imports(TVMFFIObject *module, TVMFFIObject *imports)
{
  module_lock();
  TVMFFIObject *old = module_of(module)->imports;
  module_of(module)->imports = imports;
  module_unlock();
  return old;
}

// Tells whether there is room in an array that nobody else reads.
static bool module_can_append(TVMFFIObject *imports)
{
  if (imports == NULL || imports->deleter != nest_delete) return false;
  const TVMFFISeqCell *cell = sequence_cell(imports);
  return !object_is_shared(imports) && cell->size < cell->capacity;
}

// Appends with the lock held. Returns false if there is no memory.
// old: own, what is to be released; may be NULL.
static bool module_append(ModuleObject *module, TVMFFIObject *other, TVMFFIObject **old)
{
  TVMFFIObject *imports = module->imports;
  *old = NULL;
  if (!module_can_append(imports)) {
    int64_t size = imports == NULL ? 0 : sequence_cell(imports)->size;
    TVMFFIObject *larger = sequence_new(kTVMFFIArray, size < 2 ? 4 : 2 * size);
    if (larger == NULL) return false;
    for (int64_t i = 0; i < size; ++i) {
      sequence_append(larger, any_share(&sequence_values(imports)[i]));
    }
    *old = imports;
    module->imports = imports = larger;
  }
  object_retain(other);
  sequence_append(imports, any_object(other));
  return true;
}

static int module_is(TVMFFIObject *module, void *other)
{
  return module == other;
}

int module_import(TVMFFIObject *module, TVMFFIObject *other)
{
  TVMFFIObject *old;
  int reached = module_walk_all(other, module_is, module);
  if (reached < 0) return -1;
  if (reached > 0) {
    return raise_error("RuntimeError", "Cyclic dependency detected during import", NULL);
  }
  module_lock();
  bool appended = module_append(module_of(module), other, &old);
  module_unlock();
  if (old != NULL) object_release(old);
  return appended ? 0 : raise_out_of_memory();
}
