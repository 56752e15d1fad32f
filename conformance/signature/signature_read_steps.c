// SPDX-License-Identifier: Apache-2.0
// Calls after each other: "needs" and "sequences".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "signature/signature_reading.h"

enum { STEPS_MAX = 64, SEQUENCES_MAX = 64, ARGUMENTS_MAX = 64 };

// --- What is kept --------------------------------------------------------------------------------

// Whether one of the first `count` steps of a list keeps its result under this name.
static bool is_kept_before(const json_t *steps, size_t count, const char *name)
{
  for (size_t i = 0; i < count; ++i) {
    const char *keep = json_string_value(json_object_get(json_array_get(steps, i), "keep"));
    if (keep && strcmp(keep, name) == 0) return true;
  }
  return false;
}

bool reading_is_kept(const json_t *value)
{
  return json_object_size(value) == 1 && json_object_get(value, "kept");
}

// One of the first `count` steps has to keep it.
static bool read_kept(Reading *reading, const json_t *value, const json_t *steps, size_t count,
                      SignatureValue *out)
{
  const char *name = json_string_value(json_object_get(value, "kept"));
  if (!reading_is_kept(value) || !name)
    return reading_complain(reading, "", "an object is {\"kept\": NAME}");
  if (!is_kept_before(steps, count, name))
    return reading_complain(reading, "kept", "no earlier step has \"keep\": \"%.40s\"", name);
  *out = (SignatureValue){.kind = KERNEL_OBJECT,
                          .text = reading_add_text(reading, name),
                          .text_size = (uint32_t)strlen(name)};
  return true;
}

bool reading_kept(Reading *reading, const json_t *value, const json_t *steps, SignatureValue *out)
{
  return read_kept(reading, value, steps, json_array_size(steps), out);
}

// --- The step that is read -----------------------------------------------------------------------

typedef struct Step {
  const json_t *object;
  const json_t *list;    // of all steps
  size_t number;         // of this one, in the list
  const json_t *callee;  // what the file says of the function; NULL: nothing, as of a method
} Step;

static bool is_refused(const Step *step)
{
  return json_object_get(step->object, "refused") != NULL;
}

static bool has_parameters(const Step *step)
{
  return json_is_array(json_object_get(step->callee, "parameters")) &&
         !json_object_get(step->callee, "rest");
}

// --- Arguments -----------------------------------------------------------------------------------

// What a callback does in this step, with its type, whose names are those of the function that is called.
static bool read_callback(Reading *reading, const Step *step, const json_t *json,
                          const json_t *callback, SignatureValue *out)
{
  ReadingName outer[READING_NAMES_MAX];
  const size_t outer_count = reading->name_count;
  SignatureType type;
  memcpy(outer, reading->names, sizeof outer);
  const bool read = reading_collect_names(reading, step->callee) &&
                    reading_type(reading, callback, READING_PLACE_PARAMETER, &type);
  memcpy(reading->names, outer, sizeof outer);
  reading->name_count = outer_count;
  if (!read || !reading_turns(reading, json, callback, out)) return false;
  out->integer = (int64_t)signature_add_types(reading->build, &type, 1).first + 1;
  return true;
}

static bool read_given(Reading *reading, const Step *step, const json_t *json, const json_t *type,
                       SignatureValue *out);

static KernelKind kind_of(const json_t *type)
{
  const char *kind = json_string_value(json_object_get(type, "kind"));
  for (int k = 0; kind && k < KERNEL_KIND_COUNT; ++k)
    if (strcmp(kind, kernel_kind_names[k]) == 0) return (KernelKind)k;
  return KERNEL_ANY;
}

// Items of a list (`keys` NULL), or what follows each of its keys.
static bool read_list(Reading *reading, const Step *step, const json_t *json, const json_t *type,
                      SignatureValue *out)
{
  SignatureValue items[ARGUMENTS_MAX];
  const size_t count = json_array_size(json);
  if (count > ARGUMENTS_MAX)
    return reading_complain(reading, "", "more than %d elements", ARGUMENTS_MAX);
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!read_given(reading, step, json_array_get(json, i), reading_type_of_item(type, i),
                    &items[i]))
      return false;
    reading_leave(reading);
  }
  *out = (SignatureValue){.kind = KERNEL_ARRAY,
                          .items = signature_add_values(reading->build, items, count)};
  return true;
}

static SignatureValue key_of(Reading *reading, const json_t *type, const char *key)
{
  char *end;
  const long long number = strtoll(key, &end, 10);
  if (kind_of(json_object_get(type, "key")) == KERNEL_INT && *key && !*end)
    return (SignatureValue){.kind = KERNEL_INT, .integer = number};
  return (SignatureValue){.kind = KERNEL_STRING,
                          .text = reading_add_text(reading, key),
                          .text_size = (uint32_t)strlen(key)};
}

static bool read_map(Reading *reading, const Step *step, const json_t *json, const json_t *type,
                     SignatureValue *out)
{
  SignatureValue items[2 * ARGUMENTS_MAX];
  const char *key;
  json_t *value;
  size_t count = 0;
  if (json_object_size(json) > ARGUMENTS_MAX)
    return reading_complain(reading, "", "more than %d entries", ARGUMENTS_MAX);
  json_object_foreach((json_t *)(uintptr_t)json, key, value)
  {
    if (!reading_key(reading, key)) return false;
    items[count++] = key_of(reading, type, key);
    reading_enter(reading, key);
    if (!read_given(reading, step, value, reading_type_of_entry(type, key), &items[count++]))
      return false;
    reading_leave(reading);
  }
  *out = (SignatureValue){.kind = KERNEL_MAP,
                          .items = signature_add_values(reading->build, items, count)};
  return true;
}

// Its data type is that of the parameter, where that has one only.
static bool read_tensor(Reading *reading, const json_t *json, const json_t *type,
                        SignatureValue *out)
{
  const json_t *dtypes = json_object_get(type, "dtype");
  if (json_array_size(dtypes) == 1) dtypes = json_array_get(dtypes, 0);
  const char *dtype = json_string_value(dtypes);
  SignatureValue word;
  if (!(type ? reading_tensor_argument(reading, json, type, out)
             : reading_tensor(reading, json, out)))
    return false;
  if (out->items.count == 0 || out->text_size) return true;
  if (!dtype || json_object_get(reading->dtypes, dtype))
    return reading_complain(reading, "", "say its \"dtype\", too");
  if (!reading_value(reading, dtypes, KERNEL_DTYPE, &word)) return false;
  out->text = word.text;
  out->text_size = word.text_size;
  return true;
}

static bool read_held(Reading *reading, const Step *step, const json_t *json, const json_t *type,
                      SignatureValue *out)
{
  if (++reading->depth >= SIGNATURE_DEPTH_MAX)
    return reading_complain(reading, "", "more than %d values within each other",
                            SIGNATURE_DEPTH_MAX);
  const bool good = json_is_array(json) ? read_list(reading, step, json, type, out)
                                        : read_map(reading, step, json, type, out);
  --reading->depth;
  return good;
}

// Whether a call with the value is refused, if at all, for more than its kind.
static bool is_of_kind(const json_t *json, KernelKind kind)
{
  double number;
  switch (kind) {
    case KERNEL_INT:
      return json_is_integer(json);
    case KERNEL_BOOL:
      return json_is_boolean(json);
    case KERNEL_FLOAT:
      return json_is_number(json) ||
             (json_is_string(json) && reading_is_special(json_string_value(json), &number));
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      return json_is_string(json);
    case KERNEL_SHAPE:
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
      return json_is_array(json);
    case KERNEL_TENSOR:
    case KERNEL_MAP:
      return json_is_object(json);
    default:
      return true;
  }
}

static bool read_plain(Reading *reading, const json_t *json, KernelKind kind, SignatureValue *out)
{
  if (kind == KERNEL_FUNCTION || kind == KERNEL_OBJECT || kind == KERNEL_POINTER)
    return reading_complain(reading, "", "a value of kind \"%s\" is {\"kept\": NAME}%s, or null",
                            kernel_kind_names[kind],
                            kind == KERNEL_FUNCTION ? ", {\"does\": [FORMULA, ...]}" : "");
  if (kind == KERNEL_ANY || kind == KERNEL_NONE || kind == KERNEL_VARIANT)
    return reading_any_value(reading, json, out);
  if (kind == KERNEL_FLOAT ? !reading_float(reading, json, out)
                           : !reading_value(reading, json, kind, out))
    return false;
  out->kind = kind;
  return true;
}

static bool read_given(Reading *reading, const Step *step, const json_t *json, const json_t *type,
                       SignatureValue *out)
{
  KernelKind kind = kind_of(type);
  if (reading_is_kept(json)) return read_kept(reading, json, step->list, step->number, out);
  if (is_refused(step) && !is_of_kind(json, kind)) kind = KERNEL_ANY, type = NULL;
  if (json_is_null(json)) {
    *out = (SignatureValue){.kind = KERNEL_NONE};
    return true;
  }
  const json_t *callback = reading_callback_of(type);
  if (reading_is_turns(json, kind, callback))
    return read_callback(reading, step, json, callback, out);
  if (kind == KERNEL_VARIANT && (json_is_array(json) || json_is_object(json))) {
    const json_t *chosen = reading_chosen_type(type, json);
    if (chosen && reading_fits(chosen, json)) type = chosen, kind = kind_of(type);
  }
  if (kind == KERNEL_TENSOR) return read_tensor(reading, json, type, out);
  if (reading_is_tensor(json)) {
    if (!read_tensor(reading, json, NULL, out)) return false;
    out->alignment = reading_alignment(type);
    return true;
  }
  if ((kind == KERNEL_ARRAY || kind == KERNEL_TUPLE || kind == KERNEL_ANY ||
       kind == KERNEL_VARIANT) &&
      json_is_array(json))
    return read_held(reading, step, json, type, out);
  if ((kind == KERNEL_MAP || kind == KERNEL_ANY || kind == KERNEL_VARIANT) && json_is_object(json))
    return read_held(reading, step, json, type, out);
  if (kind == KERNEL_ARRAY || kind == KERNEL_TUPLE || kind == KERNEL_MAP)
    return reading_complain(reading, "", "expected an %s", kind == KERNEL_MAP ? "object" : "array");
  return read_plain(reading, json, kind, out);
}

// What the file says of the argument at this position; NULL if it says nothing.
static const json_t *type_at(const Step *step, size_t position)
{
  const json_t *type = json_array_get(json_object_get(step->callee, "parameters"), position);
  return type ? type : json_object_get(step->callee, "rest");
}

// Whether nobody may hold an argument of this type when the step is over.
static bool is_let_go(const json_t *type)
{
  return type && !json_is_true(json_object_get(type, "retained"));
}

// The value of a parameter of this type (NULL: nothing is known of it).
static SignatureSetting setting_of(Reading *reading, const json_t *type,
                                   const SignatureValue *value)
{
  return (SignatureSetting){.value = signature_add_values(reading->build, value, 1).first,
                            .spellings = reading_spellings(type, value->kind),
                            .let_go = is_let_go(type)};
}

// By position: of methods nothing is known, and functions may take any number of arguments.
static bool read_in_order(Reading *reading, const Step *step, const json_t *list,
                          SignatureSetting *settings)
{
  for (size_t i = 0; i < json_array_size(list); ++i) {
    SignatureValue value;
    reading_enter_item(reading, i);
    if (!read_given(reading, step, json_array_get(list, i), type_at(step, i), &value)) return false;
    reading_leave(reading);
    settings[i] = setting_of(reading, type_at(step, i), &value);
  }
  return true;
}

static bool read_by_name(Reading *reading, const Step *step, const json_t *object,
                         SignatureSetting *settings)
{
  const json_t *parameters = json_object_get(step->callee, "parameters");
  const char *known[SIGNATURE_PARAMETERS_MAX + 1] = {0};
  for (size_t i = 0; i < json_array_size(parameters); ++i) {
    const char *name = json_string_value(json_object_get(json_array_get(parameters, i), "name"));
    if (!name) return reading_complain(reading, "", "parameter %zu has no name", i);
    known[i] = name;
  }
  if (!reading_check_members(reading, object, known)) return false;
  for (size_t i = 0; known[i]; ++i) {
    const json_t *json = json_object_get(object, known[i]);
    SignatureValue value;
    if (!json)
      return reading_complain(reading, "", "\"%.40s\" is missing: a step gives each argument",
                              known[i]);
    reading_enter(reading, known[i]);
    if (!read_given(reading, step, json, json_array_get(parameters, i), &value)) return false;
    reading_leave(reading);
    settings[i] = setting_of(reading, json_array_get(parameters, i), &value);
    settings[i].name = reading_add_text(reading, known[i]);
  }
  return true;
}

static bool read_arguments(Reading *reading, const Step *step, SignatureRange *out)
{
  SignatureSetting settings[ARGUMENTS_MAX];
  const json_t *arguments = json_object_get(step->object, "arguments");
  const bool named = has_parameters(step);
  const json_t *parameters = json_object_get(step->callee, "parameters");
  size_t count = named ? json_array_size(parameters) : json_array_size(arguments);
  if (named ? !json_is_object(arguments) && (arguments || count)
            : arguments && !json_is_array(arguments))
    return reading_complain(
        reading, "arguments",
        named ? "expected an object of arguments by name" : "expected an array of arguments");
  if (count > SIGNATURE_PARAMETERS_MAX - 1)
    return reading_complain(reading, "arguments", "more than %d arguments",
                            SIGNATURE_PARAMETERS_MAX - 1);
  reading_enter(reading, "arguments");
  if (arguments && !(named ? read_by_name(reading, step, arguments, settings)
                           : read_in_order(reading, step, arguments, settings)))
    return false;
  reading_leave(reading);
  *out = signature_add_settings(reading->build, settings, count);
  return true;
}

// --- What is called ------------------------------------------------------------------------------

static bool read_callee(Reading *reading, Step *step, SignatureStep *out)
{
  const char *call = json_string_value(json_object_get(step->object, "call"));
  char object[SIGNATURE_NAME_MAX];
  if (!call || !*call)
    return reading_complain(reading, "call",
                            "expected a function of the module, or a method such as \"pool.add\"");
  step->callee = json_object_get(reading->functions, call);
  out->function = reading_add_text(reading, call);
  if (json_is_object(step->callee)) {
    return !json_is_true(json_object_get(step->callee, "launches")) ||
           reading_complain(reading, "call", "\"%.60s\" launches work on a device", call);
  }
  const size_t length = strcspn(call, ".");
  snprintf(object, sizeof object, "%.*s", (int)length, call);
  if (length >= sizeof object || !is_kept_before(step->list, step->number, object))
    return reading_complain(
        reading, "call", "\"%.60s\" is neither in \"functions\" nor kept by an earlier step", call);
  out->object = reading_add_text(reading, object);
  out->function = reading_add_text(reading, call[length] ? call + length + 1 : "");
  return !call[length] || call[length + 1] ||
         reading_complain(reading, "call", "expected the name of a method behind the dot");
}

static bool read_keep(Reading *reading, const Step *step, SignatureText *out)
{
  const json_t *keep = json_object_get(step->object, "keep");
  if (!keep) return true;
  if (!json_is_string(keep) || !expression_is_name(json_string_value(keep)))
    return reading_complain(reading, "keep", "expected a name");
  if (is_refused(step))
    return reading_complain(reading, "keep", "a refused call returns nothing to keep");
  if (json_object_get(reading->functions, json_string_value(keep)))
    return reading_complain(reading, "keep", "\"%.40s\" is a function of the module",
                            json_string_value(keep));
  if (is_kept_before(step->list, step->number, json_string_value(keep)))
    return reading_complain(reading, "keep", "\"%.40s\" is kept already", json_string_value(keep));
  return reading_take_text(reading, step->object, "keep", SIGNATURE_NAME_MAX, out);
}

// The names in formulas are those of the function that is called. Of a method nothing is known: floats may be as far
// off as those of the function with the sequence.
static bool read_outcome(Reading *reading, const Step *step, SignatureStep *out)
{
  const json_t *nothing = json_object(), *callee = step->callee ? step->callee : nothing;
  Reading *own = malloc(sizeof *own);
  if (!own) return reading_complain(reading, "", "out of memory");
  memcpy(own, reading, sizeof *own);
  bool good = reading_collect_names(reading, has_parameters(step) ? callee : nothing) &&
              reading_expected(reading, callee, step->object, &out->call.expected) &&
              reading_tolerance(reading, step->callee ? callee : reading->form, &out->tolerances);
  memcpy(reading->names, own->names, sizeof own->names);
  reading->name_count = own->name_count;
  free(own);
  json_decref((json_t *)(uintptr_t)nothing);
  return good;
}

// --- Steps ---------------------------------------------------------------------------------------

static bool read_step(Reading *reading, const json_t *list, size_t number, SignatureStep *out)
{
  static const char *const known[] = {"call",    "arguments", "keep", "expected",
                                      "refused", "text",      NULL};
  Step step = {.object = json_array_get(list, number), .list = list, .number = number};
  *out = (SignatureStep){.function = 0};
  if (!json_is_object(step.object)) return reading_complain(reading, "", "expected an object");
  return reading_check_members(reading, step.object, known) && read_callee(reading, &step, out) &&
         reading_refused(reading, step.object, &out->call) &&
         reading_take_text(reading, step.object, "text", SIGNATURE_STRING_MAX, &out->call.text) &&
         read_keep(reading, &step, &out->keep) &&
         read_arguments(reading, &step, &out->call.arguments) && read_outcome(reading, &step, out);
}

static bool read_steps(Reading *reading, const json_t *object, const char *member,
                       SignatureRange *out)
{
  SignatureStep steps[STEPS_MAX];
  const json_t *list = json_object_get(object, member);
  const size_t count = json_array_size(list);
  if (!json_is_array(list) || count == 0 || count > STEPS_MAX)
    return reading_complain(reading, member, "expected an array of 1 to %d steps", STEPS_MAX);
  reading_enter(reading, member);
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!read_step(reading, list, i, &steps[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  *out = signature_add_steps(reading->build, steps, count);
  return true;
}

static bool read_sequence(Reading *reading, const json_t *object, SignatureSequence *out)
{
  static const char *const known[] = {"steps", "repeatable", "text", NULL};
  *out = (SignatureSequence){.repeatable = false};
  if (!json_is_object(object)) return reading_complain(reading, "", "expected an object");
  return reading_check_members(reading, object, known) &&
         reading_take_text(reading, object, "text", SIGNATURE_STRING_MAX, &out->text) &&
         reading_take_bool(reading, object, "repeatable", &out->repeatable) &&
         read_steps(reading, object, "steps", &out->steps);
}

bool reading_steps(Reading *reading, const json_t *form, SignatureForm *out)
{
  SignatureSequence sequences[SEQUENCES_MAX];
  const json_t *list = json_object_get(form, "sequences");
  const size_t count = json_array_size(list);
  if (json_object_get(form, "needs") && !read_steps(reading, form, "needs", &out->needs))
    return false;
  if (!list) return true;
  if (!json_is_array(list) || count == 0 || count > SEQUENCES_MAX)
    return reading_complain(reading, "sequences", "expected an array of 1 to %d sequences",
                            SEQUENCES_MAX);
  reading_enter(reading, "sequences");
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!read_sequence(reading, json_array_get(list, i), &sequences[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  out->sequences = signature_add_sequences(reading->build, sequences, count);
  return true;
}
