// SPDX-License-Identifier: Apache-2.0
// Mutants of calls: arguments, results, errors.
#include <pthread.h>

#include "mutants/object_body.h"

enum { MOST = 64 };

MUTANT(FUN_7, at_most_256, FunctionCall, "no more than 256 arguments are passed on")
{
  return REFERENCE(FunctionCall)(func, args, num_args > 256 ? 256 : num_args, result);
}

MUTANT(FUN_7, null_arguments_refused, FunctionCall,
       "a call without an array of arguments is refused even if there are none")
{
  if (args) return REFERENCE(FunctionCall)(func, args, num_args, result);
  return fail("ValueError", "args must not be NULL");
}

MUTANT(FUN_7, number_of_16_bits, FunctionCall, "the number of arguments is kept in 16 bits")
{
  return REFERENCE(FunctionCall)(func, args, (uint16_t)num_args, result);
}

MUTANT(FUN_8, last_first, FunctionCall, "the callback sees the arguments in reverse order")
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 1)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) copy[i] = args[num_args - 1 - i];
  return REFERENCE(FunctionCall)(func, copy, num_args, result);
}

MUTANT(FUN_8, padding_cleaned, FunctionCall, "the callback sees its arguments with clean padding")
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 0)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    copy[i] = args[i];
    if (args[i].type_index != kTVMFFISmallStr && args[i].type_index != kTVMFFISmallBytes)
      copy[i].zero_padding = 0;
  }
  return REFERENCE(FunctionCall)(func, copy, num_args, result);
}

MUTANT(FUN_8, rvalues_unwrapped, FunctionCall,
       "the callback sees the object in place of an rvalue reference to it")
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 0)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    copy[i] = args[i];
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    copy[i].v_obj = *(TVMFFIObject **)args[i].v_ptr;
    copy[i].type_index = copy[i].v_obj->type_index;
  }
  return REFERENCE(FunctionCall)(func, copy, num_args, result);
}

MUTANT(FUN_8, strings_made_owned, FunctionCall,
       "raw strings and byte arrays among the arguments become owned values on their way")
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 0)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    copy[i] = args[i];
    if (args[i].type_index == kTVMFFIRawStr || args[i].type_index == kTVMFFIByteArrayPtr)
      TVMFFIAnyViewToOwnedAny(&args[i], &copy[i]);
  }
  int status = REFERENCE(FunctionCall)(func, copy, num_args, result);
  for (int32_t i = 0; i < num_args; ++i)
    if (args[i].type_index == kTVMFFIRawStr && copy[i].type_index >= kTVMFFIStaticObjectBegin)
      TVMFFIObjectDecRef(copy[i].v_obj);
  return status;
}

MUTANT(FUN_9, arguments_consumed, FunctionCall, "a call sets its arguments to None when it is done")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (num_args > 0) memset(args, 0, (size_t)num_args * sizeof *args);
  return status;
}

MUTANT(FUN_9, objects_retained, FunctionCall,
       "a call keeps a reference to every object among its arguments")
{
  for (int32_t i = 0; i < num_args; ++i)
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(args[i].v_obj);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(FUN_10, padding_cleaned, FunctionCall, "the padding of a result is cleaned")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (result->type_index != kTVMFFISmallStr && result->type_index != kTVMFFISmallBytes)
    result->zero_padding = 0;
  return status;
}

MUTANT(FUN_10, views_made_owned, FunctionCall,
       "a result that is a view is taken for a mistake and becomes None")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0 && result->type_index >= kTVMFFIDLTensorPtr &&
      result->type_index <= kTVMFFIObjectRValueRef)
    memset(result, 0, sizeof *result);
  return status;
}

MUTANT(FUN_11, reference_added, FunctionCall,
       "an object in the result gains a reference on its way")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0 && result->type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(result->v_obj);
  return status;
}

MUTANT(FUN_12, none_becomes_zero, FunctionCall, "a result that is None becomes the number 0")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->type_index = kTVMFFIInt;
  return status;
}

MUTANT(FUN_13, code_of_8_bits, FunctionCall, "a return code is kept in 8 bits")
{
  return (signed char)REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(FUN_13, minus_one_for_all, FunctionCall, "every failure returns -1")
{
  return REFERENCE(FunctionCall)(func, args, num_args, result) == 0 ? 0 : -1;
}

MUTANT(FUN_13, positive_is_success, FunctionCall, "a positive return code counts as success")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  return status > 0 ? 0 : status;
}

MUTANT(FUN_14, error_made_anew, FunctionCall,
       "the error of a call that failed is created again, with the same kind and message")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIObjectHandle raised = NULL, fresh = NULL;
  if (status != 0) TVMFFIErrorMoveFromRaised(&raised);
  if (!raised) return status;
  TVMFFIErrorCell *cell = error_cell(raised);
  if (TVMFFIErrorCreate(&cell->kind, &cell->message, backtrace_in(cell), &fresh) == 0) {
    TVMFFIErrorSetRaised(fresh);
    TVMFFIObjectDecRef(fresh);
  }
  TVMFFIObjectDecRef(raised);
  return status;
}

MUTANT(FUN_14, error_retained, FunctionCall,
       "looking at the error of a call that failed adds a reference to it")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIObjectHandle raised = NULL;
  if (status != 0) TVMFFIErrorMoveFromRaised(&raised);
  if (raised) TVMFFIErrorSetRaised(raised);
  return status;
}

MUTANT(FUN_14, errors_of_minus_one_only, FunctionCall,
       "the error of a callback that returned anything but -1 is dropped")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status != 0 && status != -1) TVMFFIErrorSetRaised(NULL);
  return status;
}

MUTANT(FUN_15, error_made_up, FunctionCall, "a callback that fails without an error gets one")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised) {
    TVMFFIErrorSetRaised(raised);
    TVMFFIObjectDecRef(raised);
  } else {
    TVMFFIErrorSetRaisedFromCStr("InternalError", "the function failed without an error");
  }
  return status;
}

static _Thread_local int depth;

MUTANT(FUN_16, depth_of_100, FunctionCall, "calls nest 100 deep and no deeper")
{
  if (depth >= 100) return fail("RecursionError", "too many calls within calls");
  ++depth;
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  --depth;
  return status;
}

static _Thread_local TVMFFIObjectHandle running;

MUTANT(FUN_16, not_reentrant, FunctionCall,
       "a function that is running in a thread can't be called by it")
{
  TVMFFIObjectHandle outer = running;
  if (func == outer) return fail("RuntimeError", "the function is running already");
  running = func;
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  running = outer;
  return status;
}

static pthread_mutex_t lock;

AT_LOAD(FUN_17, one_thread_at_a_time)
{
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
}

MUTANT(FUN_17, one_thread_at_a_time, FunctionCall,
       "a lock that a thread may take again is held during every call")
{
  pthread_mutex_lock(&lock);
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return status;
}

MUTANT(FUN_42, result_cleared, FunctionCall, "the result is None before every call")
{
  if (result) memset(result, 0, sizeof *result);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(FUN_43, minus_one_for_others, FunctionCall,
       "a failure with a code that the documents do not name returns -1")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  return status < -2 || status > 0 ? -1 : status;
}
