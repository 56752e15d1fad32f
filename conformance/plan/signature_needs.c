// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/signature_found.h"
#include "signature/signature_words.h"

// Tensors that have more elements are not written.
enum { ELEMENTS_MOST = 256, STEPS_MAX = 4 };

static SignatureText add_text(SignatureBuild *build, const char *text)
{
  return signature_add_text(build, text, strlen(text));
}

// --- Arguments as values -------------------------------------------------------------------------

static bool add_value(SignatureBuild *build, const Kernel *call, const KernelParameter *parameter,
                      SignatureValue *out);

static bool add_tensor(SignatureBuild *build, const KernelParameter *tensor, SignatureValue *out)
{
  SignatureValue extents[KERNEL_RANK_MAX], elements[ELEMENTS_MOST], parts[SIGNATURE_WRITTEN];
  const bool whole = tensor->dtype.code != kDLFloat && tensor->dtype.code != kDLBfloat;
  const bool on_host = tensor->device.device_type == kDLCPU;
  size_t count = 1;
  char word[32];
  for (int32_t i = 0; i < tensor->rank; ++i) {
    extents[i] = (SignatureValue){.kind = KERNEL_INT, .integer = tensor->shape[i].size};
    if (tensor->shape[i].size > ELEMENTS_MOST) return false;
    count *= (size_t)tensor->shape[i].size;
    if (count > ELEMENTS_MOST) return false;
  }
  for (size_t i = 0; i < count; ++i) {
    const long double element = kernel_element_of(tensor, i);
    elements[i] = whole ? (SignatureValue){.kind = KERNEL_INT, .integer = (int64_t)element}
                        : (SignatureValue){.kind = KERNEL_FLOAT, .number = (double)element};
  }
  parts[SIGNATURE_WRITTEN_SHAPE] = (SignatureValue){
      .kind = KERNEL_ARRAY, .items = signature_add_values(build, extents, (size_t)tensor->rank)};
  parts[SIGNATURE_WRITTEN_ELEMENTS] =
      (SignatureValue){.kind = KERNEL_ARRAY, .items = signature_add_values(build, elements, count)};
  out->text = add_text(build, signature_dtype_text(tensor->dtype, word));
  out->integer = tensor->role;
  out->items = signature_add_values(build, parts, SIGNATURE_WRITTEN);
  return on_host;
}

// The items of a container; of a map each key, then its value.
static bool add_items(SignatureBuild *build, const Kernel *call, const KernelParameter *parameter,
                      SignatureValue *out)
{
  SignatureValue items[2 * KERNEL_ELEMENTS_MAX];
  const bool keyed = parameter->keyed;
  size_t count = 0;
  for (uint32_t i = 0; i < parameter->element_count; ++i) {
    const KernelParameter *at = &call->elements[parameter->first_element + i];
    if (keyed)
      items[count++] = (SignatureValue){.kind = KERNEL_STRING,
                                        .text = add_text(build, at->name),
                                        .text_size = (uint32_t)strlen(at->name)};
    if (!add_value(build, call, at, &items[count++])) return false;
  }
  out->items = signature_add_values(build, items, count);
  return true;
}

static bool add_value(SignatureBuild *build, const Kernel *call, const KernelParameter *parameter,
                      SignatureValue *out)
{
  SignatureValue extents[KERNEL_RANK_MAX];
  *out = (SignatureValue){
      .kind = parameter->kind, .integer = parameter->integer, .number = parameter->number};
  switch (parameter->kind) {
    case KERNEL_INT:
    case KERNEL_BOOL:
    case KERNEL_FLOAT:
      return true;
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
    case KERNEL_OBJECT:
      out->text = add_text(build, parameter->text);
      out->text_size = (uint32_t)strlen(parameter->text);
      return parameter->text[0] || parameter->kind != KERNEL_OBJECT;
    case KERNEL_SHAPE:
      for (int32_t i = 0; i < parameter->rank; ++i)
        extents[i] = (SignatureValue){.kind = KERNEL_INT, .integer = parameter->shape[i].size};
      out->items = signature_add_values(build, extents, (size_t)parameter->rank);
      return true;
    case KERNEL_TENSOR:
      return add_tensor(build, parameter, out);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
      out->kind = KERNEL_ARRAY;
      return add_items(build, call, parameter, out);
    case KERNEL_MAP:
      return add_items(build, call, parameter, out);
    case KERNEL_ANY:
    case KERNEL_NONE:
      out->kind = KERNEL_NONE;
      return true;
    default:
      return false;
  }
}

// --- Steps ---------------------------------------------------------------------------------------

static bool add_step(SignatureBuild *build, const SignatureNeed *need, SignatureStep *out)
{
  SignatureSetting settings[KERNEL_PARAMETERS_MAX];
  SignatureValue values[KERNEL_PARAMETERS_MAX];
  const Kernel *call = need->call;
  for (uint32_t i = 0; i < call->parameter_count; ++i)
    if (!add_value(build, call, &call->parameters[i], &values[i])) return false;
  const SignatureRange added = signature_add_values(build, values, call->parameter_count);
  for (uint32_t i = 0; i < call->parameter_count; ++i) {
    char name[16];
    snprintf(name, sizeof name, "p%u", (unsigned)i);  // as the parameters of a guess are written
    const char *own = call->parameters[i].name;
    settings[i] = (SignatureSetting){.name = add_text(build, *own ? own : name),
                                     .value = added.first + i,
                                     .spellings = call->parameters[i].spellings};
  }
  *out =
      (SignatureStep){.function = add_text(build, call->name), .keep = add_text(build, need->keep)};
  out->call.arguments = signature_add_settings(build, settings, call->parameter_count);
  return true;
}

Signature *signature_with_needs(const Signature *known, const SignatureNeed *needs, size_t count)
{
  SignatureStep steps[STEPS_MAX];
  SignatureType types[KERNEL_PARAMETERS_MAX];
  SignatureBuild *build = signature_build_begin(known->origin, true);
  if (!build) return NULL;
  const SignatureForm *before = signature_form(known, 0);
  SignatureForm form = {.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  bool added = count <= STEPS_MAX && before->parameters.count <= KERNEL_PARAMETERS_MAX;
  for (size_t i = 0; i < count && added; ++i) added = add_step(build, &needs[i], &steps[i]);
  for (uint32_t i = 0; i < before->parameters.count && added; ++i)
    types[i] = signature_copy_type(build, known, before->parameters.first + i);
  if (added) {
    form.parameters = signature_add_types(build, types, before->parameters.count);
    form.needs = signature_add_steps(build, steps, count);
  }
  if (before->result != SIGNATURE_NONE) {
    types[0] = signature_copy_type(build, known, before->result);
    form.result = signature_add_types(build, types, 1).first;
  }
  signature_add_form(build, &form);
  Signature *made = signature_build_end(build);
  if (added) return made;
  free(made);
  return NULL;
}

// --- Copies --------------------------------------------------------------------------------------

static SignatureRange copy_values(SignatureBuild *build, const Signature *from,
                                  SignatureRange range);

// A value with its items, which stand before it: no deeper than the signature.
static SignatureValue copy_value(SignatureBuild *build, const Signature *from, uint32_t index)
{
  SignatureValue value = *signature_value(from, index);
  const char *text = signature_text(from, value.text);
  const size_t size = value.text_size ? value.text_size : strlen(text);
  value.text = signature_add_text(build, text, size);
  value.items = copy_values(build, from, value.items);
  return value;
}

static SignatureRange copy_values(SignatureBuild *build, const Signature *from,
                                  SignatureRange range)
{
  SignatureValue values[ELEMENTS_MOST];
  if (range.count > ELEMENTS_MOST) range.count = 0;
  for (uint32_t i = 0; i < range.count; ++i) values[i] = copy_value(build, from, range.first + i);
  return signature_add_values(build, values, range.count);
}

SignatureRange signature_copy_needs(SignatureBuild *build, const Signature *from)
{
  SignatureStep steps[STEPS_MAX];
  SignatureRange needs = signature_form(from, 0)->needs;
  if (needs.count > STEPS_MAX) needs.count = 0;
  for (uint32_t i = 0; i < needs.count; ++i) {
    const SignatureStep *own = signature_step(from, needs.first + i);
    const SignatureRange arguments = own->call.arguments;
    SignatureSetting settings[KERNEL_PARAMETERS_MAX];
    SignatureValue values[KERNEL_PARAMETERS_MAX];
    for (uint32_t k = 0; k < arguments.count; ++k)
      values[k] = copy_value(build, from, signature_setting(from, arguments.first + k)->value);
    const uint32_t first = signature_add_values(build, values, arguments.count).first;
    for (uint32_t k = 0; k < arguments.count; ++k) {
      settings[k] = *signature_setting(from, arguments.first + k);
      settings[k].name = add_text(build, signature_text(from, settings[k].name));
      settings[k].value = first + k;
    }
    steps[i] = (SignatureStep){.function = add_text(build, signature_text(from, own->function)),
                               .keep = add_text(build, signature_text(from, own->keep))};
    steps[i].call.arguments = signature_add_settings(build, settings, arguments.count);
  }
  return signature_add_steps(build, steps, needs.count);
}
