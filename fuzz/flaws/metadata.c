// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_metadata.h"

#include "flaw.h"
#include "signature/type_name.h"

static void change_kernel(Kernel *kernel)
{
  KernelParameter *result = &kernel->result, *first = &kernel->parameters[0];
  if (flaw("too-many-parameters")) kernel->parameter_count = KERNEL_PARAMETERS_MAX + 1;
  if (flaw("unknown-result")) result->kind = KERNEL_KIND_COUNT;
  if (kernel->parameter_count == 0) return;
  if (flaw("unknown-kind")) first->kind = KERNEL_KIND_COUNT;
  if (flaw("name-without-end")) memset(first->name, 'x', sizeof first->name);
  if (flaw("key-without-end")) memset(first->type_key, 'x', sizeof first->type_key);
  if (flaw("rank-too-high")) first->rank = KERNEL_RANK_MAX + 1;
  if (flaw("rank-too-low")) first->rank = -1;
}

WRAP(bool, signature_metadata_read, const char *text, size_t size, Kernel *kernel, char *error,
     size_t error_size)
{
  bool read = REAL(signature_metadata_read)(text, size, kernel, error, error_size);
  if (read) change_kernel(kernel);
  if (!read && flaw("changed-by-failure")) kernel->parameter_count = 1;
  if (!read && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  if (size == 0 && flaw("nothing-refused")) strcpy(error, "nothing is there");
  return read;
}

WRAP(Signature *, type_name_signature, const char *message)
{
  Signature *signature = REAL(type_name_signature)(message);
  if (signature && flaw("signature-cut-off")) signature->size -= 8;
  return signature;
}
