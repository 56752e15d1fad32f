// SPDX-License-Identifier: Apache-2.0
#include "layer/recorder.h"

#include "layer/errors.h"
#include "layer/hooks.h"
#include "layer/link.h"
#include "layer/memory.h"
#include "layer/recorder_write.h"
#include "layer/shadow.h"
#include "layer/site.h"
#include "layer/threads.h"

// --- The two sides -------------------------------------------------------------------------------

// Libraries that a runtime loaded.
enum { OPENED_MAX = 128 };
static struct {
  uintptr_t start, end;
} opened[OPENED_MAX];
static atomic_uint opened_count;

void recorder_note_opened(uintptr_t start, uintptr_t end)
{
  RingThread *thread = recorder_is_on() ? threads_enter() : NULL;
  if (!thread) return;
  bool inside = atomic_load_explicit(&thread->depth, memory_order_relaxed) > 0 &&
                recorder_is_kept((uintptr_t)thread->call.callee);
  threads_leave(thread);
  unsigned place = inside ? atomic_fetch_add(&opened_count, 1) : OPENED_MAX;
  if (place >= OPENED_MAX) return;
  opened[place].start = start;
  opened[place].end = end;
}

bool recorder_is_kept(uintptr_t code)
{
  if (layer_is_in_runtime(code)) return true;
  unsigned count = atomic_load(&opened_count);
  for (unsigned i = 0; i < count && i < OPENED_MAX; ++i)
    if (code - opened[i].start < opened[i].end - opened[i].start) return true;
  return false;
}

// --- Calls of functions --------------------------------------------------------------------------

typedef struct Begun {
  TVMFFIObject *function;
  const TVMFFIAny *args;
  int32_t num_args;
} Begun;

static int32_t kept_args(int32_t num_args)
{
  return num_args < RECORD_ITEMS_MAX / 4 ? num_args : RECORD_ITEMS_MAX / 4;
}

static void put_arguments(RecordSink *sink, const TVMFFIAny *args, int32_t num_args)
{
  for (int32_t i = 0; i < kept_args(num_args); ++i) recorder_put_value(sink, &args[i]);
}

static void put_begin(RecordSink *sink, const void *of)
{
  const Begun *begun = of;
  recorder_put_object(sink, begun->function);
  put_arguments(sink, begun->args, begun->num_args);
}

// The runtime that a call of the function is of, which may be shown in calls of several.
static uint32_t runtime_of(TVMFFIObject *function, const LayerParties *who)
{
  const ShadowRecord *known = shadow_record(function);
  if (known && known->number) return known->runtime;
  if (who->runtime) return recorder_index(who->runtime);
  ShadowEntry entry;
  if (shadow_find(function, &entry) && entry.runtime) return recorder_index(entry.runtime);
  for (uint32_t i = 0; i < LAYER_RUNTIMES_MAX; ++i)
    if (site_is_in(&tvmffi_layer_link.runtimes[i], who->callee) ||
        site_is_in(&tvmffi_layer_link.runtimes[i], who->caller))
      return i;
  return 0;
}

static RecorderCall begin(bool from_kept, bool to_kept, const LayerParties *who, const Begun *begun)
{
  if (from_kept == to_kept) return (RecorderCall){(RecordKind)0, 0};
  const RecorderCall call = {to_kept ? RECORD_CALL : RECORD_BACK, runtime_of(begun->function, who)};
  if (to_kept) recorder_note_variables();
  recorder_emit((RecorderEvent){call.kind, 0, call.runtime}, put_begin, begun);
  return call;
}

RecorderCall recorder_begin(const LayerParties *who, TVMFFIObject *function, const TVMFFIAny *args,
                            int32_t num_args)
{
  // TVMFFIFunctionCall is the runtime's, whatever it calls in the end.
  bool to_kept = who->function == FN_FunctionCall || recorder_is_kept(who->callee);
  return begin(recorder_is_kept(who->caller), to_kept, who,
               &(const Begun){function, args, num_args});
}

RecorderCall recorder_begin_back(uintptr_t code, TVMFFIObject *function, const TVMFFIAny *args,
                                 int32_t num_args)
{
  return begin(true, recorder_is_kept(code),
               &(const LayerParties){0, code, ABI_FUNCTION_COUNT, NULL},
               &(const Begun){function, args, num_args});
}

typedef struct Ended {
  int code;
  const TVMFFIAny *args, *result;
  int32_t num_args;
  TVMFFIObject *raised;
} Ended;

// Argument tensors that the call wrote to, each behind its index.
static void put_written(RecordSink *sink, const Ended *ended)
{
  for (int32_t i = 0; i < kept_args(ended->num_args); ++i) {
    const TVMFFIAny *value = &ended->args[i];
    bool is_view = value->type_index == kTVMFFIDLTensorPtr;
    if (!is_view && (value->type_index != kTVMFFITensor || !shadow_can_read(value->v_obj)))
      continue;
    ShadowRecord *known = is_view ? NULL : shadow_record(value->v_obj);
    const DLTensor *tensor = is_view ? value->v_ptr : (const void *)(value->v_obj + 1);
    RecordSink probe = {.event = sink->event};
    if ((!is_view && !known) || !recorder_put_tensor(&probe, tensor, known, true)) continue;
    recorder_put_int(sink, i);
    recorder_put_tensor(sink, tensor, known, true);
  }
}

static void put_end(RecordSink *sink, const void *of)
{
  const Ended *ended = of;
  recorder_put_int(sink, ended->code);
  if (ended->code == 0 && ended->result)
    recorder_put_value(sink, ended->result);
  else
    recorder_put_none(sink);
  recorder_put_object(sink, ended->raised);
  put_written(sink, ended);
}

void recorder_end(RecorderCall begun, const TVMFFIAny *args, int32_t num_args, int code,
                  const TVMFFIAny *result)
{
  if (!begun.kind) return;
  TVMFFIObject *raised = code == 0 ? NULL : errors_raised();
  recorder_emit((RecorderEvent){RECORD_END, 0, begun.runtime}, put_end,
                &(const Ended){code, args, result, num_args, raised});
}

typedef struct ModuleCall {
  uintptr_t callee;
  int code;
  const TVMFFIAny *args;
  int32_t num_args;
} ModuleCall;

static void put_module(RecordSink *sink, const void *of)
{
  const ModuleCall *call = of;
  const TVMFFIAny address = {.type_index = kTVMFFIOpaquePtr, .v_uint64 = call->callee};
  recorder_put_value(sink, &address);
  recorder_put_int(sink, call->code);
  put_arguments(sink, call->args, call->num_args);
}

void recorder_module(const LayerParties *who, const TVMFFIAny *args, int32_t num_args, int code)
{
  recorder_emit((RecorderEvent){RECORD_MODULE, 0, 0}, put_module,
                &(const ModuleCall){who->callee, code, args, num_args});
}

// --- Else ----------------------------------------------------------------------------------------

static void put_number(RecordSink *sink, const void *of)
{
  recorder_put_int(sink, *(const int64_t *)of);
}

void recorder_dead(const ShadowRecord *known)
{
  int64_t number = (int64_t)known->number;
  if (number) recorder_emit((RecorderEvent){RECORD_DEAD, 0, known->runtime}, put_number, &number);
}

void recorder_forked(void)
{
  int64_t parent = 0;
  if (recorder_is_on()) recorder_emit((RecorderEvent){RECORD_CHILD, 0, 0}, put_number, &parent);
}
