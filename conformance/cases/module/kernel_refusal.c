// SPDX-License-Identifier: Apache-2.0
// What a signature file rules out by limits, lists and conditions: calls that are wrong in one value, and
// have to be refused, whatever else is right. And calls that it lists as refused.
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_bases.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_edge.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_refused.h"
#include "kernel/kernel_stated.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_condition.h"
#include "plan/kernel_limits.h"
#include "signature/signature_words.h"

CHAPTER(kernel);

enum { TRIED_OF_ONE = 4, SIZE_MOST = 1 << 14 };

// --- Wrong calls ---------------------------------------------------------------------------------

typedef struct Trying {
  Iut *iut;
  const Kernel *kernel;
  const Signature *signature;
  Kernel *changed;
  LookAtRefusal *look;
  unsigned tried;
  bool judged, refused;
  unsigned
      of_one[2];    // calls with one argument or size changed: wrong by more than a value, by that
  bool bare;        // without what is optional: what the file says of an error is not asked of it
  unsigned fewest;  // statements that a call breaks of those that an argument was changed for
  bool by_value;    // whether the call that was asked for last is wrong by a value alone
  bool looking;     // for what `least` is to be: no call is made
  bool resized;     // by a size that is not listed
  bool narrowed;    // to statements that no call has broken yet
  const char *
      finite;  // what is not finite, NULL: nothing. What else the file says of it does not rule it out
  uint64_t breaks[2];  // conditions that the call breaks which was asked for last
  uint64_t broken[2];  // those that calls have broken
  // Of each refusal with a condition: with how many statements a call breaks that it holds for, at
  // least. What else is broken in another one may be what is told first.
  unsigned least[KERNEL_STATEMENTS_MAX];
  KernelUnbroken done;  // one that breaks no more was made
} Trying;

// The condition of a refusal; "" if it has none.
static const char *when_of(const Signature *signature, const SignatureForm *form, uint32_t refusal)
{
  return signature_text(signature,
                        signature_refusal(signature, form->refusals.first + refusal)->when);
}

// Whether a call is to be made of which the file says no error.
static bool is_news(Trying *trying, const KernelOutside *outside)
{
  const uint32_t at = outside->condition - 1;
  const bool alone = outside->condition > 0 && outside->count == 1 && at < KERNEL_STATEMENTS_MAX;
  const bool first = alone && !trying->done.conditions[at];
  if (trying->looking || (trying->narrowed && !first)) return false;
  if (!first && trying->of_one[trying->by_value] >= TRIED_OF_ONE) return false;
  if (first) trying->done.conditions[at] = true;
  return true;
}

// `before`: how many fences there were before the call was prepared.
static void look_with(Trying *trying, KernelCall *call, unsigned before, StatedError stated)
{
  for (int i = 0; i < 2; ++i) trying->broken[i] |= trying->breaks[i];
  make_call(call);
  trying->refused |= call->returned != 0;
  trying->judged |= trying->look(call, stated);
  drop_refused(call, before);
  ++trying->tried;
  ++trying->of_one[trying->by_value];
}

// Whether the call is to be made, and then what the file says of its error. A size that is not listed may be refused
// for itself, before anybody looks at elements.
static bool is_to_be_made(Trying *trying, const KernelElement *element, StatedError *stated)
{
  const KernelOutside outside = kernel_outside(trying->signature, trying->changed, element);
  const uint32_t at = outside.refusal - 1;
  *stated = (StatedError){"", ""};
  trying->by_value = outside.by == SIGNATURE_CHECKS_VALUE;
  memcpy(trying->breaks, outside.conditions, sizeof trying->breaks);
  if (!outside.promised) return false;
  if (trying->finite &&
      !kernel_condition_asks_finite(trying->signature, trying->changed, &outside, trying->finite))
    return false;
  if (trying->bare) return !trying->looking && trying->of_one[trying->by_value] < TRIED_OF_ONE;
  if (outside.count < trying->fewest) trying->fewest = outside.count;
  if (outside.refusal == 0 || at >= KERNEL_STATEMENTS_MAX) return is_news(trying, &outside);
  // Where more than the refusal and a condition like it are broken, the error may be about that.
  if (trying->narrowed && (trying->done.refusals[at] || outside.count > 2)) return false;
  if (trying->looking) {
    if (outside.count < trying->least[at]) trying->least[at] = outside.count;
    return false;
  }
  const bool first = outside.count == trying->least[at] && !trying->done.refusals[at];
  if (!first && trying->of_one[trying->by_value] >= TRIED_OF_ONE) return false;
  if (outside.count > trying->least[at]) return true;
  const SignatureForm *form = signature_form(trying->signature, 0);
  const SignatureRefusal *refusal = signature_refusal(trying->signature, form->refusals.first + at);
  const char *when = signature_text(trying->signature, refusal->when);
  if (trying->resized && kernel_condition_reads_elements(trying->kernel, when)) return true;
  trying->done.refusals[at] = true;
  // Beside other values a condition that is not like the refusal may be what is told.
  if (trying->narrowed && outside.count > 1) return true;
  *stated = (StatedError){signature_text(trying->signature, refusal->kind),
                          signature_text(trying->signature, refusal->message)};
  return true;
}

static void begin(Trying *trying)
{
  kernel_copy(trying->changed, trying->kernel);
}

static void begin_one(Trying *trying)
{
  memset(trying->of_one, 0, sizeof trying->of_one);
}

static void try_changed(Trying *trying, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The call that `changed` is, if the file rules it out.
static void try_changed(Trying *trying, const char *format, ...)
{
  char words[96];
  va_list arguments;
  StatedError stated;
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
  look_with(trying, call, before, stated);
}

static bool fits_int(double number)
{
  return number == floor(number) && number >= -9223372036854775808.0 &&
         number < 9223372036854775808.0;
}

// Sets a number of the call to a value; false if there is no such call.
typedef bool SetNumber(Trying *trying, unsigned which, int64_t number);

static bool set_int(Trying *trying, unsigned position, int64_t number)
{
  begin(trying);
  trying->changed->parameters[position].integer = number;
  return true;
}

static bool set_size(Trying *trying, unsigned size, int64_t number)
{
  begin(trying);
  return number >= 0 && kernel_resize(trying->signature, trying->changed,
                                      trying->kernel->sizes[size].name, number);
}

static bool is_outside(Trying *trying, SetNumber *set, unsigned which, int64_t number)
{
  return set(trying, which, number) &&
         kernel_outside(trying->signature, trying->changed, NULL).by == SIGNATURE_CHECKS_VALUE;
}

typedef struct Edge {
  Trying *trying;
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
static void try_edges(Trying *trying, SetNumber *set, unsigned which, int64_t own, int64_t most,
                      const char *name)
{
  Edge edge = {trying, set, which};
  int64_t number;
  for (int up = 0; up < 2; ++up) {
    begin_one(trying);
    if (kernel_int_edge(own, up, most, int_is_outside, &edge, &number) &&
        set(trying, which, number))
      try_changed(trying, "with %s = %lld", name, (long long)number);
  }
}

static void try_float_edges(Trying *trying, unsigned position, const char *name)
{
  Edge edge = {trying, NULL, position};
  const double own = trying->kernel->parameters[position].number;
  double number;
  for (int up = 0; up < 2; ++up) {
    begin_one(trying);
    if (!kernel_float_edge(own, up, float_is_outside, &edge, &number)) continue;
    begin(trying);
    trying->changed->parameters[position].number = number;
    try_changed(trying, "with %.17g for %s", number, name);
  }
}

static const double not_finite[] = {NAN, INFINITY, -INFINITY};

static void try_not_finite(Trying *trying, unsigned position, const char *name)
{
  trying->finite = trying->kernel->parameters[position].name;
  for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; ++i) {
    begin_one(trying);
    begin(trying);
    trying->changed->parameters[position].number = not_finite[i];
    try_changed(trying, "with %g for %s", not_finite[i], name);
  }
  trying->finite = NULL;
}

static void try_number(Trying *trying, const KernelLimits *numbers, unsigned position)
{
  const KernelParameter *parameter = &trying->kernel->parameters[position];
  char name[64];
  parameter_name(trying->kernel, position, name);
  for (unsigned i = 0; i < numbers->count; ++i) {
    const double number = numbers->items[i];
    begin(trying);
    if (parameter->kind == KERNEL_INT && !fits_int(number)) continue;
    if (parameter->kind == KERNEL_INT)
      trying->changed->parameters[position].integer = (int64_t)number;
    else
      trying->changed->parameters[position].number = number;
    try_changed(trying, "with %.17g for %s", number, name);
  }
  if (parameter->kind == KERNEL_FLOAT) {
    try_float_edges(trying, position, name);
    try_not_finite(trying, position, name);
  }
  if (parameter->kind != KERNEL_INT) return;
  try_edges(trying, set_int, position, parameter->integer, INT64_MAX / 4, name);
  begin(trying);
  trying->changed->parameters[position].integer = INT64_MAX;
  begin_one(trying);
  try_changed(trying, "with the greatest int for %s", name);
}

static void set_text(KernelParameter *parameter, const char *text, size_t size)
{
  memset(parameter->text, 0, sizeof parameter->text);
  memcpy(parameter->text, text, size);
  parameter->text_size = (uint32_t)size;
}

// What stands in quotes in the conditions of the file.
static void try_quoted(Trying *trying, unsigned position, const char *condition)
{
  char name[64];
  for (const char *at = condition + strcspn(condition, "'\""); *at; at += strcspn(at, "'\"")) {
    const char quote[] = {*at, '\0'};
    const size_t size = strcspn(at + 1, quote);
    if (!at[size + 1] || size >= KERNEL_TEXT_MAX) return;
    begin(trying);
    set_text(&trying->changed->parameters[position], at + 1, size);
    try_changed(trying, "with \"%.*s\" for %s", (int)size, at + 1,
                parameter_name(trying->kernel, position, name));
    at += size + 2;
  }
}

static void try_text(Trying *trying, unsigned position)
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
    try_quoted(trying, position, when_of(trying->signature, form, i));
  for (uint32_t i = 0; i < form->where.count; ++i)
    try_quoted(trying, position, signature_condition(trying->signature, form->where.first + i));
  begin_one(trying);
  begin(trying);
  set_text(changed, "unknown", 7);
  try_changed(trying, "with \"unknown\" for %s", name);
  begin(trying);
  memcpy(text + size, "_x", 2);
  set_text(changed, text, size + 2);
  try_changed(trying, "with two letters more for %s", name);
  begin(trying);
  memcpy(text + size, "\0x", 2);
  set_text(changed, text, size + 2);
  try_changed(trying, "with a NUL and a letter more for %s", name);
  begin(trying);
  if (size > 1) set_text(changed, text, size - 1);
  try_changed(trying, "without the last letter of %s", name);
  begin_one(trying);
  begin(trying);
  memset(text + size, 'x', sizeof text - size);
  set_text(changed, text, sizeof text - 1);
  try_changed(trying, "with letters up to %zu for %s", sizeof text - 1, name);
  begin(trying);
  memset(text, 'x', size);
  set_text(changed, text, sizeof text - 1);
  try_changed(trying, "with %zu letters for %s", sizeof text - 1, name);
  begin(trying);
  set_text(changed, "", 0);
  try_changed(trying, "with an empty text for %s", name);
}

// Vectors of four of its elements are another data type.
static void try_vectors(Trying *trying, unsigned position, const char *name)
{
  const char *own = trying->kernel->parameters[position].text;
  char vectors[KERNEL_TEXT_MAX];
  if (!*own || strchr(own, 'x') || strlen(own) + 3 > sizeof vectors) return;
  snprintf(vectors, sizeof vectors, "%sx4", own);
  begin(trying);
  set_text(&trying->changed->parameters[position], vectors, strlen(vectors));
  try_changed(trying, "with %s for %s", vectors, name);
}

static void try_words(Trying *trying, unsigned position)
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
    set_text(&trying->changed->parameters[position], words[i], strlen(words[i]));
    if (!is_dtype) signature_device(words[i], &trying->changed->parameters[position].device);
    try_changed(trying, "with %s for %s", words[i], name);
  }
}

static void try_shape(Trying *trying, unsigned position)
{
  char name[64];
  parameter_name(trying->kernel, position, name);
  for (int32_t k = 0; k < trying->kernel->parameters[position].rank; ++k) {
    begin(trying);
    trying->changed->parameters[position].shape[k].size = -1;
    try_changed(trying, "with -1 in %s", name);
  }
}

// With this as an element of the tensor that `sample` has there.
static void try_element(Trying *trying, KernelCall *sample, KernelElement element)
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
  look_with(trying, call, before, stated);
}

// One element of the tensor, at the beginning, in the middle and at the end.
static void try_elements(Trying *trying, const KernelLimits *numbers, unsigned position)
{
  const KernelParameter *parameter = &trying->kernel->parameters[position];
  if (!parameter->typed || !kernel_role_is_read(parameter->role)) return;
  KernelCall *sample = new_right_call(trying->iut, trying->kernel);
  const KernelTensor *tensor = &sample->tensors[position];
  if (!tensor->tensor || !tensor->on_host || tensor->count == 0) return;
  const size_t places[] = {tensor->count - 1, 0, tensor->count / 2};
  begin(trying);
  for (size_t p = 0; p < 3; ++p) {
    begin_one(trying);
    for (unsigned i = 0; i < numbers->count; ++i)
      try_element(trying, sample, (KernelElement){position, places[p], numbers->items[i]});
    begin_one(trying);
    trying->finite = parameter->name;
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; ++i)
      try_element(trying, sample, (KernelElement){position, places[p], not_finite[i]});
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

static void try_lengths(Trying *trying, unsigned position)
{
  const uint32_t count = trying->kernel->parameters[position].element_count;
  char name[64];
  parameter_name(trying->kernel, position, name);
  for (int least = 0; least < 2; ++least) {
    begin_one(trying);
    begin(trying);
    if (least) set_least(trying->changed);
    trying->changed->parameters[position].element_count = 0;
    try_changed(trying, "with nothing in %s", name);
    begin(trying);
    if (least) set_least(trying->changed);
    if (count > 1) trying->changed->parameters[position].element_count = count - 1;
    try_changed(trying, "without the last element of %s", name);
    begin(trying);
    if (least) set_least(trying->changed);
    if (kernel_add_element(trying->changed, &trying->changed->parameters[position]))
      try_changed(trying, "with one element more in %s", name);
  }
}

// Fewer arguments behind the parameters, and none.
static void try_counts(Trying *trying)
{
  const SignatureForm *form = signature_form(trying->signature, trying->kernel->form);
  if (form->rest == SIGNATURE_NONE) return;
  begin_one(trying);
  for (uint32_t count = trying->kernel->parameter_count; count-- > form->parameters.count;) {
    begin(trying);
    trying->changed->parameter_count = count;
    try_changed(trying, "with %u argument%s", count, count == 1 ? "" : "s");
  }
}

static void try_sizes(Trying *trying)
{
  trying->resized = true;
  for (uint32_t i = 0; i < trying->kernel->size_count; ++i) {
    const KernelSize *size = &trying->kernel->sizes[i];
    const int64_t sizes[] = {size->size + 1, size->size - 1, 0, 1, 2 * size->size};
    begin_one(trying);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
      if (set_size(trying, i, sizes[k]))
        try_changed(trying, "with %s = %lld", size->name, (long long)sizes[k]);
    try_edges(trying, set_size, i, size->size, SIZE_MOST, size->name);
  }
  trying->resized = false;
}

// Other values of its kind, and None.
static void try_plain(Trying *trying, unsigned position)
{
  KernelParameter *changed = &trying->changed->parameters[position];
  char name[64];
  parameter_name(trying->kernel, position, name);
  begin(trying);
  if (changed->kind == KERNEL_BOOL) {
    changed->integer = !changed->integer;
    try_changed(trying, "with %s for %s", changed->integer ? "true" : "false", name);
  }
  begin(trying);
  if (!changed->optional) return;
  changed->kind = KERNEL_NONE;
  try_changed(trying, "with None for %s", name);
}

static void try_argument(Trying *trying, const KernelLimits *numbers, unsigned position)
{
  begin_one(trying);
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

static bool has_containers(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_ARRAY || kernel->parameters[i].kind == KERNEL_MAP)
      return true;
  return false;
}

// The call that a file lists as refused. One that is right because other containers and tensors have become as
// long as one that is given, and is served, is made with those as in the example: that they differ is
// what is meant then.
static bool make_refused(const Trying *trying, const KernelChoice *choice, Kernel *kernel,
                         char why[KERNEL_PROBLEM_MAX])
{
  enum { LIMIT_MS = 1000 };
  KernelChoice apart = *choice;
  if (!kernel_of_choice(trying->signature, choice, kernel, why)) return false;
  if (!has_containers(kernel) || kernel_outside(trying->signature, kernel, NULL).by != 0 ||
      kernel_keeps_threads() || !kernel_is_served(trying->iut, kernel, LIMIT_MS))
    return true;
  // A call borrows its kernel.
  Kernel *other = malloc(sizeof *other);
  if (!other) case_inconclusive("no memory for a signature");
  kernel_copy(other, trying->kernel);
  apart.lengths = trying->kernel;
  if (kernel_of_choice(trying->signature, &apart, other, why)) kernel_copy(kernel, other);
  free(other);
  return true;
}

// Those that the file lists. What can't be made is said in `problem`.
static void try_listed(Trying *trying, char *problem, size_t capacity)
{
  const Signature *signature = trying->signature;
  const size_t most = signature->calls.count + signature->refusals.count;
  KernelRefused *refused = calloc(most + 1, sizeof *refused);
  if (!refused) case_inconclusive("no memory for a signature");
  const size_t count = kernel_refusals(signature, refused, most);
  for (size_t i = 0; i < count; ++i) {
    const KernelChoice *choice = &refused[i].choice;
    char why[KERNEL_PROBLEM_MAX];
    // A call holds on to its kernel.
    Kernel *kernel = malloc(sizeof *kernel);
    if (!kernel) case_inconclusive("no memory for a signature");
    kernel_copy(kernel, trying->kernel);
    if (!make_refused(trying, choice, kernel, why)) {
      snprintf(problem, capacity, "%s: %s", choice->words, why);
      free(kernel);
      continue;
    }
    const unsigned before = fences_made();
    KernelCall *call = new_right_call(trying->iut, kernel);
    note_call(call, "%s: ", choice->words);
    look_with(trying, call, before,
              (StatedError){signature_text(signature, refused[i].kind),
                            signature_text(signature, refused[i].message)});
  }
  free(refused);
}

static bool is_variant(const Trying *trying, uint32_t position)
{
  const SignatureForm *form = signature_form(trying->signature, trying->kernel->form);
  return position < form->parameters.count &&
         signature_type(trying->signature, form->parameters.first + position)->kind ==
             KERNEL_VARIANT;
}

// The values of the alternatives of a variant that the example has not chosen. Those that no file
// promises to serve are taken, too: a wrong value of them is as wrong.
static void try_alternatives(Trying *trying, const KernelChoice *choices, size_t count,
                             uint32_t position)
{
  const Kernel *example = trying->kernel;
  unsigned seen = 1u << example->parameters[position].kind;
  char problem[KERNEL_PROBLEM_MAX];
  for (size_t i = 0; i < count; ++i) {
    // A call holds on to its kernel.
    Kernel *made = malloc(sizeof *made);
    if (!made) case_inconclusive("no memory for a signature");
    kernel_copy(made, example);
    const bool good = choices[i].form == example->form && choices[i].call == 0 &&
                      kernel_of_choice(trying->signature, &choices[i], made, problem);
    const unsigned kind = good ? 1u << made->parameters[position].kind : seen;
    if (kind & seen) {
      free(made);
      continue;
    }
    seen |= kind;
    trying->kernel = made;
    const KernelLimits numbers =
        kernel_limits_of(trying->signature, made, &made->parameters[position]);
    try_argument(trying, &numbers, position);
    trying->kernel = example;
  }
}

static void try_variants(Trying *trying)
{
  KernelChoice *choices = NULL;
  size_t count = 0;
  for (uint32_t i = 0; i < trying->kernel->parameter_count; ++i) {
    if (!is_variant(trying, i)) continue;
    if (!choices) {
      choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
      if (!choices) case_inconclusive("no memory for the choices");
      count = kernel_chosen(trying->signature, choices);
    }
    try_alternatives(trying, choices, count, i);
  }
  free(choices);
}

// The example without what is optional; NULL if it has nothing of that, or is not served so.
static const Kernel *new_bare(const Trying *trying)
{
  enum { LIMIT_MS = 1000 };
  bool optional = false;
  Kernel *bare = malloc(sizeof *bare);
  if (!bare) case_inconclusive("no memory for a signature");
  kernel_copy(bare, trying->kernel);
  for (unsigned i = 0; i < bare->parameter_count; ++i) {
    KernelParameter *parameter = &bare->parameters[i];
    if (!parameter->optional || parameter->kind == KERNEL_NONE) continue;
    parameter->kind = KERNEL_NONE;
    optional = true;
  }
  if (optional && !trying->looking && !trying->narrowed &&
      kernel_outside(trying->signature, bare, NULL).by == 0 && !bare->launches &&
      kernel_is_served(trying->iut, bare, LIMIT_MS))
    return bare;
  free(bare);
  return NULL;
}

// What each value that is changed breaks another statement with, too, may be refused for that one: then the same
// is tried without what is optional.
static void try_values(Trying *trying)
{
  const Kernel *example = trying->kernel, *bare = new_bare(trying);
  for (unsigned i = 0; i < example->parameter_count; ++i) {
    const KernelLimits numbers =
        kernel_limits_of(trying->signature, example, &example->parameters[i]);
    trying->fewest = UINT_MAX;
    try_argument(trying, &numbers, i);
    if (!bare || trying->fewest == UINT_MAX || trying->fewest < 2) continue;
    trying->kernel = bare;
    trying->bare = true;
    try_argument(trying, &numbers, i);
    trying->bare = false;
    trying->kernel = example;
  }
  if (!trying->narrowed) try_variants(trying);
  try_sizes(trying);
  try_counts(trying);
}

// What no call has broken that differs from the example in one thing is tried with other calls that the file lists.
static void try_bases(Trying *trying)
{
  enum { BASES_MOST = 24, SECONDS = 3, LIMIT_MS = 1000 };
  const Kernel *example = trying->kernel, *bases[KERNEL_CHOICES_MAX];
  if (example->launches || kernel_keeps_threads() || !clock_leaves(SECONDS)) return;
  const size_t count = kernel_bases(trying->signature, example, &trying->done, bases);
  unsigned served = 0;
  trying->narrowed = true;
  for (size_t i = 0; i < count && served < BASES_MOST && clock_leaves(SECONDS); ++i) {
    if (!kernel_is_served(trying->iut, bases[i], LIMIT_MS)) continue;
    ++served;
    trying->kernel = bases[i];
    trying->looking = true;
    try_values(trying);
    trying->looking = false;
    try_values(trying);
  }
  trying->narrowed = false;
  trying->kernel = example;
}

// Conditions of refusals that none of the calls meets, and conditions that none breaks: those that name tensors or
// containers are for other cases, too.
static void tell_unmet(const Trying *trying)
{
  const Signature *signature = trying->signature;
  const SignatureForm *form = signature_form(signature, 0);
  if (signature->forms.count != 1) return;
  for (uint32_t i = 0; i < form->refusals.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    const char *when = when_of(signature, form, i);
    if (!*when || trying->done.refusals[i]) continue;
    tried(TRIED_EXCLUDED, "refuses[%u]: %s", i, when);
    tried_settled_by("\"calls\": [{\"arguments\": {...}, \"refused\": true}] where %.60s", when);
  }
  for (uint32_t i = 0; i < form->where.count && i < KERNEL_STATEMENTS_MAX; ++i) {
    const char *condition = signature_condition(signature, form->where.first + i);
    if ((trying->broken[i / 64] >> (i % 64) & 1) ||
        !kernel_condition_is_of_values(trying->kernel, condition))
      continue;
    tried(TRIED_EXCLUDED, "not where[%u]: %s", i, condition);
    tried_settled_by("\"calls\": [{\"arguments\": {...}, \"refused\": true}] where not (%.55s)",
                     condition);
  }
}

// `telling`: of what could not be made.
static void for_each_wrong_value(Iut *iut, const Kernel *kernel, LookAtRefusal *look, bool telling)
{
  char problem[KERNEL_PROBLEM_MAX + 96] = "";
  Trying trying = {.iut = iut, .kernel = kernel, .signature = signature_under_test(), .look = look};
  if (!trying.signature || trying.signature->tentative || kernel->source != KERNEL_FROM_FILE)
    case_not_applicable("no signature file states its values");
  trying.changed = malloc(sizeof *trying.changed);
  if (!trying.changed) case_inconclusive("no memory for a signature");
  if (!kernel->launches) require_right_call(iut, kernel);
  memset(trying.least, 0xff, sizeof trying.least);
  clock_leaves(0);  // from here on
  trying.looking = true;
  try_values(&trying);
  trying.looking = false;
  try_values(&trying);
  try_bases(&trying);
  try_listed(&trying, problem, sizeof problem);
  free(trying.changed);
  // Once is enough.
  if (telling) tell_unmet(&trying);
  if (telling && problem[0]) case_inconclusive("%s", problem);
  if (trying.tried == 0) case_not_applicable("its signature file rules out no values");
  kernel_require_judged(trying.judged, trying.refused);
}

KERNEL_CASE(excluded_value_is_refused, .clauses = {KER_47, KER_11}, .needs = KERNEL_NEEDS_EXAMPLE,
            .patience = 5,
            .title =
                "a value is refused that the limits, lists or conditions of the signature "
                "exclude, and a call that it lists as refused")
{
  for_each_wrong_value(iut, kernel, look_for_refusal, true);
}

KERNEL_CASE(excluded_value_leaves_the_outputs, .clauses = {KER_21}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE, .patience = 5,
            .title = "a call refused for a value does not change the memory of tensors")
{
  kernel_require_tensors(kernel);
  for_each_wrong_value(iut, kernel, look_at_memory, false);
}

KERNEL_CASE(atomic_value, .clauses = {KER_62}, .wrong_call = true, .needs = KERNEL_NEEDS_EXAMPLE,
            .lacks = kernel_lacks_atomic, .patience = 5,
            .title = "a call refused for a value has changed nothing")
{
  for_each_wrong_value(iut, kernel, look_at_memory, false);
}

KERNEL_CASE(excluded_value_leaks_nothing, .clauses = {KER_36}, .needs = KERNEL_NEEDS_EXAMPLE,
            .patience = 5,
            .title = "calls refused for a value, made over and over, do not leak memory")
{
  for_each_wrong_value(iut, kernel, look_for_leaks, false);
}
