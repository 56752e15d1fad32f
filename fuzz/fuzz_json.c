// SPDX-License-Identifier: Apache-2.0
// Texts in JSON: what is read of one is written, with and without an indent, and read again as the same.
#include "runtime.h"

// Writes a value and reads it again.
// text: own, what was written. Returns own.
static TVMFFIAny written_and_read(TVMFFIAny value, int64_t indent, TVMFFIAny *text)
{
  TVMFFIAny args[] = {value, {.type_index = kTVMFFIInt, .v_int64 = indent}}, again;
  FUZZ_CHECK(runtime_call("ffi.json.Stringify", args, 2, text) == 0);
  FUZZ_CHECK(runtime_call("ffi.json.Parse", text, 1, &again) == 0);
  FUZZ_CHECK(runtime_equal(&value, &again));
  return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  TVMFFIByteArray bytes = {(const char *)data, size};
  TVMFFIAny text, value, first, second;
  FUZZ_CHECK(TVMFFIStringFromByteArray(&bytes, &text) == 0);
  if (runtime_call("ffi.json.Parse", &text, 1, &value) != 0) {
    runtime_has_raised("ValueError");
    runtime_drop(&text);
    return 0;
  }
  runtime_drop(&text);
  TVMFFIAny again = written_and_read(value, 1 + (int64_t)(size % 4), &text);
  TVMFFIAny compact = written_and_read(value, 0, &first);
  runtime_drop(&value);
  value = written_and_read(again, 0, &second);
  TVMFFIByteArray content = runtime_content(&first);
  runtime_is_text(&second, false, content.data, content.size);
  const TVMFFIAny *owned[] = {&text, &again, &first, &compact, &second, &value};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i) runtime_drop(owned[i]);
  return 0;
}
