// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_limit.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number that begins here, with where it ends; NULL if none does.
static const char *number_at(const char *at, double *number)
{
  const char *digits = at + (*at == '-');
  char text[24];
  size_t size = strspn(digits, "0123456789");
  if (size == 0) return NULL;
  // ("1..4" are two numbers.)
  if (digits[size] == '.' && isdigit((unsigned char)digits[size + 1]))
    size += 1 + strspn(digits + size + 1, "0123456789");
  snprintf(text, sizeof text, "%.*s", (int)(digits - at + (ptrdiff_t)size), at);
  *number = strtod(text, NULL);
  return digits + size;
}

// Whether "no", "not" or "not be" stands before these words.
static bool is_denied(const char *message, const char *at)
{
  static const char *const words[] = {"no ", "not ", "not be "};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    const size_t size = strlen(words[i]);
    if ((size_t)(at - message) >= size && strncasecmp(at - size, words[i], size) == 0) return true;
  }
  return false;
}

// The first number behind the words, which are denied or not; NULL if none follows at once.
static const char *number_behind(const char *message, const char *words, bool denied,
                                 double *number)
{
  for (const char *at = strcasestr(message, words); at; at = strcasestr(at + 1, words)) {
    const char *end = number_at(at + strlen(words), number);
    if (end && is_denied(message, at) == denied) return end;
  }
  return NULL;
}

static const char *skip(const char *at, const char *words)
{
  const size_t size = strlen(words);
  return strncasecmp(at, words, size) == 0 ? at + size : NULL;
}

// "1 to 16", "1 and 16", "1, 16", "1..16" behind one of these words.
static bool is_outside_range(const char *message, double number)
{
  static const char *const leads[] = {"from ", "between ", "in [", "range [", "must be ", "to be "};
  static const char *const between[] = {" to ", " and ", ", ", "..", "-"};
  double first, last;
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i) {
    const char *end = number_behind(message, leads[i], false, &first);
    for (size_t k = 0; end && k < sizeof between / sizeof *between; ++k) {
      const char *other = skip(end, between[k]);
      if (other && number_at(other, &last) && first < last) return number < first || number > last;
    }
  }
  return false;
}

// Whether the words tell of a sign that the number has not.
static bool has_wrong_sign(const char *message, double number)
{
  const char *negative = strcasestr(message, "negative"),
             *positive = strcasestr(message, "positive");
  if (strcasestr(message, "be negative") && !strcasestr(message, "not be negative"))
    return number >= 0;
  if (negative && number < 0) return true;
  return positive && number <= 0 && !strcasestr(message, "non-positive") &&
         !strcasestr(message, "not be positive");
}

bool refusal_excludes(const char *message, double number)
{
  static const char *const least[] = {"at least ", ">= ", "greater than or equal to ", "minimum "};
  static const char *const above[] = {"greater than ", "larger than ", "> ", "more than ",
                                      "above "};
  static const char *const most[] = {"at most ", "<= ", "less than or equal to ", "maximum "};
  static const char *const below[] = {"less than ", "smaller than ", "fewer than ", "below "};
  double limit;
  if (is_outside_range(message, number)) return true;
  for (size_t i = 0; i < sizeof least / sizeof *least; ++i)
    if (number_behind(message, least[i], false, &limit) && number < limit) return true;
  for (size_t i = 0; i < sizeof below / sizeof *below; ++i)
    if (number_behind(message, below[i], true, &limit) && number < limit) return true;
  for (size_t i = 0; i < sizeof above / sizeof *above; ++i)
    if (number_behind(message, above[i], false, &limit) && number <= limit) return true;
  for (size_t i = 0; i < sizeof most / sizeof *most; ++i)
    if (number_behind(message, most[i], false, &limit) && number > limit) return true;
  for (size_t i = 0; i < sizeof above / sizeof *above; ++i)
    if (number_behind(message, above[i], true, &limit) && number > limit) return true;
  if (strcasestr(message, "power of two") || strcasestr(message, "power of 2"))
    return number < 1 || exp2(round(log2(number))) != number;
  return has_wrong_sign(message, number);
}
