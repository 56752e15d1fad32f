// SPDX-License-Identifier: Apache-2.0
// What a module says about a function: JSON with a type schema in it, which is JSON again.
#include <string.h>

#include "fuzz_target.h"
#include "plan/signature_metadata.h"
#include "producer.h"

static void check_parameter(const KernelParameter *parameter)
{
  FUZZ_CHECK((unsigned)parameter->kind < KERNEL_KIND_COUNT);
  FUZZ_CHECK(memchr(parameter->name, '\0', sizeof parameter->name) != NULL);
  FUZZ_CHECK(memchr(parameter->type_key, '\0', sizeof parameter->type_key) != NULL);
  FUZZ_CHECK(parameter->rank >= 0 && parameter->rank <= KERNEL_RANK_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const Kernel blank = {.name = "fuzz"};
  static Kernel kernel;
  char error[256] = "";
  kernel = blank;
  Producer producer;
  producer_start(&producer, data, size);
  ProducerBytes text = producer_rest(&producer);
  bool read = signature_metadata_read(text.data, text.size, &kernel, error, sizeof error);
  fuzz_is_line(error);
  if (read) {
    FUZZ_CHECK(kernel.parameter_count <= KERNEL_PARAMETERS_MAX);
    for (uint32_t i = 0; i < kernel.parameter_count; ++i) check_parameter(&kernel.parameters[i]);
    check_parameter(&kernel.result);
  } else {
    FUZZ_CHECK(memcmp(&kernel, &blank, sizeof kernel) == 0);
    FUZZ_CHECK(size != 0 || error[0] == '\0');
  }
  producer_end(&producer);
  return 0;
}
