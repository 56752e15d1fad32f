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
}

static json_t *write_parameter(const KernelParameter *parameter, int number)
{
  char name[KERNEL_WORD_MAX];
  json_t *object = json_object();
  snprintf(name, sizeof name, "p%d", number);
  if (parameter->name[0]) snprintf(name, sizeof name, "%s", parameter->name);
  if (number >= 0) json_object_set_new(object, "name", json_string(name));
  json_object_set_new(object, "kind", json_string(kernel_kind_names[parameter->kind]));
  if (parameter->optional) json_object_set_new(object, "optional", json_true());
  if (parameter->type_key[0])
    json_object_set_new(object, "type_key", json_string(parameter->type_key));
  if (number < 0) return object;
  if (parameter->kind == KERNEL_TENSOR) write_tensor(object, parameter);
  if (parameter->kind == KERNEL_INT || parameter->kind == KERNEL_BOOL)
    json_object_set_new(object, "value", json_integer(parameter->integer));
  if (parameter->kind == KERNEL_FLOAT)
    json_object_set_new(object, "value", json_real(parameter->number));
  if (parameter->kind == KERNEL_STRING || parameter->kind == KERNEL_BYTES)
    json_object_set_new(object, "value", json_string(parameter->text));
  return object;
}

static json_t *write_sizes(const Kernel *kernel)
{
  json_t *sizes = json_object();
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    for (int32_t k = 0; parameter->typed && k < parameter->rank; ++k)
      if (parameter->shape[k].symbol[0])
        json_object_set_new(sizes, parameter->shape[k].symbol,
                            json_integer(parameter->shape[k].size));
    if (parameter->kind == KERNEL_TENSOR && !parameter->typed)
      json_object_set_new(sizes, "n", json_integer(4));
  }
  return sizes;
}

static json_t *write_function(const Kernel *kernel)
{
  json_t *object = json_object(), *parameters = json_array(), *sizes = write_sizes(kernel);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    json_array_append_new(parameters, write_parameter(&kernel->parameters[i], (int)i));
  if (kernel->source == KERNEL_UNKNOWN)
    json_object_set_new(object, "text", json_string("nothing is known of it: list its parameters"));
  json_object_set_new(object, "parameters", parameters);
  json_object_set_new(object, "result", write_parameter(&kernel->result, -1));
  if (json_object_size(sizes)) json_object_set(object, "sizes", sizes);
  json_decref(sizes);
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
