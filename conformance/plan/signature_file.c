// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_json_place.h"
#include "inspect/json_file.h"
#include "signature/signature.h"

enum { FILE_SIZE_MAX = 4 << 20, PLACE_MAX = 512, SIZES_MAX = 64, SHOWN_MAX = 120 };

typedef struct Reading {
  const char *path, *text;
  size_t size;  // of the text
  char *error;
  size_t error_size;
  InspectJsonPlace place;  // functions.add_one.parameters[1]
  const json_t *sizes;     // of the function that is being read: extents by symbol
} Reading;

// What the file says, and what is said of it, is shown on a terminal.
static void make_printable(char *text)
{
  for (char *c = text; *c; ++c)
    if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e) *c = '?';
}

// "FILE:LINE: functions.add_one.parameters[1].dtype: ..."; `member` may be "".
__attribute__((format(printf, 3, 4))) static bool complain(Reading *reading, const char *member,
                                                           const char *format, ...)
{
  char message[400], place[PLACE_MAX];
  const bool inside = *member;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  make_printable(message);
  if (inside) inspect_json_place_enter(&reading->place, member);
  unsigned line = inspect_json_place_line(&reading->place, reading->text, reading->size);
  inspect_json_place_text(&reading->place, place, sizeof place);
  if (inside) inspect_json_place_leave(&reading->place);
  snprintf(reading->error, reading->error_size, "%s:%u: %s%s%s", reading->path, line, place,
           place[0] ? ": " : "", message);
  return false;
}

// --- Members -------------------------------------------------------------------------------------

// A text ends with its first NUL, since the parser lets none through.
static bool take_text(Reading *reading, const json_t *object, const char *member, char *out,
                      size_t capacity)
{
  const json_t *value = json_object_get(object, member);
  if (!value) return true;
  if (!json_is_string(value)) return complain(reading, member, "expected a string");
  size_t length = json_string_length(value);
  if (length >= capacity) return complain(reading, member, "longer than %zu bytes", capacity - 1);
  memcpy(out, json_string_value(value), length + 1);
  return true;
}

static bool take_bool(Reading *reading, const json_t *object, const char *member, bool *out)
{
  const json_t *value = json_object_get(object, member);
  if (value && !json_is_boolean(value)) return complain(reading, member, "expected true or false");
  if (value) *out = json_is_true(value);
  return true;
}

static bool take_number(Reading *reading, const json_t *object, const char *member, double *out)
{
  const json_t *value = json_object_get(object, member);
  if (value && !json_is_number(value)) return complain(reading, member, "expected a number");
  if (value) *out = json_number_value(value);
  return true;
}

static bool is_power_of_two(double number)
{
  return number >= 1 && number <= 4096 && number == (uint32_t)number &&
         ((uint32_t)number & ((uint32_t)number - 1)) == 0;
}

static bool check_members(Reading *reading, const json_t *object, const char *const *known)
{
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, name, value)
  {
    size_t i = 0;
    while (known[i] && strcmp(known[i], name) != 0) ++i;
    if (!known[i]) return complain(reading, name, "unknown member");
  }
  return true;
}

// --- Parameters ----------------------------------------------------------------------------------

// An extent: a number, or a symbol whose size stands in "sizes" (4 if it does not).
static bool read_extent(Reading *reading, const json_t *value, KernelExtent *extent)
{
  if (json_is_integer(value)) {
    extent->size = json_integer_value(value);
    return extent->size >= 0 || complain(reading, "", "an extent must not be negative");
  }
  if (!json_is_string(value)) return complain(reading, "", "expected a number or a symbol");
  const char *symbol = json_string_value(value);
  if (!*symbol || json_string_length(value) >= sizeof extent->symbol)
    return complain(reading, "", "a symbol has 1 to %zu letters", sizeof extent->symbol - 1);
  snprintf(extent->symbol, sizeof extent->symbol, "%s", symbol);
  const json_t *size = reading->sizes ? json_object_get(reading->sizes, symbol) : NULL;
  extent->size = size ? json_integer_value(size) : 4;
  return true;
}

static bool read_shape(Reading *reading, const json_t *object, KernelParameter *parameter)
{
  const json_t *shape = json_object_get(object, "shape");
  if (!json_is_array(shape)) return complain(reading, "shape", "expected an array of extents");
  if (json_array_size(shape) > KERNEL_RANK_MAX)
    return complain(reading, "shape", "a shape has at most %d extents", KERNEL_RANK_MAX);
  parameter->rank = (int32_t)json_array_size(shape);
  double elements = 1;
  inspect_json_place_enter(&reading->place, "shape");
  for (int32_t i = 0; i < parameter->rank; ++i) {
    inspect_json_place_enter_item(&reading->place, (size_t)i);
    if (!read_extent(reading, json_array_get(shape, (size_t)i), &parameter->shape[i])) return false;
    inspect_json_place_leave(&reading->place);
    elements *= (double)parameter->shape[i].size;
  }
  inspect_json_place_leave(&reading->place);
  if (elements > 1 << 24) return complain(reading, "shape", "more than 2^24 elements");
  return true;
}

static bool read_tensor(Reading *reading, const json_t *object, KernelParameter *parameter)
{
  char dtype[32] = "", device[32] = "cpu", role[8] = "in";
  double alignment = 1;
  if (!take_text(reading, object, "dtype", dtype, sizeof dtype) ||
      !take_text(reading, object, "device", device, sizeof device) ||
      !take_text(reading, object, "role", role, sizeof role) ||
      !take_number(reading, object, "alignment", &alignment) ||
      !take_number(reading, object, "value", &parameter->number))
    return false;
  if (!signature_device(device, &parameter->device))
    return complain(reading, "device", "expected \"cpu\", \"cuda\", \"cuda:1\", ...");
  if (strcmp(role, "in") != 0 && strcmp(role, "out") != 0 && strcmp(role, "inout") != 0)
    return complain(reading, "role", "expected \"in\", \"out\" or \"inout\"");
  parameter->role = strcmp(role, "in") == 0    ? KERNEL_IN
                    : strcmp(role, "out") == 0 ? KERNEL_OUT
                                               : KERNEL_INOUT;
  if (!is_power_of_two(alignment))
    return complain(reading, "alignment", "expected a power of 2 up to 4096");
  parameter->alignment = (uint32_t)alignment;
  parameter->device_stated = json_object_get(object, "device") != NULL;
  // Without type and shape only the kind is known.
  if (!json_object_get(object, "dtype") && !json_object_get(object, "shape")) return true;
  if (!signature_dtype(dtype, &parameter->dtype))
    return complain(reading, "dtype", "expected a data type such as \"float32\"");
  parameter->typed = true;
  return read_shape(reading, object, parameter);
}

// One that the runtime can't read would look like a fault of the runtime, or of the module.
static bool check_dtype(Reading *reading, const char *text)
{
  DLDataType dtype;
  return !*text || strcmp(text, "handle") == 0 || signature_dtype(text, &dtype) ||
         complain(reading, "value", "expected a data type such as \"float32\"");
}

static bool read_value(Reading *reading, const json_t *object, KernelParameter *parameter)
{
  const json_t *value = json_object_get(object, "value");
  parameter->integer = 1;
  parameter->number = 1;
  switch (parameter->kind) {
    case KERNEL_INT:
    case KERNEL_BOOL:
      if (value && !json_is_integer(value) && !json_is_boolean(value))
        return complain(reading, "value", "expected an integer");
      if (value)
        parameter->integer =
            json_is_integer(value) ? json_integer_value(value) : json_is_true(value);
      return true;
    case KERNEL_FLOAT:
      return take_number(reading, object, "value", &parameter->number);
    case KERNEL_TENSOR:
      return read_tensor(reading, object, parameter);
    case KERNEL_STRING:
    case KERNEL_BYTES:
      return take_text(reading, object, "value", parameter->text, sizeof parameter->text);
    case KERNEL_DTYPE:
      return take_text(reading, object, "value", parameter->text, sizeof parameter->text) &&
             check_dtype(reading, parameter->text);
    default:
      return true;
  }
}

static unsigned spelling_bit(KernelKind kind, const char *name)
{
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i)
    if (kernel_spellings[i].kind == kind && strcmp(kernel_spellings[i].name, name) == 0)
      return kernel_spellings[i].bit;
  return 0;
}

// The example has to be one that can be handed over: a small text is of 7 bytes at most.
static bool check_small(Reading *reading, const KernelParameter *parameter)
{
  return parameter->spellings != KERNEL_SPELLED_SMALL || strlen(parameter->text) <= 7 ||
         complain(reading, "value", "a small string has at most 7 bytes");
}

static bool read_spellings(Reading *reading, const json_t *object, KernelParameter *parameter)
{
  const json_t *list = json_object_get(object, "spellings");
  if (!list) return true;
  if (!json_is_array(list) || json_array_size(list) == 0)
    return complain(reading, "spellings", "expected a non-empty array of spellings");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *name = json_string_value(json_array_get(list, i));
    unsigned bit = name ? spelling_bit(parameter->kind, name) : 0;
    if (!bit)
      return complain(reading, "spellings", "kind \"%s\" has no spelling \"%s\"",
                      kernel_kind_names[parameter->kind], name ? name : "");
    parameter->spellings |= bit;
  }
  return check_small(reading, parameter);
}

static bool read_parameter(Reading *reading, const json_t *object, KernelParameter *parameter)
{
  static const char *const known[] = {"name",      "kind",  "optional",  "type_key",
                                      "spellings", "dtype", "shape",     "value",
                                      "device",    "role",  "alignment", NULL};
  char kind[16] = "any";
  if (!json_is_object(object)) return complain(reading, "", "expected an object");
  if (!check_members(reading, object, known) ||
      !take_text(reading, object, "name", parameter->name, sizeof parameter->name) ||
      !take_text(reading, object, "kind", kind, sizeof kind) ||
      !take_bool(reading, object, "optional", &parameter->optional) ||
      !take_text(reading, object, "type_key", parameter->type_key, sizeof parameter->type_key))
    return false;
  for (int i = 0; i < KERNEL_ARRAY; ++i)
    if (strcmp(kernel_kind_names[i], kind) == 0) {
      parameter->kind = (KernelKind)i;
      return read_value(reading, object, parameter) && read_spellings(reading, object, parameter);
    }
  return complain(reading, "kind", "unknown kind \"%s\"", kind);
}

// --- Functions -----------------------------------------------------------------------------------

static bool read_parameters(Reading *reading, const json_t *object, Kernel *kernel)
{
  const json_t *parameters = json_object_get(object, "parameters");
  if (!json_is_array(parameters)) return complain(reading, "parameters", "expected an array");
  if (json_array_size(parameters) > KERNEL_PARAMETERS_MAX)
    return complain(reading, "parameters", "at most %d are supported", KERNEL_PARAMETERS_MAX);
  kernel->parameter_count = (uint32_t)json_array_size(parameters);
  inspect_json_place_enter(&reading->place, "parameters");
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    inspect_json_place_enter_item(&reading->place, i);
    if (!read_parameter(reading, json_array_get(parameters, i), &kernel->parameters[i]))
      return false;
    inspect_json_place_leave(&reading->place);
  }
  inspect_json_place_leave(&reading->place);
  return true;
}

static bool read_expected(Reading *reading, const json_t *object, Kernel *kernel)
{
  const json_t *expected = json_object_get(object, "expected");
  kernel->expected_of = kernel->parameter_count;
  if (!take_number(reading, object, "tolerance", &kernel->tolerance)) return false;
  if (kernel->tolerance < 0) return complain(reading, "tolerance", "expected a number, 0 or more");
  if (!expected) return true;
  if (!json_is_object(expected) || json_object_size(expected) != 1)
    return complain(reading, "expected", "expected an object with one member: {\"y\": \"x + 1\"}");
  const char *name = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)expected));
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (strcmp(kernel->parameters[i].name, name) == 0) kernel->expected_of = i;
  if (kernel->expected_of == kernel->parameter_count && strcmp(name, "result") != 0)
    return complain(reading, "expected", "\"%s\" is neither a parameter nor \"result\"", name);
  inspect_json_place_enter(&reading->place, "expected");
  if (!take_text(reading, expected, name, kernel->expected, sizeof kernel->expected)) return false;
  inspect_json_place_leave(&reading->place);
  return true;
}

static bool check_sizes(Reading *reading, const json_t *sizes)
{
  const char *name;
  json_t *value;
  reading->sizes = sizes;
  if (!sizes) return true;
  if (!json_is_object(sizes)) return complain(reading, "sizes", "expected an object");
  json_object_foreach((json_t *)(uintptr_t)sizes, name, value)
  {
    if (!json_is_integer(value) || json_integer_value(value) < 0)
      return complain(reading, "sizes", "the size of \"%s\" must be an integer, 0 or more", name);
  }
  return true;
}

// The device of a tensor is promised where the file states it.
static unsigned promises_of(const Kernel *kernel)
{
  unsigned promises = SIGNATURE_CHECKS_ARITY | SIGNATURE_CHECKS_KIND | SIGNATURE_CHECKS_DTYPE |
                      SIGNATURE_CHECKS_RANK | SIGNATURE_CHECKS_SHAPE;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].device_stated) promises |= SIGNATURE_CHECKS_DEVICE;
  return promises;
}

static bool read_function(Reading *reading, const json_t *object, Kernel *kernel)
{
  static const char *const known[] = {"parameters", "result",    "sizes", "launches", "tentative",
                                      "expected",   "tolerance", "text",  NULL};
  bool tentative = false;
  if (!json_is_object(object)) return complain(reading, "", "expected an object");
  if (!check_members(reading, object, known) ||
      !check_sizes(reading, json_object_get(object, "sizes")) ||
      !read_parameters(reading, object, kernel) ||
      !take_bool(reading, object, "launches", &kernel->launches) ||
      !take_bool(reading, object, "tentative", &tentative) ||
      !read_expected(reading, object, kernel))
    return false;
  kernel->source = tentative ? KERNEL_PROBED : KERNEL_FROM_FILE;
  kernel->promises = tentative ? 0 : promises_of(kernel);
  const json_t *result = json_object_get(object, "result");
  if (!result) return true;
  inspect_json_place_enter(&reading->place, "result");
  if (!read_parameter(reading, result, &kernel->result)) return false;
  if (kernel->result.spellings)
    return complain(reading, "spellings", "only parameters have spellings");
  inspect_json_place_leave(&reading->place);
  return true;
}

static bool read_functions(Reading *reading, const json_t *root, KernelList *list)
{
  static const char *const known[] = {"functions", "$schema", NULL};
  const char *name;
  json_t *value;
  if (!json_is_object(root)) return complain(reading, "", "expected an object");
  if (!check_members(reading, root, known)) return false;
  json_t *functions = json_object_get(root, "functions");
  if (!json_is_object(functions)) return complain(reading, "functions", "expected an object");
  inspect_json_place_enter(&reading->place, "functions");
  json_object_foreach(functions, name, value)
  {
    Kernel *kernel = kernel_find(list, name);
    if (!kernel) return complain(reading, name, "the module does not export __tvm_ffi_%s", name);
    inspect_json_place_enter(&reading->place, name);
    bool had_metadata = kernel->has_metadata;
    memset(&kernel->source, 0, sizeof *kernel - offsetof(Kernel, source));
    kernel->has_metadata = had_metadata;
    if (!read_function(reading, value, kernel)) return false;
    inspect_json_place_leave(&reading->place);
  }
  return true;
}

// --- The file ------------------------------------------------------------------------------------

bool signature_file_read(const char *path, KernelList *list, char *error, size_t error_size)
{
  size_t size = 0;
  char *text = json_file_load(path, FILE_SIZE_MAX, &size, error, error_size);
  json_t *root = text ? json_file_parse(path, text, size, NULL, error, error_size) : NULL;
  Reading reading = {
      .path = path, .text = text, .size = size, .error = error, .error_size = error_size};
  bool good = root && read_functions(&reading, root, list);
  json_decref(root);
  free(text);
  return good;
}
