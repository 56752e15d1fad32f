// SPDX-License-Identifier: Apache-2.0
// Data types: a text is read, printed and read again; four bytes are printed, read and printed.
#include <string.h>

#include "producer.h"
#include "runtime.h"

static const uint8_t FIRST_FORMAT = 7, LAST_FORMAT = 17, CUSTOM = 130;

static int custom_code(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)num_args;
  FUZZ_CHECK(args[0].type_index == kTVMFFIRawStr);
  if (strcmp(args[0].v_c_str, "mine") == 0) {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = CUSTOM};
    return 0;
  }
  TVMFFIErrorSetRaisedFromCStr("ValueError", "not mine");
  return -1;
}

static int custom_name(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)num_args;
  if (args[0].v_int64 == CUSTOM)
    return TVMFFIStringFromByteArray(&(TVMFFIByteArray){"mine", 4}, result);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "not mine");
  return -1;
}

static bool is_format(DLDataType dtype)
{
  return dtype.code >= FIRST_FORMAT && dtype.code <= LAST_FORMAT;
}

static bool print(DLDataType dtype, TVMFFIAny *text)
{
  if (TVMFFIDataTypeToString(&dtype, text) != 0) return false;
  FUZZ_CHECK(text->type_index == kTVMFFIStr);
  TVMFFIByteArray content = runtime_content(text);
  FUZZ_CHECK(content.data[content.size] == '\0');
  runtime_has_counts(text->v_obj, 1, 1);
  return true;
}

// What is left of a data type when it went through a text.
static DLDataType read_again(DLDataType dtype)
{
  if (dtype.code == kDLOpaqueHandle && (dtype.bits != 0 || dtype.lanes != 0))
    return (DLDataType){kDLOpaqueHandle, 64, 1};
  if (dtype.lanes == UINT16_MAX) dtype.lanes = 1;
  return dtype;
}

static void check_text(Producer *producer)
{
  ProducerBytes bytes = producer_rest(producer);
  TVMFFIByteArray text = {bytes.data, bytes.size};
  DLDataType dtype = {1, 2, 3}, again = {1, 2, 3};
  TVMFFIAny printed;
  if (TVMFFIDataTypeFromString(&text, &dtype) != 0) {
    FUZZ_CHECK(dtype.code == 1 && dtype.bits == 2 && dtype.lanes == 3);
    runtime_has_raised("ValueError");
    return;
  }
  FUZZ_CHECK(print(dtype, &printed));
  text = runtime_content(&printed);
  int code = TVMFFIDataTypeFromString(&text, &again);
  bool scalable = (int16_t)dtype.lanes < -1;
  FUZZ_CHECK((code != 0) == (is_format(dtype) && scalable));
  if (code != 0) runtime_has_raised("ValueError");
  dtype = read_again(dtype);
  FUZZ_CHECK(code != 0 || memcmp(&again, &dtype, sizeof dtype) == 0);
  runtime_drop(&printed);
}

static void check_words(Producer *producer)
{
  DLDataType dtype = {.code = producer_byte(producer), .bits = producer_byte(producer)}, again;
  dtype.lanes = (uint16_t)producer_word(producer);
  TVMFFIAny first, second;
  if (!print(dtype, &first)) {
    runtime_has_raised("ValueError");
    return;
  }
  TVMFFIByteArray text = runtime_content(&first);
  if (TVMFFIDataTypeFromString(&text, &again) != 0) {
    FUZZ_CHECK(is_format(dtype) && (int16_t)dtype.lanes < -1);
    runtime_has_raised("ValueError");
  } else {
    FUZZ_CHECK(print(again, &second));
    TVMFFIByteArray other = runtime_content(&second);
    bool usual_bits = dtype.bits == 0 && !is_format(dtype);
    FUZZ_CHECK(usual_bits ||
               (text.size == other.size && memcmp(text.data, other.data, text.size) == 0));
    runtime_drop(&second);
  }
  runtime_drop(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static bool ready;
  if (!ready) runtime_register("dtype.get_custom_type_code", custom_code);
  if (!ready) runtime_register("dtype.get_custom_type_name", custom_name);
  ready = true;
  Producer producer;
  producer_start(&producer, data, size);
  producer_flag(&producer) ? check_words(&producer) : check_text(&producer);
  producer_end(&producer);
  return 0;
}
