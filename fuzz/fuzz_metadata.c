// SPDX-License-Identifier: Apache-2.0
// What a module says about a function: JSON with a type schema in it, which is JSON again. Behind
// an 'S' the input is the schema alone.
#include <string.h>

#include "fuzz_target.h"
#include "plan/signature_metadata.h"
#include "producer.h"
#include "signature/type_name.h"

static void check_parameter(const KernelParameter *parameter)
{
  FUZZ_CHECK((unsigned)parameter->kind < KERNEL_KIND_COUNT);
  FUZZ_CHECK(memchr(parameter->name, '\0', sizeof parameter->name) != NULL);
  FUZZ_CHECK(memchr(parameter->type_key, '\0', sizeof parameter->type_key) != NULL);
  FUZZ_CHECK(parameter->rank >= 0 && parameter->rank <= KERNEL_RANK_MAX);
}

// Metadata with this schema: its bytes as a string of JSON. Returns its length; `text` has room.
FUZZ_NO_COVERAGE static size_t wrap_schema(const uint8_t *schema, size_t size, char *text)
{
  static const char begin[] = "{\"type_schema\": \"", end[] = "\"}";
  char *to = stpcpy(text, begin);
  for (size_t i = 0; i < size; ++i) {
    if (schema[i] == '"' || schema[i] == '\\') *to++ = '\\';
    if (schema[i] < ' ')
      to += sprintf(to, "\\u%04x", (unsigned)schema[i]);
    else
      *to++ = (char)schema[i];
  }
  return (size_t)(stpcpy(to, end) - text);
}

static ProducerBytes text_of(Producer *producer, const uint8_t *data, size_t size)
{
  enum { ESCAPE = 6, AROUND = 32 };
  if (size == 0 || data[0] != 'S') return producer_rest(producer);
  char *text = malloc(ESCAPE * size + AROUND);
  FUZZ_CHECK(text != NULL);
  size_t length = wrap_schema(data + 1, size - 1, text);
  producer->copies[producer->copy_count++] = text;
  return (ProducerBytes){text, length};
}

static void check_message(const uint8_t *data, size_t size)
{
  char *message = strndup((const char *)data, size);
  FUZZ_CHECK(message != NULL);
  Signature *signature = type_name_signature(message);
  if (signature) {
    FUZZ_CHECK(signature_is_sound(signature, signature->size));
    FUZZ_CHECK(signature->forms.count == 1);
    FUZZ_CHECK(signature_form(signature, 0)->parameters.count <= TYPE_NAME_ARGUMENTS_MAX);
  }
  free(signature);
  free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > 0 && data[0] == 'M') {
    check_message(data + 1, size - 1);
    return 0;
  }
  static const Kernel blank = {.name = "fuzz"};
  static Kernel kernel;
  char error[256] = "";
  kernel = blank;
  Producer producer;
  producer_start(&producer, data, size);
  ProducerBytes text = text_of(&producer, data, size);
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
