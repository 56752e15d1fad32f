// SPDX-License-Identifier: Apache-2.0
#include "native/sequence_native.h"

#include "container/key.h"
#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"

int sequence_native_make_array(const NativeCall *call)
{
  return sequence_make_array(call->args, call->num_args, call->result);
}

int sequence_native_make_list(const NativeCall *call)
{
  return sequence_make_list(call->args, call->num_args, call->result);
}

int sequence_native_call_make_array(void *handle, const TVMFFIAny *args, int32_t num_args,
                                    TVMFFIAny *result)
{
  if (!native_is_plain(args, num_args, result)) return native_call(handle, args, num_args, result);
  return sequence_make_array(args, num_args, result);
}

int sequence_native_call_make_list(void *handle, const TVMFFIAny *args, int32_t num_args,
                                   TVMFFIAny *result)
{
  if (!native_is_plain(args, num_args, result)) return native_call(handle, args, num_args, result);
  return sequence_make_list(args, num_args, result);
}

int sequence_native_size(const NativeCall *call)
{
  return native_give(call, any_int(sequence_cell(call->args[0].v_obj)->size));  // CON-17, CON-25
}

static inline int sequence_native_call_size(int32_t type_index, void *handle, const TVMFFIAny *args,
                                            int32_t num_args, TVMFFIAny *result)
{
  if (native_is_direct(1, args, num_args, result) && native_is_object(args, type_index)) {
    *result = any_int(sequence_cell(args->v_obj)->size);
    return 0;
  }
  return native_call(handle, args, num_args, result);
}

int sequence_native_call_array_size(void *handle, const TVMFFIAny *args, int32_t num_args,
                                    TVMFFIAny *result)
{
  return sequence_native_call_size(kTVMFFIArray, handle, args, num_args, result);
}

int sequence_native_call_list_size(void *handle, const TVMFFIAny *args, int32_t num_args,
                                   TVMFFIAny *result)
{
  return sequence_native_call_size(kTVMFFIList, handle, args, num_args, result);
}

int sequence_native_get_item(const NativeCall *call)
{
  const TVMFFISeqCell *cell = sequence_cell(call->args[0].v_obj);
  int64_t index = call->args[1].v_int64;
  if (index < 0 || index >= cell->size) {  // CON-18, CON-19, CON-29
    return native_fail_index(call, index, cell->size);
  }
  return native_give(call, any_share((const TVMFFIAny *)cell->data + index));  // CON-7, CON-17
}

static inline int sequence_native_call_get_item(int32_t type_index, void *handle,
                                                const TVMFFIAny *args, int32_t num_args,
                                                TVMFFIAny *result)
{
  if (native_is_direct(2, args, num_args, result) && native_is_object(&args[0], type_index) &&
      args[1].type_index == kTVMFFIInt) {
    const TVMFFISeqCell *cell = sequence_cell(args[0].v_obj);
    int64_t index = args[1].v_int64;
    if (index >= 0 && index < cell->size) {
      *result = any_share((const TVMFFIAny *)cell->data + index);
      return 0;
    }
  }
  return native_call(handle, args, num_args, result);
}

int sequence_native_call_array_get_item(void *handle, const TVMFFIAny *args, int32_t num_args,
                                        TVMFFIAny *result)
{
  return sequence_native_call_get_item(kTVMFFIArray, handle, args, num_args, result);
}

int sequence_native_call_list_get_item(void *handle, const TVMFFIAny *args, int32_t num_args,
                                       TVMFFIAny *result)
{
  return sequence_native_call_get_item(kTVMFFIList, handle, args, num_args, result);
}

int sequence_native_contains(const NativeCall *call)
{
  TVMFFIObject *sequence = call->args[0].v_obj;
  Key key;
  key_read(&call->args[1], &key);
  int found = 0;
  // An equality of foreign code may change the sequence.
  for (int64_t i = 0; found == 0 && i < sequence_cell(sequence)->size; ++i) {
    found = key_equal(&key, &sequence_values(sequence)[i]);  // CON-20
  }
  return found < 0 ? -1 : native_give(call, any_bool(found));
}
