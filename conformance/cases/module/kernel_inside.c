// SPDX-License-Identifier: Apache-2.0
// What is wrong within containers, and in what stands for a variant: one element, at the beginning, in
// the middle or at the end, that the signature file rules out.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_edge.h"
#include "kernel/kernel_excluded.h"
#include "kernel/kernel_refused.h"
#include "kernel/kernel_stated.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_condition.h"
#include "plan/kernel_limits.h"
#include "signature/signature_words.h"

CHAPTER(kernel);

// Less than the time limits of the cases, of which that for leaks makes more calls.
enum { PLACES_MAX = 96, LENGTHS = 3, SECONDS = 4, LEAK_SECONDS = 6 };

// What was looked at: a parameter, the type of its value, and what it held.
typedef struct Place {
  uint32_t parameter, type, held;
} Place;

typedef struct Trying {
  Iut *iut;
  const Kernel *base;  // a call that is served
  const Signature *signature;
  Kernel *changed;
  LookAtRefusal *look;
  uint32_t parameter;  // that is looked at
  bool all;            // parameters that hold no others, too
  const char *finite;  // the name of what is NaN or infinite, or holds it; NULL: nothing is
  bool nan;            // which of both
  bool valued;         // a value differs alone: what the file says of the error is asked
  bool at_end;         // unmapped memory is behind tensors
  Place places[PLACES_MAX];
  unsigned place_count, tried;
  bool judged, refused;
} Trying;

static bool is_variant(const Trying *trying, uint32_t parameter)
{
  const SignatureForm *form = signature_form(trying->signature, trying->base->form);
  return parameter < form->parameters.count &&
         signature_type(trying->signature, form->parameters.first + parameter)->kind ==
             KERNEL_VARIANT;
}

// The call that `changed` is. What reads a tensor as a larger one gets behind its end then, and does
// not find a wrong value there, which it would refuse for another reason.
static KernelCall *new_changed(const Trying *trying)
{
  static const TensorForm at_end = {.at_end = true};
  const Kernel *kernel = kernel_new_copy(trying->changed);
  if (!trying->at_end) return new_right_call(trying->iut, kernel);
  KernelCall *call = new_call_with_elements(trying->iut, kernel, &at_end);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR && kernel->parameters[i].typed &&
        kernel->parameters[i].device.device_type == kDLCPU && is_variant(trying, i))
      call_with_tensor(call, i, &at_end);
  return call;
}

// What the file says of the error is asked of a call that one refusal rules out, and nothing else. How many elements
// and which sizes a function takes may be an error of its own.
static bool is_ruled_out(const Trying *trying, StatedError *stated)
{
  const KernelOutside outside = kernel_outside(trying->signature, trying->changed, NULL);
  *stated = trying->valued && outside.refusal > 0 && outside.count == 1 &&
                    outside.by == SIGNATURE_CHECKS_VALUE
                ? kernel_error_of(trying->signature, outside.refusal - 1)
                : (StatedError){"", ""};
  return outside.promised &&
         (!trying->finite || kernel_condition_asks_finite(trying->signature, trying->changed,
                                                          &outside, trying->finite, trying->nan));
}

// The call that `changed` is, if the file rules it out; `changed` is the right one again then.
__attribute__((format(printf, 2, 3))) static void try_changed(Trying *trying, const char *format,
                                                              ...)
{
  char words[128];
  va_list arguments;
  StatedError stated;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  // What there is no time for any more on a busy machine is not looked at.
  if (!fences_are_scarce() &&
      clock_leaves(trying->look == look_for_leaks ? LEAK_SECONDS : SECONDS) &&
      is_ruled_out(trying, &stated)) {
    // A call holds on to its kernel.
    const unsigned before = fences_made();
    KernelCall *call = new_changed(trying);
    note_call(call, "with %s: ", words);
    make_call(call);
    trying->refused |= call->returned != 0;
    trying->judged |= trying->look(call, stated);
    drop_refused(call, before);
    ++trying->tried;
  }
  kernel_copy(trying->changed, trying->base);
}

// --- One value -----------------------------------------------------------------------------------

static void try_kinds(Trying *trying, KernelParameter *value, const char *name)
{
  static const KernelKind kinds[] = {KERNEL_NONE, KERNEL_INT, KERNEL_FLOAT, KERNEL_STRING};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const KernelParameter before = *value;
    *value = (KernelParameter){.kind = kinds[i], .type = before.type, .integer = 7, .number = 0.5};
    memcpy(value->name, before.name, sizeof before.name);
    if (kinds[i] == KERNEL_STRING) snprintf(value->text, sizeof value->text, "wrong");
    const bool undefined = kinds[i] == KERNEL_NONE && before.kind == KERNEL_TENSOR;
    try_changed(trying, "%s for %s%s", kernel_kind_names[kinds[i]], name,
                undefined ? " (to C++ a Tensor that is not defined())" : "");
  }
}

// The data types that a name stands for.
static SignatureRange types_of(const Trying *trying, SignatureText name)
{
  const Signature *signature = trying->signature;
  const SignatureForm *form = signature_form(signature, trying->base->form);
  for (uint32_t i = 0; i < form->dtypes.count; ++i) {
    const SignatureVariable *variable = signature_variable(signature, form->dtypes.first + i);
    if (strcmp(signature_text(signature, variable->name), signature_text(signature, name)) == 0)
      return variable->values;
  }
  return (SignatureRange){0};
}

// In the place of what a call gives, which has its type and shape.
static void take_zeros(KernelParameter *tensor)
{
  if (tensor->contents != KERNEL_FROM_NPY) return;
  tensor->contents = KERNEL_ZEROS;
  tensor->npy = 0;
  tensor->written = (SignatureRange){0};
}

static bool set_type(const Trying *trying, uint32_t word, KernelParameter *tensor)
{
  const char *text =
      signature_text(trying->signature, signature_value(trying->signature, word)->text);
  DLDataType dtype;
  if (!tensor->typed || !signature_dtype(text, &dtype)) return false;
  take_zeros(tensor);
  kernel_set_dtype(tensor, dtype);
  snprintf(tensor->text, sizeof tensor->text, "%s", text);
  return true;
}

// Types that others of the same name may have, too: no two of them agree then.
static void try_listed_types(Trying *trying, KernelParameter *tensor, const char *name)
{
  const SignatureType *type = signature_type(trying->signature, tensor->type);
  const SignatureRange words = types_of(trying, type->dtype_variable);
  for (uint32_t i = 0; type->dtype_variable && i < words.count; ++i) {
    if (!set_type(trying, words.first + i, tensor)) continue;
    try_changed(trying, "a tensor of %s alone for %s", tensor->text, name);
  }
}

static void try_tensor(Trying *trying, KernelParameter *value, const char *name)
{
  static const struct {
    DLDataType dtype;
    const char *name;
  } dtypes[] = {{{kDLFloat, 64, 1}, "float64"},
                {{kDLFloat, 32, 1}, "float32"},
                {{kDLInt, 32, 1}, "int32"},
                {{kDLInt, 8, 1}, "int8"}};
  if (!value->typed) return;
  trying->at_end = value->device.device_type == kDLCPU;
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
    for (int zeros = 0; zeros < 2; ++zeros) {
      take_zeros(value);
      value->dtype = dtypes[i].dtype;
      snprintf(value->text, sizeof value->text, "%s", dtypes[i].name);
      if (zeros) value->contents = KERNEL_ZEROS;
      try_changed(trying, "a tensor of %s%s for %s", dtypes[i].name, zeros ? " zeros" : "", name);
    }
  try_listed_types(trying, value, name);
  if (value->rank < KERNEL_RANK_MAX) {
    take_zeros(value);
    value->shape[value->rank++] = (KernelExtent){.size = 1};
    try_changed(trying, "one dimension more in %s", name);
  }
  take_zeros(value);
  if (value->rank > 0) --value->rank;
  try_changed(trying, "one dimension less in %s", name);
  for (int32_t k = 0; k < value->rank; ++k) {
    take_zeros(value);
    ++value->shape[k].size;
    try_changed(trying, "one more in dimension %d of %s", (int)k, name);
    take_zeros(value);
    if (value->shape[k].size > 0) --value->shape[k].size;
    try_changed(trying, "one less in dimension %d of %s", (int)k, name);
  }
  trying->at_end = false;
  if (value->device.device_type != kDLCPU) return;
  take_zeros(value);
  value->device = (DLDevice){kDLCUDA, 0};
  try_changed(trying, "a tensor of another device for %s", name);
}

// Gives extents what follows from what is in containers now. False if there is no such call, or none that
// has room.
static bool resized(Trying *trying)
{
  enum { ELEMENTS_MOST = 1 << 16 };
  if (!kernel_resize(trying->signature, trying->changed, "", 0)) return false;
  for (uint32_t i = 0; i < kernel_place_count(trying->changed); ++i) {
    const KernelParameter *at = kernel_place_of(trying->changed, i);
    double count = 1;
    for (int32_t k = 0; at->kind == KERNEL_TENSOR && k < at->rank; ++k)
      count *= (double)at->shape[k].size;
    if (count > ELEMENTS_MOST) return false;
  }
  return true;
}

// An element of an array of ints: extents that are its sum are those of what it is now, so that nothing
// else is wrong.
static void try_int(Trying *trying, KernelParameter *value, int64_t number, const char *name)
{
  value->integer = number;
  try_changed(trying, "%lld for %s", (long long)number, name);
  value->integer = number;
  trying->valued = false;
  if (resized(trying))
    try_changed(trying, "%lld for %s, and extents of it", (long long)number, name);
  trying->valued = true;
  kernel_copy(trying->changed, trying->base);
}

typedef struct Edge {
  Trying *trying;
  KernelParameter *value;
} Edge;

// By itself, whatever extents follow from it.
static bool is_outside(void *context, int64_t number)
{
  const Edge *edge = context;
  Trying *trying = edge->trying;
  edge->value->integer = number;
  if (!kernel_resize(trying->signature, trying->changed, "", 0)) {
    kernel_copy(trying->changed, trying->base);
    edge->value->integer = number;
  }
  const unsigned by = kernel_outside(trying->signature, trying->changed, NULL).by;
  kernel_copy(trying->changed, trying->base);
  return by == SIGNATURE_CHECKS_VALUE;
}

// Right behind the numbers that its limits leave.
static void try_int_edges(Trying *trying, KernelParameter *value, const char *name)
{
  Edge edge = {trying, value};
  const int64_t own = value->integer;
  int64_t number;
  for (int up = 0; up < 2; ++up)
    if (kernel_int_edge(own, up, INT64_MAX / 4, is_outside, &edge, &number))
      try_int(trying, value, number, name);
}

static void put_text(KernelParameter *value, const char *text)
{
  memset(value->text, 0, sizeof value->text);
  snprintf(value->text, sizeof value->text, "%s", text);
  value->text_size = (uint32_t)strlen(text);
}

// Vectors of the type are another one.
static void try_dtypes(Trying *trying, KernelParameter *value, const char *name)
{
  static const char *const dtypes[] = {"float64", "int8", "float16", "bool"};
  char vectors[KERNEL_TEXT_MAX];
  DLDataType dtype;
  snprintf(vectors, sizeof vectors, "%.200sx4", value->text);
  if (*value->text && !strchr(value->text, 'x') && signature_dtype(vectors, &dtype)) {
    put_text(value, vectors);
    try_changed(trying, "%s for %s", vectors, name);
  }
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i) {
    put_text(value, dtypes[i]);
    try_changed(trying, "%s for %s", dtypes[i], name);
  }
}

// Numbers and texts around what the signature lists, and beyond its limits.
static void try_contents(Trying *trying, KernelParameter *value, const char *name)
{
  static const int64_t ints[] = {-1, 0, 1, 2, 3, 5, 9, 17, INT32_MAX, INT32_MIN, INT64_MAX};
  static const double floats[] = {-1, 0, -0.5, 1.5, 2, 10, 1e30, -1e30};
  static const char *const texts[] = {"", "unknown"};
  trying->valued = true;
  if (value->kind == KERNEL_INT)
    for (size_t i = 0; i < sizeof ints / sizeof *ints; ++i) try_int(trying, value, ints[i], name);
  if (value->kind == KERNEL_INT) try_int_edges(trying, value, name);
  if (value->kind == KERNEL_FLOAT)
    for (size_t i = 0; i < sizeof floats / sizeof *floats; ++i) {
      value->number = floats[i];
      try_changed(trying, "%g for %s", floats[i], name);
    }
  trying->finite = trying->base->parameters[trying->parameter].name;
  for (size_t i = 0; value->kind == KERNEL_FLOAT && i < KERNEL_NOT_FINITE; ++i) {
    value->number = kernel_not_finite[i];
    trying->nan = isnan(value->number);
    try_changed(trying, "%g for %s", kernel_not_finite[i], name);
  }
  trying->finite = NULL;
  for (size_t i = 0; value->kind == KERNEL_STRING && i < sizeof texts / sizeof *texts; ++i) {
    put_text(value, texts[i]);
    try_changed(trying, "\"%s\" for %s", texts[i], name);
  }
  if (value->kind == KERNEL_DTYPE) try_dtypes(trying, value, name);
  trying->valued = false;
}

static void try_value(Trying *trying, KernelParameter *value, const char *name, int depth);

// Of an array the first, the middle and the last; of others all.
static bool is_looked_at(const KernelParameter *container, uint32_t i)
{
  const uint32_t count = container->element_count;
  if (container->kind == KERNEL_MAP && !container->keyed)
    return i < 2 || i + 2 >= count || i / 2 == count / 4;
  return container->kind != KERNEL_ARRAY || i == 0 || i == count / 2 || i + 1 == count;
}

// What the type of a map does not have, as somebody may misspell it.
static void try_other_keys(Trying *trying, KernelParameter *map, const char *name)
{
  const SignatureType *type = signature_type(trying->signature, map->type);
  char key[KERNEL_WORD_MAX];
  if (type->others != SIGNATURE_OTHERS_REFUSED || !map->keyed) return;
  for (uint32_t i = 0; i <= type->children.count; ++i) {
    if (i == type->children.count)
      snprintf(key, sizeof key, "no_such_key");
    else
      snprintf(key, sizeof key, "%.40s_",
               signature_text(trying->signature,
                              signature_type(trying->signature, type->children.first + i)->name));
    if (kernel_add_entry(trying->changed, map, key))
      try_changed(trying, "the key \"%s\" in %s", key, name);
  }
}

static void try_inside(Trying *trying, const KernelParameter *container, const char *name,
                       int depth)
{
  const KernelParameter within = *container;
  for (uint32_t i = 0; i < within.element_count; ++i) {
    KernelParameter *element = &trying->changed->elements[within.first_element + i];
    char inner[80];
    if (!is_looked_at(&within, i)) continue;
    if (within.keyed)
      snprintf(inner, sizeof inner, "%.40s[\"%.30s\"]", name, element->name);
    else if (within.kind == KERNEL_MAP)
      snprintf(inner, sizeof inner, "%s %u of %.40s", i % 2 ? "value" : "key", i / 2, name);
    else
      snprintf(inner, sizeof inner, "%.60s[%u]", name, i);
    try_value(trying, element, inner, depth + 1);
  }
}

// One element, or entry, more or less: how many there are may be stated by what else is in the call.
static void try_lengths(Trying *trying, KernelParameter *container, const char *name)
{
  const uint32_t one = container->kind == KERNEL_MAP ? 2 : 1;
  if ((container->kind != KERNEL_ARRAY && container->kind != KERNEL_MAP) || container->keyed ||
      container->element_count < one)
    return;
  const char *what = one == 2 ? "entry" : "element";
  if (kernel_add_element(trying->changed, container))
    try_changed(trying, "one %s more in %s", what, name);
  container->element_count -= one;
  try_changed(trying, "one %s less in %s", what, name);
}

static void try_value(Trying *trying, KernelParameter *value, const char *name, int depth)
{
  if (depth > SIGNATURE_DEPTH_MAX) return;
  if (value->kind == KERNEL_TENSOR) try_tensor(trying, value, name);
  if (depth > 0) try_contents(trying, value, name);
  try_inside(trying, value, name, depth);
  try_lengths(trying, value, name);
  if (value->kind == KERNEL_MAP) try_other_keys(trying, value, name);
  try_kinds(trying, value, name);
}

// --- One in each array ---------------------------------------------------------------------------

// The same type for element `at` of each array whose elements' data type has this name. False if there is none.
static bool set_row(Trying *trying, const char *name, uint32_t word, uint32_t at)
{
  const Signature *signature = trying->signature;
  bool any = false;
  trying->at_end = true;
  for (uint32_t i = 0; i < kernel_place_count(trying->base); ++i) {
    const KernelParameter *array = kernel_place(trying->changed, i);
    if (array->kind != KERNEL_ARRAY || array->element_count <= at) continue;
    KernelParameter *element = &trying->changed->elements[array->first_element + at];
    if (element->kind != KERNEL_TENSOR ||
        strcmp(signature_text(signature, signature_type(signature, element->type)->dtype_variable),
               name) != 0 ||
        !set_type(trying, word, element))
      continue;
    trying->at_end &= element->device.device_type == kDLCPU;
    any = true;
  }
  return any;
}

static void try_row(Trying *trying, const char *name, uint32_t word, uint32_t at)
{
  if (set_row(trying, name, word, at))
    try_changed(trying, "tensors of %s for each element %u of %s",
                signature_text(trying->signature, signature_value(trying->signature, word)->text),
                at, name);
}

// What is at one place of several arrays has one of the listed types, and what is at the first place another one.
static void try_rows(Trying *trying)
{
  const Signature *signature = trying->signature;
  const SignatureForm *form = signature_form(signature, trying->base->form);
  uint32_t last = 0;
  for (uint32_t i = 0; i < kernel_place_count(trying->base); ++i) {
    const KernelParameter *array = kernel_place_of(trying->base, i);
    if (array->kind == KERNEL_ARRAY && array->element_count > last + 1)
      last = array->element_count - 1;
  }
  for (uint32_t i = 0; i < form->dtypes.count; ++i) {
    const SignatureVariable *variable = signature_variable(signature, form->dtypes.first + i);
    const char *name = signature_text(signature, variable->name);
    for (uint32_t k = 0; k < variable->values.count && last > 0; ++k) {
      try_row(trying, name, variable->values.first + k, last);
      if (last > 1) try_row(trying, name, variable->values.first + k, 1);
    }
  }
  trying->at_end = false;
}

// --- All calls -----------------------------------------------------------------------------------

// The same for values that hold elements of the same kinds, and as many of them, up to some; of an array the first
// element stands for all.
static uint32_t held_by(const Kernel *kernel, const KernelParameter *value, int depth)
{
  enum { FIRST = 8 };
  const uint32_t count = value->element_count < LENGTHS ? value->element_count : LENGTHS;
  const uint32_t first = value->kind == KERNEL_ARRAY ? 1 : FIRST;
  uint32_t held = 31 * (uint32_t)value->kind + count;
  for (uint32_t i = 0; i < value->element_count && i < first && depth < SIGNATURE_DEPTH_MAX; ++i)
    held = 37 * held + held_by(kernel, &kernel->elements[value->first_element + i], depth + 1);
  return held;
}

// Whether the call has nothing of what is optional: a function may go about its work otherwise then.
static bool is_bare(const Kernel *kernel)
{
  bool any = false;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    if (!kernel->parameters[i].optional) continue;
    if (kernel->parameters[i].kind != KERNEL_NONE) return false;
    any = true;
  }
  return any;
}

static bool is_new(Trying *trying, uint32_t parameter, const KernelParameter *value)
{
  const uint32_t held = 2 * held_by(trying->changed, value, 0) + is_bare(trying->base);
  for (unsigned i = 0; i < trying->place_count; ++i)
    if (trying->places[i].parameter == parameter && trying->places[i].type == value->type &&
        trying->places[i].held == held)
      return false;
  if (trying->place_count == PLACES_MAX) return false;
  trying->places[trying->place_count++] = (Place){parameter, value->type, held};
  return true;
}

static bool is_served(Iut *iut, const Kernel *kernel)
{
  if (kernel->launches) return true;
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "the right call: ");
  if (end_of_call(call) != CALL_RETURNS) return false;
  make_call(call);
  const bool served = call->returned == 0;
  drop_outcome(call);
  return served;
}

static void try_call(Trying *trying, const Kernel *base)
{
  bool served = false;
  // A listed call that conditions and shapes leave out says nothing of calls that are like it.
  if (kernel_outside(trying->signature, base, NULL).promised) return;
  trying->base = base;
  kernel_copy(trying->changed, base);
  for (uint32_t i = 0; i < base->parameter_count; ++i) {
    char name[64];
    KernelParameter *value = &trying->changed->parameters[i];
    const bool whole = is_variant(trying, i) || trying->all;
    if (value->kind == KERNEL_NONE || (value->element_count == 0 && !whole) ||
        !is_new(trying, i, value))
      continue;
    if (!served && !is_served(trying->iut, base)) return;
    served = true;
    trying->parameter = i;
    parameter_name(base, i, name);
    if (whole)
      try_value(trying, value, name, 0);
    else
      try_inside(trying, value, name, 0);
    if (!whole) try_lengths(trying, value, name);
    if (!whole && value->kind == KERNEL_MAP) try_other_keys(trying, value, name);
  }
  if (served) try_rows(trying);
}

static const char no_elements[] = "its signature file rules out no element";

static void for_each_wrong_element(Iut *iut, const Kernel *kernel, LookAtRefusal *look, bool all)
{
  Trying trying = {.iut = iut,
                   .signature = signature_under_test(),
                   .changed = kernel_new_copy(kernel),
                   .look = look,
                   .all = all};
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  if (!choices) case_inconclusive("no memory for the choices");
  if (!trying.signature || !kernel->promises || !kernel->chosen)
    case_not_applicable("no signature file states what it takes");
  const size_t count = kernel_chosen(trying.signature, choices);
  // Those with arrays of files last: what is in them has the type that it has.
  for (size_t i = 0; i < 2 * count; ++i) {
    const KernelChoice *choice = &choices[i % count];
    char problem[KERNEL_PROBLEM_MAX];
    if (choice->standing != KERNEL_PROMISED || (choice->call > 0) != (i >= count)) continue;
    Kernel *base = kernel_new_copy(kernel);
    if (kernel_of_choice(trying.signature, choice, base, problem)) try_call(&trying, base);
  }
  free(choices);
  free(trying.changed);
  if (trying.tried == 0) case_not_applicable("%s", no_elements);
  kernel_require_judged(trying.judged, trying.refused);
}

static const char *lacks_elements(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  if (!signature || !instance->kernel->chosen) return NULL;
  for (uint32_t i = 0; i < signature->types.count; ++i) {
    const KernelKind kind = signature_type(signature, i)->kind;
    if (kind == KERNEL_ARRAY || kind == KERNEL_MAP || kind == KERNEL_TUPLE ||
        kind == KERNEL_VARIANT || kind == KERNEL_ANY)
      return NULL;
  }
  return no_elements;
}

KERNEL_CASE(
    wrong_element_is_refused, .clauses = {KER_47, KER_11}, .needs = KERNEL_NEEDS_EXAMPLE,
    .lacks = lacks_elements, .patience = 3,
    .title =
        "a wrong element in a container, one more or less, or a wrong value for a variant, is refused")
{
  for_each_wrong_element(iut, kernel, look_for_refusal, false);
}

KERNEL_CASE(wrong_element_leaves_the_outputs, .clauses = {KER_21}, .wrong_call = true,
            .needs = KERNEL_NEEDS_EXAMPLE, .patience = 3,
            .title =
                "a call refused for an element of a container does not change the memory of "
                "tensors")
{
  kernel_require_tensors(kernel);
  for_each_wrong_element(iut, kernel, look_at_memory, false);
}

KERNEL_CASE(wrong_element_leaks_nothing, .clauses = {KER_36}, .needs = KERNEL_NEEDS_EXAMPLE,
            .patience = 5,
            .title =
                "calls refused for an element of a container, made over and over, do not leak "
                "memory")
{
  for_each_wrong_element(iut, kernel, look_for_leaks, false);
}

KERNEL_CASE(atomic_argument, .clauses = {KER_62}, .wrong_call = true, .needs = KERNEL_NEEDS_EXAMPLE,
            .lacks = kernel_lacks_atomic, .patience = 3,
            .title = "a call refused for an argument, or for what is in one, has changed nothing")
{
  for_each_wrong_element(iut, kernel, look_at_memory, true);
}
