// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "kernel/kernel_callback.h"
#include "kernel/kernel_counts.h"
#include "kernel/kernel_expected.h"
#include "kernel/kernel_stated.h"
#include "kernel/kernel_tried.h"
#include "plan/case.h"
#include "plan/kernel_choice.h"

// --- What is kept --------------------------------------------------------------------------------

TVMFFIAny kernel_kept_value(const KernelKept *kept, const char *name)
{
  for (uint32_t i = 0; kept && i < kept->count; ++i)
    if (strcmp(kept->names[i], name) == 0) return kept->values[i];
  return any_none();
}

static void keep(KernelKept *kept, const char *name, const TVMFFIAny *value)
{
  if (kept->count == KERNEL_KEPT_NAMES)
    case_inconclusive("more than %d results are kept", KERNEL_KEPT_NAMES);
  kept->names[kept->count] = name;
  kept->values[kept->count++] = *value;
}

static void drop(Iut *iut, KernelKept *kept)
{
  while (kept->count > 0) release_any(iut, &kept->values[--kept->count]);
}

// --- What is called ------------------------------------------------------------------------------

typedef struct Callee {
  TVMFFISafeCallType function;
  void *handle;
  bool without_object;  // a method that takes no object
} Callee;

static bool callee_of(Iut *iut, const TVMFFIAny *value, Callee *out)
{
  if (value->type_index != kTVMFFIFunction || !value->v_obj) return false;
  const TVMFFIFunctionCell *cell = object_body(iut, value->v_obj);
  out->function = cell->safe_call;
  out->handle = value->v_obj;
  return true;
}

static bool method_of(Iut *iut, const TVMFFITypeInfo *info, const char *name, Callee *out)
{
  for (int32_t i = 0; info && i < info->num_methods; ++i) {
    const TVMFFIMethodInfo *method = &info->methods[i];
    if (method->name.size != strlen(name) ||
        memcmp(method->name.data, name, method->name.size) != 0)
      continue;
    out->without_object = (method->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) != 0;
    return callee_of(iut, &method->method, out);
  }
  return false;
}

// A method of the type, or of the nearest of those that it is made from.
static bool find_method(Iut *iut, const TVMFFIAny *object, const char *name, Callee *out)
{
  if (object->type_index < kTVMFFIStaticObjectBegin) return false;
  const TVMFFITypeInfo *info = iut->GetTypeInfo(object->type_index);
  if (!info) return false;
  bool found = method_of(iut, info, name, out);
  for (int32_t i = info->type_depth; i-- > 0 && !found;)
    found = method_of(iut, info->type_ancestors[i], name, out);
  return found;
}

// --- One step ------------------------------------------------------------------------------------

typedef struct Progress {
  Iut *iut;
  const Signature *signature;
  KernelKept *kept;
  const char *what;      // borrowed: "a fork is a use of its pages"; NULL for what calls need
  KernelCourse *course;  // borrowed; NULL: the calls are made as they are listed
  char path[100];        // the last that was called: "... pool.add, pool.extend"
} Progress;

static const char *text_of(const Progress *progress, SignatureText text)
{
  return signature_text(progress->signature, text);
}

static bool find_callee(const Progress *progress, const SignatureStep *step, const Kernel *kernel,
                        Callee *out)
{
  const char *object = text_of(progress, step->object),
             *function = text_of(progress, step->function);
  const TVMFFIAny value = kernel_kept_value(progress->kept, object);
  char expected[160];
  *out = (Callee){.without_object = false};
  if (!*object) {
    out->function = kernel_host_function(function);
    if (!out->function) case_inconclusive("the module has no symbol __tvm_ffi_%s", function);
    return true;
  }
  snprintf(expected, sizeof expected,
           *function ? "%.48s has the method %.80s" : "%.48s is a function", object, function);
  const bool found = *function ? find_method(progress->iut, &value, function, out)
                               : callee_of(progress->iut, &value, out);
  char type[48];
  return expect_that(found, expected, "it is %s", abi_type_index_text(value.type_index, type)) &&
         kernel != NULL;
}

static void take_self_away(Kernel *kernel)
{
  memmove(kernel->parameters, kernel->parameters + 1,
          --kernel->parameter_count * sizeof *kernel->parameters);
}

// The call of the step, NULL if it can't be made; it lives until the process of the case ends.
static KernelCall *new_step(Progress *progress, const SignatureStep *step)
{
  char problem[KERNEL_PROBLEM_MAX];
  Callee callee;
  Kernel *kernel = malloc(sizeof *kernel);
  if (!kernel) case_inconclusive("no memory for a call");
  if (!kernel_of_step(progress->signature, step, kernel, problem))
    case_inconclusive("%s: %s", kernel->name, problem);
  // What calls need is to bring about the same each time.
  kernel->step = progress->what != NULL;
  if (!find_callee(progress, step, kernel, &callee)) return NULL;
  if (callee.without_object) take_self_away(kernel);
  return new_call_through(progress->iut, kernel, callee.function, callee.handle, progress->kept);
}

static void note_step(Progress *progress, const Kernel *kernel, const SignatureStep *step)
{
  char path[sizeof progress->path];
  const char *text = text_of(progress, step->call.text), *before = progress->path;
  note("%.60s: %s%s%.80s%s%.60s", progress->what, before, *before ? ", then " : "", kernel->name,
       *text ? ": " : "", text);
  // The end of it is what matters.
  const size_t length = strlen(before);
  if (length > 60) before += length - 60;
  snprintf(path, sizeof path, "%s%.60s%s%.30s", length > 60 ? "..." : "", before,
           length ? ", " : "", kernel->name);
  memcpy(progress->path, path, sizeof path);
}

static bool judge_step(Progress *progress, const SignatureStep *step, KernelCall *call)
{
  if (step->call.refused)
    return expect_error_as_stated(call, text_of(progress, step->call.kind),
                                  text_of(progress, step->call.message));
  if (!expect_served(call)) return false;
  const bool whole = expect_gaps_untouched(call);
  const KernelOutcome outcome = kernel_outcome_of_step(call, progress->signature, step);
  if (outcome.why[0]) note("%s", outcome.why);
  return whole && outcome.wrong == 0;
}

// The caller has other things in the memory of inputs that nobody else has a reference to: who has kept
// its address finds these.
static void use_memory_for_others(const KernelCall *call)
{
  enum { OTHERS = 0x5b };
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (!tensor->tensor || !tensor->on_host || !tensor->memory || tensor->on_device ||
        tensor->role != KERNEL_IN ||
        (tensor->object && object_strong(call->iut, tensor->object) != 1))
      continue;
    fence_unlock(tensor->memory);
    memset(tensor->memory, OTHERS, tensor->memory_size);
  }
}

// --- What is looked at besides -------------------------------------------------------------------

// Of what nobody may hold when the step is over.
static bool is_counted(const KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  const KernelKind kind = parameter->kind;
  return !parameter->retained &&
         (kind == KERNEL_TENSOR || kind == KERNEL_STRING || kind == KERNEL_BYTES ||
          kind == KERNEL_SHAPE || kind == KERNEL_ARRAY || kind == KERNEL_TUPLE ||
          kind == KERNEL_MAP);
}

// The call in which a callback had to fail: the first such ends the sequence.
static bool judge_failure(KernelCall *call, KernelCourse *course)
{
  note("in call %u of a callback, which fails", course->fails_at);
  return expect_that(call->returned != 0, "the function returns non-zero", "0");
}

// Callbacks in containers are let go with them.
static void let_containers_go(KernelCall *call)
{
  const Kernel *kernel = call->kernel;
  bool any = false;
  for (uint32_t i = 0; i < kernel->element_count; ++i)
    any |= kernel->elements[i].kind == KERNEL_FUNCTION;
  for (uint32_t i = 0; any && i < kernel->parameter_count; ++i) {
    const KernelKind kind = kernel->parameters[i].kind;
    if (kind == KERNEL_ARRAY || kind == KERNEL_TUPLE || kind == KERNEL_MAP)
      release_any(call->iut, &call->values[i]);
  }
  while (any && call->inner_count > 0) release_any(call->iut, &call->inner[--call->inner_count]);
}

static bool make_step(Progress *progress, const SignatureStep *step)
{
  KernelCall *call = new_step(progress, step);
  KernelCourse *course = progress->course;
  const char *name = text_of(progress, step->keep);
  KernelCounts counts = {.count = 0};
  if (!call) return false;
  note_step(progress, call->kernel, step);
  if (course && course->counts && !*name) kernel_counts_take(call, is_counted, false, &counts);
  const unsigned calls = kernel_callbacks_calls();
  make_call(call);
  if (course && course->fails_at && kernel_callbacks_calls() >= course->fails_at) {
    // (What failed between two steps nobody returns.)
    const bool refused = calls >= course->fails_at || judge_failure(call, course);
    course->failed = true;
    drop_outcome(call);
    return refused;
  }
  const bool alive = kernel_callbacks_called_late() == 0;
  bool holds = judge_step(progress, step, call);
  if (!alive)
    holds = expect_that(false, "a callback is called while somebody has a reference to it",
                        "nobody has one any more");
  use_memory_for_others(call);
  if (*name && call->returned == 0) {
    keep(progress->kept, name, call->result);
    *call->result = any_none();
  }
  drop_outcome(call);
  if (holds && course) {
    course->counted += counts.count;
    holds = expect_counts_stay(call, &counts, 0);
  }
  let_containers_go(call);
  kernel_callbacks_let_go(progress->iut);
  return holds;
}

bool kernel_sequence_holds(Iut *iut, const Signature *signature, SignatureRange steps,
                           const char *what, KernelCourse *course)
{
  KernelKept kept = {.count = 0};
  Progress progress = {
      .iut = iut, .signature = signature, .kept = &kept, .what = what, .course = course};
  bool holds = true;
  kernel_callbacks_fail_at(course ? course->fails_at : 0);
  for (uint32_t i = 0; i < steps.count && holds && !(course && course->failed); ++i)
    holds = make_step(&progress, signature_step(signature, steps.first + i));
  if (course) course->calls = kernel_callbacks_calls();
  drop(iut, &kept);
  return holds;
}

void kernel_require_no_needs(const KernelCall *call)
{
  if (call->kept) case_not_applicable("its calls need others before them, in the same module");
}

// --- What a call needs ---------------------------------------------------------------------------

const KernelKept *kernel_steps_needed(Iut *iut, const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  const uint32_t which = kernel->chosen ? kernel->form : 0;
  if (!signature || which >= signature->forms.count) return NULL;
  const SignatureRange needs = signature_form(signature, which)->needs;
  if (needs.count == 0) return NULL;
  KernelKept *kept = calloc(1, sizeof *kept);
  Progress progress = {.iut = iut, .signature = signature, .kept = kept};
  if (!kept) case_inconclusive("no memory for what is kept");
  for (uint32_t i = 0; i < needs.count; ++i) {
    const SignatureStep *step = signature_step(signature, needs.first + i);
    const char *name = signature_text(signature, step->keep);
    KernelCall *call = new_step(&progress, step);
    if (!call) case_not_applicable("a call that it needs cannot be made");
    make_call(call);
    ++kernel_calls_needed;
    if ((call->returned != 0) != step->call.refused)
      case_not_applicable("a call that it needs, %s, is %s: %s", call->kernel->name,
                          call->returned ? "refused" : "served", call->error_text);
    if (*name) {
      keep(kept, name, call->result);
      *call->result = any_none();
    }
    drop_outcome(call);
  }
  return kept;
}
