// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_file.h"

#include <stdio.h>

#include "plan/kernel_signature.h"
#include "signature/signature_read.h"

static bool knows(void *context, const char *name)
{
  return kernel_find(context, name) != NULL;
}

// Whether a listed call has a tensor that stands in a file.
static bool has_files(const Signature *signature)
{
  for (uint32_t i = 0; i < signature->values.count; ++i) {
    const SignatureValue *value = signature_value(signature, i);
    if (value->kind == KERNEL_TENSOR && value->items.count == 0) return true;
  }
  return false;
}

static bool know(KernelList *list, const Kernel *kernel, Signature *signature,
                 char problem[SIGNATURE_PROBLEM_MAX])
{
  if (kernel_list_know(list, (size_t)(kernel - list->items), signature)) return true;
  snprintf(problem, SIGNATURE_PROBLEM_MAX, "out of memory");
  return false;
}

static bool take(void *context, const char *name, Signature *signature,
                 char problem[SIGNATURE_PROBLEM_MAX])
{
  Kernel *kernel = kernel_find(context, name);
  const bool good = kernel_take_signature(kernel, signature, problem);
  return know(context, kernel, signature, problem) && good;
}

// The same where no file can be opened: an example that may be a call with one is left to the caller. (To look for one
// takes long where each of many calls names files.)
static bool take_text(void *context, const char *name, Signature *signature,
                      char problem[SIGNATURE_PROBLEM_MAX])
{
  if (has_files(signature)) return know(context, kernel_find(context, name), signature, problem);
  return take(context, name, signature, problem);
}

bool signature_file_read_text(const char *path, const char *text, size_t size, KernelList *list,
                              char *error, size_t error_size)
{
  const SignatureSink sink = {knows, take_text, list};
  return signature_read_text(path, text, size, &sink, error, error_size);
}

bool signature_file_read(const char *path, KernelList *list, char *error, size_t error_size)
{
  const SignatureSink sink = {knows, take, list};
  return signature_read_file(path, &sink, error, error_size);
}
