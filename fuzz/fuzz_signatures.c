// SPDX-License-Identifier: Apache-2.0
// Signature files. What was read is sound, calls can be made of it, and what is written of it can be
// read again as it was.
#include <string.h>

#include "fuzz_target.h"
#include "plan/signature_file.h"
#include "signature/signature_write.h"

enum { KERNELS = 3 };

static KernelList start(void)
{
  static const char *const names[KERNELS] = {"add", "add_one", "scale"};
  KernelList list = {.items = calloc(KERNELS, sizeof *list.items), .count = KERNELS};
  FUZZ_CHECK(list.items != NULL);
  for (size_t i = 0; i < KERNELS; ++i) strcpy(list.items[i].name, names[i]);
  return list;
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

static void check_signature(const Signature *signature)
{
  FUZZ_CHECK(!signature || signature_is_sound(signature, signature->size));
}

static void check_same(const Signature *seen, const Signature *expected)
{
  FUZZ_CHECK(!seen == !expected);
  if (!seen) return;
  json_t *a = signature_write_function(seen), *b = signature_write_function(expected);
  FUZZ_CHECK(json_equal(a, b));
  json_decref(a);
  json_decref(b);
}

static void write_and_read(const KernelList *list)
{
  KernelList again = start();
  char *text = NULL, error[2048] = "";
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  FUZZ_CHECK(out != NULL);
  FUZZ_CHECK(signature_file_write(out, list));
  FUZZ_CHECK(fclose(out) == 0);
  bool read =
      signature_file_read(fuzz_file((const uint8_t *)text, size), &again, error, sizeof error);
  if (!read) fprintf(stderr, "%s\n%s\n", error, text);
  FUZZ_CHECK(read);
  for (size_t i = 0; i < KERNELS; ++i)
    check_same(kernel_list_signature(&again, i), kernel_list_signature(list, i));
  kernel_list_free(&again);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  KernelList list = start();
  char error[2048] = "";
  if (signature_file_read(fuzz_file(data, size), &list, error, sizeof error)) {
    for (size_t i = 0; i < KERNELS; ++i) check_signature(kernel_list_signature(&list, i));
    for (size_t i = 0; i < KERNELS; ++i) check_kernel(&list.items[i]);
    write_and_read(&list);
  } else {
    FUZZ_CHECK(error[0] != '\0');
    fuzz_is_line(error);
  }
  kernel_list_free(&list);
  return 0;
}
