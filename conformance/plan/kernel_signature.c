// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_signature.h"

#include <stdio.h>
#include <string.h>

#include "expression/expression.h"
#include "signature/signature_words.h"

enum { USUAL_SIZE = 4 };

static const char *text_of(const Signature *of, SignatureText text)
{
  return signature_text(of, text);
}

// --- Tensors -------------------------------------------------------------------------------------

static int64_t size_of(const Signature *of, const SignatureForm *form, const char *name)
{
  for (uint32_t i = 0; i < form->parameters.count; ++i) {
    const SignatureType *type = signature_type(of, form->parameters.first + i);
    if (type->kind == KERNEL_INT && strcmp(text_of(of, type->name), name) == 0)
      return type->example == SIGNATURE_NONE ? 1 : signature_value(of, type->example)->integer;
  }
  for (uint32_t i = 0; i < form->sizes.count; ++i) {
    const SignatureVariable *size = signature_variable(of, form->sizes.first + i);
    if (strcmp(text_of(of, size->name), name) == 0)
      return signature_value(of, size->values.first)->integer;
  }
  return USUAL_SIZE;
}

static bool fill_shape(const Signature *of, const SignatureForm *form, const SignatureType *type,
                       KernelParameter *out)
{
  out->rank = (int32_t)type->shape.count;
  for (uint32_t i = 0; i < type->shape.count; ++i) {
    const SignatureExtent *extent = signature_extent(of, type->shape.first + i);
    const char *text = text_of(of, extent->text);
    const bool symbol = extent->form == SIGNATURE_EXTENT_EXPRESSION && expression_is_name(text);
    if (!symbol && extent->form != SIGNATURE_EXTENT_NUMBER) return false;
    out->shape[i].size = symbol ? size_of(of, form, text) : extent->number;
    if (symbol) snprintf(out->shape[i].symbol, sizeof out->shape[i].symbol, "%s", text);
  }
  return true;
}

// The word of a parameter, or the first of its variable.
static const char *first_word(const Signature *of, SignatureRange words, SignatureText variable,
                              SignatureRange variables)
{
  for (uint32_t i = 0; variable && i < variables.count; ++i) {
    const SignatureVariable *found = signature_variable(of, variables.first + i);
    if (strcmp(text_of(of, found->name), text_of(of, variable)) == 0) words = found->values;
  }
  return words.count ? text_of(of, signature_value(of, words.first)->text) : "";
}

static void fill_tensor(const Signature *of, const SignatureForm *form, const SignatureType *type,
                        KernelParameter *out)
{
  const char *device = first_word(of, type->devices, type->device_variable, form->devices);
  out->role = type->role;
  out->alignment = type->alignment ? type->alignment : 1;
  out->device_stated = type->devices.count || type->device_variable;
  signature_device(*device ? device : "cpu", &out->device);
  if (!type->has_shape) return;
  const char *dtype = first_word(of, type->dtypes, type->dtype_variable, form->dtypes);
  out->typed = signature_dtype(dtype, &out->dtype) && fill_shape(of, form, type, out);
}

// --- Parameters ----------------------------------------------------------------------------------

static void fill_value(const Signature *of, const SignatureType *type, KernelParameter *out)
{
  const uint32_t first = type->values.count ? type->values.first : SIGNATURE_NONE;
  const uint32_t index = type->example != SIGNATURE_NONE ? type->example : first;
  out->integer = 1;
  out->number = 1;
  if (index == SIGNATURE_NONE) return;
  const SignatureValue *value = signature_value(of, index);
  if (value->kind == KERNEL_INT || value->kind == KERNEL_BOOL) out->integer = value->integer;
  if (value->kind == KERNEL_FLOAT) out->number = value->number;
  if (value->kind == KERNEL_STRING)
    snprintf(out->text, sizeof out->text, "%s", text_of(of, value->text));
}

static void fill_parameter(const Signature *of, const SignatureForm *form, uint32_t index,
                           KernelParameter *out)
{
  const SignatureType *type = signature_type(of, index);
  snprintf(out->name, sizeof out->name, "%s", text_of(of, type->name));
  snprintf(out->type_key, sizeof out->type_key, "%s", text_of(of, type->type_key));
  // Of what holds others no value is made.
  out->kind = type->kind >= KERNEL_ARRAY ? KERNEL_ANY : type->kind;
  out->optional = type->optional;
  out->retained = type->retained;
  out->spellings = type->spellings;
  fill_value(of, type, out);
  if (type->kind == KERNEL_TENSOR) fill_tensor(of, form, type, out);
}

// --- Functions -----------------------------------------------------------------------------------

static void fill_expected(const Signature *of, const SignatureForm *form, Kernel *kernel)
{
  kernel->expected_of = kernel->parameter_count;
  for (uint32_t i = 0; i < form->tolerances.count; ++i) {
    const SignatureTolerance *tolerance = signature_tolerance(of, form->tolerances.first + i);
    if (!tolerance->dtype) kernel->tolerance = tolerance->relative;
  }
  kernel->expects = form->expected.count > 0;
  if (form->expected.count != 1) return;
  const SignatureExpected *expected = signature_expected(of, form->expected.first);
  const char *name = text_of(of, expected->of), *formula = text_of(of, expected->formula);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (strcmp(kernel->parameters[i].name, name) == 0) kernel->expected_of = i;
  if (kernel->expected_of == kernel->parameter_count && strcmp(name, "result") != 0) return;
  if (strlen(formula) < sizeof kernel->expected) strcpy(kernel->expected, formula);
}

static unsigned promises_of(const SignatureForm *form, const Kernel *kernel)
{
  unsigned stated = SIGNATURE_CHECKS_ALL & ~(unsigned)SIGNATURE_CHECKS_DEVICE;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].device_stated) stated = SIGNATURE_CHECKS_ALL;
  return form->checks & stated;
}

// Kinds, and what else is said of each parameter alone.
static void fill_parts(const Signature *of, const SignatureForm *form, Kernel *kernel)
{
  kernel->parameter_count = form->parameters.count;
  for (uint32_t i = 0; i < form->parameters.count; ++i)
    fill_parameter(of, form, form->parameters.first + i, &kernel->parameters[i]);
  if (form->result != SIGNATURE_NONE) fill_parameter(of, form, form->result, &kernel->result);
}

bool kernel_take_signature(Kernel *kernel, const Signature *signature,
                           char problem[KERNEL_PROBLEM_MAX])
{
  const SignatureForm *form = signature_form(signature, 0);
  const bool had_metadata = kernel->has_metadata;
  memset(&kernel->source, 0, sizeof *kernel - offsetof(Kernel, source));
  kernel->has_metadata = had_metadata;
  kernel->source = signature->tentative ? KERNEL_PROBED : KERNEL_FROM_FILE;
  kernel->launches = form->launches;
  if (signature->tentative)
    fill_parts(signature, form, kernel);
  else if (!kernel_example(signature, kernel, problem))
    return false;
  fill_expected(signature, form, kernel);
  kernel->promises = signature->tentative ? 0 : promises_of(form, kernel);
  return true;
}
