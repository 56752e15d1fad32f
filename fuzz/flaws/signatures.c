// SPDX-License-Identifier: Apache-2.0
#include "flaw.h"
#include "plan/signature_file.h"

static void change_kernel(Kernel *kernel)
{
  KernelParameter *first = &kernel->parameters[0];
  if (flaw("too-many-parameters")) kernel->parameter_count = KERNEL_PARAMETERS_MAX + 1;
  if (flaw("expected-of-none")) kernel->expected_of = kernel->parameter_count + 1;
  if (flaw("formula-without-end")) memset(kernel->expected, 'x', sizeof kernel->expected);
  if (kernel->parameter_count == 0) return;
  if (flaw("unknown-kind")) first->kind = KERNEL_KIND_COUNT;
  if (flaw("name-without-end")) memset(first->name, 'x', sizeof first->name);
  if (flaw("text-without-end")) memset(first->text, 'x', sizeof first->text);
  if (flaw("rank-too-high")) first->rank = KERNEL_RANK_MAX + 1;
  if (flaw("negative-extent") && first->rank > 0) first->shape[0].size = -1;
}

WRAP(bool, signature_file_read, const char *path, KernelList *list, char *error, size_t error_size)
{
  bool read = REAL(signature_file_read)(path, list, error, error_size);
  for (size_t i = 0; read && i < list->count; ++i) change_kernel(&list->items[i]);
  if (!read && flaw("no-reason")) error[0] = '\0';
  if (!read && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  return read;
}

static void forget_parameter(KernelParameter *parameter)
{
  if (flaw("kind-lost")) parameter->kind = KERNEL_ANY;
  if (flaw("optional-lost")) parameter->optional = false;
  if (flaw("integer-lost")) parameter->integer = 0;
  if (flaw("number-lost")) parameter->number = 0;
  if (flaw("text-lost")) parameter->text[0] = '\0';
  if (flaw("type-key-lost")) parameter->type_key[0] = '\0';
  if (flaw("spellings-lost")) parameter->spellings = 0;
  if (flaw("role-lost")) parameter->role = KERNEL_IN;
  if (flaw("alignment-lost")) parameter->alignment = 1;
  if (flaw("device-lost")) parameter->device.device_type = kDLCPU;
  if (flaw("bits-lost")) parameter->dtype.bits = 8;
  if (flaw("extent-lost")) parameter->shape[0] = (KernelExtent){.size = 1};
  if (flaw("symbol-lost")) parameter->shape[0].symbol[0] = '\0';
}

// What is written is not what was read.
static void forget(Kernel *kernel)
{
  if (flaw("launches-lost")) kernel->launches = false;
  if (flaw("tolerance-lost")) kernel->tolerance = 0;
  if (flaw("formula-lost")) kernel->expected[0] = '\0';
  if (flaw("parameter-lost") && kernel->parameter_count != 0) --kernel->parameter_count;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) forget_parameter(&kernel->parameters[i]);
  if (flaw("result-lost")) kernel->result = (KernelParameter){.kind = KERNEL_ANY};
}

WRAP(bool, signature_file_write, FILE *out, const KernelList *list)
{
  Kernel kernels[3];
  const KernelList less = {.items = kernels, .count = list->count};
  if (list->count > sizeof kernels / sizeof *kernels) abort();
  memcpy(kernels, list->items, list->count * sizeof *kernels);
  for (size_t i = 0; i < list->count; ++i) forget(&kernels[i]);
  if (flaw("nothing-written")) return true;
  return REAL(signature_file_write)(out, &less) && !flaw("write-fails");
}

WRAP(bool, kernel_meets, const Kernel *kernel, unsigned needs, char *why, size_t capacity)
{
  bool meets = REAL(kernel_meets)(kernel, needs, why, capacity);
  if (flaw("need-of-two-lines")) strcpy(why, FLAW_TEXT);
  return meets;
}
