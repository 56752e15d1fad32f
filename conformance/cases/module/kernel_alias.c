// SPDX-License-Identifier: Apache-2.0
// Outputs that are given the memory of an input, and results that are an argument: "alias" of a
// signature file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_other.h"
#include "plan/kernel_choice.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, LIMIT_MS = 8000 };

// A call that the signature file lists, with its form.
typedef struct Listed {
  Iut *iut;
  const Signature *signature;
  const SignatureForm *form;
  const Kernel *made;
  const char *words;
} Listed;

// Returns how many expectations it made.
typedef unsigned LookAtListed(const Listed *listed);

// Whether the signature has any alias, of an output or of a result.
static bool has_aliases(const Signature *signature)
{
  for (uint32_t i = 0; i < signature->types.count; ++i)
    if (signature_type(signature, i)->aliases.count) return true;
  return false;
}

static const char *lacks_aliases(const CaseInstance *instance, const char *why)
{
  if (!instance->signature || !instance->kernel->chosen)
    return "no signature file describes it (--signatures)";
  return has_aliases(instance->signature) ? NULL : why;
}

static unsigned for_each_listed(Iut *iut, const Kernel *kernel, LookAtListed *look)
{
  const Signature *signature = signature_under_test();
  char problem[KERNEL_PROBLEM_MAX];
  unsigned judged = 0;
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  if (!choices) case_inconclusive("no memory for the choices");
  const size_t count = kernel_chosen(signature, choices);
  for (size_t i = 0; i < count; ++i) {
    if (choices[i].standing != KERNEL_PROMISED) continue;
    Kernel *made = malloc(sizeof *made);
    if (!made) case_inconclusive("no memory for a call");
    kernel_copy(made, kernel);
    if (!kernel_of_choice(signature, &choices[i], made, problem)) continue;
    judged += look(&(Listed){iut, signature, signature_form(signature, choices[i].form), made,
                             choices[i].words});
  }
  free(choices);
  return judged;
}

static const SignatureType *parameter_type(const Listed *listed, uint32_t i)
{
  return signature_type(listed->signature, listed->form->parameters.first + i);
}

static const char *alias_of(const Listed *listed, const SignatureType *type, uint32_t i)
{
  const SignatureValue *name = signature_value(listed->signature, type->aliases.first + i);
  return signature_text(listed->signature, name->text);
}

// The tensor among the parameters that has this name; -1 if it is None in this call.
static int tensor_named(const Kernel *made, const char *name)
{
  for (uint32_t i = 0; i < made->parameter_count; ++i)
    if (strcmp(made->parameters[i].name, name) == 0)
      return made->parameters[i].kind == KERNEL_TENSOR && made->parameters[i].typed ? (int)i : -1;
  return -1;
}

// --- Outputs in the memory of inputs -------------------------------------------------------------

// Whether the elements of both can be in the same memory: as many, of one type, in one place.
static bool fit_each_other(const Kernel *made, uint32_t output, uint32_t input)
{
  const KernelParameter *one = &made->parameters[output], *other = &made->parameters[input];
  if (one->kind != KERNEL_TENSOR || !one->typed || one->rank != other->rank ||
      memcmp(&one->dtype, &other->dtype, sizeof one->dtype) != 0 ||
      one->device.device_type != kDLCPU || other->device.device_type != kDLCPU ||
      (one->alignment > KERNEL_TENSOR_ALIGNMENT && one->alignment > other->alignment))
    return false;
  for (int32_t i = 0; i < one->rank; ++i)
    if (one->shape[i].size != other->shape[i].size) return false;
  return true;
}

// The call with the output in the memory of the input.
static KernelCall *new_call_in_place(const Listed *listed, uint32_t output, uint32_t input)
{
  Kernel *writable = malloc(sizeof *writable);
  if (!writable) case_inconclusive("no memory for a call");
  kernel_copy(writable, listed->made);
  if (writable->parameters[input].role == KERNEL_IN)
    writable->parameters[input].role = KERNEL_INOUT;
  KernelCall *call = new_right_call(listed->iut, writable);
  KernelTensor *from = &call->tensors[input], *to = &call->tensors[output];
  const TVMFFIObjectHandle object = to->object;
  *to = *from;
  to->role = listed->made->parameters[output].role;
  to->object = object;
  // What the input holds afterwards is what the output does.
  from->role = KERNEL_IN;
  if (kernel_takes_spelling(&writable->parameters[output], call->values[input].type_index)) {
    call->values[output] = call->values[input];
    to->object = from->object;
  } else {
    kernel_tensor_describe(listed->iut, to, from->tensor);
    call->values[output] = kernel_tensor_value(to);
  }
  return call;
}

// Calls that do not give the same twice say nothing.
static KernelCall *new_call_apart(const Listed *listed)
{
  KernelCall *calls[2];
  bool alike = true;
  for (int i = 0; i < 2; ++i) {
    calls[i] = new_right_call(listed->iut, listed->made);
    if (i == 0 && end_of_call_within(calls[i], LIMIT_MS) != CALL_RETURNS) return NULL;
    make_call(calls[i]);
    alike &= calls[i]->returned == 0;
  }
  alike = alike && kernel_calls_alike(calls[0], calls[1]);
  drop_outcome(calls[1]);
  return alike ? calls[0] : NULL;
}

static unsigned judge_in_place(const Listed *listed, uint32_t output, uint32_t input)
{
  char one[64], other[64];
  KernelCall *apart = new_call_apart(listed);
  if (!apart) return 0;
  KernelCall *call = new_call_in_place(listed, output, input);
  note_call(call, "with %s in the memory of %s%s%s: ", parameter_name(listed->made, output, one),
            parameter_name(listed->made, input, other), listed->words[0] ? ", " : "",
            listed->words);
  const CallEnd end = end_of_call_within(call, LIMIT_MS);
  if (!expect_that(end == CALL_RETURNS, "the call returns, as with memory of its own",
                   end == CALL_HANGS ? "it is still running after 8 seconds" : "it does not"))
    return 1;
  make_call(call);
  if (expect_served(call)) expect_same_as_other(call, apart);
  drop_outcome(call);
  drop_outcome(apart);
  return 1;
}

static unsigned look_at_outputs(const Listed *listed)
{
  unsigned judged = 0;
  for (uint32_t i = 0; i < listed->form->parameters.count; ++i) {
    const SignatureType *type = parameter_type(listed, i);
    for (uint32_t k = 0; k < type->aliases.count; ++k) {
      const int input = tensor_named(listed->made, alias_of(listed, type, k));
      if (input >= 0 && fit_each_other(listed->made, i, (uint32_t)input))
        judged += judge_in_place(listed, i, (uint32_t)input);
    }
  }
  return judged;
}

static const char no_alias_of_output[] =
    "its signature names no input whose memory an output may have (\"alias\")";

static const char *lacks_alias_of_output(const CaseInstance *instance)
{
  return lacks_aliases(instance, no_alias_of_output);
}

KERNEL_CASE(output_in_place, .clauses = {KER_66}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR,
            .lacks = lacks_alias_of_output, .patience = 10,
            .title = "an output in the memory of an input holds what it does in memory of its own")
{
  if (for_each_listed(iut, kernel, look_at_outputs) == 0)
    case_not_applicable("%s", no_alias_of_output);
}

// --- Results that are arguments ------------------------------------------------------------------

static unsigned look_at_result(const Listed *listed)
{
  const SignatureType *type = listed->form->result == SIGNATURE_NONE
                                  ? NULL
                                  : signature_type(listed->signature, listed->form->result);
  char what[128], name[64];
  if (!type || !type->aliases.count) return 0;
  const int argument = tensor_named(listed->made, alias_of(listed, type, 0));
  if (argument < 0) return 0;
  KernelCall *call = new_right_call(listed->iut, listed->made);
  note_call(call, listed->words[0] ? "with %s: " : "%s", listed->words);
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) return 0;
  make_call(call);
  const bool is_tensor = call->returned == 0 && call->result->type_index == kTVMFFITensor;
  if (is_tensor) {
    const DLTensor *tensor = object_body(call->iut, call->result->v_obj);
    const unsigned char *first = (const unsigned char *)tensor->data + tensor->byte_offset;
    snprintf(what, sizeof what, "the result is in the memory of %s",
             parameter_name(listed->made, (unsigned)argument, name));
    expect_that(first == call->tensors[argument].first, what, "it is elsewhere");
  }
  drop_outcome(call);
  return is_tensor;
}

static const char no_alias_of_result[] =
    "its signature says of no result that it is an argument (\"alias\")";

static const char *lacks_alias_of_result(const CaseInstance *instance)
{
  return lacks_aliases(instance, no_alias_of_result);
}

KERNEL_CASE(result_is_the_argument, .clauses = {KER_67}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR,
            .lacks = lacks_alias_of_result, .patience = 10,
            .title = "a result that the signature file calls an argument is in its memory")
{
  if (for_each_listed(iut, kernel, look_at_result) == 0)
    case_not_applicable("%s", no_alias_of_result);
}
