// SPDX-License-Identifier: Apache-2.0
// Strings, bytes and wide integers of bytes: what comes out is what went in.
#include <string.h>

#include "producer.h"
#include "runtime.h"

static void check_text(Producer *producer, bool is_bytes)
{
  ProducerBytes bytes = producer_rest(producer);
  TVMFFIByteArray input = {bytes.data, bytes.size};
  if (input.size == 0) input.data = NULL;
  TVMFFIAny value;
  memset(&value, 0xaa, sizeof value);
  int code = is_bytes ? TVMFFIBytesFromByteArray(&input, &value)
                      : TVMFFIStringFromByteArray(&input, &value);
  FUZZ_CHECK(code == 0);
  runtime_is_text(&value, is_bytes, bytes.data, bytes.size);
  runtime_drop(&value);
}

static void check_refusal(Producer *producer)
{
  TVMFFIByteArray input = {NULL, (size_t)producer_integer(producer)};
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = 5}, before = value;
  if (input.size == 0) return;
  FUZZ_CHECK(TVMFFIStringFromByteArray(&input, &value) != 0);
  runtime_has_raised("ValueError");
  FUZZ_CHECK(TVMFFIBytesFromByteArray(&input, &value) != 0);
  runtime_has_raised("ValueError");
  FUZZ_CHECK(TVMFFIBigIntFromByteArray(&input, &value) != 0);
  runtime_has_raised("ValueError");
  FUZZ_CHECK(runtime_same(&value, &before));
}

// How many words are needed: the last one goes while it only repeats the sign of the one before.
static size_t words_needed(const char *words, size_t count)
{
  while (count > 1) {
    const signed char *last = (const signed char *)words + 8 * count - 8;
    signed char sign = last[-1] < 0 ? -1 : 0;
    for (int i = 0; i < 8; ++i) {
      if (last[i] != sign) return count;
    }
    --count;
  }
  return count;
}

static void check_integer(Producer *producer)
{
  ProducerBytes bytes = producer_rest(producer);
  TVMFFIByteArray input = {bytes.data, bytes.size};
  TVMFFIAny value;
  if (TVMFFIBigIntFromByteArray(&input, &value) != 0) {
    FUZZ_CHECK(bytes.size % 8 != 0);
    runtime_has_raised("ValueError");
    return;
  }
  FUZZ_CHECK(bytes.size % 8 == 0);
  size_t count = words_needed(bytes.data, bytes.size / 8);
  FUZZ_CHECK(value.type_index == (count < 2 ? kTVMFFIInt : kTVMFFIBigInt));
  FUZZ_CHECK(count != 0 || value.v_int64 == 0);
  TVMFFIByteArray content = TVMFFIBigIntGetContentByteArray(&value);
  FUZZ_CHECK(content.size == (count == 0 ? 8 : 8 * count));
  FUZZ_CHECK(count == 0 || memcmp(content.data, bytes.data, content.size) == 0);
  if (count > 1) runtime_has_counts(value.v_obj, 1, 1);
  runtime_drop(&value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Producer producer;
  producer_start(&producer, data, size);
  switch (producer_below(&producer, 4)) {
    case 0:
      check_text(&producer, false);
      break;
    case 1:
      check_text(&producer, true);
      break;
    case 2:
      check_integer(&producer);
      break;
    default:
      check_refusal(&producer);
  }
  producer_end(&producer);
  runtime_has_raised_nothing();
  return 0;
}
