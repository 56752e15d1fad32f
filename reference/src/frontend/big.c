// SPDX-License-Identifier: Apache-2.0
#include "frontend/big.h"

#include <stdlib.h>
#include <string.h>

#include "core/integer.h"
#include "core/raise.h"

// The words of a value, which must stay where it is.
static const uint64_t *big_words(const TVMFFIAny *value, size_t *count)
{
  if (value->type_index == kTVMFFIBigInt) return integer_words(value->v_obj, count);
  *count = 1;
  return &value->v_uint64;
}

static bool big_is_negative(const uint64_t *words, size_t count)
{
  return words[count - 1] >> 63 != 0;
}

int big_compare(const TVMFFIAny *one, const TVMFFIAny *other)
{
  size_t left, right;
  const uint64_t *words = big_words(one, &left), *others = big_words(other, &right);
  bool negative = big_is_negative(words, left);
  if (negative != big_is_negative(others, right)) return negative ? -1 : 1;
  if (left != right) return (left < right) != negative ? -1 : 1;  // no word repeats the sign
  while (left-- > 0) {
    if (words[left] != others[left]) return words[left] < others[left] ? -1 : 1;
  }
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Digits
//--------------------------------------------------------------------------------------------------

enum { BIG_PART_DIGITS = 9 };
static const uint32_t part_size = 1000000000;

// Divides by what a part can hold, and returns the remainder. Halves of words, the lowest first.
static uint32_t big_divide(uint32_t *halves, size_t count)
{
  uint64_t rest = 0;
  while (count-- > 0) {
    rest = rest << 32 | halves[count];
    halves[count] = (uint32_t)(rest / part_size);
    rest %= part_size;
  }
  return (uint32_t)rest;
}

// Splits an absolute value into halves of words.
static void big_split(const uint64_t *words, size_t count, uint32_t *halves)
{
  bool negative = big_is_negative(words, count);
  uint64_t carry = negative;
  for (size_t i = 0; i < count; ++i) {
    uint64_t word = negative ? ~words[i] : words[i];
    uint64_t sum = word + carry;
    carry = sum < carry;
    halves[2 * i] = (uint32_t)sum;
    halves[2 * i + 1] = (uint32_t)(sum >> 32);
  }
}

// Writes the digits from the end of a buffer. Returns where they begin.
static char *big_digits(uint32_t *halves, size_t count, char *end)
{
  for (;;) {
    while (count > 0 && halves[count - 1] == 0) --count;
    uint32_t part = big_divide(halves, count);
    while (count > 0 && halves[count - 1] == 0) --count;
    for (int i = 0; i < BIG_PART_DIGITS && (count > 0 || part != 0); ++i, part /= 10) {
      *--end = (char)('0' + part % 10);
    }
    if (count == 0) return end;
  }
}

// The time for the digits grows with the square of their number, so this has an end.
enum { BIG_MAX_WORDS = 2048, BIG_MAX_DIGITS = BIG_MAX_WORDS * 19 };

int big_write(const TVMFFIObject *integer, Writer *writer)
{
  size_t count;
  const uint64_t *words = integer_words(integer, &count);
  if (count > BIG_MAX_WORDS) {
    return raise_error("ValueError", "an integer of more than ",
                       raise_number(64 * BIG_MAX_WORDS).text, " bits has no text", NULL);
  }
  size_t room = count * 20 + 1;
  uint32_t *halves = malloc(count * 2 * sizeof *halves + room);
  if (halves == NULL) return raise_out_of_memory();
  char *text = (char *)(halves + 2 * count), *end = text + room;
  big_split(words, count, halves);
  char *start = big_digits(halves, count * 2, end);
  if (big_is_negative(words, count)) *--start = '-';
  int code = writer_add(writer, start, (size_t)(end - start));
  free(halves);
  return code;
}

#ifdef TVM_FFI_GENERATION_2025_09
// It has no integers of more than 64 bits.
int big_read(TVMFFIByteArray text, TVMFFIAny *out)
{
  (void)text, (void)out;
  return 0;
}
#else
// Multiplies halves by `factor` and adds `part`. Returns how many there are then.
static size_t big_append(uint32_t *halves, size_t count, uint32_t factor, uint32_t part)
{
  uint64_t carry = part;
  for (size_t i = 0; i < count; ++i) {
    carry += (uint64_t)halves[i] * factor;
    halves[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0) halves[count++] = (uint32_t)carry;
  return count;
}

// Gives halves of an absolute value as an integer. Returns 1; -1 with an error.
static int big_give(const uint32_t *halves, size_t count, bool negative, TVMFFIAny *out)
{
  size_t words = count / 2 + 1;  // the highest bit is the sign
  uint64_t *joined = malloc(words * sizeof *joined), carry = negative;
  if (joined == NULL) return raise_out_of_memory();
  for (size_t i = 0; i < words; ++i) {
    uint64_t low = 2 * i < count ? halves[2 * i] : 0;
    uint64_t word = low | (2 * i + 1 < count ? (uint64_t)halves[2 * i + 1] << 32 : 0);
    joined[i] = (negative ? ~word : word) + carry;
    carry = carry && joined[i] == 0;
  }
  TVMFFIByteArray bytes = {(const char *)joined, words * sizeof *joined};
  int code = TVMFFIBigIntFromByteArray(&bytes, out);
  free(joined);
  return code == 0 ? 1 : -1;
}

int big_read(TVMFFIByteArray text, TVMFFIAny *out)
{
  bool negative = text.size > 0 && text.data[0] == '-';
  size_t at = text.size > 0 && (negative || text.data[0] == '+'), count = 0;
  if (at == text.size) return 0;
  if (text.size - at > BIG_MAX_DIGITS) {
    return raise_error("ValueError", "an integer has more than ", raise_number(BIG_MAX_DIGITS).text,
                       " digits", NULL);
  }
  uint32_t *halves = malloc(((text.size - at) / BIG_PART_DIGITS + 1) * sizeof *halves);
  if (halves == NULL) return raise_out_of_memory();
  while (at < text.size) {
    uint32_t part = 0, factor = 1;
    for (; at < text.size && factor < part_size; ++at, factor *= 10) {
      if (text.data[at] < '0' || text.data[at] > '9') {
        free(halves);
        return 0;
      }
      part = part * 10 + (uint32_t)(text.data[at] - '0');
    }
    count = big_append(halves, count, factor, part);
  }
  int code = big_give(halves, count, negative, out);
  free(halves);
  return code;
}
#endif  // TVM_FFI_GENERATION_2025_09
