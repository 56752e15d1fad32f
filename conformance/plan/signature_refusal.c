// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_refusal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool refusal_has_any(const char *message, const char *const *words)
{
  for (; *words; ++words)
    if (strcasestr(message, *words)) return true;
  return false;
}

static bool is_word_character(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

bool refusal_has_word(const char *message, const char *word)
{
  size_t size = strlen(word);
  for (const char *at = strstr(message, word); size && at; at = strstr(at + 1, word)) {
    bool begins = at == message || !is_word_character(at[-1]);
    if (begins && !is_word_character(at[size])) return true;
  }
  return false;
}

size_t refusal_numbers(const char *message, double numbers[REFUSAL_NUMBERS_MAX])
{
  size_t count = 0;
  for (const char *at = message; *at && count < REFUSAL_NUMBERS_MAX;) {
    bool begins = isdigit((unsigned char)*at) && (at == message || !is_word_character(at[-1]));
    size_t length = strspn(at, "0123456789");
    if (begins && length < 6) numbers[count++] = atoi(at);
    at += length ? length : 1;
  }
  return count;
}

void refusal_subject(const char *message, char subject[REFUSAL_WORD_MAX])
{
  const char *at = strstr(message, ": ");
  size_t size = 0;
  at = at ? at + 2 : message;
  while (is_word_character(at[size]) && size < REFUSAL_WORD_MAX - 1) ++size;
  snprintf(subject, REFUSAL_WORD_MAX, "%.*s", (int)size, at);
}

size_t refusal_words(const char *message, char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX])
{
  static const char *const others[] = {"be",    "or",    "and", "must",    "not",   "one",
                                       "of",    "the",   "is",  "missing", "given", "expected",
                                       "needs", "lacks", "has", "have"};
  size_t count = 0;
  const char *at = strstr(message, ": ");
  for (at = at ? at + 2 : message; *at && count < REFUSAL_WORDS_MAX;) {
    size_t size = 0;
    bool other = false;
    while (is_word_character(at[size])) ++size;
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
      other |= strlen(others[i]) == size && memcmp(others[i], at, size) == 0;
    if (size > 1 && size < REFUSAL_WORD_MAX && !other)
      snprintf(words[count++], REFUSAL_WORD_MAX, "%.*s", (int)size, at);
    at += size ? size : 1;
  }
  return count;
}

bool refusal_is_about(const char *message, RefusalTopic topic)
{
  static const char *const words[REFUSAL_COUNT][32] = {
      [REFUSAL_RANK] = {"dim", "rank", "1-d", "2-d", "3-d", "1D", "2D", "3D", "matri", "vector",
                        "same shape", NULL},
      [REFUSAL_DTYPE] = {"type", "float", "int8", "int32", "int64", "bool", NULL},
      [REFUSAL_EXTENT] = {"shape",     "extent",   "size",    "row",      "column", "element",
                          "length",    "long",     "channel", "same",     "equal",  "match",
                          "even",      "multiple", "divi",    "head",     "token",  "batch",
                          "dimension", "larger",   "smaller", "small",    "short",  "enough",
                          "workspace", "room",     "begin",   "end with", NULL},
      [REFUSAL_VALUE] = {"range",   "index",   "positive",    "negative", "least",  "most",
                         "must be", "less",    "greater",     "between",  "above",  "below",
                         "zero",    "unknown", "unsupported", "invalid",  "one of", "rise",
                         "larger",  "smaller", "expected",    "exist",    "begin",  "end with",
                         "crease",  "sorted",  NULL},
  };
  return refusal_has_any(message, words[topic]);
}
