// SPDX-License-Identifier: Apache-2.0
// Calls from here to classes of C++.
#include "module/module_cxx.h"

#include <string.h>

#include "core/any.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "core/thread.h"
#include "module/module.h"
#include "module/module_cxx_catch.h"
#include "module/module_cxx_table.h"

// What a method returns through memory. It is larger than what registers hold, so that C passes its
// address just as C++ does for classes of any size: on x86-64 in front of the object, on AArch64 in
// a register of its own. The method writes as much of it as its class has.
typedef struct {
  uint64_t words[3];
} CxxResult;

typedef CxxResult CxxMethod(void *self, const void *one, const void *other);
typedef intptr_t CxxPlainMethod(void *self, const void *one, const void *other);

// A call, prepared.
typedef struct {
  ModuleObject *self;
  ModuleCxxPlace place;
  const void *one, *other;
  CxxResult result;  // of methods that return through memory
  intptr_t plain;    // of the others
} CxxCall;

static const void *module_cxx_method(const CxxCall *call)
{
  return ((const void *const *)call->self->vtable)[call->place];
}

static void module_cxx_enter(void *data)
{
  CxxCall *call = data;
  CxxMethod *method;
  const void *address = module_cxx_method(call);
  memcpy(&method, &address, sizeof method);
  call->result = method(call->self, call->one, call->other);
}

static void module_cxx_enter_plain(void *data)
{
  CxxCall *call = data;
  CxxPlainMethod *method;
  const void *address = module_cxx_method(call);
  memcpy(&method, &address, sizeof method);
  call->plain = method(call->self, call->one, call->other);
}

// Returns 0; -1 with the error that the method threw.
static int module_cxx_run(CxxCall *call, void (*enter)(void *call))
{
  if (call->self->vtable == NULL) return raise_error("TypeError", "the module has no class", NULL);
  return module_cxx_catch(enter, call);
}

// The same for a method that takes strings.
static int module_cxx_run_with_texts(CxxCall *call, const TVMFFIByteArray *one,
                                     const TVMFFIByteArray *other, void (*enter)(void *call))
{
  TVMFFIAny texts[2] = {any_none(), any_none()};
  int code = bytes_make_string(one->data, one->size, &texts[0]);
  if (code == 0 && other != NULL) code = bytes_make_string(other->data, other->size, &texts[1]);
  if (code == 0) {
    call->one = &texts[0];
    call->other = &texts[1];
    code = module_cxx_run(call, enter);
  }
  any_release(&texts[0]);
  any_release(&texts[1]);
  return code;
}

//--------------------------------------------------------------------------------------------------
// Results
//--------------------------------------------------------------------------------------------------

static TVMFFIObject *module_cxx_object(uint64_t word)
{
  return (TVMFFIObject *)(uintptr_t)word;
}

// Takes an object of a type. Releases of 0.1.13 return a value of 16 bytes where others return a
// pointer.
static int module_cxx_take_object(const CxxResult *result, int32_t type_index, TVMFFIObject **out)
{
  uint64_t word = result->words[0];
  TVMFFIObject *object = module_cxx_object(word == (uint64_t)type_index ? result->words[1] : word);
  if (object != NULL && object->type_index != type_index) {
    int32_t seen = object->type_index;
    object_release(object);
    return raise_error("TypeError", "a method of a module gave an object of type index ",
                       raise_number(seen).text, NULL);
  }
  *out = object;
  return 0;
}

static int module_cxx_take_value(const CxxResult *result, int32_t small, int32_t large,
                                 TVMFFIAny *out)
{
  TVMFFIAny value;
  memcpy(&value, result, sizeof value);
  if (value.type_index == kTVMFFINone) {
    *out = any_none();
    return 0;
  }
  if (value.type_index != small && value.type_index != large) {
    return raise_error("TypeError", "a method of a module gave a value of type index ",
                       raise_number(value.type_index).text, NULL);
  }
  *out = value;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Methods
//--------------------------------------------------------------------------------------------------

const char *module_cxx_get_kind(TVMFFIObject *module)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_KIND};
  if (module_cxx_run(&call, module_cxx_enter_plain) == 0) return (const char *)call.plain;
  TVMFFIObject *error = thread_take_raised();
  if (error != NULL) object_release(error);
  return NULL;
}

int module_cxx_get_property_mask(TVMFFIObject *module, int64_t *out)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_PROPERTY_MASK};
  if (module_cxx_run(&call, module_cxx_enter_plain) != 0) return -1;
  *out = (int)call.plain;
  return 0;
}

int module_cxx_get_function(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIObject **out)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_GET_FUNCTION};
  if (module_cxx_run_with_texts(&call, name, NULL, module_cxx_enter) != 0) return -1;
  return module_cxx_take_object(&call.result, kTVMFFIFunction, out);
}

int module_cxx_implements_function(TVMFFIObject *module, const TVMFFIByteArray *name, int *out)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_IMPLEMENTS_FUNCTION};
  if (module_cxx_run_with_texts(&call, name, NULL, module_cxx_enter_plain) != 0) return -1;
  *out = (unsigned char)call.plain != 0;
  return 0;
}

static int module_cxx_get_text(TVMFFIObject *module, ModuleCxxPlace place,
                               const TVMFFIByteArray *name, TVMFFIAny *out)
{
  CxxCall call = {.self = module_of(module), .place = place};
  if (module_cxx_run_with_texts(&call, name, NULL, module_cxx_enter) != 0) return -1;
  return module_cxx_take_value(&call.result, kTVMFFISmallStr, kTVMFFIStr, out);
}

int module_cxx_get_metadata(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  return module_cxx_get_text(module, MODULE_CXX_METADATA, name, out);
}

int module_cxx_get_doc(TVMFFIObject *module, const TVMFFIByteArray *name, TVMFFIAny *out)
{
  return module_cxx_get_text(module, MODULE_CXX_DOC, name, out);
}

int module_cxx_inspect_source(TVMFFIObject *module, const TVMFFIByteArray *format, TVMFFIAny *out)
{
  return module_cxx_get_text(module, MODULE_CXX_INSPECT_SOURCE, format, out);
}

int module_cxx_write_to_file(TVMFFIObject *module, const TVMFFIByteArray *file,
                             const TVMFFIByteArray *format)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_WRITE_TO_FILE};
  return module_cxx_run_with_texts(&call, file, format, module_cxx_enter_plain);
}

int module_cxx_get_write_formats(TVMFFIObject *module, TVMFFIObject **out)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_WRITE_FORMATS};
  if (module_cxx_run(&call, module_cxx_enter) != 0) return -1;
  return module_cxx_take_object(&call.result, kTVMFFIArray, out);
}

int module_cxx_save_to_bytes(TVMFFIObject *module, TVMFFIAny *out)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_SAVE_TO_BYTES};
  if (module_cxx_run(&call, module_cxx_enter) != 0) return -1;
  return module_cxx_take_value(&call.result, kTVMFFISmallBytes, kTVMFFIBytes, out);
}

int module_cxx_import(TVMFFIObject *module, TVMFFIObject *other)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_IMPORT_MODULE, .one = &other};
  module_cxx_import_failed = false;
  if (module_cxx_run(&call, module_cxx_enter_plain) != 0) return -1;
  return module_cxx_import_failed ? -1 : 0;
}

int module_cxx_clear_imports(TVMFFIObject *module)
{
  CxxCall call = {.self = module_of(module), .place = MODULE_CXX_CLEAR_IMPORTS};
  return module_cxx_run(&call, module_cxx_enter_plain);
}
