// SPDX-License-Identifier: Apache-2.0
// One call, made from a signature and a choice.
#include "plan/kernel_choice.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expression/npy.h"
#include "plan/kernel_site.h"
#include "signature/signature_words.h"

enum { ELEMENTS_MOST = 1 << 24, PATH_MAX_ = 96 };

typedef struct Build {
  const Signature *signature;
  const SignatureForm *form;
  const KernelChoice *choice;
  KernelSites sites;
  Kernel *kernel;
  char *problem;
  bool in_result;
  uint32_t shown;  // of the parameter that is being made
  uint64_t used;   // a bit for each of the choice's settings
} Build;

// The call is one that the file lists as refused: limits and conditions need not hold.
static bool is_refused(const Build *build)
{
  return build->choice->standing == KERNEL_REFUSED;
}

static const char *text_of(const Build *build, SignatureText text)
{
  return signature_text(build->signature, text);
}

__attribute__((format(printf, 2, 3))) static bool fail(Build *build, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(build->problem, KERNEL_PROBLEM_MAX, format, arguments);
  va_end(arguments);
  return false;
}

static unsigned option_at(const Build *build, KernelSiteKind kind, uint32_t of, const char *name)
{
  const int site = kernel_site_find(&build->sites, kind, of, name);
  return site < 0 ? 0 : build->choice->options[site];
}

// --- Names and expressions -----------------------------------------------------------------------

bool kernel_size_of(const Kernel *kernel, const char *name, int64_t *size)
{
  for (uint32_t i = 0; i < kernel->size_count; ++i)
    if (strcmp(kernel->sizes[i].name, name) == 0) {
      *size = kernel->sizes[i].size;
      return true;
    }
  return false;
}

// With a value; later uses of a name have to agree with it.
static bool set_size(Build *build, const char *name, int64_t size)
{
  Kernel *kernel = build->kernel;
  int64_t before;
  if (kernel_size_of(kernel, name, &before))
    return before == size || is_refused(build) ||
           fail(build, "%s is %lld here and %lld there", name, (long long)before, (long long)size);
  if (kernel->size_count == KERNEL_SIZES_MAX || strlen(name) >= KERNEL_SYMBOL_MAX)
    return fail(build, "more than %d sizes, or a longer name than %d bytes: %s", KERNEL_SIZES_MAX,
                KERNEL_SYMBOL_MAX - 1, name);
  KernelSize *added = &kernel->sizes[kernel->size_count++];
  memcpy(added->name, name, strlen(name) + 1);
  added->size = size;
  return true;
}

static ExpressionScope scope_of(const Build *build, KernelNames *names)
{
  *names = (KernelNames){build->kernel, build->shown};
  return (ExpressionScope){.lookup = kernel_name_value, .context = names};
}

static bool number_of(Build *build, SignatureText text, double *out)
{
  KernelNames names;
  const ExpressionScope scope = scope_of(build, &names);
  ExpressionError error;
  long double value = 0;
  Expression *expression = expression_parse(text_of(build, text), &error);
  const bool good = expression && expression_number(expression, &scope, &value, &error);
  expression_free(expression);
  *out = (double)value;
  return good || fail(build, "%s: %.200s", text_of(build, text), error.message);
}

static bool integer_of(Build *build, SignatureText text, int64_t *out)
{
  KernelNames names;
  const ExpressionScope scope = scope_of(build, &names);
  ExpressionError error;
  Expression *expression = expression_parse(text_of(build, text), &error);
  const bool good = expression && expression_integer(expression, &scope, out, &error);
  expression_free(expression);
  return good || fail(build, "%s: %.200s", text_of(build, text), error.message);
}

// --- Settings ------------------------------------------------------------------------------------

// The value that the choice sets for "x", "parts[1]"; NULL if it sets none.
static const SignatureValue *setting_of(Build *build, const char *path)
{
  const SignatureRange settings = build->choice->settings;
  if (!*path) return NULL;
  for (uint32_t i = 0; i < settings.count; ++i) {
    const SignatureSetting *setting = signature_setting(build->signature, settings.first + i);
    if (strcmp(text_of(build, setting->name), path) != 0) continue;
    build->used |= (uint64_t)1 << i % 64;
    return signature_value(build->signature, setting->value);
  }
  return NULL;
}

static const SignatureValue *item_of(const Build *build, const SignatureValue *value, uint32_t i)
{
  return value && value->kind == KERNEL_ARRAY && i < value->items.count
             ? signature_value(build->signature, value->items.first + i)
             : NULL;
}

// The value that an object in a file has under this key; NULL if it has none.
static const SignatureValue *entry_of(const Build *build, const SignatureValue *value,
                                      const char *key)
{
  for (uint32_t i = 0; value && i + 1 < value->items.count; i += 2) {
    const SignatureValue *found = signature_value(build->signature, value->items.first + i);
    if (strcmp(text_of(build, found->text), key) == 0) return found + 1;
  }
  return NULL;
}

// --- Plain values --------------------------------------------------------------------------------

static void copy_text(KernelParameter *parameter, const char *text, size_t size)
{
  const size_t kept = size < KERNEL_TEXT_MAX ? size : KERNEL_TEXT_MAX - 1;
  memset(parameter->text, 0, sizeof parameter->text);
  memcpy(parameter->text, text, kept);
  parameter->text_size = (uint32_t)kept;
}

static void take_value(const Build *build, const SignatureValue *value, KernelParameter *parameter)
{
  const bool whole = parameter->kind == KERNEL_INT || parameter->kind == KERNEL_BOOL;
  if (whole && value->kind != KERNEL_FLOAT) parameter->integer = value->integer;
  if (whole && value->kind == KERNEL_FLOAT && fabs(value->number) < 0x1p62)
    parameter->integer = (int64_t)value->number;
  if (parameter->kind == KERNEL_FLOAT || parameter->kind == KERNEL_TENSOR)
    parameter->number = value->kind == KERNEL_FLOAT ? value->number : (double)value->integer;
  if (value->kind == KERNEL_STRING || value->kind == KERNEL_BYTES)
    copy_text(parameter, text_of(build, value->text), value->text_size);
}

static bool within_limits(Build *build, const SignatureType *type, KernelParameter *parameter)
{
  const double value =
      parameter->kind == KERNEL_INT ? (double)parameter->integer : parameter->number;
  if ((type->least && !number_of(build, type->least, &parameter->least)) ||
      (type->most && !number_of(build, type->most, &parameter->most)))
    return is_refused(build);
  parameter->has_least = type->least != 0;
  parameter->has_most = type->most != 0;
  if (is_refused(build) || (parameter->kind != KERNEL_INT && parameter->kind != KERNEL_FLOAT))
    return true;
  if ((type->least && !(value >= parameter->least)) || (type->most && !(value <= parameter->most)))
    return fail(build, "%s is %.17g, which is not between its limits",
                parameter->name[0] ? parameter->name : "a parameter", value);
  return true;
}

// One of the values that are tried besides those of the signature.
static void take_tried(KernelParameter *parameter, unsigned tried)
{
  if (parameter->kind == KERNEL_INT) parameter->integer = kernel_ints_tried[tried % 6];
  if (parameter->kind == KERNEL_FLOAT) parameter->number = kernel_floats_tried[tried % 5];
  if (parameter->kind == KERNEL_BOOL) parameter->integer = !parameter->integer;
  if (parameter->kind == KERNEL_STRING || parameter->kind == KERNEL_BYTES)
    copy_text(parameter, kernel_texts_tried[tried % 3], strlen(kernel_texts_tried[tried % 3]));
}

static bool take_limit(Build *build, const SignatureType *type, bool most,
                       KernelParameter *parameter)
{
  double limit;
  if (!number_of(build, most ? type->most : type->least, &limit)) return false;
  parameter->number = limit;
  if (fabs(limit) < 0x1p62) parameter->integer = (int64_t)(most ? floor(limit) : ceil(limit));
  return true;
}

static bool make_plain(Build *build, uint32_t index, const SignatureValue *given,
                       KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  const unsigned option = option_at(build, KERNEL_SITE_VALUE, index, NULL);
  const unsigned limits = (type->least != 0) + (type->most != 0);
  if (given) {
    take_value(build, given, parameter);
  } else if (type->values.count) {
    const uint32_t example = kernel_site_example(build->signature, type);
    take_value(build,
               signature_value(build->signature,
                               type->values.first + (example + option) % type->values.count),
               parameter);
  } else {
    if (type->example != SIGNATURE_NONE)
      take_value(build, signature_value(build->signature, type->example), parameter);
    else if (option == 0 && type->least &&
             (parameter->kind == KERNEL_INT || parameter->kind == KERNEL_FLOAT)) {
      double least;
      if (!number_of(build, type->least, &least)) return false;
      if (least > 1) take_limit(build, type, false, parameter);
    }
    if (option > limits)
      take_tried(parameter, option - limits - 1);
    else if (option > 0 && !take_limit(build, type, !type->least || option == 2, parameter))
      return false;
  }
  return within_limits(build, type, parameter);
}

// --- Shapes --------------------------------------------------------------------------------------

static bool add_extent(Build *build, KernelParameter *parameter, int64_t size, const char *symbol,
                       bool any)
{
  if (parameter->rank == KERNEL_RANK_MAX)
    return fail(build, "a shape of more than %d extents", KERNEL_RANK_MAX);
  if (size < 0) return fail(build, "an extent is %lld", (long long)size);
  KernelExtent *extent = &parameter->shape[parameter->rank++];
  *extent = (KernelExtent){.size = size, .any = any};
  snprintf(extent->symbol, sizeof extent->symbol, "%.*s", KERNEL_SYMBOL_MAX - 1, symbol);
  return true;
}

// The extents that "..." and "*batch" stand for. Those of "..." differ between parameters.
static bool add_leading(Build *build, KernelParameter *parameter, unsigned option, unsigned turn,
                        bool any)
{
  static const int64_t extents[] = {2, 3, 2, 5};
  for (int32_t i = 0; i < kernel_site_rank(option); ++i)
    if (!add_extent(build, parameter, extents[((unsigned)i + turn) % 4], "", any)) return false;
  return true;
}

static bool make_extent(Build *build, uint32_t type, uint32_t index, KernelParameter *parameter)
{
  const SignatureExtent *extent = signature_extent(build->signature, index);
  const char *text = text_of(build, extent->text);
  int64_t size = 0;
  switch (extent->form) {
    case SIGNATURE_EXTENT_NUMBER:
      return add_extent(build, parameter, extent->number, "", false);
    case SIGNATURE_EXTENT_ANY:
      return add_extent(build, parameter, 2 + (index + parameter->seed) % 4, "", true);
    case SIGNATURE_EXTENT_ANY_RANK:
      return add_leading(build, parameter, option_at(build, KERNEL_SITE_RANK, type, NULL),
                         parameter->seed, true);
    case SIGNATURE_EXTENT_NAMED_RANK:
      return add_leading(build, parameter,
                         option_at(build, KERNEL_SITE_NAMED_RANK, SIGNATURE_NONE, text), 0, false);
    case SIGNATURE_EXTENT_BROADCAST:
      if (option_at(build, KERNEL_SITE_BROADCAST, index, NULL) == 1)
        return add_extent(build, parameter, 1, "", false);
      return integer_of(build, extent->text, &size) &&
             add_extent(build, parameter, size, "", false);
    case SIGNATURE_EXTENT_EXPRESSION:
      if (!integer_of(build, extent->text, &size)) return false;
      return add_extent(build, parameter, size, expression_is_name(text) ? text : "", false);
  }
  return fail(build, "an extent of an unknown form");
}

static bool make_shape(Build *build, uint32_t index, const SignatureValue *given,
                       KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  double elements = 1;
  if (!given && type->example != SIGNATURE_NONE && parameter->kind == KERNEL_SHAPE)
    given = signature_value(build->signature, type->example);
  parameter->rank = 0;
  if (given && given->kind == KERNEL_ARRAY) {
    for (uint32_t i = 0; i < given->items.count; ++i)
      if (!add_extent(build, parameter, item_of(build, given, i)->integer, "", true)) return false;
    return true;
  }
  if (parameter->kind == KERNEL_SHAPE && !type->has_shape)
    return add_extent(build, parameter, 2, "", true) && add_extent(build, parameter, 3, "", true);
  for (uint32_t i = 0; i < type->shape.count; ++i)
    if (!make_extent(build, index, type->shape.first + i, parameter)) return false;
  for (int32_t i = 0; i < parameter->rank; ++i) elements *= (double)parameter->shape[i].size;
  return parameter->kind != KERNEL_TENSOR || elements <= ELEMENTS_MOST ||
         fail(build, "a tensor of %.0f elements is more than are tried", elements);
}

// --- Tensors -------------------------------------------------------------------------------------

// The word that an option stands for, of a variable or of the type itself; NULL if none is said.
static const char *word_of(const Build *build, SignatureText variable, SignatureRange variables,
                           SignatureRange values, unsigned option)
{
  for (uint32_t i = 0; *text_of(build, variable) && i < variables.count; ++i) {
    const SignatureVariable *found = signature_variable(build->signature, variables.first + i);
    if (strcmp(text_of(build, found->name), text_of(build, variable)) == 0) values = found->values;
  }
  if (option >= values.count) return NULL;
  return text_of(build, signature_value(build->signature, values.first + option)->text);
}

static unsigned variable_option(const Build *build, KernelSiteKind kind, SignatureText variable,
                                SignatureRange variables)
{
  for (uint32_t i = 0; i < variables.count; ++i)
    if (strcmp(text_of(build, signature_variable(build->signature, variables.first + i)->name),
               text_of(build, variable)) == 0)
      return option_at(build, kind, variables.first + i, NULL);
  return 0;
}

static bool make_element_type(Build *build, uint32_t index, const SignatureType *type,
                              KernelParameter *parameter)
{
  const SignatureForm *form = build->form;
  const bool by_dtype = *text_of(build, type->dtype_variable);
  const bool by_device = *text_of(build, type->device_variable);
  const char *dtype = word_of(build, type->dtype_variable, form->dtypes, type->dtypes,
                              by_dtype ? variable_option(build, KERNEL_SITE_DTYPE_VARIABLE,
                                                         type->dtype_variable, form->dtypes)
                                       : option_at(build, KERNEL_SITE_DTYPE, index, NULL));
  const char *device = word_of(build, type->device_variable, form->devices, type->devices,
                               by_device ? variable_option(build, KERNEL_SITE_DEVICE_VARIABLE,
                                                           type->device_variable, form->devices)
                                         : option_at(build, KERNEL_SITE_DEVICE, index, NULL));
  if (!dtype) return fail(build, "%s has no data type", parameter->name);
  if (!signature_dtype(dtype, &parameter->dtype))
    return fail(build, "%s is not a data type", dtype);
  if (device && !signature_device(device, &parameter->device))
    return fail(build, "%s is not a device", device);
  copy_text(parameter, dtype, strlen(dtype));
  return true;
}

static bool is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt;
}

static bool make_contents(Build *build, const SignatureType *type, KernelParameter *parameter)
{
  const KernelChoice *choice = build->choice;
  const bool whole = is_whole(parameter->dtype);
  if (!within_limits(build, type, parameter)) return false;
  for (uint32_t i = 0; i < type->values.count && i < KERNEL_VALUES_MAX; ++i) {
    const SignatureValue *value = signature_value(build->signature, type->values.first + i);
    parameter->values[parameter->value_count++] =
        value->kind == KERNEL_FLOAT ? value->number : (double)value->integer;
  }
  const bool bound = parameter->has_least || parameter->has_most;
  if (type->example != SIGNATURE_NONE)
    take_value(build, signature_value(build->signature, type->example), parameter);
  else if (bound || !whole)
    parameter->contents = KERNEL_SPREAD;
  if (!whole && !bound && choice->contents != KERNEL_RISING) parameter->contents = choice->contents;
  if (whole && !bound && choice->whole > 0) {
    // Rising from 0; up to 2; nothing but zeros.
    parameter->number = 0;
    if (choice->whole > 1) {
      parameter->contents = KERNEL_SPREAD;
      parameter->has_least = parameter->has_most = true;
      parameter->most = choice->whole == 2 ? 2 : 0;
    }
  }
  return true;
}

static bool make_npy(Build *build, const SignatureValue *given, KernelParameter *parameter)
{
  static const char *const words[] = {
      [NPY_BOOL] = "bool", [NPY_INT] = "int", [NPY_UINT] = "uint", [NPY_FLOAT] = "float"};
  char problem[NPY_PROBLEM_MAX], word[24];
  NpyArray array;
  if (!npy_read_file(text_of(build, given->text), &array, problem))
    return fail(build, "%s", problem);
  parameter->contents = KERNEL_FROM_NPY;
  parameter->npy = given->text;
  parameter->rank = array.rank;
  for (int32_t i = 0; i < array.rank; ++i)
    parameter->shape[i] = (KernelExtent){.size = array.shape[i]};
  const NpyKind kind = array.kind;
  const uint32_t size = array.size;
  npy_free(&array);
  // Bytes without a meaning have the type that the signature says.
  if (kind == NPY_RAW)
    return parameter->dtype.bits == size * 8 ||
           fail(build, "elements of %u bytes for %s", size, parameter->text);
  snprintf(word, sizeof word, kind == NPY_BOOL ? "%s" : "%s%u", words[kind], size * 8);
  copy_text(parameter, word, strlen(word));
  return signature_dtype(word, &parameter->dtype) || fail(build, "%s is not a data type", word);
}

static bool make_tensor(Build *build, uint32_t index, const SignatureValue *given,
                        KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  parameter->role = type->role;
  parameter->alignment = type->alignment ? type->alignment : 1;
  parameter->device = (DLDevice){kDLCPU, 0};
  parameter->device_stated = type->devices.count > 0 || *text_of(build, type->device_variable);
  parameter->typed = type->has_shape && (type->dtypes.count > 0 || type->dtype_variable);
  if (given && given->kind == KERNEL_TENSOR) {
    if (parameter->typed && !make_element_type(build, index, type, parameter)) return false;
    parameter->typed = true;
    return make_npy(build, given, parameter);
  }
  if (!parameter->typed) return true;
  return make_element_type(build, index, type, parameter) &&
         make_shape(build, index, NULL, parameter) && make_contents(build, type, parameter);
}

// --- Containers ----------------------------------------------------------------------------------

static bool make(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                 KernelParameter *parameter);

static bool make_given(Build *build, const SignatureValue *value, KernelParameter *parameter);

static KernelParameter *room_for(Build *build, KernelParameter *parameter, int64_t count)
{
  Kernel *kernel = build->kernel;
  if (count < 0 || count > KERNEL_ELEMENTS_MAX - (int64_t)kernel->element_count) {
    fail(build, "more than %d elements in all containers of a call", KERNEL_ELEMENTS_MAX);
    return NULL;
  }
  parameter->first_element = kernel->element_count;
  parameter->element_count = (uint32_t)count;
  kernel->element_count += (uint32_t)count;
  return &kernel->elements[parameter->first_element];
}

static bool length_of(Build *build, uint32_t index, const SignatureValue *given, int64_t *length)
{
  const SignatureType *type = signature_type(build->signature, index);
  if (given && given->kind == KERNEL_ARRAY) {
    *length = given->items.count;
    return true;
  }
  if (type->length) return integer_of(build, type->length, length);
  *length = kernel_site_length(build->signature, type, false,
                               option_at(build, KERNEL_SITE_LENGTH, index, NULL));
  return true;
}

static bool make_element(Build *build, uint32_t index, const char *path, uint32_t at,
                         const SignatureValue *given, KernelParameter *element)
{
  char inner[PATH_MAX_];
  snprintf(inner, sizeof inner, "%.64s[%u]", path, at);
  const SignatureValue *own = *path ? setting_of(build, inner) : NULL;
  element->seed = at;
  return make(build, index, inner, own ? own : item_of(build, given, at), element);
}

static bool make_array(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                       KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  int64_t length;
  if (type->children.count == 0)
    return given ? make_given(build, given, parameter) : room_for(build, parameter, 0) != NULL;
  if (!length_of(build, index, given, &length)) return false;
  if (build->in_result && !type->length && type->lengths.count != 1) {
    length = 1;
    parameter->any_length = true;
  }
  KernelParameter *elements = room_for(build, parameter, length);
  if (!elements) return false;
  for (int64_t i = 0; i < length; ++i)
    if (!make_element(build, type->children.first, path, (uint32_t)i, given, &elements[i]))
      return false;
  return true;
}

static bool make_tuple(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                       KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  const uint32_t count = given ? given->items.count : type->children.count;
  KernelParameter *elements = room_for(build, parameter, count);
  for (uint32_t i = 0; elements && i < count; ++i)
    if (i < type->children.count
            ? !make_element(build, type->children.first + i, path, i, given, &elements[i])
            : !make_given(build, item_of(build, given, i), &elements[i]))
      return false;
  return elements != NULL;
}

// Keys and values as they are given.
static bool make_given_pairs(Build *build, uint32_t index, const char *path,
                             const SignatureValue *given, KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  KernelParameter *elements = room_for(build, parameter, given->items.count);
  for (uint32_t i = 0; elements && i < given->items.count; ++i)
    if (!make(build, type->children.first + i % 2, i % 2 ? path : "",
              signature_value(build->signature, given->items.first + i), &elements[i]))
      return false;
  return elements != NULL;
}

// Keys and values alternate. Keys of one type differ.
static bool make_pairs(Build *build, uint32_t index, const char *path, KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  int64_t length;
  if (!length_of(build, index, NULL, &length)) return false;
  if (build->in_result) {
    length = 1;
    parameter->any_length = true;
  }
  KernelParameter *elements = room_for(build, parameter, length * 2);
  for (uint32_t i = 0; elements && i < length; ++i) {
    KernelParameter *key = &elements[2 * (size_t)i];
    if (!make_element(build, type->children.first, "", i, NULL, key)) return false;
    key->integer += i;
    if (key->kind == KERNEL_STRING && i > 0) {
      char text[16];
      snprintf(text, sizeof text, "key%u", i);
      copy_text(key, text, strlen(text));
    }
    if (!make_element(build, type->children.first + 1, path, i, NULL, key + 1)) return false;
  }
  return elements != NULL;
}

static bool has_entry(const Build *build, const SignatureType *type, const char *key)
{
  for (uint32_t i = 0; i < type->children.count; ++i)
    if (strcmp(text_of(build, signature_type(build->signature, type->children.first + i)->name),
               key) == 0)
      return true;
  return false;
}

// Those that the signature does not know, behind the others. False if one can't be made.
static bool make_other_entries(Build *build, const SignatureType *type, const SignatureValue *given,
                               KernelParameter *elements)
{
  uint32_t at = type->children.count;
  for (uint32_t i = 0; given && i + 1 < given->items.count; i += 2) {
    const SignatureValue *key = signature_value(build->signature, given->items.first + i);
    if (has_entry(build, type, text_of(build, key->text))) continue;
    KernelParameter *element = &elements[at++];
    *element = (KernelParameter){.type = elements->type};
    snprintf(element->name, sizeof element->name, "%.*s", KERNEL_WORD_MAX - 1,
             text_of(build, key->text));
    if (!make_given(build, key + 1, element)) return false;
  }
  return true;
}

static uint32_t count_other_entries(const Build *build, const SignatureType *type,
                                    const SignatureValue *given)
{
  uint32_t count = 0;
  for (uint32_t i = 0; given && i + 1 < given->items.count; i += 2) {
    const SignatureValue *key = signature_value(build->signature, given->items.first + i);
    count += !has_entry(build, type, text_of(build, key->text));
  }
  return count;
}

static bool make_entries(Build *build, uint32_t index, const char *path,
                         const SignatureValue *given, KernelParameter *parameter)
{
  static const SignatureValue left_out = {.kind = KERNEL_NONE};
  const SignatureType *type = signature_type(build->signature, index);
  const uint32_t known = type->children.count;
  KernelParameter *elements =
      room_for(build, parameter, known + count_other_entries(build, type, given));
  for (uint32_t i = 0; elements && i < known; ++i) {
    const SignatureType *entry = signature_type(build->signature, type->children.first + i);
    char inner[PATH_MAX_];
    snprintf(inner, sizeof inner, "%.40s.%.40s", path, text_of(build, entry->name));
    const SignatureValue *own = setting_of(build, inner);
    if (!own) own = entry_of(build, given, text_of(build, entry->name));
    elements[i].seed = i;
    if (!make(build, type->children.first + i, inner, own || !given ? own : &left_out,
              &elements[i]))
      return false;
  }
  return elements && make_other_entries(build, type, given, elements);
}

static bool make_map(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                     KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  parameter->keyed = type->has_entries;
  if (type->has_entries) return make_entries(build, index, path, given, parameter);
  if (given && type->children.count == 2)
    return make_given_pairs(build, index, path, given, parameter);
  if (given) return make_given(build, given, parameter);
  return type->children.count == 2 ? make_pairs(build, index, path, parameter)
                                   : room_for(build, parameter, 0) != NULL;
}

// --- Given values of other kinds -----------------------------------------------------------------

static bool are_extents(const Build *build, const SignatureValue *given)
{
  for (uint32_t i = 0; i < given->items.count; ++i)
    if (item_of(build, given, i)->kind != KERNEL_INT) return false;
  return given->items.count <= KERNEL_RANK_MAX;
}

// Whether a value that a file gives can be one of this kind.
static bool can_be(const Build *build, const SignatureValue *given, KernelKind kind)
{
  DLDataType dtype;
  DLDevice device;
  const char *text = text_of(build, given->text);
  switch (kind) {
    case KERNEL_FLOAT:
      return given->kind == KERNEL_FLOAT || given->kind == KERNEL_INT;
    case KERNEL_BYTES:
      return given->kind == KERNEL_STRING;
    case KERNEL_DTYPE:
      return given->kind == KERNEL_STRING &&
             (!*text || strcmp(text, "handle") == 0 || signature_dtype(text, &dtype));
    case KERNEL_DEVICE:
      return given->kind == KERNEL_STRING && signature_device(text, &device);
    case KERNEL_SHAPE:
      return given->kind == KERNEL_ARRAY && are_extents(build, given);
    case KERNEL_TUPLE:
      return given->kind == KERNEL_ARRAY;
    case KERNEL_VARIANT:
      return true;
    default:
      return given->kind == kind;
  }
}

// Whatever type is stated.
static bool make_given(Build *build, const SignatureValue *value, KernelParameter *parameter)
{
  parameter->kind = value->kind;
  parameter->spellings = 0;
  parameter->keyed = false;
  switch (value->kind) {
    case KERNEL_TENSOR:
      parameter->typed = true;
      parameter->role = KERNEL_IN;
      parameter->alignment = 1;
      parameter->device = (DLDevice){kDLCPU, 0};
      return make_npy(build, value, parameter);
    case KERNEL_ARRAY:
    case KERNEL_MAP: {
      KernelParameter *elements = room_for(build, parameter, value->items.count);
      for (uint32_t i = 0; elements && i < value->items.count; ++i) {
        elements[i] = (KernelParameter){.type = parameter->type};
        if (!make_given(build, signature_value(build->signature, value->items.first + i),
                        &elements[i]))
          return false;
      }
      return elements != NULL;
    }
    default:
      take_value(build, value, parameter);
      return true;
  }
}

// --- Values --------------------------------------------------------------------------------------

static void begin(const Build *build, uint32_t index, KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  const uint32_t seed = parameter->seed;
  *parameter = (KernelParameter){.kind = type->kind,
                                 .optional = type->optional,
                                 .spellings = type->spellings,
                                 .type = index,
                                 .integer = 1,
                                 .number = 1,
                                 .seed = seed + 3 * index};
  snprintf(parameter->name, sizeof parameter->name, "%.*s", KERNEL_WORD_MAX - 1,
           text_of(build, type->name));
  snprintf(parameter->type_key, sizeof parameter->type_key, "%.*s", KERNEL_WORD_MAX - 1,
           text_of(build, type->type_key));
}

// The alternative that takes a given value, or the one that was chosen.
static uint32_t alternative(const Build *build, uint32_t index, const SignatureValue *given)
{
  const SignatureType *type = signature_type(build->signature, index);
  for (uint32_t i = 0; given && i < type->children.count; ++i) {
    const KernelKind kind = signature_type(build->signature, type->children.first + i)->kind;
    if (kind == given->kind || (given->kind == KERNEL_ARRAY && kind == KERNEL_TUPLE))
      return type->children.first + i;
  }
  return type->children.first + option_at(build, KERNEL_SITE_VARIANT, index, NULL);
}

static bool make_variant(Build *build, uint32_t index, const char *path,
                         const SignatureValue *given, KernelParameter *parameter)
{
  const KernelParameter outer = *parameter;
  if (signature_type(build->signature, index)->children.count == 0)
    return fail(build, "a variant without alternatives");
  // What it returns may be any of them.
  if (build->in_result) {
    parameter->kind = KERNEL_ANY;
    return true;
  }
  if (!make(build, alternative(build, index, given), path, given, parameter)) return false;
  parameter->optional |= outer.optional;
  memcpy(parameter->name, outer.name, sizeof outer.name);
  return true;
}

static bool make(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                 KernelParameter *parameter)
{
  begin(build, index, parameter);
  const bool none =
      given ? given->kind == KERNEL_NONE : option_at(build, KERNEL_SITE_GIVEN, index, NULL) == 1;
  if (none && !build->in_result) {
    parameter->kind = KERNEL_NONE;
    return true;
  }
  if (given && !can_be(build, given, parameter->kind)) return make_given(build, given, parameter);
  switch (parameter->kind) {
    case KERNEL_TENSOR:
      return make_tensor(build, index, given, parameter);
    case KERNEL_SHAPE:
      return make_shape(build, index, given, parameter);
    case KERNEL_ARRAY:
      return make_array(build, index, path, given, parameter);
    case KERNEL_TUPLE:
      return make_tuple(build, index, path, given, parameter);
    case KERNEL_MAP:
      return make_map(build, index, path, given, parameter);
    case KERNEL_VARIANT:
      return make_variant(build, index, path, given, parameter);
    default:
      return build->in_result || make_plain(build, index, given, parameter);
  }
}

// --- The call ------------------------------------------------------------------------------------

static bool make_sizes(Build *build)
{
  for (int i = 0; i < build->sites.count; ++i) {
    const KernelSite *site = &build->sites.items[i];
    const SignatureValue *given = setting_of(build, site->name);
    int64_t known;
    if (site->kind != KERNEL_SITE_SIZE || kernel_size_of(build->kernel, site->name, &known))
      continue;
    if (!set_size(build, site->name,
                  given ? given->integer
                        : kernel_site_size(build->signature, build->form, site,
                                           build->choice->options[i])))
      return false;
  }
  return true;
}

// The sizes that the shapes of given tensors imply.
static bool sizes_of_given(Build *build, const SignatureType *type, const SignatureValue *given)
{
  char problem[NPY_PROBLEM_MAX];
  NpyArray array;
  if (!given || given->kind != KERNEL_TENSOR || !type->has_shape) return true;
  if (!npy_read_file(text_of(build, given->text), &array, problem))
    return fail(build, "%s", problem);
  const int32_t rank = array.rank;
  int64_t shape[NPY_RANK_MAX];
  memcpy(shape, array.shape, sizeof shape);
  npy_free(&array);
  // From the end: what stands for any number of extents comes first.
  for (uint32_t i = 0; i < type->shape.count && i < (uint32_t)rank; ++i) {
    const SignatureExtent *extent =
        signature_extent(build->signature, type->shape.first + type->shape.count - 1 - i);
    const char *text = text_of(build, extent->text);
    if (extent->form == SIGNATURE_EXTENT_ANY_RANK || extent->form == SIGNATURE_EXTENT_NAMED_RANK)
      return true;
    if (extent->form == SIGNATURE_EXTENT_EXPRESSION && expression_is_name(text) &&
        !set_size(build, text, shape[rank - 1 - (int32_t)i]))
      return false;
  }
  return true;
}

static int64_t rest_count(Build *build)
{
  if (build->form->rest == SIGNATURE_NONE) return 0;
  const SignatureType *rest = signature_type(build->signature, build->form->rest);
  const SignatureValue *given = setting_of(build, text_of(build, rest->name));
  if (given && given->kind == KERNEL_ARRAY) return given->items.count;
  return kernel_site_length(build->signature, rest, true,
                            option_at(build, KERNEL_SITE_COUNT, build->form->rest, NULL));
}

static bool make_rest(Build *build)
{
  Kernel *kernel = build->kernel;
  const int64_t count = rest_count(build);
  const uint32_t first = build->form->parameters.count;
  if (count < 0 || count > KERNEL_PARAMETERS_MAX - (int64_t)first)
    return fail(build, "more than %d arguments", KERNEL_PARAMETERS_MAX);
  for (uint32_t i = 0; i < count; ++i) {
    const SignatureType *rest = signature_type(build->signature, build->form->rest);
    KernelParameter *parameter = &kernel->parameters[first + i];
    const char *path = text_of(build, rest->name);
    if (!make_element(build, build->form->rest, path, i, setting_of(build, path), parameter))
      return false;
    if (*path)
      snprintf(parameter->name, sizeof parameter->name, "%.*s[%u]", KERNEL_WORD_MAX - 16, path, i);
    kernel->parameter_count = build->shown = first + i + 1;
  }
  return true;
}

static bool is_scalar(const SignatureType *type)
{
  return type->kind == KERNEL_INT || type->kind == KERNEL_FLOAT || type->kind == KERNEL_BOOL ||
         type->kind == KERNEL_VARIANT;
}

// Scalars first, since shapes and lengths may be made of them, then containers, then tensors. A
// limit may need a parameter behind it: what fails at first is made again.
static bool make_parameters(Build *build)
{
  const SignatureRange range = build->form->parameters;
  bool made[KERNEL_PARAMETERS_MAX] = {false}, good = true;
  if (range.count > KERNEL_PARAMETERS_MAX)
    return fail(build, "more than %d parameters", KERNEL_PARAMETERS_MAX);
  build->kernel->parameter_count = build->shown = range.count;
  for (int round = 0; round < 6; ++round) {
    good = true;
    for (uint32_t i = 0; i < range.count; ++i) {
      const SignatureType *type = signature_type(build->signature, range.first + i);
      const char *path = text_of(build, type->name);
      const uint32_t elements = build->kernel->element_count;
      KernelParameter *parameter = &build->kernel->parameters[i];
      if (made[i] || (round < 2 && !is_scalar(type)) || (round < 3 && type->kind == KERNEL_TENSOR))
        continue;
      parameter->seed = i;
      made[i] = make(build, range.first + i, path, setting_of(build, path), parameter);
      if (made[i]) continue;
      build->kernel->element_count = elements;
      good = false;
      // Its name means nothing yet.
      parameter->name[0] = '\0';
    }
  }
  return good;
}

static bool conditions_hold(Build *build)
{
  const SignatureRange where = build->form->where;
  if (is_refused(build)) return true;
  for (uint32_t i = 0; i < where.count; ++i) {
    KernelNames names;
    const ExpressionScope scope = scope_of(build, &names);
    const char *text = signature_condition(build->signature, where.first + i);
    ExpressionError error = {0};
    bool holds = false;
    Expression *condition = expression_parse(text, &error);
    const bool known = condition && expression_holds(condition, &scope, &holds, &error);
    expression_free(condition);
    if (!known) return fail(build, "where \"%s\": %.200s", text, error.message);
    if (!holds) return fail(build, "where \"%s\" does not hold", text);
  }
  return true;
}

// What is set has to be somewhere in the call.
static bool settings_are_used(Build *build)
{
  const SignatureRange settings = build->choice->settings;
  for (uint32_t i = 0; i < settings.count && i < 64; ++i) {
    const SignatureSetting *setting = signature_setting(build->signature, settings.first + i);
    if (!(build->used >> i & 1))
      return fail(build, "there is no %s in the call", text_of(build, setting->name));
  }
  return true;
}

static bool make_result(Build *build)
{
  build->in_result = true;
  if (build->form->result == SIGNATURE_NONE) return true;
  return make(build, build->form->result, "", NULL, &build->kernel->result);
}

// A formula of what comes out; the signature has all of them.
static void take_expected(Build *build)
{
  Kernel *kernel = build->kernel;
  kernel->expected_of = build->form->parameters.count;
  kernel->expected[0] = '\0';
  for (uint32_t i = 0; i < build->form->expected.count; ++i) {
    const SignatureExpected *expected =
        signature_expected(build->signature, build->form->expected.first + i);
    const char *formula = text_of(build, expected->formula);
    if (!*formula || strlen(formula) >= sizeof kernel->expected) continue;
    for (uint32_t p = 0; p < kernel->parameter_count; ++p)
      if (strcmp(kernel->parameters[p].name, text_of(build, expected->of)) == 0)
        kernel->expected_of = p;
    memcpy(kernel->expected, formula, strlen(formula) + 1);
    return;
  }
}

// A real device, or its stand-in, is the one that was chosen.
static void put_on_chosen(const Kernel *kernel, KernelParameter *parameter)
{
  if (kernel->cuda && parameter->device.device_type == kDLCUDA)
    parameter->device.device_id = (int32_t)kernel->cuda - 1;
}

bool kernel_of_choice(const Signature *signature, const KernelChoice *choice, Kernel *kernel,
                      char problem[KERNEL_PROBLEM_MAX])
{
  Build build = {.signature = signature, .choice = choice, .kernel = kernel, .problem = problem};
  problem[0] = '\0';
  build.form = signature_form(signature, choice->form);
  kernel_sites_of(signature, choice->form, &build.sites);
  kernel->chosen = true;
  kernel->form = choice->form;
  kernel->listed = choice->call;
  kernel->parameter_count = kernel->element_count = kernel->size_count = 0;
  memset(kernel->parameters, 0, sizeof kernel->parameters);
  memset(kernel->elements, 0, sizeof kernel->elements);
  kernel->result = (KernelParameter){.kind = KERNEL_ANY};
  for (uint32_t i = 0; i < build.form->parameters.count; ++i) {
    const SignatureType *type = signature_type(signature, build.form->parameters.first + i);
    if (!sizes_of_given(&build, type, setting_of(&build, signature_text(signature, type->name))))
      return false;
  }
  if (!make_sizes(&build) || !make_parameters(&build) || !make_rest(&build) ||
      !settings_are_used(&build) || !conditions_hold(&build) || !make_result(&build))
    return false;
  take_expected(&build);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    put_on_chosen(kernel, &kernel->parameters[i]);
  for (uint32_t i = 0; i < kernel->element_count; ++i) put_on_chosen(kernel, &kernel->elements[i]);
  return true;
}
