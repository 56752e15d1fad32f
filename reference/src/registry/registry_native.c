// SPDX-License-Identifier: Apache-2.0
#include "registry/registry_native.h"

#include <stdlib.h>
#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/functor.h"
#include "core/raise.h"
#include "registry/registry.h"

int registry_native_remove(const NativeCall *call)
{
  TVMFFIByteArray name = native_text(&call->args[0]);
  return native_give(call, any_bool(registry_remove(&name)));
}

int registry_native_get_metadata(const NativeCall *call)
{
  TVMFFIByteArray name = native_text(&call->args[0]);
  TVMFFIAny metadata;
  int found = registry_get_metadata(&name, &metadata);
  if (found == 0) {  // REG-14
    return raise_error("RuntimeError", call->spec->name, ": no function is registered as `",
                       raise_name(&name).text, "`", NULL);
  }
  return found < 0 ? -1 : native_give(call, metadata);
}

//--------------------------------------------------------------------------------------------------
// The list of names
//--------------------------------------------------------------------------------------------------

// The functor holds an array of the names (REG-7).
static int registry_native_read_names(const NativeCall *call)
{
  const Functor *functor = call->handle;
  const TVMFFISeqCell *cell = sequence_cell(functor->held);
  int64_t index = call->args[0].v_int64;
  if (index < 0) return native_give(call, any_int(cell->size));                // REG-5
  if (index >= cell->size) return native_fail_index(call, index, cell->size);  // REG-8
  return native_give(call, any_share(&sequence_values(functor->held)[index]));
}

static int registry_native_call_names(void *handle, const TVMFFIAny *args, int32_t num_args,
                                      TVMFFIAny *result)
{
  static const NativeSpec spec = {"ffi.FunctionListGlobalNamesFunctor()",
                                  registry_native_read_names,
                                  NATIVE_ANY,
                                  1,
                                  {NATIVE_INT},
                                  NULL};
  return native_run(handle, args, num_args, result, &spec);
}

int registry_native_list_names(const NativeCall *call)
{
  size_t count;
  TVMFFIByteArray *names = registry_names(&count);
  TVMFFIObject *array = names == NULL ? NULL : sequence_new(kTVMFFIArray, (int64_t)count);
  int code = array == NULL ? raise_out_of_memory() : 0;
  for (size_t i = 0; i < count && code == 0; ++i) {
    TVMFFIAny name;
    code = bytes_make_string(names[i].data, names[i].size, &name);
    if (code == 0) sequence_append(array, name);
  }
  free(names);
  if (code == 0) {
    return native_give_object(call, functor_new(registry_native_call_names, array, 0));
  }
  if (array != NULL) object_release(array);
  return -1;
}

//--------------------------------------------------------------------------------------------------
// Callbacks
//--------------------------------------------------------------------------------------------------

int registry_native_wrap(const NativeCall *call)
{
  TVMFFISafeCallType safe_call = NULL;
  void (*deleter)(void *) = NULL;
  TVMFFIObjectHandle function;
  memcpy(&safe_call, &call->args[1].v_ptr, sizeof safe_call);
  memcpy(&deleter, &call->args[2].v_ptr, sizeof deleter);
  if (safe_call == NULL) return raise_null(call->spec->name, "safe_call");
  if (TVMFFIFunctionCreate(call->args[0].v_ptr, safe_call, deleter, &function) != 0) return -1;
  return native_give(call, any_object(function));  // REG-18
}
