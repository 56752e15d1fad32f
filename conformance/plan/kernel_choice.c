// SPDX-License-Identifier: Apache-2.0
// One call, made from a signature and a choice.
#include "plan/kernel_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression_type.h"
#include "plan/kernel_build.h"
#include "signature/signature_words.h"

enum { PATH_MAX_ = 96 };

// --- Containers ----------------------------------------------------------------------------------

static bool make(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                 KernelParameter *parameter);

// The value that an object in a file has under this key; NULL if it has none.
static const SignatureValue *entry_of(const Build *build, const SignatureValue *value,
                                      const char *key)
{
  for (uint32_t i = 0; value && i + 1 < value->items.count; i += 2) {
    const SignatureValue *found = signature_value(build->signature, value->items.first + i);
    if (strcmp(build_text(build, found->text), key) == 0) return found + 1;
  }
  return NULL;
}

static KernelParameter *room_for(Build *build, KernelParameter *parameter, int64_t count)
{
  Kernel *kernel = build->kernel;
  if (count < 0 || count > KERNEL_ELEMENTS_MAX - (int64_t)kernel->element_count) {
    build_fail(build, "more than %d elements in all containers of a call", KERNEL_ELEMENTS_MAX);
    return NULL;
  }
  parameter->first_element = kernel->element_count;
  parameter->element_count = (uint32_t)count;
  kernel->element_count += (uint32_t)count;
  KernelParameter *room = &kernel->elements[parameter->first_element];
  memset(room, 0, (size_t)count * sizeof *room);
  return room;
}

static bool length_of(Build *build, uint32_t index, const SignatureValue *given, int64_t *length)
{
  const SignatureType *type = signature_type(build->signature, index);
  if (given && given->kind == KERNEL_ARRAY) {
    *length = given->items.count;
    return true;
  }
  const Kernel *lengths = build->choice->lengths;
  for (uint32_t i = 0; type->length && lengths && i < lengths->parameter_count; ++i)
    if (lengths->parameters[i].type == index && lengths->parameters[i].kind == type->kind) {
      *length = lengths->parameters[i].element_count / (type->kind == KERNEL_MAP ? 2 : 1);
      return true;
    }
  if (type->length) return build_integer(build, type->length, length);
  *length = kernel_site_length(build->signature, type, false,
                               build_option(build, KERNEL_SITE_LENGTH, index, NULL));
  return true;
}

// `seed` is that of the container: what is at the same place of two of them differs.
static bool make_element(Build *build, uint32_t index, const char *path, uint32_t at,
                         const SignatureValue *given, uint32_t seed, KernelParameter *element)
{
  char inner[PATH_MAX_];
  snprintf(inner, sizeof inner, "%.64s[%u]", path, at);
  const SignatureValue *own = *path ? build_setting(build, inner) : NULL;
  element->seed = at + 5 * seed;
  return make(build, index, inner, own ? own : build_item(build, given, at), element);
}

static bool make_array(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                       KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  int64_t length;
  if (type->children.count == 0)
    return given ? build_given(build, given, parameter) : room_for(build, parameter, 0) != NULL;
  if (!length_of(build, index, given, &length)) return false;
  if (build->in_result && !type->length && type->lengths.count != 1) {
    length = 1;
    parameter->any_length = true;
  }
  KernelParameter *elements = room_for(build, parameter, length);
  if (!elements) return false;
  const uint32_t place = build->place;
  bool made = true;
  for (int64_t i = 0; made && i < length; ++i) {
    if (place == 0 && !parameter->any_length) build->place = (uint32_t)i + 1;
    made = make_element(build, type->children.first, path, (uint32_t)i, given, parameter->seed,
                        &elements[i]);
  }
  build->place = place;
  return made;
}

static bool make_tuple(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                       KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  const uint32_t count = given ? given->items.count : type->children.count;
  KernelParameter *elements = room_for(build, parameter, count);
  for (uint32_t i = 0; elements && i < count; ++i)
    if (i < type->children.count ? !make_element(build, type->children.first + i, path, i, given,
                                                 parameter->seed, &elements[i])
                                 : !build_given(build, build_item(build, given, i), &elements[i]))
      return false;
  return elements != NULL;
}

// JSON writes each key as a text: where keys are integers, it is one.
static SignatureValue key_given(const Build *build, const SignatureType *type,
                                const SignatureValue *given)
{
  char *end;
  const char *text = given->kind == KERNEL_STRING ? build_text(build, given->text) : "";
  const long long number = strtoll(text, &end, 10);
  if (type->kind != KERNEL_INT || !*text || *end) return *given;
  return (SignatureValue){.kind = KERNEL_INT, .integer = number};
}

// Keys and values as they are given.
static bool make_given_pairs(Build *build, uint32_t index, const char *path,
                             const SignatureValue *given, KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  KernelParameter *elements = room_for(build, parameter, given->items.count);
  const SignatureType *keys = signature_type(build->signature, type->children.first);
  for (uint32_t i = 0; elements && i < given->items.count; ++i) {
    const SignatureValue *item = signature_value(build->signature, given->items.first + i);
    const SignatureValue key = key_given(build, keys, item);
    if (!make(build, type->children.first + i % 2, i % 2 ? path : "", i % 2 ? item : &key,
              &elements[i]))
      return false;
  }
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
    if (!make_element(build, type->children.first, "", i, NULL, parameter->seed, key)) return false;
    key->integer += i;
    if (key->kind == KERNEL_STRING && i > 0) {
      char text[16];
      snprintf(text, sizeof text, "key%u", i);
      build_copy_text(key, text, strlen(text));
    }
    if (!make_element(build, type->children.first + 1, path, i, NULL, parameter->seed, key + 1))
      return false;
  }
  return elements != NULL;
}

static bool has_entry(const Build *build, const SignatureType *type, const char *key)
{
  for (uint32_t i = 0; i < type->children.count; ++i)
    if (strcmp(build_text(build, signature_type(build->signature, type->children.first + i)->name),
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
    if (has_entry(build, type, build_text(build, key->text))) continue;
    KernelParameter *element = &elements[at++];
    *element = (KernelParameter){.type = elements->type};
    snprintf(element->name, sizeof element->name, "%.*s", KERNEL_WORD_MAX - 1,
             build_text(build, key->text));
    if (!build_given(build, key + 1, element)) return false;
  }
  return true;
}

static uint32_t count_other_entries(const Build *build, const SignatureType *type,
                                    const SignatureValue *given)
{
  uint32_t count = 0;
  for (uint32_t i = 0; given && i + 1 < given->items.count; i += 2) {
    const SignatureValue *key = signature_value(build->signature, given->items.first + i);
    count += !has_entry(build, type, build_text(build, key->text));
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
    snprintf(inner, sizeof inner, "%.40s.%.40s", path, build_text(build, entry->name));
    const SignatureValue *own = build_setting(build, inner);
    if (!own) own = entry_of(build, given, build_text(build, entry->name));
    elements[i].seed = i;
    if (!make(build, type->children.first + i, inner, own || !given ? own : &left_out,
              &elements[i]))
      return false;
    elements[i].is_given = own != NULL;
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
  if (given) return build_given(build, given, parameter);
  return type->children.count == 2 ? make_pairs(build, index, path, parameter)
                                   : room_for(build, parameter, 0) != NULL;
}

// --- Given values of other kinds -----------------------------------------------------------------

static bool are_extents(const Build *build, const SignatureValue *given)
{
  for (uint32_t i = 0; i < given->items.count; ++i)
    if (build_item(build, given, i)->kind != KERNEL_INT) return false;
  return given->items.count <= KERNEL_RANK_MAX;
}

// Whether a value that a file gives can be one of this kind.
static bool can_be(const Build *build, const SignatureValue *given, KernelKind kind)
{
  DLDataType dtype;
  DLDevice device;
  const char *text = build_text(build, given->text);
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

static bool take_extents(const Build *build, const SignatureValue *value,
                         KernelParameter *parameter)
{
  parameter->typed = true;
  parameter->rank = (int32_t)value->items.count;
  for (int32_t i = 0; i < parameter->rank && i < KERNEL_RANK_MAX; ++i)
    parameter->shape[i].size =
        signature_value(build->signature, value->items.first + (uint32_t)i)->integer;
  return parameter->rank <= KERNEL_RANK_MAX;
}

// Whatever type is stated.
bool build_given(Build *build, const SignatureValue *value, KernelParameter *parameter)
{
  parameter->kind = value->kind;
  parameter->spellings = 0;
  parameter->keyed = false;
  switch (value->kind) {
    case KERNEL_TENSOR:
      parameter->typed = true;
      parameter->role = (KernelRole)value->integer;
      parameter->alignment = value->alignment ? value->alignment : 1;
      parameter->device = (DLDevice){kDLCPU, 0};
      return value->items.count ? build_written(build, value, parameter)
                                : build_npy(build, value, parameter);
    case KERNEL_SHAPE:
      return take_extents(build, value, parameter);
    case KERNEL_ARRAY:
    case KERNEL_MAP: {
      KernelParameter *elements = room_for(build, parameter, value->items.count);
      for (uint32_t i = 0; elements && i < value->items.count; ++i) {
        elements[i] = (KernelParameter){.type = parameter->type};
        if (!build_given(build, signature_value(build->signature, value->items.first + i),
                         &elements[i]))
          return false;
      }
      return elements != NULL;
    }
    default:
      build_take_value(build, value, parameter);
      return true;
  }
}

// --- Values --------------------------------------------------------------------------------------

// C++ takes tensors that may be None, or something else, as objects alone.
static unsigned usual_spellings(const SignatureType *type)
{
  return type->kind == KERNEL_TENSOR && type->optional ? KERNEL_SPELLED_OBJECT : 0;
}

static void begin(const Build *build, uint32_t index, KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  const uint32_t seed = parameter->seed;
  *parameter =
      (KernelParameter){.kind = type->kind,
                        .optional = type->optional,
                        .retained = type->retained,
                        .spellings = type->spellings ? type->spellings : usual_spellings(type),
                        .type = index,
                        .integer = 1,
                        .number = 1,
                        .seed = seed + 3 * index};
  snprintf(parameter->name, sizeof parameter->name, "%.*s", KERNEL_WORD_MAX - 1,
           build_text(build, type->name));
  snprintf(parameter->type_key, sizeof parameter->type_key, "%.*s", KERNEL_WORD_MAX - 1,
           build_text(build, type->type_key));
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
  return type->children.first + build_option(build, KERNEL_SITE_VARIANT, index, NULL);
}

static bool make_variant(Build *build, uint32_t index, const char *path,
                         const SignatureValue *given, KernelParameter *parameter)
{
  const KernelParameter outer = *parameter;
  if (signature_type(build->signature, index)->children.count == 0)
    return build_fail(build, "a variant without alternatives");
  // What it returns may be any of them.
  if (build->in_result) {
    parameter->kind = KERNEL_ANY;
    return true;
  }
  if (!make(build, alternative(build, index, given), path, given, parameter)) return false;
  parameter->optional |= outer.optional;
  parameter->retained |= outer.retained;
  if (parameter->kind == KERNEL_TENSOR && !parameter->spellings)
    parameter->spellings = KERNEL_SPELLED_OBJECT;
  memcpy(parameter->name, outer.name, sizeof outer.name);
  return true;
}

// What an array or a map holds in the example, and in each call that does not differ from it in the
// length.
static const SignatureValue *held_in_example(const Build *build, uint32_t index)
{
  const SignatureType *type = signature_type(build->signature, index);
  const bool holds = type->kind == KERNEL_ARRAY || type->kind == KERNEL_MAP;
  if (!holds || build->in_result || type->example == SIGNATURE_NONE ||
      build_option(build, KERNEL_SITE_LENGTH, index, NULL) > 0)
    return NULL;
  return signature_value(build->signature, type->example);
}

static bool make(Build *build, uint32_t index, const char *path, const SignatureValue *given,
                 KernelParameter *parameter)
{
  begin(build, index, parameter);
  const bool none =
      given ? given->kind == KERNEL_NONE : build_option(build, KERNEL_SITE_GIVEN, index, NULL) == 1;
  if (none && !build->in_result) {
    parameter->kind = KERNEL_NONE;
    return true;
  }
  if (!given) given = held_in_example(build, index);
  if (given && !can_be(build, given, parameter->kind)) return build_given(build, given, parameter);
  switch (parameter->kind) {
    case KERNEL_TENSOR:
      return build_tensor(build, index, given, parameter);
    case KERNEL_SHAPE:
      return build_shape(build, index, given, parameter);
    case KERNEL_ARRAY:
      return make_array(build, index, path, given, parameter);
    case KERNEL_TUPLE:
      return make_tuple(build, index, path, given, parameter);
    case KERNEL_MAP:
      return make_map(build, index, path, given, parameter);
    case KERNEL_VARIANT:
      return make_variant(build, index, path, given, parameter);
    default:
      return build->in_result || build_plain(build, index, given, parameter);
  }
}

// --- The call ------------------------------------------------------------------------------------

static bool make_sizes(Build *build)
{
  for (int i = 0; i < build->sites.count; ++i) {
    const KernelSite *site = &build->sites.items[i];
    const SignatureValue *given = build_setting(build, site->name);
    int64_t known;
    if (site->kind != KERNEL_SITE_SIZE || kernel_size_of(build->kernel, site->name, &known))
      continue;
    build->kernel->explored_size |= !given && build->choice->options[i] >= site->promised;
    if (!build_size(build, site->name,
                    given ? given->integer
                          : kernel_site_size(build->signature, build->form, site,
                                             build->choice->options[i])))
      return false;
  }
  return true;
}

static int64_t rest_count(Build *build)
{
  if (build->form->rest == SIGNATURE_NONE) return 0;
  const SignatureType *rest = signature_type(build->signature, build->form->rest);
  const SignatureValue *given = build_setting(build, build_text(build, rest->name));
  if (given && given->kind == KERNEL_ARRAY) return given->items.count;
  return kernel_site_length(build->signature, rest, true,
                            build_option(build, KERNEL_SITE_COUNT, build->form->rest, NULL));
}

static bool make_rest(Build *build)
{
  Kernel *kernel = build->kernel;
  const int64_t count = rest_count(build);
  const uint32_t first = build->form->parameters.count;
  if (count < 0 || count > KERNEL_PARAMETERS_MAX - (int64_t)first)
    return build_fail(build, "more than %d arguments", KERNEL_PARAMETERS_MAX);
  for (uint32_t i = 0; i < count; ++i) {
    const SignatureType *rest = signature_type(build->signature, build->form->rest);
    KernelParameter *parameter = &kernel->parameters[first + i];
    *parameter = (KernelParameter){0};
    const char *path = build_text(build, rest->name);
    if (!make_element(build, build->form->rest, path, i, build_setting(build, path), 0, parameter))
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
    return build_fail(build, "more than %d parameters", KERNEL_PARAMETERS_MAX);
  build->kernel->parameter_count = build->shown = range.count;
  memset(build->kernel->parameters, 0, range.count * sizeof *build->kernel->parameters);
  for (int round = 0; round < 6; ++round) {
    good = true;
    for (uint32_t i = 0; i < range.count; ++i) {
      const SignatureType *type = signature_type(build->signature, range.first + i);
      const char *path = build_text(build, type->name);
      const uint32_t elements = build->kernel->element_count;
      KernelParameter *parameter = &build->kernel->parameters[i];
      if (made[i] || (round < 2 && !is_scalar(type)) || (round < 3 && type->kind == KERNEL_TENSOR))
        continue;
      parameter->seed = i;
      made[i] = make(build, range.first + i, path, build_setting(build, path), parameter);
      if (made[i]) continue;
      build->kernel->element_count = elements;
      good = false;
      // Its name means nothing yet.
      parameter->name[0] = '\0';
    }
  }
  return good;
}

// Whether a condition could be worked out in the call; then *holds is what it is.
static bool work_out_condition(const Build *build, const char *text, bool *holds,
                               ExpressionError *error)
{
  KernelNames names;
  const ExpressionScope scope = build_scope(build, &names);
  Expression *condition = expression_parse(text, error);
  const bool known = condition && expression_holds(condition, &scope, holds, error);
  expression_free(condition);
  return known;
}

// Whether the call is one that "refuses" has under "when". What can't be worked out, as a value is
// None, is none of them.
static const char *refused_when(const Build *build)
{
  const SignatureRange refusals = build->form->refusals;
  for (uint32_t i = 0; i < refusals.count; ++i) {
    const SignatureRefusal *refusal = signature_refusal(build->signature, refusals.first + i);
    const char *text = build_text(build, refusal->when);
    ExpressionError error = {0};
    bool holds = false;
    if (refusal->when && work_out_condition(build, text, &holds, &error) && holds) return text;
  }
  return NULL;
}

static bool conditions_hold(Build *build)
{
  const SignatureRange where = build->form->where;
  if (build_is_refused(build)) return true;
  for (uint32_t i = 0; i < where.count; ++i) {
    const char *text = signature_condition(build->signature, where.first + i);
    ExpressionError error = {0};
    bool holds = false;
    if (!work_out_condition(build, text, &holds, &error))
      return build_fail(build, "where \"%s\": %.200s", text, error.message);
    if (!holds)
      return build_fail(
          build, "where \"%s\" does not hold%s", text,
          build->choice->call ? " (what the call leaves out is as in the example)" : "");
  }
  const char *refused = refused_when(build);
  return !refused || build_fail(build, "it is refused when \"%s\"", refused);
}

// What is set has to be somewhere in the call.
static bool settings_are_used(Build *build)
{
  const SignatureRange settings = build->choice->settings;
  for (uint32_t i = 0; i < settings.count && i < 64; ++i) {
    const SignatureSetting *setting = signature_setting(build->signature, settings.first + i);
    if (!(build->used >> i & 1))
      return build_fail(build, "there is no %s in the call", build_text(build, setting->name));
  }
  return true;
}

static bool make_result(Build *build)
{
  build->in_result = true;
  build->argument_elements = build->kernel->element_count;
  if (build->form->result == SIGNATURE_NONE || build_is_refused(build)) return true;
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
    const char *formula = build_text(build, expected->formula);
    if (!*formula || strlen(formula) >= sizeof kernel->expected) continue;
    for (uint32_t p = 0; p < kernel->parameter_count; ++p)
      if (strcmp(kernel->parameters[p].name, build_text(build, expected->of)) == 0)
        kernel->expected_of = p;
    memcpy(kernel->expected, formula, strlen(formula) + 1);
    return;
  }
}

// --- What depends on the rest of the call ---------------------------------------------------------

static bool is_narrow_float(DLDataType dtype)
{
  return dtype.lanes == 1 && dtype.bits <= 16 && dtype.code != kDLInt && dtype.code != kDLUInt &&
         dtype.code != kDLBool && dtype.code != kDLBfloat;
}

// The largest number that is not normal in the narrowest float that the function writes; 1 where
// what is not normal may be flushed to 0, as in wide ones.
static double largest_tiny(const Kernel *kernel)
{
  double largest = 1;
  for (uint32_t i = 0; i <= kernel_place_count(kernel); ++i) {
    const KernelParameter *written =
        i < kernel_place_count(kernel) ? kernel_place_of(kernel, i) : &kernel->result;
    const bool result = written == &kernel->result || i >= kernel->parameter_count;
    ExpressionType type;
    if (written->kind != KERNEL_TENSOR || !written->typed || !is_narrow_float(written->dtype) ||
        (!result && written->role == KERNEL_IN) ||
        !expression_type_of(written->dtype.code, written->dtype.bits, &type))
      continue;
    const double normal = ldexp(1, -type.bias);
    if (normal < largest) largest = normal;
  }
  return largest;
}

// From where on a sum with 1 is the number itself, in as many bits; of integers close to the largest.
static double widest(DLDataType dtype)
{
  if (dtype.code == kDLInt || dtype.code == kDLUInt)
    return ldexp(1, dtype.bits < 64 ? dtype.bits - (dtype.code == kDLInt ? 1 : 0) : 61) - 1;
  if (dtype.bits == 64) return 0x1p24;
  if (dtype.bits == 32) return 1;
  return dtype.code == kDLBfloat ? 0x1p8 : dtype.bits == 16 ? 0x1p11 : 1;
}

// Of several tensors of floats the first holds what is wide: the product of two would be too large.
static void set_scales(Kernel *kernel)
{
  const double largest = largest_tiny(kernel);
  bool first = true;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    KernelParameter *parameter = kernel_place(kernel, i);
    if (parameter->kind != KERNEL_TENSOR) continue;
    if (parameter->contents == KERNEL_TINY) parameter->number = largest;
    if (parameter->contents != KERNEL_WIDE) continue;
    const bool whole = parameter->dtype.code == kDLInt || parameter->dtype.code == kDLUInt;
    parameter->number = whole || first ? widest(parameter->dtype) : 1;
    first &= whole;
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
  kernel->explored_size = false;
  kernel->parameter_count = kernel->element_count = kernel->size_count = 0;
  kernel->result = (KernelParameter){.kind = KERNEL_ANY};
  const uint32_t parameters = build.form->parameters.count;
  for (uint32_t i = 0; i < 2 * parameters; ++i) {
    const SignatureType *type =
        signature_type(signature, build.form->parameters.first + i % parameters);
    if (!build_take_given(&build, type,
                          build_setting(&build, signature_text(signature, type->name)),
                          i >= parameters))
      return false;
  }
  for (uint32_t i = 0; i < parameters; ++i) {
    const SignatureType *type = signature_type(signature, build.form->parameters.first + i);
    build_take_held(&build, type, build_setting(&build, signature_text(signature, type->name)));
  }
  build_take_within(&build);
  build_take_rest(&build);
  if (!make_sizes(&build) || !make_parameters(&build) || !make_rest(&build) ||
      !settings_are_used(&build) || !conditions_hold(&build) || !make_result(&build))
    return false;
  take_expected(&build);
  set_scales(kernel);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    put_on_chosen(kernel, &kernel->parameters[i]);
  for (uint32_t i = 0; i < kernel->element_count; ++i) put_on_chosen(kernel, &kernel->elements[i]);
  return true;
}
