// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_packed.h"

#include <string.h>

#include "plan/signature_refusal.h"
#include "plan/signature_search.h"

// Whether another tensor is taken behind the last one, and looked at.
static bool takes_more(const Kernel *found, ProbeCall *make, void *context)
{
  static Kernel call;
  ProbeAnswer answer = {0};
  const uint32_t count = found->parameter_count;
  call = *found;
  call.parameters[count] = call.parameters[count - 1];
  call.parameter_count = count + 1;
  if (!make(context, &call, &answer) || answer.code != 0) return false;
  call.parameters[count] = (KernelParameter){.kind = KERNEL_STRING, .alignment = 1};
  strcpy(call.parameters[count].text, "text");
  return make(context, &call, &answer) && answer.code != 0;
}

// The call with so many tensors, behind an int if it is to lead.
static void begin_packed(const Kernel *kernel, uint32_t count, bool leads, Kernel *call)
{
  *call = *kernel;
  call->source = KERNEL_PROBED;
  call->parameter_count = call->expected_of = count + leads;
  call->result = (KernelParameter){.alignment = 1};
  for (uint32_t i = 0; i < call->parameter_count; ++i)
    call->parameters[i] = (KernelParameter){.kind = leads && i == 0 ? KERNEL_INT : KERNEL_TENSOR,
                                            .alignment = 1,
                                            .integer = 1,
                                            .number = 1};
}

// Whether a call with tensors alone is refused with a word about an int.
static bool asks_for_int(const Kernel *kernel, ProbeCall *make, void *context)
{
  static Kernel call;
  ProbeAnswer answer = {0};
  begin_packed(kernel, 2, false, &call);
  for (uint32_t i = 0; i < call.parameter_count; ++i) kernel_stand_in(&call.parameters[i]);
  return make(context, &call, &answer) && answer.code != 0 &&
         (refusal_has_word(answer.message, "int") || refusal_has_word(answer.message, "integer"));
}

bool signature_search_packed(Kernel *kernel, unsigned most, ProbeCall *make, void *context)
{
  static const uint32_t counts[] = {3, 2};
  enum { TRIED = sizeof counts / sizeof *counts };
  static Kernel call;
  const bool leads = asks_for_int(kernel, make, context);
  for (size_t i = 0; i < TRIED; ++i) {
    begin_packed(kernel, counts[i], leads, &call);
    signature_search(&call, NULL, NULL, most / TRIED, make, context);
    if (!call.found || !takes_more(&call, make, context)) continue;
    *kernel = call;
    kernel->variadic = true;
    // Those behind the first are all the same to it.
    for (uint32_t k = leads + 2; k < call.parameter_count; ++k)
      kernel->parameters[k].checked |= kernel->parameters[leads + 1].checked;
    return true;
  }
  return false;
}

static bool is_text_served(const Kernel *kernel, KernelKind kind, ProbeCall *make, void *context,
                           bool *served)
{
  static Kernel call;
  ProbeAnswer answer = {0};
  call = *kernel;
  call.parameter_count = kind != KERNEL_NONE;
  call.parameters[0] = (KernelParameter){.kind = kind, .alignment = 1, .integer = 1, .number = 1};
  if (kind == KERNEL_STRING) strcpy(call.parameters[0].text, "text");
  if (!make(context, &call, &answer)) return false;
  *served = answer.code == 0;
  return true;
}

bool signature_search_text(Kernel *kernel, ProbeCall *make, void *context)
{
  static const KernelKind others[] = {KERNEL_NONE, KERNEL_INT, KERNEL_FLOAT};
  bool served;
  if (!is_text_served(kernel, KERNEL_STRING, make, context, &served) || !served) return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (!is_text_served(kernel, others[i], make, context, &served) || served) return false;
  kernel->source = KERNEL_PROBED;
  kernel->parameter_count = kernel->expected_of = 1;
  kernel->result = (KernelParameter){.alignment = 1};
  kernel->parameters[0] = (KernelParameter){.kind = KERNEL_STRING, .alignment = 1, .number = 1};
  strcpy(kernel->parameters[0].text, "text");
  kernel->found = true;
  return true;
}
