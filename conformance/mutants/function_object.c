// SPDX-License-Identifier: Apache-2.0
// Mutants of how function objects are made, called directly and freed.
#include "mutants/deleter.h"
#include "mutants/object_body.h"

static void nothing(void *self)
{
  (void)self;
}

MUTANT_WITHOUT(FUN_1, no_method_descriptions, FunctionSetGlobalFromMethodInfo,
               "a method description registers no function");

static TVMFFIObjectHandle last;
static TVMFFISafeCallType last_call;
static void *last_self;

MUTANT(FUN_2, one_object_for_a_callback, FunctionCreate,
       "the same callback and closure as last time get the same object")
{
  if (last && self && self == last_self && safe_call == last_call) {
    *out = last;
    return TVMFFIObjectIncRef(last);
  }
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0) return status;
  last = *out;
  last_call = safe_call;
  last_self = self;
  return 0;
}

MUTANT(FUN_2, tried_out, FunctionCreate,
       "a callback is called once when the function is made, to see whether it works")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  TVMFFIAny nothing = {.type_index = kTVMFFINone};
  if (status == 0) TVMFFIFunctionCall(*out, NULL, 0, &nothing);
  return status;
}

MUTANT(FUN_2, two_references, FunctionCreate,
       "a new function has a second strong reference, for the runtime itself")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}

MUTANT(FUN_3, null_for_a_plain_function, FunctionCreate,
       "a callback without closure is called with NULL")
{
  return REFERENCE(FunctionCreate)(self, safe_call, deleter || self ? deleter : nothing, out);
}

// A closure that is called with the function object in the place of its self.
typedef struct Closure {
  TVMFFISafeCallType callback;
  void (*deleter)(void *);
  TVMFFIObjectHandle function;
} Closure;

static int call_closure(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Closure *closure = handle;
  return closure->callback(closure->function, args, num_args, result);
}

static void end_closure(void *handle)
{
  ((Closure *)handle)->deleter(NULL);
  free(handle);
}

MUTANT(FUN_4, null_self_is_no_self, FunctionCreate,
       "a closure whose self is NULL is called with the function object")
{
  if (self || !deleter) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  Closure *closure = malloc(sizeof *closure);
  if (!closure) return -1;
  int status = REFERENCE(FunctionCreate)(closure, call_closure, end_closure, out);
  if (status == 0) *closure = (Closure){safe_call, deleter, *out};
  return status;
}

MUTANT(FUN_4, self_only_with_deleter, FunctionCreate,
       "a closure without deleter is called with the function object")
{
  if (deleter || !self) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  Closure *closure = malloc(sizeof *closure);
  if (!closure) return -1;
  int status = REFERENCE(FunctionCreate)(closure, call_closure, free, out);
  if (status == 0) *closure = (Closure){safe_call, NULL, *out};
  return status;
}

MUTANT(FUN_5, called_twice_on_failure, FunctionCall, "a call that fails is tried once more")
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  return status == 0 ? 0 : REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(FUN_5, cpp_call_goes_first, FunctionCall,
       "what stands behind the safe call in the cell is called first if it is not NULL")
{
  const TVMFFIFunctionCell *cell = function_cell(func);
  TVMFFISafeCallType call;
  memcpy(&call, (const char *)cell + 8, sizeof call);
  if (!call) return REFERENCE(FunctionCall)(func, args, num_args, result);
  return call(func, args, num_args, result);
}

static void (*own_deleter)(void *, int);

MUTANT(FUN_5, only_its_own, FunctionCreate,
       "only function objects that the runtime made are called")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) own_deleter = ((TVMFFIObject *)*out)->deleter;
  return status;
}

ALSO(FUN_5, only_its_own, FunctionCall)
{
  if (own_deleter && ((TVMFFIObject *)func)->deleter == own_deleter)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  return fail("TypeError", "not a function of this runtime");
}

static TVMFFISafeCallType trampoline;

static int refuse_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return fail("RuntimeError", "not to be called directly");
}

MUTANT(FUN_6, call_through_the_runtime_only, FunctionCreate,
       "the safe call in the cell of a closure works only when TVMFFIFunctionCall calls it")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0 || function_cell(*out)->safe_call == safe_call) return status;
  trampoline = function_cell(*out)->safe_call;
  function_cell(*out)->safe_call = refuse_call;
  return 0;
}

ALSO(FUN_6, call_through_the_runtime_only, FunctionCall)
{
  if (function_cell(func)->safe_call == refuse_call)
    return trampoline(func, args, num_args, result);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(FUN_18, called_for_each_flag, FunctionCreate,
       "the deleter of a closure runs for each flag of the function's deleter")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0) return status;
  replace_deleter(*out, delete_for_each_flag);
  return 0;
}

typedef struct Failing {
  TVMFFISafeCallType callback;
  void (*deleter)(void *);
  void *self;
} Failing;

static int call_failing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Failing *stand = handle;
  int status = stand->callback(stand->self, args, num_args, result);
  if (status == 0 || !stand->deleter) return status;
  stand->deleter(stand->self);
  stand->deleter = NULL;
  return status;
}

static void end_failing(void *handle)
{
  Failing *stand = handle;
  if (stand->deleter) stand->deleter(stand->self);
  free(stand);
}

MUTANT(FUN_18, ended_after_a_failure, FunctionCreate,
       "a closure that has failed once is ended at once")
{
  if (!deleter) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  Failing *stand = malloc(sizeof *stand);
  if (!stand) return -1;
  *stand = (Failing){safe_call, deleter, self};
  return REFERENCE(FunctionCreate)(stand, call_failing, end_failing, out);
}

MUTANT(FUN_18, ends_with_the_memory, FunctionCreate,
       "the deleter of a closure runs when the memory of the function is freed")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0) return status;
  replace_deleter(*out, delete_with_the_memory);
  return 0;
}

MUTANT(FUN_18, not_called_for_null, FunctionCreate,
       "the deleter of a closure whose self is NULL is not called")
{
  return REFERENCE(FunctionCreate)(self, safe_call, deleter && !self ? nothing : deleter, out);
}

MUTANT(FUN_19, deleter_demanded, FunctionCreate, "a closure without deleter is refused")
{
  if (!self || deleter) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  return fail("ValueError", "a closure needs a deleter");
}

MUTANT(FUN_19, freed_by_default, FunctionCreate, "a self without a deleter is given to free")
{
  return REFERENCE(FunctionCreate)(self, safe_call, self && !deleter ? free : deleter, out);
}
