// SPDX-License-Identifier: Apache-2.0
// Functions made of C callbacks, and the call.
#include <stdlib.h>

#include "object.h"
#include "raise.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;  // LAY-13, LAY-14
  void *self;
  TVMFFISafeCallType callback;
  void (*deleter)(void *self);
} FunctionObject;

// What the cell of a closure holds: the callback is due its own handle, not the Function's (FUN-4).
static int function_call_closure(void *handle, const TVMFFIAny *args, int32_t num_args,
                                 TVMFFIAny *result)
{
  const FunctionObject *function = handle;
  return function->callback(function->self, args, num_args, result);
}

static void function_delete(void *self, int flags)
{
  FunctionObject *function = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (function->deleter != NULL) function->deleter(function->self);  // FUN-18, FUN-19
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(function);
}

int TVMFFIFunctionCreate(void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
                         TVMFFIObjectHandle *out)
{
  if (safe_call == NULL) return raise_null(__func__, "safe_call");  // FUN-38
  if (out == NULL) return raise_null(__func__, "out");
  FunctionObject *function = malloc(sizeof *function);
  if (function == NULL) return raise_out_of_memory();
  object_init(&function->header, kTVMFFIFunction, function_delete);  // FUN-2
  bool closure = self != NULL || deleter != NULL;                    // FUN-3
  function->cell.safe_call = closure ? function_call_closure : safe_call;
  function->cell.cpp_call = NULL;
  function->self = self;
  function->callback = safe_call;
  function->deleter = deleter;
  *out = function;
  return 0;
}

// Nothing is done to arguments, result and code: the callee is the only one who knows them (FUN-5
// to FUN-15). The checks cost a load of the header, next to the cell.
int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
                       TVMFFIAny *result)
{
  const TVMFFIObject *object = func;
  if (object == NULL) return raise_null(__func__, "func");  // FUN-38
  if (object->type_index != kTVMFFIFunction) {
    return raise_wrong_type(__func__, "func", "a Function", object->type_index);
  }
  const TVMFFIFunctionCell *cell = (const TVMFFIFunctionCell *)(object + 1);
  return cell->safe_call(func, args, num_args, result);
}
