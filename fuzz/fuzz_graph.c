// SPDX-License-Identifier: Apache-2.0
// Graphs of objects in JSON: what is read of one is stored and read again as the same, and then
// stored as it was.
#include <string.h>

#include "runtime.h"

// Keys that are objects are equal only to themselves, so that a map with such keys equals no other.
static bool has_map(const TVMFFIAny *text)
{
  TVMFFIByteArray content = runtime_content(text);
  return memmem(content.data, content.size, "ffi.Map", 7) ||
         memmem(content.data, content.size, "ffi.Dict", 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  TVMFFIByteArray bytes = {(const char *)data, size};
  TVMFFIAny text, value, again, first, second;
  FUZZ_CHECK(TVMFFIStringFromByteArray(&bytes, &text) == 0);
  int code = runtime_call("ffi.FromJSONGraphString", &text, 1, &value);
  runtime_drop(&text);
  if (code != 0) {
    runtime_has_raised(NULL);
    return 0;
  }
  TVMFFIAny args[] = {value, {.type_index = kTVMFFINone}};
  FUZZ_CHECK(runtime_call("ffi.ToJSONGraphString", args, 2, &first) == 0);
  FUZZ_CHECK(runtime_call("ffi.FromJSONGraphString", &first, 1, &again) == 0);
  FUZZ_CHECK(has_map(&first) || runtime_equal(&value, &again));
  args[0] = again;
  FUZZ_CHECK(runtime_call("ffi.ToJSONGraphString", args, 2, &second) == 0);
  TVMFFIByteArray content = runtime_content(&first);
  runtime_is_text(&second, false, content.data, content.size);
  runtime_drop(&first);
  runtime_drop(&second);
  runtime_drop(&again);
  runtime_drop(&value);
  return 0;
}
