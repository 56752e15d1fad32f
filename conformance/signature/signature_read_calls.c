// SPDX-License-Identifier: Apache-2.0
// Calls that a file lists: "refuses" and "calls".
#include <string.h>

#include "signature/signature_reading.h"

enum { CALLS_MAX = 128, SETTINGS_MAX = 64, TURNS_MAX = 16 };

bool reading_turns(Reading *reading, const json_t *value, const json_t *callback,
                   SignatureValue *out)
{
  static const char *const known[] = {"does", NULL};
  SignatureValue turns[TURNS_MAX];
  const json_t *list = json_object_get(value, "does");
  const size_t count = json_array_size(list);
  if (!json_is_object(value) || !json_is_array(list) || count == 0 || count > TURNS_MAX)
    return reading_complain(reading, "", "a callback is {\"does\": [FORMULA, ...]}, up to %d",
                            TURNS_MAX);
  if (!reading_check_members(reading, value, known)) return false;
  reading_enter(reading, "does");
  for (size_t i = 0; i < count; ++i) {
    const char *text = json_string_value(json_array_get(list, i));
    reading_enter_item(reading, i);
    if (!text) return reading_complain(reading, "", "expected a formula");
    if (!reading_callback_formula(reading, callback, "", text)) return false;
    turns[i] = (SignatureValue){.kind = KERNEL_STRING,
                                .text = reading_add_text(reading, text),
                                .text_size = (uint32_t)strlen(text)};
    reading_leave(reading);
  }
  reading_leave(reading);
  *out = (SignatureValue){.kind = KERNEL_FUNCTION,
                          .items = signature_add_values(reading->build, turns, count)};
  return true;
}

// An argument of a parameter of this kind; `kind` KERNEL_ANY: of any.
static bool read_argument(Reading *reading, const json_t *value, KernelKind kind,
                          const json_t *parameter, SignatureValue *out)
{
  if (kind == KERNEL_FLOAT && !json_is_null(value)) return reading_float(reading, value, out);
  if (kind == KERNEL_TENSOR && !json_is_null(value))
    return reading_tensor_argument(reading, value, parameter, out);
  if (kind == KERNEL_OBJECT && reading_is_kept(value))
    return reading_kept(reading, value, json_object_get(reading->form, "needs"), out);
  if (json_is_null(value) || kind == KERNEL_ANY || kind == KERNEL_ARRAY || kind == KERNEL_TUPLE ||
      kind == KERNEL_MAP || kind == KERNEL_TENSOR || kind == KERNEL_VARIANT)
    return reading_value_within(reading, value, parameter, out);
  if (kind == KERNEL_FUNCTION || kind == KERNEL_OBJECT || kind == KERNEL_POINTER ||
      kind == KERNEL_NONE)
    return reading_complain(reading, "", "a value of kind \"%s\" can't be written: leave it out",
                            kernel_kind_names[kind]);
  return reading_value(reading, value, kind, out);
}

// The kind of a parameter; KERNEL_ANY for a size, what is within a parameter, and the arguments
// behind them.
static KernelKind kind_of(const json_t *form, const char *name)
{
  const char *kind = json_string_value(json_object_get(reading_parameter(form, name), "kind"));
  for (int k = 0; kind && k < KERNEL_KIND_COUNT; ++k)
    if (strcmp(kind, kernel_kind_names[k]) == 0) return (KernelKind)k;
  return KERNEL_ANY;
}

const json_t *reading_callback_of(const json_t *parameter)
{
  const char *kind = json_string_value(json_object_get(parameter, "kind"));
  const json_t *alternatives = json_object_get(parameter, "any_of");
  if (kind && strcmp(kind, kernel_kind_names[KERNEL_FUNCTION]) == 0) return parameter;
  for (size_t i = 0; i < json_array_size(alternatives); ++i) {
    const json_t *one = json_array_get(alternatives, i);
    const char *own = json_string_value(json_object_get(one, "kind"));
    if (own && strcmp(own, kernel_kind_names[KERNEL_FUNCTION]) == 0) return one;
  }
  return NULL;
}

bool reading_is_turns(const json_t *value, KernelKind kind, const json_t *callback)
{
  if (!callback || !json_is_object(value)) return false;
  return kind == KERNEL_FUNCTION ||
         (json_object_size(value) == 1 && json_is_array(json_object_get(value, "does")));
}

// `free`: sizes may be set, and values of other kinds than the parameter's.
static bool read_settings(Reading *reading, const json_t *form, const json_t *object,
                          const char *member, bool free, SignatureRange *out)
{
  SignatureSetting settings[SETTINGS_MAX];
  json_t *list = json_object_get(object, member), *value;
  const char *name;
  char base[SIGNATURE_NAME_MAX];
  size_t count = 0;
  if (!json_is_object(list) || json_object_size(list) > SETTINGS_MAX)
    return reading_complain(reading, member, "expected an object of up to %d values by name",
                            SETTINGS_MAX);
  json_object_foreach(list, name, value)
  {
    const ReadingName *size = reading_find_name(reading, name);
    const bool is_size = free && size && size->kind == READING_SIZE;
    SignatureValue read;
    if (!is_size && !reading_is_place(reading, name, base))
      return reading_complain(reading, member, "\"%.60s\" is not a parameter%s", name,
                              free ? " or a size" : "");
    reading_enter(reading, member);
    reading_enter(reading, name);
    if (is_size && (!json_is_integer(value) || json_integer_value(value) < 0))
      return reading_complain(reading, "", "expected an integer, 0 or more");
    const KernelKind kind = kind_of(form, name);
    json_t *all = reading_type_of_rest(form, name);
    const json_t *type = all ? all : reading_type_at(form, name);
    const json_t *callback = reading_callback_of(type);
    const bool good = reading_is_turns(value, kind, callback)
                          ? reading_turns(reading, value, callback, &read)
                          : read_argument(reading, value, free ? KERNEL_ANY : kind, type, &read);
    json_decref(all);
    if (!good) return false;
    reading_leave(reading);
    reading_leave(reading);
    settings[count].name = reading_add_text(reading, name);
    settings[count++].value = signature_add_values(reading->build, &read, 1).first;
  }
  *out = signature_add_settings(reading->build, settings, count);
  return true;
}

bool reading_error(Reading *reading, const json_t *object, SignatureText *kind,
                   SignatureText *message)
{
  return reading_take_text(reading, object, "kind", SIGNATURE_NAME_MAX, kind) &&
         reading_take_text(reading, object, "message", SIGNATURE_STRING_MAX, message);
}

static bool read_refusal(Reading *reading, const json_t *form, const json_t *object,
                         SignatureRefusal *out)
{
  static const char *const known[] = {"when", "with", "kind", "message", "text", NULL};
  const json_t *when = json_object_get(object, "when");
  *out = (SignatureRefusal){0};
  if (!json_is_object(object)) return reading_complain(reading, "", "expected an object");
  if (!reading_check_members(reading, object, known) ||
      !reading_error(reading, object, &out->kind, &out->message))
    return false;
  if (!when == !json_object_get(object, "with"))
    return reading_complain(reading, "", "expected either \"when\" or \"with\"");
  if (!when) return read_settings(reading, form, object, "with", true, &out->with);
  if (!json_is_string(when))
    return reading_complain(reading, "when", "expected a condition such as \"k > n\"");
  // (It is looked at as `not (WHEN)`.)
  enum { LONGEST = EXPRESSION_TEXT_MAX - 8 };
  ReadingText room;
  const char *whole = reading_replace_names(reading, json_string_value(when), &room);
  if (whole && strlen(whole) > LONGEST)
    return reading_complain(reading, "when", "longer than %d characters", LONGEST);
  return reading_formula(reading, "when", json_string_value(when), &out->when);
}

static bool read_refuses(Reading *reading, const json_t *form, SignatureForm *out)
{
  SignatureRefusal refusals[CALLS_MAX];
  const json_t *list = json_object_get(form, "refuses");
  size_t count = json_array_size(list);
  if (!list) return true;
  if (!json_is_array(list) || count > CALLS_MAX)
    return reading_complain(reading, "refuses", "expected an array of up to %d refusals",
                            CALLS_MAX);
  reading_enter(reading, "refuses");
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!read_refusal(reading, form, json_array_get(list, i), &refusals[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  out->refusals = signature_add_refusals(reading->build, refusals, count);
  return true;
}

// true, or what the error is like.
bool reading_refused(Reading *reading, const json_t *object, SignatureCall *out)
{
  static const char *const known[] = {"kind", "message", NULL};
  const json_t *refused = json_object_get(object, "refused");
  if (!refused) return true;
  if (json_object_get(object, "expected"))
    return reading_complain(reading, "refused", "a refused call has no \"expected\"");
  out->refused = true;
  if (json_is_true(refused)) return true;
  if (!json_is_object(refused))
    return reading_complain(reading, "refused",
                            "expected true, or an object with \"kind\" and \"message\"");
  reading_enter(reading, "refused");
  if (!reading_check_members(reading, refused, known) ||
      !reading_error(reading, refused, &out->kind, &out->message))
    return false;
  reading_leave(reading);
  return true;
}

// A call that is served has no key that the file refuses in a map.
static bool check_keys(Reading *reading, const json_t *form, const json_t *arguments)
{
  const char *name, *key;
  json_t *argument, *entry;
  json_object_foreach((json_t *)arguments, name, argument)
  {
    const json_t *map = reading_parameter(form, name), *entries = json_object_get(map, "entries");
    const char *others = json_string_value(json_object_get(map, "other_keys"));
    if (!entries || !others || strcmp(others, "refused") != 0) continue;
    json_object_foreach(argument, key, entry)
    {
      if (json_object_get(entries, key)) continue;
      reading_enter(reading, "arguments");
      return reading_complain(reading, name,
                              "\"%.60s\" is not in \"entries\", and other keys are refused", key);
    }
  }
  return true;
}

static bool read_call(Reading *reading, const json_t *form, const json_t *object,
                      SignatureCall *out)
{
  static const char *const known[] = {"arguments", "expected", "refused", "text", NULL};
  *out = (SignatureCall){0};
  if (!json_is_object(object)) return reading_complain(reading, "", "expected an object");
  return reading_check_members(reading, object, known) && reading_refused(reading, object, out) &&
         reading_take_text(reading, object, "text", SIGNATURE_STRING_MAX, &out->text) &&
         read_settings(reading, form, object, "arguments", false, &out->arguments) &&
         (out->refused || check_keys(reading, form, json_object_get(object, "arguments"))) &&
         reading_expected(reading, form, object, &out->expected);
}

bool reading_calls(Reading *reading, const json_t *form, SignatureForm *out)
{
  SignatureCall calls[CALLS_MAX];
  const json_t *list = json_object_get(form, "calls");
  size_t count = json_array_size(list);
  if (!read_refuses(reading, form, out)) return false;
  if (!list) return true;
  if (!json_is_array(list) || count > CALLS_MAX)
    return reading_complain(reading, "calls", "expected an array of up to %d calls", CALLS_MAX);
  reading_enter(reading, "calls");
  for (size_t i = 0; i < count; ++i) {
    reading_enter_item(reading, i);
    if (!read_call(reading, form, json_array_get(list, i), &calls[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  out->calls = signature_add_calls(reading->build, calls, count);
  return true;
}
