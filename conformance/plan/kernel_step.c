// SPDX-License-Identifier: Apache-2.0
// Values that the file gives in full: tensors that are written there, and calls of steps.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_build.h"
#include "signature/signature_words.h"

// --- Tensors -------------------------------------------------------------------------------------

bool build_written_shape(const Build *build, const SignatureValue *given, int32_t *rank,
                         int64_t shape[KERNEL_RANK_MAX])
{
  if (given->items.count != SIGNATURE_WRITTEN) return false;
  const SignatureRange extents =
      signature_value(build->signature, given->items.first + SIGNATURE_WRITTEN_SHAPE)->items;
  *rank = (int32_t)extents.count;
  for (uint32_t i = 0; i < extents.count && i < KERNEL_RANK_MAX; ++i)
    shape[i] = signature_value(build->signature, extents.first + i)->integer;
  return true;
}

bool build_written(Build *build, const SignatureValue *given, KernelParameter *parameter)
{
  const char *word = build_text(build, given->text);
  int64_t shape[KERNEL_RANK_MAX];
  if (!build_written_shape(build, given, &parameter->rank, shape)) return false;
  for (int32_t i = 0; i < parameter->rank; ++i)
    parameter->shape[i] = (KernelExtent){.size = shape[i]};
  parameter->contents = KERNEL_FROM_NPY;
  parameter->npy = 0;
  parameter->written =
      signature_value(build->signature, given->items.first + SIGNATURE_WRITTEN_ELEMENTS)->items;
  if (*word) build_copy_text(parameter, word, strlen(word));
  if (*word) signature_dtype(word, &parameter->dtype);
  return parameter->dtype.bits > 0 || build_fail(build, "a tensor without a data type");
}

long double kernel_written_element(const Signature *signature, const KernelParameter *parameter,
                                   size_t index)
{
  if (parameter->written.count == 0) return 0;
  const uint32_t at = (uint32_t)(index % parameter->written.count);
  const SignatureValue *value = signature_value(signature, parameter->written.first + at);
  return value->kind == KERNEL_FLOAT ? (long double)value->number : (long double)value->integer;
}

// An element of an array, or an argument behind the parameters.
static void take_item(Build *build, const SignatureType *type, const SignatureValue *item)
{
  const uint32_t sizes = build->kernel->size_count;
  // Where elements have several, the function knows why.
  const bool says = item->kind == KERNEL_TENSOR || item->kind == KERNEL_ARRAY;
  if (says && !build_take_given(build, type, item, false)) {
    build->kernel->size_count = sizes;
    build->problem[0] = '\0';
  }
  build_take_held(build, type, item);
}

// The type of an entry of a map; NULL if the file says none.
static const SignatureType *entry_type(const Build *build, const SignatureType *type,
                                       const char *key)
{
  const uint32_t first = type->children.first;
  if (!type->has_entries)
    return type->children.count == 2 ? signature_type(build->signature, first + 1) : NULL;
  for (uint32_t i = 0; i < type->children.count; ++i) {
    const SignatureType *entry = signature_type(build->signature, first + i);
    if (strcmp(build_text(build, entry->name), key) == 0) return entry;
  }
  return NULL;
}

// Keys and values alternate.
static void take_entries(Build *build, const SignatureType *type, const SignatureValue *given)
{
  for (uint32_t i = 0; i + 1 < given->items.count; i += 2) {
    const SignatureValue *key = signature_value(build->signature, given->items.first + i);
    const SignatureType *entry = entry_type(build, type, build_text(build, key->text));
    if (entry) take_item(build, entry, key + 1);
  }
}

void build_take_held(Build *build, const SignatureType *type, const SignatureValue *given)
{
  const Signature *signature = build->signature;
  if (build->choice->lengths) return;
  if (type->kind == KERNEL_MAP && given && given->kind == KERNEL_MAP)
    take_entries(build, type, given);
  const bool listed = type->kind == KERNEL_ARRAY || type->kind == KERNEL_TUPLE;
  const uint32_t place = build->place;
  for (uint32_t i = 0; listed && given && given->kind == KERNEL_ARRAY && i < given->items.count;
       ++i) {
    const uint32_t which = type->kind == KERNEL_TUPLE ? i : 0;
    if (which >= type->children.count) break;
    if (place == 0 && type->kind == KERNEL_ARRAY) build->place = i + 1;
    take_item(build, signature_type(signature, type->children.first + which),
              signature_value(signature, given->items.first + i));
    build->place = place;
  }
}

static bool is_named(const Build *build, const SignatureType *type, const char *place, size_t size)
{
  const char *name = build_text(build, type->name);
  return strlen(name) == size && memcmp(name, place, size) == 0;
}

// The type of what is at a place within a parameter, such as "xs[0]" or "options.w"; NULL if the file says none.
static const SignatureType *type_within(Build *build, const char *place)
{
  const Signature *signature = build->signature;
  const SignatureRange parameters = build->form->parameters;
  const size_t size = strcspn(place, "[.");
  const SignatureType *type = NULL;
  const char *at = place + size;
  for (uint32_t i = 0; i < parameters.count && !type; ++i) {
    const SignatureType *one = signature_type(signature, parameters.first + i);
    if (is_named(build, one, place, size)) type = one;
  }
  // Each of the arguments behind the parameters is of the type that is stated there.
  const SignatureType *rest =
      build->form->rest == SIGNATURE_NONE ? NULL : signature_type(signature, build->form->rest);
  if (!type && rest && *at == '[' && is_named(build, rest, place, size)) {
    type = rest;
    at += strcspn(at, "]") + 1;
  }
  while (type && *at) {
    char key[SIGNATURE_NAME_MAX];
    const size_t length = strcspn(at + 1, "[.]");
    snprintf(key, sizeof key, "%.*s", (int)length, at + 1);
    const uint32_t number = (uint32_t)strtoul(key, NULL, 10);
    const uint32_t item = type->kind == KERNEL_TUPLE ? number : 0;
    // (The place of sizes of elements is that in the outermost array.)
    if (type->kind == KERNEL_ARRAY && build->place == 0) build->place = number + 1;
    if (*at == '.' && type->kind == KERNEL_MAP)
      type = entry_type(build, type, key);
    else if (*at == '[' && (type->kind == KERNEL_ARRAY || type->kind == KERNEL_TUPLE) &&
             item < type->children.count)
      type = signature_type(signature, type->children.first + item);
    else
      type = NULL;
    at += 1 + length;
    at += *at == ']';
  }
  return type;
}

void build_take_within(Build *build)
{
  const SignatureRange settings = build->choice->settings;
  for (uint32_t i = 0; i < settings.count && !build->choice->lengths; ++i) {
    const SignatureSetting *setting = signature_setting(build->signature, settings.first + i);
    const char *place = build_text(build, setting->name);
    const SignatureType *type = strpbrk(place, "[.") ? type_within(build, place) : NULL;
    if (type) take_item(build, type, signature_value(build->signature, setting->value));
    build->place = 0;
  }
}

void build_take_rest(Build *build)
{
  const Signature *signature = build->signature;
  if (build->form->rest == SIGNATURE_NONE || build->choice->lengths) return;
  const SignatureType *rest = signature_type(signature, build->form->rest);
  const SignatureValue *given = build_setting(build, build_text(build, rest->name));
  for (uint32_t i = 0; given && given->kind == KERNEL_ARRAY && i < given->items.count; ++i)
    take_item(build, rest, signature_value(signature, given->items.first + i));
}

// --- Steps ---------------------------------------------------------------------------------------

bool kernel_of_step(const Signature *signature, const SignatureStep *step, Kernel *kernel,
                    char problem[KERNEL_PROBLEM_MAX])
{
  static const KernelChoice choice = {.standing = KERNEL_PROMISED};
  const char *object = signature_text(signature, step->object);
  const char *function = signature_text(signature, step->function);
  Build build = {.signature = signature, .choice = &choice, .kernel = kernel, .problem = problem};
  const SignatureRange arguments = step->call.arguments;
  problem[0] = '\0';
  memset(kernel, 0, sizeof *kernel);
  kernel->source = KERNEL_FROM_FILE;
  kernel->chosen = kernel->step = true;
  build.form = signature_form(signature, 0);
  snprintf(kernel->name, sizeof kernel->name, "%.*s%s%.*s", KERNEL_WORD_MAX, object,
           *object && *function ? "." : "", KERNEL_WORD_MAX * 2, function);
  if (*object && *function) {
    KernelParameter *self = &kernel->parameters[kernel->parameter_count++];
    self->kind = KERNEL_OBJECT;
    build_copy_text(self, object, strlen(object));
  }
  for (uint32_t i = 0; i < arguments.count; ++i) {
    const SignatureSetting *setting = signature_setting(signature, arguments.first + i);
    if (kernel->parameter_count == KERNEL_PARAMETERS_MAX)
      return build_fail(&build, "more than %d arguments", KERNEL_PARAMETERS_MAX);
    KernelParameter *parameter = &kernel->parameters[kernel->parameter_count++];
    snprintf(parameter->name, sizeof parameter->name, "%.*s", KERNEL_WORD_MAX - 1,
             signature_text(signature, setting->name));
    const SignatureValue *value = signature_value(signature, setting->value);
    if (!build_given(&build, value, parameter)) return false;
    parameter->spellings = setting->spellings;
    parameter->retained = !setting->let_go;
    // What takes a borrowed tensor takes an object as well, but not the other way round.
    if (parameter->kind == KERNEL_TENSOR && !parameter->spellings)
      parameter->spellings = KERNEL_SPELLED_OBJECT;
  }
  return true;
}
