// SPDX-License-Identifier: Apache-2.0
#include <jansson.h>
#include <string.h>

#include "plan/signature_file.h"

static json_t *write_shape(const KernelParameter *parameter)
{
  json_t *shape = json_array();
  for (int32_t i = 0; i < parameter->rank; ++i)
    json_array_append_new(shape, parameter->shape[i].symbol[0]
                                     ? json_string(parameter->shape[i].symbol)
                                     : json_integer(parameter->shape[i].size));
  return shape;
}

// A tensor of which nothing is known gets a type and a shape to be corrected.
static void write_tensor(json_t *object, const KernelParameter *parameter)
{
  static const char *const roles[] = {"in", "out", "inout"};
  char text[32];
  json_object_set_new(
      object, "dtype",
      json_string(parameter->typed ? signature_dtype_text(parameter->dtype, text) : "float32"));
  json_object_set_new(object, "shape",
                      parameter->typed ? write_shape(parameter) : json_pack("[s]", "n"));
  json_object_set_new(
      object, "device",
      json_string(parameter->typed ? signature_device_text(parameter->device, text) : "cpu"));
  json_object_set_new(object, "role", json_string(roles[parameter->role]));
  if (parameter->alignment > 1)
    json_object_set_new(object, "alignment", json_integer(parameter->alignment));
}

static void write_value(json_t *object, const KernelParameter *parameter)
{
  switch (parameter->kind) {
    case KERNEL_INT:
    case KERNEL_BOOL:
      json_object_set_new(object, "value", json_integer(parameter->integer));
      break;
    case KERNEL_FLOAT:
      json_object_set_new(object, "value", json_real(parameter->number));
      break;
    case KERNEL_TENSOR:
      if (parameter->number != 1)
        json_object_set_new(object, "value", json_real(parameter->number));
      break;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      json_object_set_new(object, "value", json_string(parameter->text));
      break;
    case KERNEL_DTYPE:
      if (parameter->text[0]) json_object_set_new(object, "value", json_string(parameter->text));
      break;
    default:
      break;
  }
}

static void write_spellings(json_t *object, const KernelParameter *parameter)
{
  json_t *list = json_array();
  for (size_t i = 0; i < KERNEL_SPELLING_COUNT; ++i)
    if (kernel_spellings[i].kind == parameter->kind &&
        (kernel_spellings[i].bit & parameter->spellings))
      json_array_append_new(list, json_string(kernel_spellings[i].name));
  json_object_set_new(object, "spellings", list);
}

// A parameter without a name gets one.
static void name_of(const KernelParameter *parameter, int number, char name[KERNEL_WORD_MAX])
{
  if (parameter->name[0])
    snprintf(name, KERNEL_WORD_MAX, "%s", parameter->name);
  else
    snprintf(name, KERNEL_WORD_MAX, "p%d", number);
}

// `number` -1: the result.
static json_t *write_parameter(const KernelParameter *parameter, int number)
{
  char name[KERNEL_WORD_MAX];
  json_t *object = json_object();
  name_of(parameter, number, name);
  if (number >= 0) json_object_set_new(object, "name", json_string(name));
  json_object_set_new(object, "kind", json_string(kernel_kind_names[parameter->kind]));
  if (parameter->optional) json_object_set_new(object, "optional", json_true());
  if (parameter->type_key[0])
    json_object_set_new(object, "type_key", json_string(parameter->type_key));
  if (parameter->spellings && number >= 0) write_spellings(object, parameter);
  bool described = number >= 0 || parameter->typed;
  if (parameter->kind == KERNEL_TENSOR && described) write_tensor(object, parameter);
  if (number >= 0) write_value(object, parameter);
  return object;
}

static void add_sizes(json_t *sizes, const KernelParameter *parameter)
{
  for (int32_t i = 0; parameter->typed && i < parameter->rank; ++i)
    if (parameter->shape[i].symbol[0])
      json_object_set_new(sizes, parameter->shape[i].symbol,
                          json_integer(parameter->shape[i].size));
}

static json_t *write_sizes(const Kernel *kernel)
{
  json_t *sizes = json_object();
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    add_sizes(sizes, parameter);
    if (parameter->kind == KERNEL_TENSOR && !parameter->typed)
      json_object_set_new(sizes, "n", json_integer(4));
  }
  add_sizes(sizes, &kernel->result);
  return sizes;
}

static void write_expected(json_t *object, const Kernel *kernel)
{
  char name[KERNEL_WORD_MAX] = "result";
  if (!kernel->expected[0]) return;
  if (kernel->expected_of < kernel->parameter_count)
    name_of(&kernel->parameters[kernel->expected_of], (int)kernel->expected_of, name);
  json_object_set_new(object, "expected", json_pack("{s:s}", name, kernel->expected));
  if (kernel->tolerance > 0) json_object_set_new(object, "tolerance", json_real(kernel->tolerance));
}

static json_t *write_function(const Kernel *kernel)
{
  static const char *const sources[] = {
      [KERNEL_UNKNOWN] = "no signature is known: list its parameters",
      [KERNEL_FROM_FILE] = NULL,
      [KERNEL_FROM_METADATA] = "from its metadata: correct it, then remove \"tentative\"",
      [KERNEL_PROBED] = "probed from its errors: correct it, then remove \"tentative\"",
  };
  json_t *object = json_object(), *parameters = json_array(), *sizes = write_sizes(kernel);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    json_array_append_new(parameters, write_parameter(&kernel->parameters[i], (int)i));
  if (sources[kernel->source])
    json_object_set_new(object, "text", json_string(sources[kernel->source]));
  // Roles, shapes and examples are the writer's own idea: no verdict may rest on them.
  if (kernel->source == KERNEL_PROBED || kernel->source == KERNEL_FROM_METADATA)
    json_object_set_new(object, "tentative", json_true());
  json_object_set_new(object, "parameters", parameters);
  json_object_set_new(object, "result", write_parameter(&kernel->result, -1));
  if (json_object_size(sizes)) json_object_set(object, "sizes", sizes);
  json_decref(sizes);
  if (kernel->launches) json_object_set_new(object, "launches", json_true());
  write_expected(object, kernel);
  return object;
}

bool signature_file_write(FILE *out, const KernelList *list)
{
  json_t *functions = json_object();
  for (size_t i = 0; i < list->count; ++i)
    json_object_set_new(functions, list->items[i].name, write_function(&list->items[i]));
  json_t *root = json_pack("{s:o}", "functions", functions);
  bool good = root && json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(root);
  return good && fflush(out) == 0;
}
