// SPDX-License-Identifier: Apache-2.0
// What is known of how a function is called, in words: from its signature where there is one, else
// from the call that was made of what its errors tell.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/functions.h"
#include "signature/signature_line.h"
#include "signature/signature_words.h"

enum { DEPTH_MAX = 3, LISTED_MAX = 6 };

static const char *const roles[] = {
    [KERNEL_IN] = "", [KERNEL_OUT] = ", out", [KERNEL_INOUT] = ", inout"};

// --- Signatures ----------------------------------------------------------------------------------

static void say_values(SignatureLine *words, const Signature *signature, SignatureRange values,
                       const char *between)
{
  for (uint32_t i = 0; i < values.count; ++i) {
    const SignatureValue *value = signature_value(signature, values.first + i);
    signature_say(words, "%s", i ? between : "");
    if (i == LISTED_MAX) {
      signature_say(words, "...");
      return;
    }
    if (value->kind == KERNEL_STRING)
      signature_say(words, "%s", signature_text(signature, value->text));
    else if (value->kind == KERNEL_FLOAT)
      signature_say(words, "%g", value->number);
    else
      signature_say(words, "%" PRId64, value->integer);
  }
}

static void say_extents(SignatureLine *words, const Signature *signature, SignatureRange extents)
{
  signature_say(words, "[");
  for (uint32_t i = 0; i < extents.count; ++i) {
    const SignatureExtent *extent = signature_extent(signature, extents.first + i);
    const char *text = signature_text(signature, extent->text);
    signature_say(words, "%s", i ? ", " : "");
    switch (extent->form) {
      case SIGNATURE_EXTENT_NUMBER:
        signature_say(words, "%" PRId64, extent->number);
        break;
      case SIGNATURE_EXTENT_ANY:
        signature_say(words, "_");
        break;
      case SIGNATURE_EXTENT_ANY_RANK:
        signature_say(words, "...");
        break;
      default:
        signature_say(words, "%s%s",
                      extent->form == SIGNATURE_EXTENT_BROADCAST    ? "#"
                      : extent->form == SIGNATURE_EXTENT_EACH       ? "?"
                      : extent->form == SIGNATURE_EXTENT_NAMED_RANK ? "*"
                                                                    : "",
                      text);
    }
  }
  signature_say(words, "]");
}

static void say_tensor(SignatureLine *words, const Signature *signature, const SignatureType *type)
{
  if (type->tensor_origin == SIGNATURE_FROM_NOBODY && !type->dtypes.count && !type->has_shape)
    return;
  const char *variable = signature_text(signature, type->dtype_variable);
  signature_say(words, " ");
  if (variable[0])
    signature_say(words, "%s", variable);
  else
    say_values(words, signature, type->dtypes, "|");
  if (type->has_shape) say_extents(words, signature, type->shape);
  signature_say(words, "%s", roles[type->role]);
  if (type->devices.count) {
    signature_say(words, ", on ");
    say_values(words, signature, type->devices, "|");
  }
}

static void say_limits(SignatureLine *words, const Signature *signature, const SignatureType *type)
{
  const char *least = signature_text(signature, type->least);
  const char *most = signature_text(signature, type->most);
  if (type->values.count && type->kind != KERNEL_TENSOR) {
    signature_say(words, " of ");
    say_values(words, signature, type->values, ", ");
  }
  if (least[0]) signature_say(words, ", from %s", least);
  if (most[0]) signature_say(words, ", to %s", most);
}

static void say_type(SignatureLine *words, const Signature *signature, uint32_t index, int depth)
{
  const SignatureType *type = signature_type(signature, index);
  signature_say(words, "%s", kernel_kind_names[type->kind]);
  if (type->kind == KERNEL_TENSOR) say_tensor(words, signature, type);
  if (type->kind == KERNEL_SHAPE && type->has_shape) say_extents(words, signature, type->shape);
  if (type->kind == KERNEL_OBJECT && signature_text(signature, type->type_key)[0])
    signature_say(words, " %s", signature_text(signature, type->type_key));
  say_limits(words, signature, type);
  for (uint32_t i = 0; i < type->children.count && depth < DEPTH_MAX; ++i) {
    if (i >= LISTED_MAX) {
      signature_say(words, ", ...");
      break;
    }
    signature_say(words, "%s", i ? ", " : " (");
    say_type(words, signature, type->children.first + i, depth + 1);
  }
  if (type->children.count && depth < DEPTH_MAX) signature_say(words, ")");
  if (type->optional) signature_say(words, " or None");
}

static const char *origin_name(SignatureOrigin origin)
{
  static const char *const names[SIGNATURE_ORIGIN_COUNT] = {
      [SIGNATURE_FROM_NOBODY] = "nobody",     [SIGNATURE_FROM_FILE] = "file",
      [SIGNATURE_FROM_METADATA] = "metadata", [SIGNATURE_FROM_ARITY_ERROR] = "arity error",
      [SIGNATURE_FROM_MESSAGE] = "message",   [SIGNATURE_FROM_PROBING] = "probing",
  };
  return names[origin];
}

// --- Calls ---------------------------------------------------------------------------------------

static void say_parameter(SignatureLine *words, const KernelParameter *parameter)
{
  char text[32];
  signature_say(words, "%s", kernel_kind_names[parameter->kind]);
  if (parameter->kind == KERNEL_TENSOR && parameter->typed) {
    signature_say(words, " %s[", signature_dtype_text(parameter->dtype, text));
    for (int32_t i = 0; i < parameter->rank; ++i) {
      char extent[KERNEL_EXTENT_TEXT_MAX];
      signature_say(words, "%s%s", i ? ", " : "", kernel_extent_text(&parameter->shape[i], extent));
    }
    signature_say(words, "]%s", roles[parameter->role]);
    if (parameter->device.device_type != kDLCPU)
      signature_say(words, ", on %s", signature_device_text(parameter->device, text));
  }
  if (parameter->kind == KERNEL_OBJECT && parameter->type_key[0])
    signature_say(words, " %s", parameter->type_key);
  if (parameter->optional) signature_say(words, " or None");
}

// --- Facts ---------------------------------------------------------------------------------------

// The first form of the signature; NULL without one.
static const SignatureForm *form_of(const FunctionFacts *facts)
{
  return facts->signature && facts->signature->forms.count ? signature_form(facts->signature, 0)
                                                           : NULL;
}

const char *functions_origin(const FunctionFacts *facts)
{
  static const SignatureOrigin sources[] = {[KERNEL_UNKNOWN] = SIGNATURE_FROM_NOBODY,
                                            [KERNEL_FROM_FILE] = SIGNATURE_FROM_FILE,
                                            [KERNEL_FROM_METADATA] = SIGNATURE_FROM_METADATA,
                                            [KERNEL_PROBED] = SIGNATURE_FROM_PROBING};
  bool known = facts->signature && facts->signature->origin != SIGNATURE_FROM_NOBODY;
  return origin_name(known ? facts->signature->origin : sources[facts->kernel->source]);
}

uint32_t functions_fact_count(const FunctionFacts *facts)
{
  const SignatureForm *form = form_of(facts);
  const Kernel *kernel = facts->kernel;
  if (form)
    return form->parameters.count + (form->rest != SIGNATURE_NONE) +
           (form->result != SIGNATURE_NONE);
  if (kernel->source == KERNEL_UNKNOWN) return 0;
  return kernel->parameter_count + (kernel->result.kind != KERNEL_ANY);
}

// The name of a parameter, "argument 1", "further arguments" or "result".
static void name_fact(uint32_t index, uint32_t parameters, bool rest, const char *name, char of[64])
{
  if (index < parameters && name[0])
    snprintf(of, 64, "%.63s", name);
  else if (index < parameters)
    snprintf(of, 64, "argument %" PRIu32, index);
  else
    snprintf(of, 64, "%s", rest && index == parameters ? "further arguments" : "result");
}

// The type that a fact of a signature is about.
static uint32_t type_of(const SignatureForm *form, uint32_t index)
{
  if (index < form->parameters.count) return form->parameters.first + index;
  return form->rest != SIGNATURE_NONE && index == form->parameters.count ? form->rest
                                                                         : form->result;
}

void functions_fact(const FunctionFacts *facts, uint32_t index, char what[FUNCTION_FACT_MAX],
                    char of[64], const char **from)
{
  const SignatureForm *form = form_of(facts);
  const Kernel *kernel = facts->kernel;
  SignatureLine words = {what, FUNCTION_FACT_MAX, 0};
  what[0] = '\0';
  if (form) {
    const SignatureType *type = signature_type(facts->signature, type_of(form, index));
    name_fact(index, form->parameters.count, form->rest != SIGNATURE_NONE,
              signature_text(facts->signature, type->name), of);
    say_type(&words, facts->signature, type_of(form, index), 0);
    *from = type->origin ? origin_name(type->origin) : functions_origin(facts);
    return;
  }
  bool is_result = index >= kernel->parameter_count;
  const KernelParameter *parameter = is_result ? &kernel->result : &kernel->parameters[index];
  name_fact(index, kernel->parameter_count, false, parameter->name, of);
  say_parameter(&words, parameter);
  *from = functions_origin(facts);
}

void functions_signature(const FunctionFacts *facts, char *text, size_t capacity)
{
  SignatureLine words = {text, capacity, 0};
  uint32_t count = functions_fact_count(facts);
  bool closed = false;
  text[0] = '\0';
  char label[KERNEL_LABEL_MAX];
  signature_say(&words, "%s(%s", kernel_label(facts->kernel, label), count ? "" : "?");
  for (uint32_t i = 0; i < count; ++i) {
    char what[FUNCTION_FACT_MAX], of[64];
    const char *from;
    functions_fact(facts, i, what, of, &from);
    if (strcmp(of, "result") == 0) {
      signature_say(&words, ") -> %s", what);
      closed = true;
    } else {
      signature_say(&words, "%s%s: %s", i ? ", " : "", of, what);
    }
  }
  if (!closed) signature_say(&words, ")");
  if (facts->signature && facts->signature->forms.count > 1)
    signature_say(&words, ", or in %" PRIu32 " more ways", facts->signature->forms.count - 1);
}
