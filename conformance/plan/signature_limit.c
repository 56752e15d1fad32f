// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_limit.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The number that begins here, with where it ends; NULL if none does.
static const char *number_at(const char *at, double *number)
{
  char *end;
  const char *digits = at + (*at == '-');
  if (!isdigit((unsigned char)*digits)) return NULL;
  *number = strtod(at, &end);
  return end;
}

// The first number behind the words, NULL if none follows at once.
static const char *number_behind(const char *message, const char *words, double *number)
{
  for (const char *at = strcasestr(message, words); at; at = strcasestr(at + 1, words)) {
    const char *end = number_at(at + strlen(words), number);
    if (end) return end;
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
    const char *end = number_behind(message, leads[i], &first);
    for (size_t k = 0; end && k < sizeof between / sizeof *between; ++k) {
      const char *other = skip(end, between[k]);
      if (other && number_at(other, &last) && first < last) return number < first || number > last;
    }
  }
  return false;
}

bool refusal_excludes(const char *message, double number)
{
  static const char *const least[] = {"at least ", ">= ", "not less than ",
                                      "greater than or equal to ", "minimum "};
  static const char *const above[] = {"greater than ", "larger than ", "> ", "more than ",
                                      "above "};
  static const char *const most[] = {"at most ", "<= ", "not more than ", "less than or equal to ",
                                     "maximum "};
  double limit;
  if (is_outside_range(message, number)) return true;
  for (size_t i = 0; i < sizeof least / sizeof *least; ++i)
    if (number_behind(message, least[i], &limit) && number < limit) return true;
  for (size_t i = 0; i < sizeof above / sizeof *above; ++i)
    if (number_behind(message, above[i], &limit) && number <= limit) return true;
  for (size_t i = 0; i < sizeof most / sizeof *most; ++i)
    if (number_behind(message, most[i], &limit) && number > limit) return true;
  if (strcasestr(message, "negative") && number < 0) return true;
  if (strcasestr(message, "power of two") || strcasestr(message, "power of 2"))
    return number < 1 || exp2(round(log2(number))) != number;
  const char *positive = strcasestr(message, "positive");
  return positive && number <= 0 && !strcasestr(message, "non-positive");
}
