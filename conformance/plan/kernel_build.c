// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expression/npy.h"
#include "plan/kernel_linear.h"
#include "signature/signature_words.h"

bool build_is_refused(const Build *build)
{
  return build->choice->standing == KERNEL_REFUSED;
}

const char *build_text(const Build *build, SignatureText text)
{
  return signature_text(build->signature, text);
}

bool build_fail(Build *build, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(build->problem, KERNEL_PROBLEM_MAX, format, arguments);
  va_end(arguments);
  return false;
}

unsigned build_option(const Build *build, KernelSiteKind kind, uint32_t of, const char *name)
{
  const int site = kernel_site_find(&build->sites, kind, of, name);
  return site < 0 ? 0 : build->choice->options[site];
}

// --- Names and expressions -----------------------------------------------------------------------

bool build_size(Build *build, const char *name, int64_t size)
{
  Kernel *kernel = build->kernel;
  int64_t before;
  if (kernel_size_of(kernel, name, &before))
    return before == size || build_is_refused(build) ||
           build_fail(build, "%s is %lld here and %lld there", name, (long long)before,
                      (long long)size);
  if (kernel->size_count == KERNEL_SIZES_MAX || strlen(name) >= KERNEL_SYMBOL_MAX)
    return build_fail(build, "more than %d sizes, or a longer name than %d bytes: %s",
                      KERNEL_SIZES_MAX, KERNEL_SYMBOL_MAX - 1, name);
  KernelSize *added = &kernel->sizes[kernel->size_count++];
  memcpy(added->name, name, strlen(name) + 1);
  added->size = size;
  return true;
}

ExpressionScope build_scope(const Build *build, KernelNames *names)
{
  *names = (KernelNames){build->kernel, build->shown, build->signature};
  return (ExpressionScope){.lookup = kernel_name_value, .context = names};
}

static bool number_of(Build *build, SignatureText text, double *out)
{
  KernelNames names;
  const ExpressionScope scope = build_scope(build, &names);
  ExpressionError error;
  long double value = 0;
  Expression *expression = expression_parse(build_text(build, text), &error);
  const bool good = expression && expression_number(expression, &scope, &value, &error);
  expression_free(expression);
  *out = (double)value;
  return good || build_fail(build, "%s: %.200s", build_text(build, text), error.message);
}

bool build_integer(Build *build, SignatureText text, int64_t *out)
{
  KernelNames names;
  const ExpressionScope scope = build_scope(build, &names);
  ExpressionError error;
  Expression *expression = expression_parse(build_text(build, text), &error);
  const bool good = expression && expression_integer(expression, &scope, out, &error);
  expression_free(expression);
  return good || build_fail(build, "%s: %.200s", build_text(build, text), error.message);
}

// --- Settings ------------------------------------------------------------------------------------

const SignatureValue *build_setting(Build *build, const char *path)
{
  const SignatureRange settings = build->choice->settings;
  if (!*path) return NULL;
  for (uint32_t i = 0; i < settings.count; ++i) {
    const SignatureSetting *setting = signature_setting(build->signature, settings.first + i);
    if (strcmp(build_text(build, setting->name), path) != 0) continue;
    build->used |= (uint64_t)1 << i % 64;
    return signature_value(build->signature, setting->value);
  }
  return NULL;
}

const SignatureValue *build_item(const Build *build, const SignatureValue *value, uint32_t i)
{
  return value && value->kind == KERNEL_ARRAY && i < value->items.count
             ? signature_value(build->signature, value->items.first + i)
             : NULL;
}

// --- Plain values --------------------------------------------------------------------------------

void build_copy_text(KernelParameter *parameter, const char *text, size_t size)
{
  const size_t kept = size < KERNEL_TEXT_MAX ? size : KERNEL_TEXT_MAX - 1;
  memset(parameter->text, 0, sizeof parameter->text);
  memcpy(parameter->text, text, kept);
  parameter->text_size = (uint32_t)kept;
}

void build_take_value(const Build *build, const SignatureValue *value, KernelParameter *parameter)
{
  const bool whole = parameter->kind == KERNEL_INT || parameter->kind == KERNEL_BOOL;
  if (whole && value->kind != KERNEL_FLOAT) parameter->integer = value->integer;
  if (whole && value->kind == KERNEL_FLOAT && fabs(value->number) < 0x1p62)
    parameter->integer = (int64_t)value->number;
  if (parameter->kind == KERNEL_FLOAT || parameter->kind == KERNEL_TENSOR)
    parameter->number = value->kind == KERNEL_FLOAT ? value->number : (double)value->integer;
  if (value->kind >= KERNEL_DTYPE && value->kind <= KERNEL_BYTES)
    build_copy_text(parameter, build_text(build, value->text), value->text_size);
  if (value->kind == KERNEL_OBJECT)
    build_copy_text(parameter, build_text(build, value->text), value->text_size);
  if (value->kind != KERNEL_FUNCTION) return;
  parameter->turns = value->items;
  // In a step a callback has its type with it.
  if (value->integer) parameter->type = (uint32_t)value->integer - 1;
}

static bool within_limits(Build *build, const SignatureType *type, KernelParameter *parameter)
{
  const double value =
      parameter->kind == KERNEL_INT ? (double)parameter->integer : parameter->number;
  if ((type->least && !number_of(build, type->least, &parameter->least)) ||
      (type->most && !number_of(build, type->most, &parameter->most)))
    return build_is_refused(build);
  parameter->has_least = type->least != 0;
  parameter->has_most = type->most != 0;
  if (build_is_refused(build) || (parameter->kind != KERNEL_INT && parameter->kind != KERNEL_FLOAT))
    return true;
  if ((type->least && !(value >= parameter->least)) || (type->most && !(value <= parameter->most)))
    return build_fail(build, "%s is %.17g, which is not between its limits",
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
    build_copy_text(parameter, kernel_texts_tried[tried % 3],
                    strlen(kernel_texts_tried[tried % 3]));
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

bool build_plain(Build *build, uint32_t index, const SignatureValue *given,
                 KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  const uint32_t listed = type->values.count;
  unsigned option = build_option(build, KERNEL_SITE_VALUE, index, NULL);
  const unsigned limits = (type->least != 0) + (type->most != 0);
  if (given) {
    build_take_value(build, given, parameter);
  } else if (listed && (option < listed || !type->takes_others)) {
    const uint32_t example = kernel_site_example(build->signature, type);
    build_take_value(
        build, signature_value(build->signature, type->values.first + (example + option) % listed),
        parameter);
  } else {
    if (listed) option -= listed - 1;
    if (type->example != SIGNATURE_NONE)
      build_take_value(build, signature_value(build->signature, type->example), parameter);
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

// --- Tensors -------------------------------------------------------------------------------------

// The word that an option stands for, of a variable or of the type itself; NULL if none is said.
static const char *word_of(const Build *build, SignatureText variable, SignatureRange variables,
                           SignatureRange values, unsigned option)
{
  for (uint32_t i = 0; *build_text(build, variable) && i < variables.count; ++i) {
    const SignatureVariable *found = signature_variable(build->signature, variables.first + i);
    if (strcmp(build_text(build, found->name), build_text(build, variable)) == 0)
      values = found->values;
  }
  if (option >= values.count) return NULL;
  return build_text(build, signature_value(build->signature, values.first + option)->text);
}

static unsigned variable_option(const Build *build, KernelSiteKind kind, SignatureText variable,
                                SignatureRange variables)
{
  for (uint32_t i = 0; i < variables.count; ++i)
    if (strcmp(build_text(build, signature_variable(build->signature, variables.first + i)->name),
               build_text(build, variable)) == 0)
      return build_option(build, kind, variables.first + i, NULL);
  return 0;
}

static const char *bound_word(const Build *build, const char *name)
{
  for (uint32_t i = 0; *name && i < build->word_count; ++i)
    if (strcmp(build->words[i].name, name) == 0) return build->words[i].word;
  return NULL;
}

// The data type that a parameter of this name is.
static const char *word_of_parameter(const Build *build, const char *name)
{
  for (uint32_t i = 0; *name && i < build->kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &build->kernel->parameters[i];
    if (parameter->kind == KERNEL_DTYPE && strcmp(parameter->name, name) == 0)
      return parameter->text;
  }
  return NULL;
}

static bool make_element_type(Build *build, uint32_t index, const SignatureType *type,
                              KernelParameter *parameter)
{
  const SignatureForm *form = build->form;
  const bool by_dtype = *build_text(build, type->dtype_variable);
  const bool by_device = *build_text(build, type->device_variable);
  const char *dtype = word_of(build, type->dtype_variable, form->dtypes, type->dtypes,
                              by_dtype ? variable_option(build, KERNEL_SITE_DTYPE_VARIABLE,
                                                         type->dtype_variable, form->dtypes)
                                       : build_option(build, KERNEL_SITE_DTYPE, index, NULL));
  const char *device = word_of(build, type->device_variable, form->devices, type->devices,
                               by_device ? variable_option(build, KERNEL_SITE_DEVICE_VARIABLE,
                                                           type->device_variable, form->devices)
                                         : build_option(build, KERNEL_SITE_DEVICE, index, NULL));
  const char *variable = build_text(build, type->dtype_variable);
  if (bound_word(build, variable)) dtype = bound_word(build, variable);
  if (!dtype) dtype = word_of_parameter(build, variable);
  if (!dtype) return build_fail(build, "%s has no data type", parameter->name);
  if (!signature_dtype(dtype, &parameter->dtype))
    return build_fail(build, "%s is not a data type", dtype);
  if (device && !signature_device(device, &parameter->device))
    return build_fail(build, "%s is not a device", device);
  build_copy_text(parameter, dtype, strlen(dtype));
  return true;
}

static bool is_whole(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt;
}

// The data types that are stated, by a name or here.
static SignatureRange words_of(const Build *build, const SignatureType *type)
{
  const char *name = build_text(build, type->dtype_variable);
  for (uint32_t i = 0; *name && i < build->form->dtypes.count; ++i) {
    const SignatureVariable *found =
        signature_variable(build->signature, build->form->dtypes.first + i);
    if (strcmp(build_text(build, found->name), name) == 0) return found->values;
  }
  return type->dtypes;
}

static bool is_float_word(const Build *build, const SignatureValue *word)
{
  DLDataType dtype;
  return signature_dtype(build_text(build, word->text), &dtype) && !is_whole(dtype) &&
         dtype.code != kDLBool;
}

// What an expression says of the elements of a parameter.
typedef struct Mention {
  bool named, places;
} Mention;

static void look_for(const char *text, const char *name, Mention *mention)
{
  ExpressionError error;
  Expression *expression = *text ? expression_parse(text, &error) : NULL;
  for (size_t i = 0; expression && expression_name(expression, i); ++i)
    if (strcmp(expression_name(expression, i), name) == 0) {
      mention->named = true;
      mention->places |= expression_has_places(expression, name);
    }
  expression_free(expression);
}

// Whether the formulas say that elements of the parameter are no places in other tensors, and no
// condition is about them.
static bool is_data_of_formulas(const Build *build, const SignatureType *type)
{
  const SignatureForm *form = build->form;
  const char *name = build_text(build, type->name);
  Mention in_formulas = {false, false}, elsewhere = {false, false};
  if (!*name) return false;
  for (uint32_t i = 0; i < form->expected.count; ++i)
    look_for(
        build_text(build, signature_expected(build->signature, form->expected.first + i)->formula),
        name, &in_formulas);
  for (uint32_t i = 0; i < form->where.count; ++i)
    look_for(signature_condition(build->signature, form->where.first + i), name, &elsewhere);
  for (uint32_t i = 0; i < form->refusals.count; ++i)
    look_for(build_text(build, signature_refusal(build->signature, form->refusals.first + i)->when),
             name, &elsewhere);
  return in_formulas.named && !in_formulas.places && !elsewhere.named;
}

// Whether floats may stand in the place of these integers: they are no places in other tensors then.
static bool is_data(const Build *build, const SignatureType *type)
{
  const SignatureRange words = words_of(build, type);
  for (uint32_t i = 0; i < words.count; ++i)
    if (is_float_word(build, signature_value(build->signature, words.first + i))) return true;
  return is_data_of_formulas(build, type);
}

static void take_whole_contents(KernelContents contents, KernelParameter *parameter)
{
  if (contents == KERNEL_NEGATIVE && parameter->dtype.code == kDLInt)
    parameter->contents = contents;
  if (contents == KERNEL_FINE && parameter->dtype.bits >= 32) parameter->contents = contents;
  if (contents == KERNEL_FEW || contents == KERNEL_WIDE) parameter->contents = contents;
}

static bool has_limit_for(const KernelParameter *parameter, KernelContents contents)
{
  return contents == KERNEL_SORTED || (contents == KERNEL_LEAST && parameter->has_least) ||
         (contents == KERNEL_MOST && parameter->has_most);
}

static void fill_whole(KernelWhole way, KernelParameter *parameter)
{
  const bool zeros = way == KERNEL_WHOLE_0 || way == KERNEL_COUNTED_0;
  if (way == KERNEL_WHOLE_AS_STATED || way == KERNEL_COUNTED) return;
  parameter->number = 0;
  if (way != KERNEL_WHOLE_TO_2 && !zeros) return;
  parameter->contents = KERNEL_SPREAD;
  parameter->has_least = parameter->has_most = true;
  parameter->most = zeros ? 0 : 2;
}

// Of integers with limits: rising from the least where nothing ends that, or all the least.
static void fill_bound(KernelWhole way, KernelParameter *parameter)
{
  const bool zeros = way == KERNEL_WHOLE_0 || way == KERNEL_COUNTED_0;
  const bool from_0 = way == KERNEL_WHOLE_FROM_0 || way == KERNEL_COUNTED_FROM_0;
  if (!parameter->has_least || parameter->value_count > 0) return;
  if (zeros) parameter->contents = KERNEL_LEAST;
  if (!from_0 || parameter->has_most) return;
  parameter->contents = KERNEL_RISING;
  parameter->number = parameter->least;
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
    build_take_value(build, signature_value(build->signature, type->example), parameter);
  else if (bound || !whole)
    parameter->contents = KERNEL_SPREAD;
  if (!whole && !bound && choice->contents != KERNEL_RISING) parameter->contents = choice->contents;
  if (whole && !bound && type->example == SIGNATURE_NONE && is_data(build, type))
    take_whole_contents(choice->contents, parameter);
  if (whole && choice->whole >= KERNEL_COUNTED && type->example == SIGNATURE_NONE &&
      build_counted(build, build_text(build, type->name), &parameter->contents, &parameter->most))
    return true;
  if (bound && has_limit_for(parameter, choice->bounded))
    parameter->contents = choice->bounded;
  else if (whole && bound && type->example == SIGNATURE_NONE)
    fill_bound((KernelWhole)choice->whole, parameter);
  if (whole && !bound) fill_whole((KernelWhole)choice->whole, parameter);
  return true;
}

// The type of elements that NumPy has; false for bytes without a meaning.
static bool npy_word(NpyKind kind, uint32_t size, char word[24])
{
  static const char *const words[] = {
      [NPY_BOOL] = "bool", [NPY_INT] = "int", [NPY_UINT] = "uint", [NPY_FLOAT] = "float"};
  if (kind == NPY_RAW) return false;
  snprintf(word, 24, kind == NPY_BOOL ? "%s" : "%s%u", words[kind], size * 8);
  return true;
}

static bool numpy_has(DLDataType dtype)
{
  return dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLFloat ||
         dtype.code == kDLBool;
}

// How many of these types are of this size, and none that NumPy has; the last of them.
static unsigned count_raw_words(const Build *build, SignatureRange words, uint32_t size,
                                const char **found)
{
  unsigned count = 0;
  for (uint32_t i = 0; i < words.count; ++i) {
    DLDataType dtype;
    const char *word = build_text(build, signature_value(build->signature, words.first + i)->text);
    if (!signature_dtype(word, &dtype) || dtype.lanes != 1 || dtype.bits != size * 8 ||
        numpy_has(dtype))
      continue;
    *found = word;
    ++count;
  }
  return count;
}

// The only one of these; NULL if there is none, or several.
static const char *raw_word(const Build *build, SignatureRange words, uint32_t size)
{
  const char *found = NULL;
  return count_raw_words(build, words, size, &found) == 1 ? found : NULL;
}

static void bind_text(Build *build, const SignatureType *type, const char *word)
{
  const char *name = build_text(build, type->dtype_variable);
  if (!*name || !*word || bound_word(build, name) || build->word_count == BUILD_BOUND_MAX) return;
  BuildWord *bound = &build->words[build->word_count++];
  bound->name = name;
  snprintf(bound->word, sizeof bound->word, "%s", word);
}

static void bind_word(Build *build, const SignatureType *type, NpyKind kind, uint32_t size)
{
  char word[24];
  const char *found =
      npy_word(kind, size, word) ? word : raw_word(build, words_of(build, type), size);
  if (found) bind_text(build, type, found);
}

// An integer that the call gives.
static bool given_integer(Build *build, const char *name, int64_t *number)
{
  const SignatureValue *value = build_setting(build, name);
  if (!value || value->kind != KERNEL_INT) return false;
  *number = value->integer;
  return true;
}

// What other names in an extent stand for: sizes that are known, and integers that the call gives.
static bool look_up_size(void *context, const char *name, ExpressionValue *value)
{
  Build *build = context;
  int64_t size;
  return (kernel_size_of(build->kernel, name, &size) || given_integer(build, name, &size)) &&
         expression_value_scalar(value, EXPRESSION_INT, size);
}

static bool is_parameter(const Build *build, const char *name)
{
  for (uint32_t i = 0; i < build->form->parameters.count; ++i) {
    const SignatureType *type = signature_type(build->signature, build->form->parameters.first + i);
    if (strcmp(build_text(build, type->name), name) == 0) return true;
  }
  return false;
}

// The size in an expression, if there is one that is not known.
static bool bind_expression(Build *build, const char *text, int64_t extent)
{
  ExpressionError error;
  Expression *expression = expression_parse(text, &error);
  const ExpressionScope known = {.lookup = look_up_size, .context = build};
  const char *wanted = NULL;
  unsigned open = 0;
  int64_t size;
  for (size_t i = 0; expression && expression_name(expression, i); ++i) {
    const char *name = expression_name(expression, i);
    if (kernel_size_of(build->kernel, name, &size) || given_integer(build, name, &size)) continue;
    ++open;
    wanted = name;
  }
  const bool solved = open == 1 && !is_parameter(build, wanted) &&
                      kernel_solve_size(expression, wanted, &known, extent, &size);
  const bool bound = !solved || build_size(build, wanted, size);
  expression_free(expression);
  return bound;
}

static bool has_expression(const Build *build, const SignatureType *type)
{
  bool found = false;
  for (uint32_t i = 0; i < type->shape.count; ++i) {
    const SignatureExtent *extent = signature_extent(build->signature, type->shape.first + i);
    found |= extent->form == SIGNATURE_EXTENT_EXPRESSION &&
             !expression_is_name(build_text(build, extent->text));
  }
  return found;
}

static bool bind_shape(Build *build, const SignatureType *type, bool solving, int32_t rank,
                       const int64_t *shape)
{
  const uint32_t count = type->shape.count;
  uint32_t any = 0;
  while (any < count && signature_extent(build->signature, type->shape.first + any)->form <
                            SIGNATURE_EXTENT_ANY_RANK)
    ++any;
  for (uint32_t i = 0; i < count; ++i) {
    const SignatureExtent *extent = signature_extent(build->signature, type->shape.first + i);
    const char *text = build_text(build, extent->text);
    const int32_t at = i > any ? rank - (int32_t)(count - i) : (int32_t)i;
    const int32_t leading = rank - (int32_t)count + 1;
    if (i == any && extent->form == SIGNATURE_EXTENT_NAMED_RANK && leading >= 0 &&
        !build_bound_rank(build, text) && build->rank_count < BUILD_BOUND_MAX) {
      BoundShape *bound = &build->ranks[build->rank_count++];
      *bound = (BoundShape){.name = text, .rank = leading};
      memcpy(bound->shape, shape + any, (size_t)leading * sizeof *shape);
    }
    if (extent->form == SIGNATURE_EXTENT_EACH && !solving && at >= 0 && at < rank &&
        !build_bind_each(build, text, shape[at]))
      return false;
    if (i == any || at < 0 || at >= rank || extent->form != SIGNATURE_EXTENT_EXPRESSION ||
        expression_is_name(text) == solving)
      continue;
    if (!(solving ? bind_expression(build, text, shape[at]) : build_size(build, text, shape[at])))
      return false;
  }
  return true;
}

// The length of an array: a name, or an expression, which may be of parameters.
static bool bind_length(Build *build, const char *text, bool solving, int64_t length)
{
  if (build->choice->lengths || expression_is_name(text) == solving || is_parameter(build, text))
    return true;
  return solving ? bind_expression(build, text, length) : build_size(build, text, length);
}

bool build_take_given(Build *build, const SignatureType *type, const SignatureValue *given,
                      bool solving)
{
  char problem[NPY_PROBLEM_MAX];
  NpyArray array;
  int64_t shape[KERNEL_RANK_MAX];
  if (given && given->kind == KERNEL_ARRAY && type->length)
    return bind_length(build, build_text(build, type->length), solving, given->items.count);
  if (!given || !type->has_shape || (solving && !has_expression(build, type))) return true;
  if (type->kind == KERNEL_SHAPE && given->kind == KERNEL_ARRAY) {
    const uint32_t rank = given->items.count < KERNEL_RANK_MAX ? given->items.count : 0;
    for (uint32_t i = 0; i < rank; ++i) shape[i] = build_item(build, given, i)->integer;
    return bind_shape(build, type, solving, (int32_t)rank, shape);
  }
  if (given->kind != KERNEL_TENSOR) return true;
  int32_t written;
  if (build_written_shape(build, given, &written, shape)) {
    bind_text(build, type, build_text(build, given->text));
    return bind_shape(build, type, solving, written, shape);
  }
  if (!npy_read_file(build_text(build, given->text), &array, problem))
    return build_fail(build, "%s", problem);
  const int32_t rank = array.rank;
  memcpy(shape, array.shape, sizeof shape);
  bind_word(build, type, array.kind, array.size);
  npy_free(&array);
  return bind_shape(build, type, solving, rank, shape);
}

bool build_npy(Build *build, const SignatureValue *given, KernelParameter *parameter)
{
  char problem[NPY_PROBLEM_MAX], word[24];
  NpyArray array;
  if (!npy_read_file(build_text(build, given->text), &array, problem))
    return build_fail(build, "%s", problem);
  parameter->contents = KERNEL_FROM_NPY;
  parameter->npy = given->text;
  parameter->rank = array.rank;
  for (int32_t i = 0; i < array.rank; ++i)
    parameter->shape[i] = (KernelExtent){.size = array.shape[i]};
  const NpyKind kind = array.kind;
  const uint32_t size = array.size;
  npy_free(&array);
  // Bytes without a meaning have the type that the signature says.
  if (kind == NPY_RAW && parameter->type >= build->signature->types.count)
    return build_fail(build, "a tensor without a data type");
  if (kind == NPY_RAW) {
    const SignatureType *type = signature_type(build->signature, parameter->type);
    const char *last = NULL;
    const unsigned count = count_raw_words(build, words_of(build, type), size, &last);
    const bool fits = parameter->dtype.bits == size * 8 && !numpy_has(parameter->dtype);
    if (!fits && count > 1)
      return build_fail(build, "bytes of one of several types that NumPy lacks: list \"elements\"");
    if (!fits && count == 1) {
      signature_dtype(last, &parameter->dtype);
      build_copy_text(parameter, last, strlen(last));
    }
    return parameter->dtype.bits == size * 8 ||
           build_fail(build, "elements of %u bytes for %s", size, parameter->text);
  }
  npy_word(kind, size, word);
  build_copy_text(parameter, word, strlen(word));
  return signature_dtype(word, &parameter->dtype) ||
         build_fail(build, "%s is not a data type", word);
}

bool build_tensor(Build *build, uint32_t index, const SignatureValue *given,
                  KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  parameter->role = type->role;
  parameter->alignment = type->alignment ? type->alignment : 1;
  parameter->device = (DLDevice){kDLCPU, 0};
  parameter->device_stated = type->devices.count > 0 || *build_text(build, type->device_variable);
  parameter->typed = type->has_shape && (type->dtypes.count > 0 || type->dtype_variable);
  if (given && given->kind == KERNEL_TENSOR) {
    if (parameter->typed && !make_element_type(build, index, type, parameter)) return false;
    parameter->typed = true;
    return given->items.count ? build_written(build, given, parameter)
                              : build_npy(build, given, parameter);
  }
  if (!parameter->typed) return true;
  return make_element_type(build, index, type, parameter) &&
         build_shape(build, index, NULL, parameter) && make_contents(build, type, parameter);
}
