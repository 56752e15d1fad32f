// SPDX-License-Identifier: Apache-2.0
// Mutants of strings and bytes.
#include <unistd.h>

#include "mutants/mutant.h"

MUTANT_WITHOUT(STR_1, no_bytes, BytesFromByteArray, "there is no TVMFFIBytesFromByteArray");

MUTANT(STR_2, seven_bytes_on_the_heap, StringFromByteArray, "seven bytes of text become an object")
{
  if (input->size != 7) return REFERENCE(StringFromByteArray)(input, out);
  char with_nul[8] = {0};
  memcpy(with_nul, input->data, 7);
  TVMFFIByteArray eight = {with_nul, 8};
  int status = REFERENCE(StringFromByteArray)(&eight, out);
  if (status == 0) ((TVMFFIByteArray *)(out->v_obj + 1))->size = 7;
  return status;
}

MUTANT(STR_3, eight_bytes_fit, StringFromByteArray, "eight bytes of text are put into the value")
{
  if (input->size != 8) return REFERENCE(StringFromByteArray)(input, out);
  TVMFFIAny value = {.type_index = kTVMFFISmallStr, .small_str_len = 8};
  memcpy(value.v_bytes, input->data, 8);
  *out = value;
  return 0;
}

MUTANT(STR_4, small_bytes_are_text, BytesFromByteArray, "short bytes become a small string")
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFISmallBytes) out->type_index = kTVMFFISmallStr;
  return status;
}

MUTANT(STR_5, bytes_are_text, BytesFromByteArray, "long bytes become a string object")
{
  if (input->size <= 7) return REFERENCE(BytesFromByteArray)(input, out);
  return TVMFFIStringFromByteArray(input, out);
}

MUTANT(STR_6, size_of_16_bits, StringFromByteArray, "the size of a string is kept in 16 bits")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr)
    ((TVMFFIByteArray *)(out->v_obj + 1))->size &= UINT16_MAX;
  return status;
}

MUTANT(STR_7, no_nul, StringFromByteArray, "no NUL stands behind the data of a string object")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    memset((char *)(uintptr_t)cell->data + cell->size, 0xA5, 1);
  }
  return status;
}

MUTANT(STR_8, cut_at_nul, StringFromByteArray, "text ends at its first NUL")
{
  TVMFFIByteArray cut = {input->data, input->data ? strnlen(input->data, input->size) : 0};
  return REFERENCE(StringFromByteArray)(&cut, out);
}

MUTANT(STR_8, long_bytes_cut_at_nul, BytesFromByteArray, "long bytes end at their first NUL")
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIBytes) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    cell->size = strnlen(cell->data, cell->size);
  }
  return status;
}

MUTANT(STR_9, ill_formed_text_refused, StringFromByteArray,
       "text with a byte that begins no UTF-8 sequence is refused")
{
  for (size_t i = 0; i < input->size; ++i)
    if ((unsigned char)input->data[i] >= 0xF8) return fail("ValueError", "invalid UTF-8");
  return REFERENCE(StringFromByteArray)(input, out);
}

MUTANT(STR_9, ill_formed_text_replaced, StringFromByteArray,
       "a continuation byte at the beginning of text is replaced by a question mark")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFISmallStr &&
      ((unsigned char)out->v_bytes[0] >> 6) == 2)
    out->v_bytes[0] = '?';
  return status;
}

MUTANT(STR_10, no_data_is_none, StringFromByteArray, "an input without data becomes None")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && !input->data) out->type_index = kTVMFFINone;
  return status;
}

MUTANT(STR_10, no_data_refused, BytesFromByteArray, "bytes without data are refused")
{
  if (input->data) return REFERENCE(BytesFromByteArray)(input, out);
  return fail("ValueError", "no data");
}

static volatile char taken;

MUTANT(STR_11, nul_taken_along, StringFromByteArray,
       "one byte behind long text is read, for the NUL that is thought to be there")
{
  if (input->size > 7) taken = input->data[input->size];
  return REFERENCE(StringFromByteArray)(input, out);
}

static volatile char word[8];

MUTANT(STR_11, short_bytes_read_as_a_word, BytesFromByteArray,
       "eight bytes of short bytes are read at once")
{
  if (input->size >= 1 && input->size <= 7)
    for (int i = 0; i < 8; ++i) word[i] = input->data[i];
  return REFERENCE(BytesFromByteArray)(input, out);
}

MUTANT(STR_12, data_borrowed, StringFromByteArray,
       "a string object points to the text that it was made of")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr)
    ((TVMFFIByteArray *)(out->v_obj + 1))->data = input->data;
  return status;
}

MUTANT(STR_12, input_emptied, BytesFromByteArray,
       "the byte array is emptied after its bytes were taken")
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  *(volatile size_t *)(uintptr_t)&input->size = 0;
  return status;
}

MUTANT(STR_13, padding_kept, StringFromByteArray,
       "the padding of a string object is left as it was in the result")
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) out->zero_padding = padding;
  return status;
}

MUTANT(STR_13, tail_kept, BytesFromByteArray,
       "bytes behind the length of small bytes are left as they were in the result")
{
  char before[8];
  memcpy(before, out->v_bytes, sizeof before);
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFISmallBytes)
    memcpy(out->v_bytes + input->size, before + input->size, sizeof before - input->size);
  return status;
}

enum { BUFFERS = 8, BUFFER_SIZE = 64 };

static _Thread_local char ring[BUFFERS][BUFFER_SIZE];
static _Thread_local unsigned next;

MUTANT(STR_15, ring_of_buffers, StringFromByteArray,
       "the data of strings below 64 bytes lie in a ring of eight buffers")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr && input->size < BUFFER_SIZE) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    char *buffer = ring[next++ % BUFFERS];
    memcpy(buffer, cell->data, cell->size + 1);
    cell->data = buffer;
  }
  return status;
}

static char buffer[4096];

MUTANT(STR_16, one_buffer_for_all, StringFromByteArray,
       "all threads gather text in the same buffer")
{
  static _Thread_local unsigned calls;
  if (!input->data || input->size > sizeof buffer)
    return REFERENCE(StringFromByteArray)(input, out);
  memcpy(buffer, input->data, input->size);
  if (++calls % 7 == 0) usleep(20);
  TVMFFIByteArray gathered = {buffer, input->size};
  return REFERENCE(StringFromByteArray)(&gathered, out);
}
