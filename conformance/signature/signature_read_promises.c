// SPDX-License-Identifier: Apache-2.0
// What a form states besides types: conditions, contents of results, checks, tolerances.
#include <stdio.h>
#include <string.h>

#include "expression/expression.h"
#include "signature/signature_reading.h"
#include "signature/signature_words.h"

enum { ITEMS_MAX = 128 };

// --- Conditions ----------------------------------------------------------------------------------

static bool read_where(Reading *reading, const json_t *object, SignatureForm *form)
{
  SignatureText conditions[READING_CONDITIONS_MAX];
  const json_t *list = json_object_get(object, "where");
  size_t count = json_array_size(list);
  if (!list) return true;
  if (!json_is_array(list) || count > READING_CONDITIONS_MAX)
    return reading_complain(reading, "where", "expected an array of up to %d conditions",
                            READING_CONDITIONS_MAX);
  reading_enter(reading, "where");
  for (size_t i = 0; i < count; ++i) {
    const char *text = json_string_value(json_array_get(list, i));
    reading_enter_item(reading, i);
    if (!text) return reading_complain(reading, "", "expected a condition such as \"k <= n\"");
    if (!reading_formula(reading, "", text, &conditions[i])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  form->where = signature_add_conditions(reading->build, conditions, count);
  return true;
}

// --- Contents ------------------------------------------------------------------------------------

// Whether "[0]", ".key", "[0].key" follow, or nothing.
static bool is_way_inside(const char *way)
{
  while (*way) {
    size_t digits = *way == '[' ? strspn(way + 1, "0123456789") : 0;
    size_t key = *way == '.' ? strcspn(way + 1, ".[") : 0;
    if (digits && way[1 + digits] == ']')
      way += digits + 2;
    else if (key)
      way += key + 1;
    else
      return false;
  }
  return true;
}

bool reading_is_place(const Reading *reading, const char *text, char base[SIGNATURE_NAME_MAX])
{
  size_t length = strcspn(text, "[.");
  snprintf(base, SIGNATURE_NAME_MAX, "%.*s", (int)length, text);
  const ReadingName *name = reading_find_name(reading, base);
  return length < SIGNATURE_NAME_MAX && is_way_inside(text + length) && name &&
         !reading_is_size(name);
}

// "result", "result[0]", "result.key"
static bool is_result(const char *text)
{
  return strncmp(text, "result", 6) == 0 && is_way_inside(text + 6);
}

// What a function only reads stays as it is.
static bool check_written(Reading *reading, const json_t *form, const char *of, const char *base)
{
  const json_t *parameter = reading_parameter(form, base);
  const char *kind = json_string_value(json_object_get(parameter, "kind"));
  const char *role = json_string_value(json_object_get(parameter, "role"));
  if (strcmp(of, base) != 0) return true;
  if (!kind || strcmp(kind, "tensor") != 0)
    return reading_complain(reading, of, "\"%s\" is not a tensor", of);
  if (role && strcmp(role, "scratch") == 0)
    return reading_complain(reading, of, "\"%s\" is scratch memory: it holds nothing afterwards",
                            of);
  return (role && strcmp(role, "in") != 0) ||
         reading_complain(reading, of,
                          "\"%s\" is not written: its role is \"in\" (say \"out\" or \"inout\")",
                          of);
}

// A number, or {"value": NUMBER}, is the formula of it.
static bool number_formula(const json_t *value, char text[64])
{
  const json_t *inner = json_object_get(value, "value");
  if (json_is_object(value) && json_object_size(value) == 1 && inner) value = inner;
  if (json_is_integer(value))
    snprintf(text, 64, "%lld", (long long)json_integer_value(value));
  else if (json_is_real(value))
    snprintf(text, 64, "%.17g", json_real_value(value));
  else if (json_is_boolean(value))
    snprintf(text, 64, "%s", json_is_true(value) ? "True" : "False");
  else
    return false;
  return true;
}

static bool read_contents(Reading *reading, const char *of, const json_t *value,
                          SignatureExpected *out)
{
  *out = (SignatureExpected){.of = reading_add_text(reading, of)};
  char number[64];
  reading_enter(reading, of);
  if (number_formula(value, number)) {
    out->formula = reading_add_text(reading, number);
  } else if (json_is_object(value)) {
    if (!reading_npy(reading, value, &out->npy)) return false;
  } else if (!json_is_string(value)) {
    return reading_complain(reading, "", "expected a formula, a number or {\"npy\": FILE}");
  } else if (!reading_formula(reading, "", json_string_value(value), &out->formula)) {
    return false;
  }
  reading_leave(reading);
  return true;
}

bool reading_expected(Reading *reading, const json_t *form, const json_t *object,
                      SignatureRange *out)
{
  SignatureExpected all[ITEMS_MAX];
  json_t *expected = json_object_get(object, "expected"), *value;
  const char *of;
  char base[SIGNATURE_NAME_MAX];
  size_t count = 0;
  if (!expected) return true;
  if (!json_is_object(expected) || json_object_size(expected) == 0 ||
      json_object_size(expected) > ITEMS_MAX)
    return reading_complain(reading, "expected", "expected an object such as {\"y\": \"x + 1\"}");
  json_object_foreach(expected, of, value)
  {
    const bool place = reading_is_place(reading, of, base);
    if (!place && !is_result(of))
      return reading_complain(reading, "expected",
                              "\"%.60s\" is neither a parameter nor \"result\"", of);
    reading_enter(reading, "expected");
    if ((place && !check_written(reading, form, of, base)) ||
        !read_contents(reading, of, value, &all[count++]))
      return false;
    reading_leave(reading);
  }
  *out = signature_add_expected(reading->build, all, count);
  return true;
}

// --- Checks and tolerances -----------------------------------------------------------------------

static bool read_checks(Reading *reading, const json_t *object, SignatureForm *form)
{
  static const char *const names[] = {"arity",  "kind",   "dtype", "rank", "shape",
                                      "device", "layout", "value", NULL};
  const json_t *checks = json_object_get(object, "checks");
  form->checks = SIGNATURE_CHECKS_ALL;
  if (!checks) return true;
  if (json_is_boolean(checks)) {
    form->checks = json_is_true(checks) ? SIGNATURE_CHECKS_ALL : 0;
    return true;
  }
  if (!json_is_array(checks))
    return reading_complain(reading, "checks", "expected true, false, or an array of checks");
  form->checks = 0;
  return reading_take_words(reading, checks, "checks", "check", names, &form->checks);
}

static bool read_words(Reading *reading, const json_t *object, SignatureForm *form)
{
  const json_t *promises = json_object_get(object, "promises");
  if (!promises) return true;
  if (!json_is_array(promises) || json_array_size(promises) == 0)
    return reading_complain(reading, "promises", "expected a non-empty array of promises");
  return reading_take_words(reading, promises, "promises", "promise", signature_promise_words,
                            &form->promises);
}

static bool read_one_tolerance(Reading *reading, const char *dtype, const json_t *value,
                               SignatureTolerance *out)
{
  DLDataType unused;
  if (!json_is_number(value)) return reading_complain(reading, "", "expected a number");
  if (json_number_value(value) < 0)
    return reading_complain(reading, "", "expected a number, 0 or more");
  if (*dtype && !signature_dtype(dtype, &unused))
    return reading_complain(reading, "", "expected a data type such as \"float32\"");
  *out = (SignatureTolerance){reading_add_text(reading, dtype), json_number_value(value)};
  return true;
}

bool reading_tolerance(Reading *reading, const json_t *form, SignatureRange *out)
{
  SignatureTolerance all[ITEMS_MAX];
  json_t *tolerance = json_object_get(form, "tolerance"), *value;
  const char *dtype;
  size_t count = 0;
  if (!tolerance) return true;
  reading_enter(reading, "tolerance");
  if (!json_is_object(tolerance) && !read_one_tolerance(reading, "", tolerance, &all[count++]))
    return false;
  if (json_object_size(tolerance) > ITEMS_MAX)
    return reading_complain(reading, "", "more than %d data types", ITEMS_MAX);
  json_object_foreach(tolerance, dtype, value)
  {
    reading_enter(reading, dtype);
    if (!read_one_tolerance(reading, dtype, value, &all[count++])) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  *out = signature_add_tolerances(reading->build, all, count);
  return true;
}

// What is returned is memory of its own, or an argument.
static bool check_fresh(Reading *reading, const json_t *object, const SignatureForm *form)
{
  const json_t *alias = json_object_get(json_object_get(object, "result"), "alias");
  return !alias || !(form->promises & SIGNATURE_FRESH) ||
         reading_complain(
             reading, "promises",
             "\"fresh\" says that the result is not an argument, \"alias\" that it is one");
}

// What nobody else has need not be shared.
static bool check_shared(Reading *reading, const json_t *object, const SignatureForm *form)
{
  const json_t *parameters = json_object_get(object, "parameters");
  bool takes_object = false;
  for (size_t i = 0; i < json_array_size(parameters); ++i) {
    const json_t *kind = json_object_get(json_array_get(parameters, i), "kind");
    takes_object |= json_is_string(kind) && strcmp(json_string_value(kind), "object") == 0;
  }
  return !(form->promises & SIGNATURE_SHARED) ||
         (takes_object && json_array_size(json_object_get(object, "needs")) > 0) ||
         reading_complain(reading, "promises",
                          "\"shared\" is about a parameter of kind \"object\" that other calls "
                          "make (\"needs\")");
}

bool reading_promises(Reading *reading, const json_t *object, SignatureForm *form)
{
  return read_where(reading, object, form) && read_checks(reading, object, form) &&
         read_words(reading, object, form) && check_fresh(reading, object, form) &&
         check_shared(reading, object, form) &&
         reading_tolerance(reading, object, &form->tolerances) &&
         reading_expected(reading, object, object, &form->expected) &&
         reading_calls(reading, object, form);
}
