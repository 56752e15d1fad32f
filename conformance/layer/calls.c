// SPDX-License-Identifier: Apache-2.0
#include "layer/calls.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "layer/environment.h"
#include "layer/errors.h"
#include "layer/growth.h"
#include "layer/hooks.h"
#include "layer/link.h"
#include "layer/lookups.h"
#include "layer/memory.h"
#include "layer/recorder.h"
#include "layer/recorder_write.h"
#include "layer/shadow.h"
#include "layer/site.h"
#include "layer/threads.h"
#include "layer/values.h"

enum { KEPT_MAX = 16 };  // arguments that are compared after the call

// Not written where nothing is kept.
typedef struct Kept {
  TVMFFIAny values[KEPT_MAX];
  uint32_t counts[KEPT_MAX];  // strong ones, of objects in them
} Kept;

typedef struct Call {
  LayerParties who;
  const TVMFFIAny *args;
  int32_t num_args;
  TVMFFIAny *result;
  TVMFFIAny before;  // what the result was
  Kept *kept;
  RingThread *thread;
  RingCall outer;  // where `depth` is not 0
  int depth;       // of the outer call
  bool by_symbol, ended;
  const LayerSite *at;  // of TVMFFIFunctionCall; NULL: `real` is called
  TVMFFISafeCallType real;
  LayerCppCall cpp_call;    // NULL: what it is called by does not throw
  TVMFFISafeCallType cell;  // of the function that TVMFFIFunctionCall calls; NULL: not known
  void *self;
  int32_t given_args;  // what is handed on, right or wrong
  TVMFFIAny *given_result;
  uint64_t start_ns;
  TVMFFIObject *raised;  // before the call, where that is compared
  RecorderCall recorded;
} Call;

// --- Before the call -----------------------------------------------------------------------------

// A runtime that was called with this value hands it on; who called it was looked at.
static bool is_handed_on(const Call *call, const TVMFFIAny *value)
{
  const RingCall *outer = &call->outer;
  if (call->depth == 0 || !layer_is_in_runtime(call->who.caller)) return false;
  if (value >= outer->args && value < outer->args + outer->num_args) return true;
  for (int32_t i = 0; i < outer->num_args; ++i)
    if (memcmp(&outer->args[i], value, sizeof *value) == 0) return true;
  return false;
}

static bool is_result_handed_on(const Call *call)
{
  return call->depth > 0 && call->outer.result == call->result &&
         layer_is_in_runtime(call->who.caller);
}

static void check_arguments(Call *call)
{
  if (call->num_args < 0 ||
      (call->num_args > 0 &&
       !memory_is_readable(call->args, (size_t)call->num_args * sizeof *call->args))) {
    LAYER_REPORT(CHECK_CALL_NUMBER, &call->who, NULL, call->num_args,
                 (int64_t)(uintptr_t)call->args);
    call->num_args = 0;
    return;
  }
  bool in_runtime = call->depth > 0 && layer_is_in_runtime(call->who.caller);
  const TVMFFIAny *args = call->args;
  for (int32_t i = 0, count = call->num_args; i < count; ++i)
    if (!values_is_plain(&args[i], i) && (!in_runtime || !is_handed_on(call, &args[i])))
      values_check(&args[i], i, &call->who);
}

static bool is_on_device(const TVMFFIAny *value, DLDevice *device)
{
  const DLTensor *tensor = NULL;
  if (value->type_index == kTVMFFIDLTensorPtr)
    tensor = value->v_ptr;
  else if (value->type_index == kTVMFFITensor && shadow_can_read(value->v_obj))
    tensor = (const DLTensor *)(value->v_obj + 1);
  if (!tensor || !memory_is_readable(tensor, sizeof *tensor)) return false;
  *device = tensor->device;
  return device->device_type != kDLCPU;
}

// The stream of a device is asked for by what is called, or by what that calls.
static void check_stream(const Call *call)
{
  const RingStream *stream = &call->thread->call.stream;
  if (stream->runtime) environment_check_stream(stream, &call->who);
  if ((call->thread->call.seen & RING_STREAM) || !call->by_symbol) return;
  DLDevice device = {kDLCPU, 0};
  for (int32_t i = 0; i < call->num_args; ++i)
    if (is_on_device(&call->args[i], &device)) {
      LAYER_REPORT(CHECK_STREAM_UNUSED, &call->who, NULL, device.device_type, device.device_id);
      return;
    }
}

static uint64_t now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static void record(const Call *call, int code)
{
  unsigned long long number = atomic_fetch_add(&layer_ring->event_count, 1);
  if (number >= layer_ring->events_max) return;
  RingEvent *event = &layer_ring->events[number];
  event->caller = call->who.caller;
  event->callee = call->who.callee;
  event->function = call->who.function;
  event->start_ns = call->start_ns;
  event->end_ns = now_ns();
  event->clock = atomic_load_explicit(&layer_ring->clock, memory_order_relaxed);
  event->process = (uint32_t)(layer_process - layer_ring->processes);
  event->thread = call->thread->id;
  event->depth = call->depth;
  event->code = code;
  atomic_store_explicit(&event->ready, 1, memory_order_release);
}

__attribute__((noinline)) static void begin_event(Call *call)
{
  if (call->thread && call->depth == 0) call->thread->id = (int32_t)syscall(SYS_gettid);
  call->start_ns = now_ns();
}

static inline void enter(Call *call)
{
  call->thread = threads_enter();
  call->depth = 0;
  if (!call->thread) return;
  call->depth = atomic_load_explicit(&call->thread->depth, memory_order_relaxed);
  if (call->depth > 0) call->outer = call->thread->call;
  call->thread->call = (RingCall){call->who.caller,
                                  call->who.callee,
                                  call->who.function,
                                  call->num_args,
                                  call->args,
                                  call->result,
                                  {NULL, 0, 0, NULL},
                                  0,
                                  0,
                                  (uintptr_t)call};
  call->thread->last_depth = 0;
  atomic_store_explicit(&call->thread->depth, call->depth + 1, memory_order_relaxed);
}

// --- What must not change ------------------------------------------------------------------------

// glibc's; there is one thread in the process.
extern char __libc_single_threaded __attribute__((weak));

static bool is_alone(void)
{
  return &__libc_single_threaded && __libc_single_threaded;
}

static bool is_counted(const TVMFFIAny *value)
{
  return value->type_index >= kTVMFFIStaticObjectBegin && shadow_can_read(value->v_obj);
}

static void keep_counts(Call *call)
{
  for (int32_t i = 0; i < call->num_args && i < KEPT_MAX; ++i)
    call->kept->counts[i] =
        is_counted(&call->args[i]) ? (uint32_t)call->args[i].v_obj->combined_ref_count : 0;
}

static void check_counts(const Call *call)
{
  if (!layer_ring->enabled[CHECK_CALL_COUNT_FELL] || !is_alone()) return;
  for (int32_t i = 0; i < call->num_args && i < KEPT_MAX; ++i) {
    const TVMFFIAny *value = &call->kept->values[i];
    if (!call->kept->counts[i] || !is_counted(value)) continue;
    uint32_t now = (uint32_t)value->v_obj->combined_ref_count;
    if (now < call->kept->counts[i])
      LAYER_REPORT(CHECK_CALL_COUNT_FELL, &call->who, NULL, i, value->type_index,
                   call->kept->counts[i], now);
  }
}

static int32_t kept_count(const Call *call)
{
  return call->num_args < KEPT_MAX ? call->num_args : KEPT_MAX;
}

static void keep_arguments(Call *call)
{
  const TVMFFIAny *args = call->args;
  TVMFFIAny *values = call->kept->values;
  for (int32_t i = 0, count = kept_count(call); i < count; ++i) values[i] = args[i];
}

// What is compared afterwards by checks that take their time.
__attribute__((noinline)) static void keep_more(Call *call)
{
  if (layer_ring->enabled[CHECK_CALL_LEFT_ERROR]) call->raised = errors_raised();
  if (layer_ring->enabled[CHECK_CALL_COUNT_FELL]) keep_counts(call);
}

static void begin(Call *call)
{
  enter(call);
  if (layer_ring->events_max) begin_event(call);
  if (layer_ring->looks_deeper && call->thread) growth_begin(&call->thread->call);
  check_arguments(call);
  if (call->thread) call->thread->call.num_args = call->num_args;
  if (layer_ring->looks_deeper) keep_more(call);
  if (layer_ring->enabled[CHECK_CALL_ARGUMENTS_WRITTEN]) keep_arguments(call);
  if (!call->result || !memory_is_readable(call->result, sizeof *call->result)) {
    LAYER_REPORT(CHECK_CALL_NO_RESULT, &call->who, NULL, 0);
    call->result = NULL;
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
  const TVMFFIObject *raised = errors_raised();
  return raised ? raised->type_index : -1;
}

static bool result_changed(const Call *call)
{
  return call->result && memcmp(call->result, &call->before, sizeof call->before) != 0;
}

static void check_success(const Call *call)
{
  if (layer_ring->enabled[CHECK_CALL_LEFT_ERROR]) {
    const TVMFFIObject *raised = errors_raised();
    if (raised && raised != call->raised) LAYER_REPORT(CHECK_CALL_LEFT_ERROR, &call->who, NULL, 0);
  }
  if (!call->result || !result_changed(call) || values_is_plain(call->result, VALUE_RESULT)) return;
  values_check(call->result, VALUE_RESULT, &call->who);
  if (call->result->type_index == kTVMFFIFunction)
    lookups_check_found(call->self, call->args, call->num_args, &call->who);
}

// What was forked inside of a call ends it, too, with the place of its parent's thread.
static bool is_of_process(const RingThread *thread)
{
  return thread >= layer_process->threads && thread < layer_process->threads + RING_THREADS_MAX;
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

enum { FRONTEND_HAS_IT = -2 };

// Up to 0.1.8 it stood for any error that a frontend keeps, and modules that were built for these releases run
// with later ones.
static bool is_code_for_signals(void)
{
  unsigned count = atomic_load_explicit(&tvmffi_layer_link.runtime_count, memory_order_relaxed);
  for (unsigned i = 0; i < count && i < LAYER_RUNTIMES_MAX; ++i) {
    const LayerRuntime *runtime = &tvmffi_layer_link.runtimes[i];
    if (runtime->start && !site_is_since(&runtime->real, 9)) return false;
  }
  return true;
}

// What a runtime does within itself is not seen. Who passes the code on is not to blame.
static void check_signal(const Call *call)
{
  RingThread *thread = call->thread;
  if (!is_of_process(thread)) return;
  if (!(thread->call.seen & RING_SIGNAL) && !layer_is_in_runtime(call->who.callee) &&
      is_code_for_signals())
    LAYER_REPORT(CHECK_CALL_NO_SIGNAL, &call->who, NULL, 0);
  thread->call.seen |= RING_SIGNAL;
}

static void check_failure(const Call *call, int code)
{
  if (code == FRONTEND_HAS_IT) check_signal(call);
  if (code != -1 && code != FRONTEND_HAS_IT) LAYER_REPORT(CHECK_CALL_CODE, &call->who, NULL, code);
  if (code != FRONTEND_HAS_IT) errors_note_failure();
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
  const TVMFFIAny *args = call->args, *values = call->kept->values;
  for (int32_t i = 0, count = kept_count(call); i < count; ++i)
    if (memcmp(&values[i], &args[i], sizeof *args) != 0)
      LAYER_REPORT(CHECK_CALL_ARGUMENTS_WRITTEN, &call->who, NULL, i, values[i].type_index,
                   args[i].type_index);
}

// What a call came to, and whether a call within it came to the same and was looked at: a function
// that hands on what another one gave it is not to blame.
static bool came_from_within(const Call *call, int code)
{
  const RingThread *thread = call->thread;
  return thread && thread->last_depth == call->depth + 2 && thread->last_code == code &&
         call->result && memcmp(call->result, &thread->last_result, sizeof *call->result) == 0;
}

__attribute__((noinline)) static void record_end(const Call *call, int code)
{
  if (call->by_symbol) recorder_module(&call->who, call->args, call->num_args, code);
  recorder_end(call->recorded, call->args, call->num_args, code, call->result);
}

static inline void leave(const Call *call, int code)
{
  if (recorder_is_on()) record_end(call, code);
  RingThread *thread = call->thread;
  if (!is_of_process(thread)) return;
  if (layer_ring->events_max) record(call, code);
  thread->last_depth = call->depth + 1;
  thread->last_code = code;
  if (call->result) thread->last_result = *call->result;
  if (call->depth > 0) {
    uint32_t seen = thread->call.seen;
    thread->call = call->outer;
    thread->call.seen |= seen;
  }
  atomic_store_explicit(&thread->depth, call->depth, memory_order_relaxed);
  threads_leave(thread);
}

static void end(Call *call, int code)
{
  if (code == 0) check_untouched(call);
  if (is_of_process(call->thread)) check_stream(call);
  if (code == 0) check_counts(call);
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

static void note_end(Call **call)
{
  (*call)->ended = true;
}

// In a frame of its own, which the unwinder asks about when something leaves it in another way.
__attribute__((noinline)) static int ffi_call_checked(Call *call)
{
  __attribute__((cleanup(note_end))) Call *guarded = call;
  Kept kept;
  call->kept = &kept;
  begin(call);
  if (recorder_is_on())
    call->recorded = recorder_begin(&call->who, call->self, call->args, call->num_args);
  int code;
  if (call->at) {
    if (call->thread) {
      call->thread->forwarded = call->self;
      call->thread->forwarded_cell = (uintptr_t)call->cell;
    }
    code = call->at->runtime->real.FunctionCall(call->self, (TVMFFIAny *)(uintptr_t)call->args,
                                                call->given_args, call->given_result);
    if (is_of_process(call->thread) && call->thread->forwarded == call->self)
      call->thread->forwarded = NULL;
  } else {
    code = call->real(call->self, call->args, call->given_args, call->given_result);
  }
  end(guarded, code);
  return code;
}

// The unwinder's question, which the compiler has it put for the frame above. Nothing is done there
// but noting it: an exception goes on its way, and so does the end of a thread. Both names are the
// compiler's and stay within this library, which so needs no library for unwinding.
#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN int __gcc_personality_v0(int version, int actions, uint64_t exception_class, void *exception,
                                void *context);
HIDDEN void _Unwind_Resume(void *exception) __attribute__((noreturn));

int __gcc_personality_v0(int version, int actions, uint64_t exception_class, void *exception,
                         void *context)
{
  enum { CLEANUP_PHASE = 2, FORCED = 8, CONTINUE_UNWIND = 8 };
  (void)version, (void)exception_class, (void)exception, (void)context;
  RingThread *thread = actions & CLEANUP_PHASE ? threads_enter() : NULL;
  if (!thread) return CONTINUE_UNWIND;
  if (atomic_load_explicit(&thread->depth, memory_order_relaxed) == 0) {
    threads_leave(thread);
    return CONTINUE_UNWIND;
  }
  const Call *call = (const Call *)(uintptr_t)thread->call.frame;
  if (!(actions & FORCED) && !call->cpp_call)
    LAYER_REPORT(CHECK_CALL_EXCEPTION, &call->who, NULL, 0);
  leave(call, -1);
  return CONTINUE_UNWIND;
}

// Cleanups end so, and none is ever run by the unwinder.
void _Unwind_Resume(void *exception)
{
  (void)exception;
  abort();
}

// What is handed on, and looked at. Members that are written before they are read stay as they are:
// clearing them would take longer than most checks.
static inline void set_out(Call *call, const LayerParties *who, void *self, const TVMFFIAny *args,
                           int32_t num_args, TVMFFIAny *result)
{
  call->who = *who;
  call->self = self;
  call->args = args;
  call->num_args = call->given_args = num_args;
  call->result = call->given_result = result;
  call->by_symbol = call->ended = false;
  call->at = NULL;
  call->real = call->cell = NULL;
  call->cpp_call = NULL;
  call->raised = NULL;
  call->recorded = (RecorderCall){(RecordKind)0, 0};
}

// Of a call that is checked already, by TVMFFIFunctionCall.
static int ffi_call_forwarded(TVMFFISafeCallType real, uintptr_t real_code, void *self,
                              const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (!recorder_is_on()) return real(self, args, num_args, result);
  const RecorderCall begun = recorder_begin_back(real_code, self, args, num_args);
  int code = real(self, args, num_args, result);
  recorder_end(begun, args, num_args, code, result);
  return code;
}

// The ends of this library, which the linker knows.
extern const char layer_start[] __asm__("__ehdr_start") __attribute__((visibility("hidden")));
extern const char layer_end[] __asm__("_end") __attribute__((visibility("hidden")));

// Of a thread that has no place, and calls from where TVMFFIFunctionCall of a runtime, which may end with a
// jump, has been called or is: what it hands on was looked at.
static bool is_handed_on_unseen(uintptr_t caller)
{
  return layer_is_in_runtime(caller) ||
         (caller >= (uintptr_t)layer_start && caller < (uintptr_t)layer_end);
}

// What ffi_call_cell leaves to do.
__attribute__((noinline)) static int ffi_call_found(uintptr_t caller, void *self,
                                                    const TVMFFIAny *args, int32_t num_args,
                                                    TVMFFIAny *result)
{
  uintptr_t code = 0;
  RingThread *thread = threads_enter();
  bool forwarded = thread && thread->forwarded == self;
  TVMFFISafeCallType real = NULL;
  if (forwarded) {
    thread->forwarded = NULL;
    real = (TVMFFISafeCallType)(uintptr_t)thread->forwarded_cell;
    code = (uintptr_t)thread->call.callee;
  }
  if (!real) real = shadow_find_function(self, &code);
  if (!real) {
    threads_leave(thread);
    return -1;
  }
  layer_enter_call(false);
  if (forwarded || (!thread && is_handed_on_unseen(caller)))
    return ffi_call_forwarded(real, code, self, args, num_args, result);
  Call call;
  set_out(&call, &(const LayerParties){caller, code, ABI_FUNCTION_COUNT, NULL}, self, args,
          num_args, result);
  call.real = real;
  return ffi_call_checked(&call);
}

// Most calls come from TVMFFIFunctionCall, which has looked the function up.
int ffi_call_cell(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  unsigned place = threads_own_place();
  RingThread *thread = &layer_process->threads[place];
  if (LIKELY(place < RING_OWN_MAX && thread->forwarded == self && thread->forwarded_cell &&
             !recorder_is_on())) {
    thread->forwarded = NULL;
    threads_count(&layer_process->counters[place].cells, true);
    return ((TVMFFISafeCallType)(uintptr_t)thread->forwarded_cell)(self, args, num_args, result);
  }
  return ffi_call_found((uintptr_t)__builtin_return_address(0), self, args, num_args, result);
}

// In a frame of its own, as ffi_call_checked: what is thrown ends the call.
__attribute__((noinline)) static void ffi_call_recorded(Call *call)
{
  __attribute__((cleanup(note_end))) Call *guarded = call;
  enter(call);
  if (layer_ring->events_max) begin_event(call);
  call->cpp_call(call->self, call->args, call->num_args, call->result);
  leave(guarded, 0);
}

void ffi_call_cpp(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  uintptr_t code = 0;
  LayerCppCall real = shadow_find_cpp(self, &code);
  if (!real) return;
  Call call;
  set_out(&call, &(const LayerParties){caller, code, ABI_FUNCTION_COUNT, NULL}, self, args,
          num_args, result);
  call.cpp_call = real;
  call.recorded = recorder_begin(&call.who, self, args, num_args);
  if (call.recorded.kind)
    ffi_call_recorded(&call);
  else
    real(self, args, num_args, result);
}

int ffi_call_entry(unsigned entry, uintptr_t caller, void *self, const TVMFFIAny *args,
                   int32_t num_args, TVMFFIAny *result)
{
  TVMFFISafeCallType real = tvmffi_layer_link.entries[entry].real;
  if (!layer_enter_call(true)) return real(self, args, num_args, result);
  Call call;
  set_out(&call, &(const LayerParties){caller, (uintptr_t)real, ABI_FUNCTION_COUNT, NULL}, self,
          args, num_args, result);
  call.by_symbol = true;
  call.real = real;
  return ffi_call_checked(&call);
}

// What a handle that is no function is; NULL if it is one.
static const char *no_function(const TVMFFIObject *object)
{
  if (!object) return "NULL";
  if (!shadow_can_read(object)) return "no object";
  return object->type_index == kTVMFFIFunction ? NULL : "an object of another type";
}

int ffi_call_calls_FunctionCall(const LayerSite *at, TVMFFIObjectHandle func, TVMFFIAny *args,
                                int32_t num_args, TVMFFIAny *result)
{
  Call call;
  set_out(&call, &(const LayerParties){at->caller, 0, at->function, at->runtime}, func, args,
          num_args, result);
  call.at = at;
  call.cell = shadow_is_function(func, &call.who.callee);
  if (LIKELY(call.cell != NULL)) return ffi_call_checked(&call);
  const char *wrong = no_function(func);
  if (wrong) {
    LAYER_REPORT(CHECK_CALL_NO_FUNCTION, &call.who, wrong, 0);
    return at->runtime->real.FunctionCall(func, args, num_args, result);
  }
  shadow_see(func, &call.who, NULL);
  call.who.callee = shadow_code_of(func);
  return ffi_call_checked(&call);
}

int ffi_call_calls_AnyViewToOwnedAny(const LayerSite *at, const TVMFFIAny *any_view, TVMFFIAny *out)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (out && out->type_index >= kTVMFFIStaticObjectBegin)
    LAYER_REPORT(CHECK_CALL_OUTPUT_OBJECT, &who, NULL, out->type_index);
  return at->runtime->real.AnyViewToOwnedAny(any_view, out);
}
