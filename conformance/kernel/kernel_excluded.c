// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_excluded.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/expect.h"
#include "battery/fence.h"
#include "kernel/kernel_edge.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_stated.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_condition.h"
#include "signature/signature_words.h"

enum { TRIED_OF_ONE = 4, SIZE_MOST = 1 << 14 };

// --- Which calls are made ------------------------------------------------------------------------

const char *kernel_when(const Signature *signature, const SignatureForm *form, uint32_t refusal)
{
  return signature_text(signature,
                        signature_refusal(signature, form->refusals.first + refusal)->when);
}

// Whether a call is to be made of which the file says no error.
static bool is_news(KernelTrying *trying, const KernelOutside *outside)
{
  const uint32_t at = outside->condition - 1;
  const bool alone = outside->condition > 0 && outside->count == 1 && at < KERNEL_STATEMENTS_MAX;
  const bool first = alone && !kernel_statements_have(&trying->done.conditions, at);
  if (trying->looking || (trying->narrowed && !first)) return false;
  if (!first && trying->of_one[trying->by_value] >= TRIED_OF_ONE) return false;
  if (first) kernel_statements_add(&trying->done.conditions, at);
  return true;
}

StatedError kernel_error_of(const Signature *signature, uint32_t refusal)
{
  const SignatureForm *form = signature_form(signature, 0);
  const SignatureRefusal *stated = signature_refusal(signature, form->refusals.first + refusal);
  return (StatedError){signature_text(signature, stated->kind),
                       signature_text(signature, stated->message)};
}

// Notes the refusals whose error the call had, where as little else as possible is wrong.
static void listen(KernelTrying *trying, const KernelCall *call)
{
  const SignatureForm *form = signature_form(trying->signature, 0);
  for (uint32_t i = 0; i < form->refusals.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    if (!kernel_statements_have(&trying->breaks.refusals, i) || trying->count > trying->least[i])
      continue;
    const StatedError stated = kernel_error_of(trying->signature, i);
    if (kernel_error_is(call, stated.kind, stated.message))
      kernel_statements_add(&trying->heard, i);
  }
}

// Keeps the first call that has another error than it is asked for.
static void keep_differing(KernelTrying *trying, KernelCall *call, const char *words)
{
  if (trying->asked == SIGNATURE_NONE || call->returned == 0 || trying->look != look_for_refusal ||
      kernel_statements_have(&trying->heard, trying->asked) ||
      trying->differing[trying->asked].call)
    return;
  trying->differing[trying->asked].call = call;
  snprintf(trying->differing[trying->asked].words, sizeof trying->differing->words, "%s", words);
}

void kernel_judge_unheard(const KernelTrying *trying)
{
  for (uint32_t i = 0; i < KERNEL_STATEMENTS_MAX; ++i) {
    KernelCall *call = trying->differing[i].call;
    if (!call || kernel_statements_have(&trying->heard, i)) continue;
    const StatedError stated = kernel_error_of(trying->signature, i);
    note_call(call, "%s, as in other calls: ", trying->differing[i].words);
    expect_error_as_stated(call, stated.kind, stated.message);
  }
}

void kernel_look_with(KernelTrying *trying, KernelCall *call, unsigned before, StatedError stated)
{
  kernel_statements_join(&trying->broken.conditions, &trying->breaks.conditions);
  kernel_statements_join(&trying->broken.refusals, &trying->breaks.refusals);
  make_call(call);
  listen(trying, call);
  trying->refused |= call->returned != 0;
  trying->judged |= trying->look(call, stated);
  drop_refused(call, before);
  ++trying->tried;
  ++trying->of_one[trying->by_value];
}

KernelOutside kernel_note_outside(KernelTrying *trying, const Kernel *kernel,
                                  const KernelElement *element)
{
  const KernelOutside outside = kernel_outside(trying->signature, kernel, element);
  trying->breaks = (KernelBroken){outside.conditions, outside.refusals};
  trying->count = outside.count;
  return outside;
}

// What is not finite is tried for the statements that ask for that. Where more than one rules the call out, the error may be about
// any of them.
static bool is_asked_for(const KernelTrying *trying, const KernelOutside *outside,
                         StatedError *stated)
{
  if (trying->looking || trying->bare || trying->narrowed ||
      !kernel_condition_asks_finite(trying->signature, trying->changed, outside, trying->finite,
                                    trying->nan))
    return false;
  if (outside->refusal > 0 && outside->count == 1)
    *stated = kernel_error_of(trying->signature, outside->refusal - 1);
  return true;
}

// Whether the call is to be made, and then what the file says of its error. A size that is not listed may be refused
// for itself, before anybody looks at elements.
static bool is_to_be_made(KernelTrying *trying, const KernelElement *element, StatedError *stated)
{
  const KernelOutside outside = kernel_note_outside(trying, trying->changed, element);
  const uint32_t at = outside.refusal - 1;
  *stated = (StatedError){"", ""};
  trying->asked = SIGNATURE_NONE;
  trying->by_value = outside.by == SIGNATURE_CHECKS_VALUE;
  if (!outside.promised) return false;
  if (trying->finite) return is_asked_for(trying, &outside, stated);
  if (trying->bare) return !trying->looking && trying->of_one[trying->by_value] < TRIED_OF_ONE;
  if (outside.count < trying->fewest) trying->fewest = outside.count;
  if (outside.refusal == 0 || at >= KERNEL_STATEMENTS_MAX) return is_news(trying, &outside);
  const bool done = kernel_statements_have(&trying->done.refusals, at);
  // Where more than the refusal and a condition like it are broken, the error may be about that.
  if (trying->narrowed && (done || outside.count > 2)) return false;
  if (trying->looking) {
    if (outside.count < trying->least[at]) trying->least[at] = outside.count;
    return false;
  }
  const bool first = outside.count == trying->least[at] && !done;
  if (!first && trying->of_one[trying->by_value] >= TRIED_OF_ONE) return false;
  if (outside.count > trying->least[at]) return true;
  const char *when = kernel_when(trying->signature, signature_form(trying->signature, 0), at);
  if (trying->unlisted && kernel_condition_reads_elements(trying->kernel, when)) return true;
  if (!trying->unlisted) kernel_statements_add(&trying->done.refusals, at);
  // Beside other values a condition that is not like the refusal may be what is told.
  if (trying->narrowed && outside.count > 1) return true;
  if (trying->unlisted)
    trying->asked = at;
  else
    *stated = kernel_error_of(trying->signature, at);
  return true;
}

static void begin(KernelTrying *trying)
{
  kernel_copy(trying->changed, trying->kernel);
}

void kernel_begin_one(KernelTrying *trying)
{
  memset(trying->of_one, 0, sizeof trying->of_one);
}

void kernel_try_changed(KernelTrying *trying, const char *format, ...)
{
  enum { ELEMENTS_MOST = 1 << 24 };
  char words[96];
  va_list arguments;
  StatedError stated;
  const double elements = kernel_elements(trying->changed);
  if (elements > ELEMENTS_MOST && elements > kernel_elements(trying->kernel)) return;
  if (!is_to_be_made(trying, NULL, &stated)) return;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  // A call holds on to its kernel.
  Kernel *kernel = malloc(sizeof *kernel);
  if (!kernel) case_inconclusive("no memory for a signature");
  kernel_copy(kernel, trying->changed);
  const unsigned before = fences_made();
  KernelCall *call = new_right_call(trying->iut, kernel);
  note_call(call, "%s: ", words);
  kernel_look_with(trying, call, before, stated);
  keep_differing(trying, call, words);
}

static bool fits_int(double number)
{
  return number == floor(number) && number >= -9223372036854775808.0 &&
         number < 9223372036854775808.0;
}

// Sets a number of the call to a value; false if there is no such call.
typedef bool SetNumber(KernelTrying *trying, unsigned which, int64_t number);

static bool set_int(KernelTrying *trying, unsigned position, int64_t number)
{
  begin(trying);
  trying->changed->parameters[position].integer = number;
  return true;
}

static bool set_size(KernelTrying *trying, unsigned size, int64_t number)
{
  begin(trying);
  return number >= 0 && kernel_resize(trying->signature, trying->changed,
                                      trying->kernel->sizes[size].name, number);
}

static bool is_outside(KernelTrying *trying, SetNumber *set, unsigned which, int64_t number)
{
  return set(trying, which, number) &&
         kernel_outside(trying->signature, trying->changed, NULL).by == SIGNATURE_CHECKS_VALUE;
}

typedef struct Edge {
  KernelTrying *trying;
  SetNumber *set;
  unsigned which;
} Edge;

static bool int_is_outside(void *context, int64_t number)
{
  const Edge *edge = context;
  return is_outside(edge->trying, edge->set, edge->which, number);
}

static bool float_is_outside(void *context, double number)
{
  const Edge *edge = context;
  begin(edge->trying);
  edge->trying->changed->parameters[edge->which].number = number;
  return kernel_outside(edge->trying->signature, edge->trying->changed, NULL).by ==
         SIGNATURE_CHECKS_VALUE;
}

// The numbers next to those that the file allows, below and above: a function may refuse others that
// are further away.
static void try_edges(KernelTrying *trying, SetNumber *set, unsigned which, int64_t own,
                      int64_t most, const char *name)
{
  Edge edge = {trying, set, which};
  int64_t number;
  for (int up = 0; up < 2; ++up) {
    kernel_begin_one(trying);
    if (kernel_int_edge(own, up, most, int_is_outside, &edge, &number) &&
        set(trying, which, number))
      kernel_try_changed(trying, "with %s = %lld", name, (long long)number);
  }
}

static void try_float_edges(KernelTrying *trying, unsigned position, const char *name)
{
  Edge edge = {trying, NULL, position};
  const double own = trying->kernel->parameters[position].number;
  double number;
  for (int up = 0; up < 2; ++up) {
    kernel_begin_one(trying);
    if (!kernel_float_edge(own, up, float_is_outside, &edge, &number)) continue;
    begin(trying);
    trying->changed->parameters[position].number = number;
    kernel_try_changed(trying, "with %.17g for %s", number, name);
  }
}

static void try_not_finite(KernelTrying *trying, unsigned position, const char *name)
{
  trying->finite = trying->kernel->parameters[position].name;
  for (size_t i = 0; i < KERNEL_NOT_FINITE; ++i) {
    kernel_begin_one(trying);
    begin(trying);
    trying->changed->parameters[position].number = kernel_not_finite[i];
    trying->nan = isnan(kernel_not_finite[i]);
    kernel_try_changed(trying, "with %g for %s", kernel_not_finite[i], name);
  }
  trying->finite = NULL;
}

// What is right beside other values may be wrong with these.
static void try_listed_numbers(KernelTrying *trying, unsigned position, const char *name)
{
  const Signature *signature = trying->signature;
  const SignatureForm *form = signature_form(signature, trying->kernel->form);
  if (position >= form->parameters.count) return;
  const SignatureType *type = signature_type(signature, form->parameters.first + position);
  KernelParameter *changed = &trying->changed->parameters[position];
  const bool listed = type->kind == trying->kernel->parameters[position].kind;
  for (uint32_t i = 0; listed && i < type->values.count; ++i) {
    const SignatureValue *value = signature_value(signature, type->values.first + i);
    const double number = value->kind == KERNEL_FLOAT ? value->number : (double)value->integer;
    begin(trying);
    changed->number = number;
    changed->integer = value->integer;
    kernel_try_changed(trying, "with %.17g for %s", number, name);
  }
  kernel_begin_one(trying);
}

static void try_number(KernelTrying *trying, const KernelLimits *numbers, unsigned position)
{
  const KernelParameter *parameter = &trying->kernel->parameters[position];
  char name[64];
  parameter_name(trying->kernel, position, name);
  try_listed_numbers(trying, position, name);
  for (unsigned i = 0; i < numbers->count; ++i) {
    const double number = numbers->items[i];
    begin(trying);
    if (parameter->kind == KERNEL_INT && !fits_int(number)) continue;
    if (parameter->kind == KERNEL_INT)
      trying->changed->parameters[position].integer = (int64_t)number;
    else
      trying->changed->parameters[position].number = number;
    kernel_try_changed(trying, "with %.17g for %s", number, name);
  }
  if (parameter->kind == KERNEL_FLOAT) {
    try_float_edges(trying, position, name);
    try_not_finite(trying, position, name);
  }
  if (parameter->kind != KERNEL_INT) return;
  try_edges(trying, set_int, position, parameter->integer, INT64_MAX / 4, name);
  begin(trying);
  trying->changed->parameters[position].integer = INT64_MAX;
  kernel_begin_one(trying);
  kernel_try_changed(trying, "with the greatest int for %s", name);
}

void kernel_set_text(KernelParameter *parameter, const char *text, size_t size)
{
  memset(parameter->text, 0, sizeof parameter->text);
  memcpy(parameter->text, text, size);
  parameter->text_size = (uint32_t)size;
}

// What stands in quotes in the conditions of the file.
static void try_quoted(KernelTrying *trying, unsigned position, const char *condition)
{
  char name[64];
  for (const char *at = condition + strcspn(condition, "'\""); *at; at += strcspn(at, "'\"")) {
    const char quote[] = {*at, '\0'};
    const size_t size = strcspn(at + 1, quote);
    if (!at[size + 1] || size >= KERNEL_TEXT_MAX) return;
    begin(trying);
    kernel_set_text(&trying->changed->parameters[position], at + 1, size);
    kernel_try_changed(trying, "with \"%.*s\" for %s", (int)size, at + 1,
                       parameter_name(trying->kernel, position, name));
    at += size + 2;
  }
}

static void try_text(KernelTrying *trying, unsigned position)
{
  const KernelParameter *parameter = &trying->kernel->parameters[position];
  KernelParameter *changed = &trying->changed->parameters[position];
  size_t size = kernel_text_length(parameter);
  char name[64], text[KERNEL_TEXT_MAX];
  parameter_name(trying->kernel, position, name);
  if (size + 3 > sizeof text) return;
  memcpy(text, parameter->text, size);
  const SignatureForm *form = signature_form(trying->signature, trying->kernel->form);
  for (uint32_t i = 0; i < form->refusals.count; ++i)
    try_quoted(trying, position, kernel_when(trying->signature, form, i));
  for (uint32_t i = 0; i < form->where.count; ++i)
    try_quoted(trying, position, signature_condition(trying->signature, form->where.first + i));
  kernel_begin_one(trying);
  begin(trying);
  kernel_set_text(changed, "unknown", 7);
  kernel_try_changed(trying, "with \"unknown\" for %s", name);
  begin(trying);
  memcpy(text + size, "_x", 2);
  kernel_set_text(changed, text, size + 2);
  kernel_try_changed(trying, "with two letters more for %s", name);
  begin(trying);
  memcpy(text + size, "\0x", 2);
  kernel_set_text(changed, text, size + 2);
  kernel_try_changed(trying, "with a NUL and a letter more for %s", name);
  begin(trying);
  if (size > 1) kernel_set_text(changed, text, size - 1);
  kernel_try_changed(trying, "without the last letter of %s", name);
  kernel_begin_one(trying);
  begin(trying);
  memset(text + size, 'x', sizeof text - size);
  kernel_set_text(changed, text, sizeof text - 1);
  kernel_try_changed(trying, "with letters up to %zu for %s", sizeof text - 1, name);
  begin(trying);
  memset(text, 'x', size);
  kernel_set_text(changed, text, sizeof text - 1);
  kernel_try_changed(trying, "with %zu letters for %s", sizeof text - 1, name);
  begin(trying);
  kernel_set_text(changed, "", 0);
  kernel_try_changed(trying, "with an empty text for %s", name);
}

// Vectors of four of its elements are another data type.
static void try_vectors(KernelTrying *trying, unsigned position, const char *name)
{
  const char *own = trying->kernel->parameters[position].text;
  char vectors[KERNEL_TEXT_MAX];
  if (!*own || strchr(own, 'x') || strlen(own) + 3 > sizeof vectors) return;
  snprintf(vectors, sizeof vectors, "%.*sx4", KERNEL_TEXT_MAX - 3, own);
  begin(trying);
  kernel_set_text(&trying->changed->parameters[position], vectors, strlen(vectors));
  kernel_try_changed(trying, "with %s for %s", vectors, name);
}

static void try_words(KernelTrying *trying, unsigned position)
{
  static const char *const dtypes[] = {"float64", "int8", "float16", "bool", "int32", "float32"};
  static const char *const devices[] = {"cuda:0", "vulkan:0", "rocm:0"};
  const bool is_dtype = trying->kernel->parameters[position].kind == KERNEL_DTYPE;
  const char *const *words = is_dtype ? dtypes : devices;
  char name[64];
  parameter_name(trying->kernel, position, name);
  if (is_dtype) try_vectors(trying, position, name);
  for (size_t i = 0; i < (is_dtype ? 6 : 3); ++i) {
    begin(trying);
    kernel_set_text(&trying->changed->parameters[position], words[i], strlen(words[i]));
    if (!is_dtype) signature_device(words[i], &trying->changed->parameters[position].device);
    kernel_try_changed(trying, "with %s for %s", words[i], name);
  }
}

static void try_shape(KernelTrying *trying, unsigned position)
{
  char name[64];
  parameter_name(trying->kernel, position, name);
  for (int32_t k = 0; k < trying->kernel->parameters[position].rank; ++k) {
    begin(trying);
    trying->changed->parameters[position].shape[k].size = -1;
    kernel_try_changed(trying, "with -1 in %s", name);
  }
}

// With this as an element of the tensor that `sample` has there.
static void try_element(KernelTrying *trying, KernelCall *sample, KernelElement element)
{
  const Kernel *kernel = trying->kernel;
  const KernelTensor *tensor = &sample->tensors[element.position];
  const DLDataType dtype = kernel->parameters[element.position].dtype;
  char name[64];
  double held;
  StatedError stated;
  unsigned char *elements = calloc(1, kernel_tensor_gather(tensor, NULL) + 1);
  if (!elements) case_inconclusive("no memory for elements");
  kernel_tensor_gather(tensor, elements);
  const int64_t bit = (int64_t)(element.index * tensor->element_bits);
  kernel_element_write(elements, bit, dtype, element.value);
  const bool exact = kernel_element_read(elements, bit, dtype, &held) &&
                     (held == element.value || (isnan(held) && isnan(element.value)));
  if (!exact || !is_to_be_made(trying, &element, &stated)) {
    free(elements);
    return;
  }
  const unsigned before = fences_made();
  KernelCall *call = new_right_call(trying->iut, kernel);
  call_with_tensor(call, element.position, &(TensorForm){.elements = elements});
  note_call(call, "with %.17g as element %zu of %s: ", element.value, element.index,
            parameter_name(kernel, element.position, name));
  kernel_look_with(trying, call, before, stated);
}

// One element of the tensor, at the beginning, in the middle and at the end.
static void try_elements(KernelTrying *trying, const KernelLimits *numbers, unsigned position)
{
  const KernelParameter *parameter = &trying->kernel->parameters[position];
  if (!parameter->typed || !kernel_role_is_read(parameter->role)) return;
  KernelCall *sample = new_right_call(trying->iut, trying->kernel);
  const KernelTensor *tensor = &sample->tensors[position];
  if (!tensor->tensor || !tensor->on_host || tensor->count == 0) return;
  const size_t places[] = {tensor->count - 1, 0, tensor->count / 2};
  begin(trying);
  for (size_t p = 0; p < 3; ++p) {
    kernel_begin_one(trying);
    for (unsigned i = 0; i < numbers->count; ++i)
      try_element(trying, sample, (KernelElement){position, places[p], numbers->items[i]});
    kernel_begin_one(trying);
    trying->finite = parameter->name;
    for (size_t i = 0; i < KERNEL_NOT_FINITE; ++i) {
      trying->nan = isnan(kernel_not_finite[i]);
      try_element(trying, sample, (KernelElement){position, places[p], kernel_not_finite[i]});
    }
    trying->finite = NULL;
  }
}

// Integers with limits at the least: places where a function looks at nothing else, perhaps.
static void set_least(Kernel *kernel)
{
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->kind == KERNEL_TENSOR && parameter->has_least &&
        parameter->contents == KERNEL_SPREAD && parameter->dtype.code == kDLInt)
      parameter->contents = KERNEL_LEAST;
  }
}

static void try_lengths(KernelTrying *trying, unsigned position)
{
  const uint32_t count = trying->kernel->parameters[position].element_count;
  char name[64];
  parameter_name(trying->kernel, position, name);
  for (int least = 0; least < 2; ++least) {
    kernel_begin_one(trying);
    begin(trying);
    if (least) set_least(trying->changed);
    trying->changed->parameters[position].element_count = 0;
    kernel_try_changed(trying, "with nothing in %s", name);
    begin(trying);
    if (least) set_least(trying->changed);
    if (count > 1) trying->changed->parameters[position].element_count = count - 1;
    kernel_try_changed(trying, "without the last element of %s", name);
    begin(trying);
    if (least) set_least(trying->changed);
    if (kernel_add_element(trying->changed, &trying->changed->parameters[position]))
      kernel_try_changed(trying, "with one element more in %s", name);
  }
}

// Fewer arguments behind the parameters, and none.
void kernel_try_counts(KernelTrying *trying)
{
  const SignatureForm *form = signature_form(trying->signature, trying->kernel->form);
  if (form->rest == SIGNATURE_NONE) return;
  kernel_begin_one(trying);
  for (uint32_t count = trying->kernel->parameter_count; count-- > form->parameters.count;) {
    begin(trying);
    trying->changed->parameter_count = count;
    kernel_try_changed(trying, "with %u argument%s", count, count == 1 ? "" : "s");
  }
}

const SignatureVariable *kernel_listed_sizes(const Signature *signature, const Kernel *kernel,
                                             const char *name)
{
  const SignatureForm *form = signature_form(signature, kernel->form);
  for (uint32_t i = 0; i < form->sizes.count; ++i) {
    const SignatureVariable *size = signature_variable(signature, form->sizes.first + i);
    if (strcmp(signature_text(signature, size->name), name) == 0) return size;
  }
  return NULL;
}

static bool is_listed_size(const KernelTrying *trying, const SignatureVariable *listed,
                           int64_t size)
{
  for (uint32_t i = 0; listed && i < listed->values.count; ++i)
    if (signature_value(trying->signature, listed->values.first + i)->integer == size) return true;
  return false;
}

static void try_size(KernelTrying *trying, uint32_t i, int64_t size)
{
  if (set_size(trying, i, size))
    kernel_try_changed(trying, "with %s = %lld", trying->kernel->sizes[i].name, (long long)size);
}

// Sizes that the function must know, beside arguments that are right with another one.
static void try_listed_sizes(KernelTrying *trying, uint32_t i, const SignatureVariable *listed)
{
  kernel_begin_one(trying);
  for (uint32_t k = 0; listed && k < listed->values.count; ++k)
    try_size(trying, i, signature_value(trying->signature, listed->values.first + k)->integer);
}

void kernel_try_sizes(KernelTrying *trying)
{
  for (uint32_t i = 0; i < trying->kernel->size_count; ++i) {
    const KernelSize *size = &trying->kernel->sizes[i];
    const SignatureVariable *listed =
        kernel_listed_sizes(trying->signature, trying->kernel, size->name);
    const int64_t sizes[] = {size->size + 1, size->size - 1, 0, 1, 2 * size->size,
                             size->size + 2, size->size - 2};
    trying->unlisted = signature_form(trying->signature, trying->kernel->form)->only_calls;
    try_listed_sizes(trying, i, listed);
    trying->unlisted = true;
    kernel_begin_one(trying);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      if (k == 5) kernel_begin_one(trying);
      if (!is_listed_size(trying, listed, sizes[k])) try_size(trying, i, sizes[k]);
    }
    try_edges(trying, set_size, i, size->size, SIZE_MOST, size->name);
    trying->unlisted = false;
  }
}

// Other values of its kind, and None.
static void try_plain(KernelTrying *trying, unsigned position)
{
  KernelParameter *changed = &trying->changed->parameters[position];
  char name[64];
  parameter_name(trying->kernel, position, name);
  begin(trying);
  if (changed->kind == KERNEL_BOOL) {
    changed->integer = !changed->integer;
    kernel_try_changed(trying, "with %s for %s", changed->integer ? "true" : "false", name);
  }
  begin(trying);
  if (!changed->optional) return;
  changed->kind = KERNEL_NONE;
  kernel_try_changed(trying, "with None for %s", name);
}

void kernel_try_argument(KernelTrying *trying, const KernelLimits *numbers, unsigned position)
{
  kernel_begin_one(trying);
  try_plain(trying, position);
  switch (trying->kernel->parameters[position].kind) {
    case KERNEL_INT:
    case KERNEL_FLOAT:
      try_number(trying, numbers, position);
      break;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      try_text(trying, position);
      break;
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      try_words(trying, position);
      break;
    case KERNEL_SHAPE:
      try_shape(trying, position);
      break;
    case KERNEL_TENSOR:
      try_elements(trying, numbers, position);
      break;
    case KERNEL_ARRAY:
      try_lengths(trying, position);
      break;
    default:
      break;
  }
}
