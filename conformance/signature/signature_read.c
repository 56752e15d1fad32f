// SPDX-License-Identifier: Apache-2.0
#include "signature/signature_read.h"

#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "inspect/json_file.h"
#include "signature/signature_reading.h"
#include "signature/signature_words.h"

enum { VARIABLES_MAX = 64, FORMS_MAX = 16 };

// --- Variables -----------------------------------------------------------------------------------

// A size: a number, or a list of numbers.
static bool read_size(Reading *reading, const json_t *sizes, const char *name,
                      SignatureRange *values)
{
  const json_t *value = json_object_get(sizes, name);
  SignatureValue one = {.kind = KERNEL_INT, .integer = json_integer_value(value)};
  for (size_t i = 0; i < json_array_size(value) || i == 0; ++i) {
    const json_t *size = json_is_array(value) ? json_array_get(value, i) : value;
    if (!json_is_integer(size) || json_integer_value(size) < 0)
      return reading_complain(reading, "", "the size of \"%.40s\" must be an integer, 0 or more",
                              name);
  }
  if (json_is_array(value)) return reading_values(reading, sizes, name, KERNEL_INT, values);
  *values = signature_add_values(reading->build, &one, 1);
  return true;
}

// A parameter of this name has the size as its example; nothing else is to be said of it.
static bool is_parameter(const Reading *reading, const char *name)
{
  const ReadingName *found = reading_find_name(reading, name);
  return found && !reading_is_size(found);
}

static bool read_variable(Reading *reading, const json_t *variables, const char *name,
                          KernelKind kind, SignatureRange *values)
{
  if (!expression_is_name(name) || strlen(name) >= SIGNATURE_SYMBOL_MAX)
    return reading_complain(reading, name, "expected a name of up to %d letters",
                            SIGNATURE_SYMBOL_MAX - 1);
  if (kind == KERNEL_INT) return read_size(reading, variables, name, values);
  if (json_is_array(json_object_get(variables, name)))
    return reading_values(reading, variables, name, kind, values);
  return reading_complain(reading, name, "expected a non-empty array of values");
}

// "sizes", "dtypes", "devices"
static bool read_variables(Reading *reading, const json_t *object, const char *member,
                           KernelKind kind, SignatureRange *out)
{
  SignatureVariable variables[VARIABLES_MAX];
  json_t *all = json_object_get(object, member), *unused;
  const char *name;
  size_t count = 0;
  if (!all) return true;
  if (!json_is_object(all)) return reading_complain(reading, member, "expected an object");
  if (json_object_size(all) > VARIABLES_MAX)
    return reading_complain(reading, member, "more than %d are listed", VARIABLES_MAX);
  json_object_foreach(all, name, unused)
  {
    if (kind == KERNEL_INT && is_parameter(reading, name)) continue;
    reading_enter(reading, member);
    if (!read_variable(reading, all, name, kind, &variables[count].values)) return false;
    reading_leave(reading);
    variables[count++].name = reading_add_text(reading, name);
  }
  *out = signature_add_variables(reading->build, variables, count);
  return true;
}

// A name of a data type would hide the type.
static bool check_variables(Reading *reading, const json_t *variables, const char *member)
{
  const char *name;
  json_t *value;
  DLDataType dtype;
  DLDevice device;
  json_object_foreach((json_t *)(uintptr_t)variables, name, value)
  {
    if (signature_dtype(name, &dtype) || signature_device(name, &device))
      return reading_complain(reading, member, "\"%s\" is the name of a data type or a device",
                              name);
  }
  return true;
}

// --- Functions -----------------------------------------------------------------------------------

static bool read_rest(Reading *reading, const json_t *object, SignatureForm *form)
{
  const json_t *rest = json_object_get(object, "rest");
  SignatureType type;
  if (!rest) return true;
  reading_enter(reading, "rest");
  if (!reading_type(reading, rest, READING_PLACE_REST, &type)) return false;
  reading_leave(reading);
  form->rest = signature_add_types(reading->build, &type, 1).first;
  return true;
}

static bool read_result(Reading *reading, const json_t *object, SignatureForm *form)
{
  const json_t *result = json_object_get(object, "result");
  SignatureType type;
  if (!result) return true;
  reading_enter(reading, "result");
  if (!reading_type(reading, result, READING_PLACE_RESULT, &type)) return false;
  reading_leave(reading);
  form->result = signature_add_types(reading->build, &type, 1).first;
  return true;
}

// Whether a member says that something is as `calls` have it, and not as its other word.
static bool read_of_calls(Reading *reading, const json_t *object, const char *member,
                          const char *otherwise, bool *of_calls)
{
  const char *const words[] = {otherwise, "calls", NULL};
  unsigned word = 0;
  if (!reading_take_word(reading, object, member, words, &word)) return false;
  *of_calls = word == 1;
  return !*of_calls || json_array_size(json_object_get(object, "calls")) > 0 ||
         reading_complain(reading, member, "there are no \"calls\"");
}

static bool read_members(Reading *reading, const json_t *object, SignatureForm *form)
{
  *form = (SignatureForm){.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  reading->form = object;
  reading->dtypes = json_object_get(object, "dtypes");
  reading->devices = json_object_get(object, "devices");
  return reading_collect_names(reading, object) && reading_let(reading, object) &&
         check_variables(reading, reading->dtypes, "dtypes") &&
         check_variables(reading, reading->devices, "devices") &&
         read_variables(reading, object, "sizes", KERNEL_INT, &form->sizes) &&
         read_variables(reading, object, "dtypes", KERNEL_DTYPE, &form->dtypes) &&
         read_variables(reading, object, "devices", KERNEL_DEVICE, &form->devices) &&
         reading_types(reading, object, "parameters", READING_PLACE_PARAMETER,
                       SIGNATURE_PARAMETERS_MAX, &form->parameters) &&
         read_rest(reading, object, form) && read_result(reading, object, form) &&
         reading_take_bool(reading, object, "launches", &form->launches) &&
         read_of_calls(reading, object, "combinations", "all", &form->only_calls) &&
         read_of_calls(reading, object, "example", "made", &form->example_of_calls) &&
         reading_promises(reading, object, form);
}

// Formulas of steps are about other functions, which don't know the names of this one's "let".
static bool read_form(Reading *reading, const json_t *object, SignatureForm *form)
{
  const bool good = read_members(reading, object, form);
  reading_let_end(reading);
  return good && reading_steps(reading, object, form);
}

#define FORM_MEMBERS                                                                               \
  "parameters", "rest", "result", "sizes", "dtypes", "devices", "let", "where", "refuses",         \
      "checks", "expected", "tolerance", "calls", "combinations", "example", "needs", "sequences", \
      "promises", "launches", "text"

// What a file says of overloads.
static bool read_forms(Reading *reading, const json_t *object)
{
  static const char *const known[] = {"signatures", "tentative", "text", NULL};
  static const char *const of_form[] = {FORM_MEMBERS, NULL};
  SignatureForm forms[FORMS_MAX];
  const json_t *list = json_object_get(object, "signatures");
  size_t count = json_array_size(list);
  if (!reading_check_members(reading, object, known)) return false;
  if (!json_is_array(list) || count == 0 || count > FORMS_MAX)
    return reading_complain(reading, "signatures", "expected an array of 1 to %d signatures",
                            FORMS_MAX);
  reading_enter(reading, "signatures");
  for (size_t i = 0; i < count; ++i) {
    const json_t *item = json_array_get(list, i);
    reading_enter_item(reading, i);
    if (!json_is_object(item)) return reading_complain(reading, "", "expected an object");
    if (!reading_check_members(reading, item, of_form) || !read_form(reading, item, &forms[i]))
      return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  for (size_t i = 0; i < count; ++i) signature_add_form(reading->build, &forms[i]);
  return true;
}

static bool read_function(Reading *reading, const json_t *object)
{
  static const char *const known[] = {FORM_MEMBERS, "tentative", NULL};
  SignatureForm form;
  if (json_object_get(object, "signatures")) return read_forms(reading, object);
  if (!reading_check_members(reading, object, known) || !read_form(reading, object, &form))
    return false;
  signature_add_form(reading->build, &form);
  return true;
}

static bool check_nothing(Reading *reading, const json_t *object)
{
  static const char *const known[] = {"tentative", "text", NULL};
  if (!reading_check_members(reading, object, known)) return false;
  reading_leave(reading);
  return true;
}

static bool read_and_take(Reading *reading, const char *name, const json_t *object,
                          const SignatureSink *sink)
{
  bool tentative = false;
  if (!sink->knows(sink->context, name))
    return reading_complain(reading, name, "the module does not export __tvm_ffi_%s", name);
  reading_enter(reading, name);
  if (!json_is_object(object)) return reading_complain(reading, "", "expected an object");
  if (!reading_take_bool(reading, object, "tentative", &tentative)) return false;
  // `signatures` writes so of a function of which nothing is known.
  if (tentative && !json_object_get(object, "parameters") && !json_object_get(object, "signatures"))
    return check_nothing(reading, object);
  reading->build = signature_build_begin(SIGNATURE_FROM_FILE, tentative);
  if (!reading->build) return reading_complain(reading, "", "out of memory");
  bool good = read_function(reading, object);
  Signature *signature = signature_build_end(reading->build);
  reading->build = NULL;
  if (!good) {
    free(signature);
    return false;
  }
  if (!signature)
    return reading_complain(reading, "", "says too much: more than %d KiB are left of it",
                            SIGNATURE_SIZE_MAX >> 10);
  char problem[SIGNATURE_PROBLEM_MAX] = "";
  if (!sink->take(sink->context, name, signature, problem))
    return reading_complain(reading, "", "%s", problem);
  reading_leave(reading);
  return true;
}

// --- The file ------------------------------------------------------------------------------------

static bool read_functions(Reading *reading, const json_t *root, const SignatureSink *sink)
{
  static const char *const known[] = {"functions", "$schema", NULL};
  const char *name;
  json_t *value;
  if (!json_is_object(root)) return reading_complain(reading, "", "expected an object");
  if (!reading_check_members(reading, root, known)) return false;
  json_t *functions = json_object_get(root, "functions");
  if (!json_is_object(functions))
    return reading_complain(reading, "functions", "expected an object");
  reading_enter(reading, "functions");
  reading->functions = functions;
  json_object_foreach(functions, name, value)
  {
    if (!read_and_take(reading, name, value, sink)) return false;
  }
  return true;
}

bool signature_read_text(const char *path, const char *text, size_t size, const SignatureSink *sink,
                         char *error, size_t error_size)
{
  json_t *root = json_file_parse_nuls(path, text, size, error, error_size);
  Reading *reading = root ? calloc(1, sizeof *reading) : NULL;
  bool good = false;
  if (reading) {
    reading->path = path;
    reading->text = text;
    reading->size = size;
    reading->error = error;
    reading->error_size = error_size;
    good = reading_check_nuls(reading, root) && read_functions(reading, root, sink);
  } else if (root) {
    snprintf(error, error_size, "%s: out of memory", path);
  }
  free(reading);
  json_decref(root);
  return good;
}

bool signature_read_file(const char *path, const SignatureSink *sink, char *error,
                         size_t error_size)
{
  size_t size = 0;
  char *text = json_file_load(path, SIGNATURE_FILE_MAX, &size, error, error_size);
  bool good = text && signature_read_text(path, text, size, sink, error, error_size);
  free(text);
  return good;
}
