// SPDX-License-Identifier: Apache-2.0
#include "frontend/json_number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/any.h"

//--------------------------------------------------------------------------------------------------
// Reading
//--------------------------------------------------------------------------------------------------

// No two floats need more digits to be told apart, and a number halfway between two has no more.
enum { DIGITS_MAX = 770 };

// A number as it is read: digits with an exponent.
typedef struct {
  const char *begin, *end;  // of the digits, a point among them
  int64_t exponent;         // of the last digit
  uint64_t word;            // the digits as long as they fit
  int32_t count;            // of the digits in the word, zeros before the first left out
  bool negative, plain;     // plain: neither fraction nor exponent
} JsonNumber;

static inline bool json_number_is_digit(const char *at, const char *end)
{
  return at < end && *at >= '0' && *at <= '9';
}

// Reads digits into the word. Once it is full their number still counts.
static const char *json_number_digits(JsonNumber *number, const char *at, const char *end)
{
  enum { WORD_DIGITS = 19 };
  for (; json_number_is_digit(at, end); ++at) {
    if (number->count < WORD_DIGITS) number->word = 10 * number->word + (uint64_t)(*at - '0');
    number->count += number->word != 0 && number->count <= WORD_DIGITS;
  }
  return at;
}

// Reads an exponent behind its letter. What no float has is cut.
static const char *json_number_exponent(JsonNumber *number, const char *at, const char *end)
{
  enum { ENOUGH = 100000000 };
  int64_t exponent = 0;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  if (!json_number_is_digit(at, end)) return NULL;
  for (; json_number_is_digit(at, end); ++at) {
    if (exponent < ENOUGH) exponent = 10 * exponent + (*at - '0');
  }
  // However long the digits are, they cannot make up for an exponent that has been cut.
  if (exponent >= ENOUGH) exponent = INT64_MAX / 4;
  number->exponent += negative ? -exponent : exponent;
  return at;
}

// Finds the parts of a number. Returns its end, NULL if it is none.
static const char *json_number_scan(JsonNumber *number, const char *at, const char *end)
{
  number->negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  number->begin = at;
  at = json_number_digits(number, at, end);
  bool any = at != number->begin;
  number->plain = true;
  if (at < end && *at == '.') {
    const char *fraction = ++at;
    at = json_number_digits(number, at, end);
    any = any || at != fraction;
    number->exponent = fraction - at;
    number->plain = false;
  }
  number->end = at;
  if (!any) return NULL;
  if (at < end && (*at == 'e' || *at == 'E')) {
    number->plain = false;
    at = json_number_exponent(number, at + 1, end);
  }
  return at;
}

static bool json_number_is_int(const JsonNumber *number)
{
  uint64_t limit = (uint64_t)INT64_MAX + number->negative;
  return number->plain && number->count <= 19 && number->word <= limit;
}

// Numbers of few digits are exact with one operation, as long as that rounds once.
static bool json_number_is_short(const JsonNumber *number)
{
  return FLT_EVAL_METHOD == 0 && number->word < (uint64_t)1 << 53 && number->count <= 19 &&
         number->exponent >= -22 && number->exponent <= 22;
}

static double json_number_short(const JsonNumber *number)
{
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  double word = (double)number->word;
  if (number->exponent < 0) return word / powers[-number->exponent];
  return word * powers[number->exponent];
}

// Has the C library read the digits as an integer with an exponent, which has no decimal point for
// the locale to choose. Digits that can't matter one by one are replaced by one that stands for them.
static double json_number_long(const JsonNumber *number)
{
  char text[DIGITS_MAX + 32];
  size_t size = 0;
  int64_t exponent = number->exponent;
  bool more = false;
  for (const char *at = number->begin; at < number->end; ++at) {
    if (*at == '.' || (size == 0 && *at == '0')) continue;
    if (size < DIGITS_MAX) {
      text[size++] = *at;
    } else {
      ++exponent;
      more = more || *at != '0';
    }
  }
  if (size == 0) return 0;
  if (more) {
    text[size++] = '1';
    --exponent;
  }
  if (exponent > 100000) exponent = 100000;
  if (exponent < -100000) exponent = -100000;
  snprintf(&text[size], sizeof text - size, "e%d", (int)exponent);
  return strtod(text, NULL);
}

const char *json_number_read(const char *from, const char *end, TVMFFIAny *out)
{
  JsonNumber number = {0};
  const char *at = json_number_scan(&number, from, end);
  if (at == NULL) return NULL;
  if (json_number_is_int(&number)) {
    uint64_t word = number.negative ? 0 - number.word : number.word;
    int64_t value;
    memcpy(&value, &word, sizeof value);
    *out = any_int(value);
    return at;
  }
  double value =
      json_number_is_short(&number) ? json_number_short(&number) : json_number_long(&number);
  if (isinf(value)) return NULL;
  *out = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = number.negative ? -value : value};
  return at;
}

//--------------------------------------------------------------------------------------------------
// Writing
//--------------------------------------------------------------------------------------------------

char *json_number_write_int(char *to, int64_t number)
{
  char digits[20];
  size_t first = sizeof digits;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  if (number < 0) *to++ = '-';
  do {
    digits[--first] = (char)('0' + left % 10);
    left /= 10;
  } while (left != 0);
  memcpy(to, &digits[first], sizeof digits - first);
  return to + (sizeof digits - first);
}

// Writes what stands for a float that is no number.
static char *json_number_write_word(char *to, const char *word)
{
  size_t size = strlen(word);
  memcpy(to, word, size);
  return to + size;
}

// Puts a point where the locale's own decimal point stands, which may have several bytes.
static char *json_number_write_point(char *text)
{
  char *to = text;
  bool foreign = false;
  for (const char *from = text; *from != '\0'; ++from) {
    bool known = (*from >= '0' && *from <= '9') || strchr("+-e.", *from) != NULL;
    if (!known && !foreign) *to++ = '.';
    if (known) *to++ = *from;
    foreign = !known;
  }
  return to;
}

char *json_number_write_float(char *to, double number)
{
  if (isnan(number)) return json_number_write_word(to, "NaN");
  if (isinf(number)) return json_number_write_word(to, number < 0 ? "-Infinity" : "Infinity");
  if (fabs(number) < (double)((uint64_t)1 << 53) && number == (double)(int64_t)number) {
    if (signbit(number) && number == 0) *to++ = '-';
    to = json_number_write_int(to, (int64_t)number);
    return json_number_write_word(to, ".0");
  }
  char text[JSON_NUMBER_MAX];
  snprintf(text, sizeof text, "%.17g", number);
  char *end = json_number_write_point(text);
  // A float of 2^53 and above may have neither point nor exponent.
  *end = '\0';
  if (strpbrk(text, ".e") == NULL) end = json_number_write_word(end, ".0");
  memcpy(to, text, (size_t)(end - text));
  return to + (end - text);
}
