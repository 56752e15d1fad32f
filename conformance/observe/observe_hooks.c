// SPDX-License-Identifier: Apache-2.0
// What is noted of each function that is worth more than a count, and where the observer answers in
// the place of the runtime.
#include <stdio.h>
#include <string.h>

#include "observe/observe.h"

static const AbiApi *real(void)
{
  return &tvmffi_observer.real;
}

static void take_text(ObservedCall *call, const char *text, size_t size)
{
  if (!call || !text) return;
  if (size >= sizeof call->text) size = sizeof call->text - 1;
  memcpy(call->text, text, size);
  call->text[size] = '\0';
}

static void take_bytes(ObservedCall *call, const TVMFFIByteArray *bytes)
{
  if (bytes) take_text(call, bytes->data, bytes->size);
}

static void take_string(ObservedCall *call, const char *text)
{
  if (text) take_text(call, text, strnlen(text, OBSERVE_TEXT_MAX));
}

static int end_note(ObservedCall *call, int returned)
{
  if (call) call->returned = returned;
  return returned;
}

// --- Streams and memory: the environment ---------------------------------------------------------

// first, second: the device. object: the stream that was answered.
static TVMFFIStreamHandle on_EnvGetStream(int32_t device_type, int32_t device_id)
{
  ObservedCall *call = observe_note(FN_EnvGetStream);
  TVMFFIStreamHandle stream = NULL;
  bool answered = false;
  unsigned count = atomic_load(&tvmffi_observer.stream_count);
  for (unsigned i = 0; i < count && i < OBSERVE_STREAMS_MAX && !answered; ++i) {
    const ObservedStream *known = &tvmffi_observer.streams[i];
    answered = known->device_type == device_type && known->device_id == device_id;
    if (answered) stream = known->stream;
  }
  if (!answered) stream = real()->EnvGetStream(device_type, device_id);
  if (call) {
    call->first = device_type;
    call->second = device_id;
    call->object = stream;
  }
  return stream;
}

// first, second: the device. object: the stream that was set.
static int on_EnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                           TVMFFIStreamHandle *opt_out_original_stream)
{
  ObservedCall *call = observe_note(FN_EnvSetStream);
  if (call) {
    call->first = device_type;
    call->second = device_id;
    call->object = stream;
  }
  return end_note(call,
                  real()->EnvSetStream(device_type, device_id, stream, opt_out_original_stream));
}

static bool refuses(atomic_uint *turns)
{
  unsigned left = atomic_load(turns);
  if (left == 0 || !atomic_load(&tvmffi_observer.watching)) return false;
  return atomic_fetch_sub(turns, 1) == 1;
}

// first, second: the device that memory was asked for on. object: the tensor that came out.
static int on_EnvTensorAlloc(DLTensor *prototype, TVMFFIObjectHandle *out)
{
  ObservedCall *call = observe_note(FN_EnvTensorAlloc);
  if (call && prototype) {
    call->first = prototype->device.device_type;
    call->second = prototype->device.device_id;
  }
  if (refuses(&tvmffi_observer.refuse_allocation)) {
    real()->ErrorSetRaisedFromCStr("MemoryError", "the environment has no memory for this tensor");
    return end_note(call, -1);
  }
  int returned = real()->EnvTensorAlloc(prototype, out);
  if (call && returned == 0 && out) call->object = *out;
  return end_note(call, returned);
}

// --- Errors --------------------------------------------------------------------------------------

// text: the kind.
static void on_ErrorSetRaisedFromCStr(const char *kind, const char *message)
{
  take_string(observe_note(FN_ErrorSetRaisedFromCStr), kind);
  real()->ErrorSetRaisedFromCStr(kind, message);
}

// text: the kind. first: how many parts.
static void on_ErrorSetRaisedFromCStrParts(const char *kind, const char **message_parts,
                                           int32_t num_parts)
{
  ObservedCall *call = observe_note(FN_ErrorSetRaisedFromCStrParts);
  take_string(call, kind);
  if (call) call->first = num_parts;
  real()->ErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
}

// object: the error.
static void on_ErrorSetRaised(TVMFFIObjectHandle error)
{
  ObservedCall *call = observe_note(FN_ErrorSetRaised);
  if (call) call->object = error;
  real()->ErrorSetRaised(error);
}

// object: the error that was taken, NULL if there was none.
static void on_ErrorMoveFromRaised(TVMFFIObjectHandle *result)
{
  ObservedCall *call = observe_note(FN_ErrorMoveFromRaised);
  real()->ErrorMoveFromRaised(result);
  if (call && result) call->object = *result;
}

// --- Functions and modules -----------------------------------------------------------------------

static bool refuses_lookup(void)
{
  if (!refuses(&tvmffi_observer.refuse_lookup)) return false;
  real()->ErrorSetRaisedFromCStr("RuntimeError", "the look-up was made to fail");
  return true;
}

// object: the function. first: how many arguments. second: the type index of the result.
static int on_FunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
                           TVMFFIAny *result)
{
  ObservedCall *call = observe_note(FN_FunctionCall);
  if (call) {
    call->object = func;
    call->first = num_args;
  }
  if (refuses(&tvmffi_observer.refuse_call)) {
    real()->ErrorSetRaisedFromCStr("RuntimeError", "the call was made to fail");
    return end_note(call, -1);
  }
  int returned = real()->FunctionCall(func, args, num_args, result);
  if (call && returned == 0 && result) call->second = result->type_index;
  return end_note(call, returned);
}

// text: the name. object: what was found.
static int on_FunctionGetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  ObservedCall *call = observe_note(FN_FunctionGetGlobal);
  take_bytes(call, name);
  if (refuses_lookup()) return end_note(call, -1);
  int returned = real()->FunctionGetGlobal(name, out);
  if (call && returned == 0 && out) call->object = *out;
  return end_note(call, returned);
}

// text: the name. object: the context that it was looked up in.
static int on_EnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char *func_name,
                                      TVMFFIObjectHandle *out)
{
  ObservedCall *call = observe_note(FN_EnvModLookupFromImports);
  take_string(call, func_name);
  if (call) call->object = library_ctx;
  if (refuses_lookup()) return end_note(call, -1);
  return end_note(call, real()->EnvModLookupFromImports(library_ctx, func_name, out));
}

// object: the handle's address.
static int on_HandleInitOnce(void **handle_addr, int (*init_func)(void **result))
{
  ObservedCall *call = observe_note(FN_HandleInitOnce);
  if (call) call->object = handle_addr;
  return end_note(call, real()->HandleInitOnce(handle_addr, init_func));
}

const ObserveHooks observe_hooks = {
    .EnvGetStream = on_EnvGetStream,
    .EnvSetStream = on_EnvSetStream,
    .EnvTensorAlloc = on_EnvTensorAlloc,
    .ErrorSetRaisedFromCStr = on_ErrorSetRaisedFromCStr,
    .ErrorSetRaisedFromCStrParts = on_ErrorSetRaisedFromCStrParts,
    .ErrorSetRaised = on_ErrorSetRaised,
    .ErrorMoveFromRaised = on_ErrorMoveFromRaised,
    .FunctionCall = on_FunctionCall,
    .FunctionGetGlobal = on_FunctionGetGlobal,
    .EnvModLookupFromImports = on_EnvModLookupFromImports,
    .HandleInitOnce = on_HandleInitOnce,
};
