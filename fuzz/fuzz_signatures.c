// SPDX-License-Identifier: Apache-2.0
// Signature files. What was read and is written can be read again.
#include <string.h>

#include "fuzz_target.h"
#include "plan/signature_file.h"

enum { KERNELS = 3 };

static void start(KernelList *list, Kernel kernels[KERNELS])
{
  static const char *const names[KERNELS] = {"add", "add_one", "scale"};
  memset(kernels, 0, KERNELS * sizeof *kernels);
  for (size_t i = 0; i < KERNELS; ++i) strcpy(kernels[i].name, names[i]);
  *list = (KernelList){.items = kernels, .count = KERNELS};
}

static void check_kernel(const Kernel *kernel)
{
  FUZZ_CHECK(kernel->parameter_count <= KERNEL_PARAMETERS_MAX);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    FUZZ_CHECK((unsigned)parameter->kind < KERNEL_KIND_COUNT);
    FUZZ_CHECK(memchr(parameter->name, '\0', sizeof parameter->name) != NULL);
    FUZZ_CHECK(memchr(parameter->text, '\0', sizeof parameter->text) != NULL);
    FUZZ_CHECK(parameter->rank >= 0 && parameter->rank <= KERNEL_RANK_MAX);
    for (int32_t k = 0; k < parameter->rank; ++k) FUZZ_CHECK(parameter->shape[k].size >= 0);
  }
  FUZZ_CHECK(memchr(kernel->expected, '\0', sizeof kernel->expected) != NULL);
  FUZZ_CHECK(kernel->expected_of <= kernel->parameter_count);
  char why[256];
  kernel_meets(kernel, ~0U, why, sizeof why);
  fuzz_is_line(why);
}

static void check_same_tensor(const KernelParameter *seen, const KernelParameter *expected)
{
  FUZZ_CHECK(seen->typed && seen->rank == expected->rank);
  FUZZ_CHECK(memcmp(&seen->dtype, &expected->dtype, sizeof seen->dtype) == 0);
  FUZZ_CHECK(seen->device.device_type == expected->device.device_type);
  FUZZ_CHECK(seen->device.device_id == expected->device.device_id);
  for (int32_t i = 0; i < seen->rank; ++i) {
    FUZZ_CHECK(seen->shape[i].size == expected->shape[i].size);
    FUZZ_CHECK(strcmp(seen->shape[i].symbol, expected->shape[i].symbol) == 0);
  }
}

// What is said of a result, too.
static void check_same_type(const KernelParameter *seen, const KernelParameter *expected)
{
  FUZZ_CHECK(seen->kind == expected->kind && seen->optional == expected->optional);
  FUZZ_CHECK(strcmp(seen->type_key, expected->type_key) == 0);
  if (seen->kind == KERNEL_TENSOR && expected->typed) check_same_tensor(seen, expected);
}

static void check_same_parameter(const KernelParameter *seen, const KernelParameter *expected)
{
  check_same_type(seen, expected);
  FUZZ_CHECK(seen->integer == expected->integer && seen->number == expected->number);
  FUZZ_CHECK(strcmp(seen->text, expected->text) == 0);
  FUZZ_CHECK(seen->spellings == expected->spellings);
  FUZZ_CHECK(seen->role == expected->role && seen->alignment == expected->alignment);
}

// Nothing that was said of the function is lost when it is written.
static void check_same(const Kernel *seen, const Kernel *expected)
{
  FUZZ_CHECK(seen->parameter_count == expected->parameter_count);
  FUZZ_CHECK(seen->launches == expected->launches);
  FUZZ_CHECK(seen->tolerance == expected->tolerance || !expected->expected[0]);
  FUZZ_CHECK(strcmp(seen->expected, expected->expected) == 0);
  for (uint32_t i = 0; i < seen->parameter_count; ++i)
    check_same_parameter(&seen->parameters[i], &expected->parameters[i]);
  check_same_type(&seen->result, &expected->result);
}

static void write_and_read(const KernelList *list)
{
  static Kernel kernels[KERNELS];
  KernelList again;
  char *text = NULL, error[512] = "";
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  FUZZ_CHECK(out != NULL);
  FUZZ_CHECK(signature_file_write(out, list));
  FUZZ_CHECK(fclose(out) == 0);
  start(&again, kernels);
  bool read =
      signature_file_read(fuzz_file((const uint8_t *)text, size), &again, error, sizeof error);
  if (!read) fprintf(stderr, "%s\n%s\n", error, text);
  FUZZ_CHECK(read);
  for (size_t i = 0; i < KERNELS; ++i) check_same(&again.items[i], &list->items[i]);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static Kernel kernels[KERNELS];
  KernelList list;
  char error[512] = "";
  start(&list, kernels);
  if (signature_file_read(fuzz_file(data, size), &list, error, sizeof error)) {
    for (size_t i = 0; i < KERNELS; ++i) check_kernel(&list.items[i]);
    write_and_read(&list);
  } else {
    FUZZ_CHECK(error[0] != '\0');
    fuzz_is_line(error);
  }
  return 0;
}
