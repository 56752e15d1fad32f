// SPDX-License-Identifier: Apache-2.0
// Functions made of C callbacks, and the call.
#include "core/function.h"

#include <stdlib.h>

#include "core/object.h"
#include "core/raise.h"

typedef struct {
  FunctionObject function;
  TVMFFISafeCallType callback;
  void *self;
  void (*deleter)(void *self);
} FunctionClosure;

// Functions come and go with callbacks, so the thread keeps the memory of some that ended.
_Static_assert(sizeof(FunctionClosure) <= FUNCTION_SIZE, "the memory of one serves any other");

// What the cell of a closure holds: the callback is due its own handle, not the Function's (FUN-4).
__attribute__((aligned(64))) static int function_call_closure(void *handle, const TVMFFIAny *args,
                                                              int32_t num_args, TVMFFIAny *result)
{
  const FunctionClosure *closure = handle;
  return closure->callback(closure->self, args, num_args, result);
}

static void function_delete_closure(void *self, int flags)
{
  FunctionClosure *closure = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (closure->deleter != NULL) closure->deleter(closure->self);  // FUN-18, FUN-19
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) thread_keep_spare(closure);
}

static void function_delete(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) thread_keep_spare(self);
}

// Makes a Function; NULL if there is no memory.
static FunctionObject *function_new(TVMFFISafeCallType safe_call, ObjectDeleter *deleter)
{
  FunctionObject *function = thread_take_spare();
  if (function == NULL) function = malloc(FUNCTION_SIZE);
  if (function == NULL) return NULL;
  object_init(&function->header, kTVMFFIFunction, deleter);  // FUN-2
  function->cell = (TVMFFIFunctionCell){.safe_call = safe_call};
  return function;
}

FunctionObject *function_new_plain(TVMFFISafeCallType safe_call)
{
  return function_new(safe_call, function_delete);
}

int TVMFFIFunctionCreate(void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
                         TVMFFIObjectHandle *out)
{
  if (safe_call == NULL) return raise_null(__func__, "safe_call");  // FUN-38
  if (out == NULL) return raise_null(__func__, "out");
  if (self == NULL && deleter == NULL) {  // FUN-3
    FunctionObject *function = function_new_plain(safe_call);
    if (function == NULL) return raise_out_of_memory();
    *out = function;
    return 0;
  }
  FunctionClosure *closure =
      (FunctionClosure *)function_new(function_call_closure, function_delete_closure);
  if (closure == NULL) return raise_out_of_memory();
  closure->callback = safe_call;
  closure->self = self;
  closure->deleter = deleter;
  *out = closure;
  return 0;
}

// Nothing is done to arguments, result and code, and no lock is held: FUN-5 to FUN-17. The checks
// cost a load of the header, next to the cell; within one cache line they are decoded at once.
__attribute__((aligned(64))) int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args,
                                                    int32_t num_args, TVMFFIAny *result)
{
  const TVMFFIObject *object = func;
  if (object == NULL) return raise_null(__func__, "func");  // FUN-38
  if (object->type_index != kTVMFFIFunction) {
    return raise_wrong_type(__func__, "func", "a Function", object->type_index);
  }
  const TVMFFIFunctionCell *cell = (const TVMFFIFunctionCell *)(object + 1);
  return cell->safe_call(func, args, num_args, result);
}
