// SPDX-License-Identifier: Apache-2.0
#include "layer/calls.h"

#include <string.h>

#include "layer/hooks.h"
#include "layer/link.h"
#include "layer/memory.h"
#include "layer/shadow.h"
#include "layer/site.h"
#include "layer/threads.h"
#include "layer/values.h"

enum { KEPT_MAX = 16 };  // arguments that are compared after the call

typedef struct Call {
  LayerParties who;
  const TVMFFIAny *args;
  int32_t num_args;
  TVMFFIAny *result;
  TVMFFIAny before;  // what the result was
  TVMFFIAny kept[KEPT_MAX];
  RingThread *thread;
  RingCall outer;
  int depth;  // of the outer call
} Call;

static bool is_in_runtime(uintptr_t address)
{
  unsigned count = atomic_load_explicit(&tvmffi_layer_link.runtime_count, memory_order_relaxed);
  for (unsigned i = 0; i < count && i < LAYER_RUNTIMES_MAX; ++i)
    if (site_is_in(&tvmffi_layer_link.runtimes[i], address)) return true;
  return false;
}

// --- Before the call -----------------------------------------------------------------------------

// A runtime that was called with this value hands it on; who called it was looked at.
static bool is_handed_on(const Call *call, const TVMFFIAny *value)
{
  const RingCall *outer = &call->outer;
  if (call->depth == 0 || !is_in_runtime(call->who.caller)) return false;
  if (value >= outer->args && value < outer->args + outer->num_args) return true;
  for (int32_t i = 0; i < outer->num_args && memory_is_mapped(&outer->args[i], sizeof *value); ++i)
    if (memcmp(&outer->args[i], value, sizeof *value) == 0) return true;
  return false;
}

static bool is_result_handed_on(const Call *call)
{
  return call->depth > 0 && call->outer.result == call->result && is_in_runtime(call->who.caller);
}

static void check_arguments(Call *call)
{
  if (call->num_args < 0 || (call->num_args > 0 && !call->args)) {
    LAYER_REPORT(CHECK_CALL_NUMBER, &call->who, NULL, call->num_args,
                 (int64_t)(uintptr_t)call->args);
    call->num_args = 0;
    return;
  }
  bool in_runtime = call->depth > 0 && is_in_runtime(call->who.caller);
  for (int32_t i = 0; i < call->num_args; ++i)
    if (!in_runtime || !is_handed_on(call, &call->args[i]))
      values_check(&call->args[i], i, &call->who);
}

static void enter(Call *call)
{
  call->thread = threads_enter();
  call->depth = 0;
  if (!call->thread) return;
  call->depth = atomic_load_explicit(&call->thread->depth, memory_order_relaxed);
  call->outer = call->thread->call;
  call->thread->call = (RingCall){call->who.caller, call->who.callee, call->who.function,
                                  call->num_args,   call->args,       call->result};
  call->thread->last_depth = 0;
  atomic_store_explicit(&call->thread->depth, call->depth + 1, memory_order_relaxed);
}

static void begin(Call *call)
{
  enter(call);
  check_arguments(call);
  if (call->thread) call->thread->call.num_args = call->num_args;
  if (layer_ring->enabled[CHECK_CALL_ARGUMENTS_WRITTEN])
    for (int32_t i = 0; i < call->num_args && i < KEPT_MAX; ++i) call->kept[i] = call->args[i];
  if (!call->result) {
    LAYER_REPORT(CHECK_CALL_NO_RESULT, &call->who, NULL, 0);
    return;
  }
  call->before = *call->result;
  if (call->before.type_index >= kTVMFFIStaticObjectBegin && !is_result_handed_on(call))
    LAYER_REPORT(CHECK_CALL_RESULT_OBJECT, &call->who, NULL, call->before.type_index);
}

// --- After the call ------------------------------------------------------------------------------

// The type index of what is raised in this thread, in any runtime; -1: nothing is.
static int32_t raised_type(void)
{
  int32_t type = -1;
  unsigned count = atomic_load_explicit(&tvmffi_layer_link.runtime_count, memory_order_relaxed);
  for (unsigned i = 0; i < count && i < LAYER_RUNTIMES_MAX && type < 0; ++i) {
    const AbiApi *real = &tvmffi_layer_link.runtimes[i].real;
    TVMFFIObjectHandle raised = NULL;
    if (!tvmffi_layer_link.runtimes[i].start) continue;
    if (!real->ErrorMoveFromRaised || !real->ErrorSetRaised || !real->ObjectDecRef)
      return kTVMFFIError;
    real->ErrorMoveFromRaised(&raised);
    if (!raised) continue;
    type = ((TVMFFIObject *)raised)->type_index;
    real->ErrorSetRaised(raised);
    real->ObjectDecRef(raised);
  }
  return type;
}

static bool result_changed(const Call *call)
{
  return call->result && memcmp(call->result, &call->before, sizeof call->before) != 0;
}

static void check_success(const Call *call)
{
  if (call->result && result_changed(call)) values_check(call->result, VALUE_RESULT, &call->who);
}

// The caller's part in a result that nobody wrote.
static void check_untouched(const Call *call)
{
  static const TVMFFIAny none;
  const TVMFFIAny *before = &call->before;
  if (!call->result || result_changed(call) || is_result_handed_on(call) ||
      before->type_index >= kTVMFFIStaticObjectBegin || memcmp(before, &none, sizeof none) == 0)
    return;
  LAYER_REPORT(CHECK_CALL_RESULT_DIRTY, &call->who, NULL, before->type_index, before->zero_padding,
               before->v_int64);
}

static void check_failure(const Call *call, int code)
{
  enum { FRONTEND_HAS_IT = -2 };
  if (code != -1 && code != FRONTEND_HAS_IT) LAYER_REPORT(CHECK_CALL_CODE, &call->who, NULL, code);
  int32_t type = code == FRONTEND_HAS_IT ? (int32_t)kTVMFFIError : raised_type();
  if (type < 0)
    LAYER_REPORT(CHECK_CALL_NO_ERROR, &call->who, NULL, code);
  else if (type != kTVMFFIError)
    LAYER_REPORT(CHECK_CALL_NOT_AN_ERROR, &call->who, NULL, code, type);
  if (result_changed(call))
    LAYER_REPORT(CHECK_CALL_FAILED_RESULT, &call->who, NULL, code, call->before.type_index,
                 call->result->type_index);
}

static void check_kept(const Call *call)
{
  if (!layer_ring->enabled[CHECK_CALL_ARGUMENTS_WRITTEN]) return;
  for (int32_t i = 0; i < call->num_args && i < KEPT_MAX; ++i)
    if (memcmp(&call->kept[i], &call->args[i], sizeof *call->args) != 0)
      LAYER_REPORT(CHECK_CALL_ARGUMENTS_WRITTEN, &call->who, NULL, i, call->kept[i].type_index,
                   call->args[i].type_index);
}

// What a call came to, and whether a call within it came to the same and was looked at: a function
// that hands on what another one gave it is not to blame.
static bool came_from_within(const Call *call, int code)
{
  const RingThread *thread = call->thread;
  return thread && thread->last_depth == call->depth + 2 && thread->last_code == code &&
         call->result && memcmp(call->result, &thread->last_result, sizeof *call->result) == 0;
}

// What was forked inside of a call ends it, too, with the place of its parent's thread.
static bool is_of_process(const RingThread *thread)
{
  return thread >= layer_process->threads && thread < layer_process->threads + RING_THREADS_MAX;
}

static void leave(const Call *call, int code)
{
  RingThread *thread = call->thread;
  if (!is_of_process(thread)) return;
  thread->last_depth = call->depth + 1;
  thread->last_code = code;
  if (call->result) thread->last_result = *call->result;
  thread->call = call->outer;
  atomic_store_explicit(&thread->depth, call->depth, memory_order_relaxed);
  threads_leave(thread);
}

static void end(const Call *call, int code)
{
  if (code == 0) check_untouched(call);
  if (!came_from_within(call, code)) {
    if (code == 0)
      check_success(call);
    else
      check_failure(call, code);
    check_kept(call);
  }
  leave(call, code);
}

// --- The ways to call ----------------------------------------------------------------------------

int ffi_call_cell(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  ShadowEntry entry;
  if (!shadow_find_function(self, &entry)) return -1;
  layer_enter_call(false);
  RingThread *thread = threads_enter();
  if (thread && thread->forwarded == self) {
    thread->forwarded = NULL;
    return entry.safe_call(self, args, num_args, result);
  }
  Call call = {.who = {(uintptr_t)__builtin_return_address(0), entry.code, ABI_FUNCTION_COUNT},
               .args = args,
               .num_args = num_args,
               .result = result};
  begin(&call);
  int code = entry.safe_call(self, args, num_args, result);
  end(&call, code);
  return code;
}

int ffi_call_entry(unsigned entry, uintptr_t caller, void *self, const TVMFFIAny *args,
                   int32_t num_args, TVMFFIAny *result)
{
  TVMFFISafeCallType real = tvmffi_layer_link.entries[entry].real;
  if (!layer_enter_call(true)) return real(self, args, num_args, result);
  Call call = {.who = {caller, (uintptr_t)real, ABI_FUNCTION_COUNT},
               .args = args,
               .num_args = num_args,
               .result = result};
  begin(&call);
  int code = real(self, args, num_args, result);
  end(&call, code);
  return code;
}

// What a handle that is no function is; NULL if it is one.
static const char *no_function(const TVMFFIObject *object)
{
  if (!object) return "NULL";
  if ((uintptr_t)object % _Alignof(TVMFFIObject) != 0 || !memory_is_mapped(object, sizeof *object))
    return "no object";
  return object->type_index == kTVMFFIFunction ? NULL : "an object of another type";
}

int ffi_call_calls_FunctionCall(const LayerSite *at, TVMFFIObjectHandle func, TVMFFIAny *args,
                                int32_t num_args, TVMFFIAny *result)
{
  Call call = {
      .who = {at->caller, 0, at->function}, .args = args, .num_args = num_args, .result = result};
  const char *wrong = no_function(func);
  if (wrong) {
    LAYER_REPORT(CHECK_CALL_NO_FUNCTION, &call.who, wrong, 0);
    return at->runtime->real.FunctionCall(func, args, num_args, result);
  }
  shadow_see(func, at->caller, NULL);
  call.who.callee = shadow_code_of(func);
  begin(&call);
  if (call.thread) call.thread->forwarded = func;
  int code = at->runtime->real.FunctionCall(func, args, num_args, result);
  if (is_of_process(call.thread) && call.thread->forwarded == func) call.thread->forwarded = NULL;
  end(&call, code);
  return code;
}

int ffi_call_calls_FunctionCreate(const LayerSite *at, void *self, TVMFFISafeCallType safe_call,
                                  void (*deleter)(void *self), TVMFFIObjectHandle *out)
{
  int code = at->runtime->real.FunctionCreate(self, safe_call, deleter, out);
  if (code == 0 && out && *out) shadow_see(*out, at->caller, safe_call);
  return code;
}
