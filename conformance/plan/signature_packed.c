// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_packed.h"

#include <string.h>

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

bool signature_search_packed(Kernel *kernel, unsigned most, ProbeCall *make, void *context)
{
  static const uint32_t counts[] = {3, 2};
  enum { TRIED = sizeof counts / sizeof *counts };
  static Kernel call;
  for (size_t i = 0; i < TRIED; ++i) {
    call = *kernel;
    call.source = KERNEL_PROBED;
    call.parameter_count = call.expected_of = counts[i];
    call.result = (KernelParameter){.alignment = 1};
    for (uint32_t k = 0; k < counts[i]; ++k)
      call.parameters[k] =
          (KernelParameter){.kind = KERNEL_TENSOR, .alignment = 1, .integer = 1, .number = 1};
    signature_search(&call, NULL, NULL, most / TRIED, make, context);
    if (!call.found || !takes_more(&call, make, context)) continue;
    *kernel = call;
    kernel->variadic = true;
    // Those behind the first are all the same to it.
    for (uint32_t k = 2; k < counts[i]; ++k)
      kernel->parameters[k].checked |= kernel->parameters[1].checked;
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
