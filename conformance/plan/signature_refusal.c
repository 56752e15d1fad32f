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

// The length of the word without the "s" of several, if it may have one.
static size_t size_of_one(const char *word)
{
  const size_t size = strlen(word);
  return size > 3 && word[size - 1] == 's' ? size - 1 : size;
}

bool refusal_same_word(const char *one, const char *other)
{
  const size_t size = size_of_one(one);
  return size == size_of_one(other) && memcmp(one, other, size) == 0;
}

bool refusal_names(const char *message, const char *word)
{
  char other[REFUSAL_WORD_MAX + 1];
  const size_t size = size_of_one(word);
  if (refusal_has_word(message, word)) return true;
  if (size < 3) return false;
  snprintf(other, sizeof other, "%.*s%s", (int)size, word, word[size] ? "" : "s");
  return refusal_has_word(message, other);
}

void refusal_shorten(char *message)
{
  static const char *const leads[] = {" is false: ", ") : "};
  char *first = strstr(message, ": ");
  for (size_t i = 0; first && i < sizeof leads / sizeof *leads; ++i) {
    const char *check = strstr(first, "Check failed: "),
               *at = check ? strstr(check, leads[i]) : NULL;
    if (!at || !at[strlen(leads[i])]) continue;
    at += strlen(leads[i]);
    memmove(first + 2, at, strlen(at) + 1);
    return;
  }
}

// Whether the number that begins here names something: "w1", "size(1)", "dimension 1", "argument #2".
static bool is_name(const char *message, const char *at)
{
  static const char *const leads[] = {"dimension ", "dim ",       "axis ",  "argument ",
                                      "arg ",       "parameter ", "input ", "output "};
  if (at == message) return false;
  if (is_word_character(at[-1]) || at[-1] == '#') return true;
  if ((at[-1] == '(' || at[-1] == '[') && at - 1 > message && is_word_character(at[-2]))
    return true;
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i) {
    const size_t size = strlen(leads[i]);
    if ((size_t)(at - message) >= size && strncasecmp(at - size, leads[i], size) == 0) return true;
  }
  return false;
}

// A data type: "float32" and "int64" are of one form.
static size_t type_at(const char *message, const char *at)
{
  static const char *const names[] = {"bfloat", "float", "uint", "int"};
  if (at > message && is_word_character(at[-1])) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const size_t size = strlen(names[i]), digits = strspn(at + size, "0123456789");
    if (strncmp(at, names[i], size) != 0 || digits == 0) continue;
    size_t end = size + digits;
    while (is_word_character(at[end])) ++end;
    return end;
  }
  return strncmp(at, "bool", 4) == 0 && !is_word_character(at[4]) ? 4 : 0;
}

// Numbers between brackets, as shapes are written: their end, or NULL.
static const char *list_at(const char *at)
{
  if (*at != '[' && *at != '(') return NULL;
  const char *end = at + 1 + strspn(at + 1, "0123456789, x");
  return *end == (*at == '[' ? ']' : ')') ? end + 1 : NULL;
}

void refusal_form(const char *message, char *form, size_t capacity)
{
  size_t size = 0;
  for (const char *at = message; *at && size + 2 < capacity;) {
    const size_t type = type_at(message, at), digits = strspn(at, "0123456789");
    const char *list = at > message && is_word_character(at[-1]) ? NULL : list_at(at);
    if (type) {
      form[size++] = 'T';
      at += type;
    } else if (list || (digits && !is_name(message, at))) {
      form[size++] = '#';
      at = list ? list : at + digits;
    } else {
      form[size++] = *at++;
    }
  }
  form[size] = '\0';
}

int refusal_dimension(const char *message)
{
  static const char *const leads[] = {"dimension ", "dim ",    "axis ", "size(", "shape[",
                                      "shape(",     "extent ", "dim",   "axis"};
  for (size_t i = 0; i < sizeof leads / sizeof *leads; ++i)
    for (const char *at = strcasestr(message, leads[i]); at; at = strcasestr(at + 1, leads[i])) {
      const char *digit = at + strlen(leads[i]);
      if (*digit >= '0' && *digit <= '7' && !isdigit((unsigned char)digit[1])) return *digit - '0';
    }
  return -1;
}

// The number that a word stands for, with the length of the word; 0 if it is none.
static int number_word(const char *at, size_t *length)
{
  static const char *const words[] = {"two", "three", "four", "five", "six", "seven", "eight"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    *length = strlen(words[i]);
    if (strncasecmp(at, words[i], *length) == 0 && !is_word_character(at[*length]))
      return (int)i + 2;
  }
  return 0;
}

size_t refusal_numbers(const char *message, double numbers[REFUSAL_NUMBERS_MAX])
{
  size_t count = 0;
  for (const char *at = message; *at && count < REFUSAL_NUMBERS_MAX;) {
    const bool begins = at == message || !is_word_character(at[-1]);
    size_t length = strspn(at, "0123456789"), letters;
    const int word = begins ? number_word(at, &letters) : 0;
    if (begins && length > 0 && length < 6) numbers[count++] = atoi(at);
    if (word) {
      numbers[count++] = word;
      length = letters;
    }
    at += length ? length : 1;
  }
  return count;
}

int refusal_list(const char *message, unsigned which, int64_t *extents, int most)
{
  for (const char *at = message; *at; ++at) {
    const char *end = at > message && is_word_character(at[-1]) ? NULL : list_at(at);
    if (!end || !strpbrk(at, "0123456789") || strpbrk(at, "0123456789") > end) continue;
    if (which-- > 0) continue;
    int count = 0;
    for (const char *digits = at; digits < end;) {
      const size_t length = strspn(digits, "0123456789");
      if (length >= 6) return -1;
      if (length > 0 && count < most) extents[count] = atoi(digits);
      count += length > 0;
      digits += length ? length : 1;
    }
    return count <= most ? count : -1;
  }
  return -1;
}

bool refusal_names_none(const char *message)
{
  for (const char *at = message; (at = strstr(at, "-1")); at += 2)
    if (at > message && !is_word_character(at[-1]) && !is_word_character(at[2])) return true;
  return false;
}

void refusal_subject(const char *message, char subject[REFUSAL_WORD_MAX])
{
  static const char *const others[] = {
      "a",         "an",         "all",     "argument", "at",         "bad",      "be",
      "check",     "columns",    "dim",     "dtype",    "dimensions", "elements", "expect",
      "all",       "expected",   "expects", "extent",   "failed",     "for",      "has",
      "have",      "in",         "index",   "input",    "invalid",    "is",       "least",
      "must",      "mismatch",   "not",     "number",   "of",         "only",     "rank",
      "rows",      "same",       "shape",   "shapes",   "should",     "size",     "tensor",
      "the",       "there",      "to",      "type",     "unknown",    "value",    "wrong",
      "dimension", "unsupported"};
  const char *at = strstr(message, ": ");
  at = at ? at + 2 : message;
  *subject = '\0';
  // The first word that can be a name, before what was expected of it is said.
  for (int words = 0; words < 4 && *at; ++words) {
    size_t size = 0;
    bool other = false;
    while (*at && !is_word_character(*at)) ++at;
    while (is_word_character(at[size])) ++size;
    for (size_t i = 0; i < sizeof others / sizeof *others && at[size] != ':'; ++i)
      other |= strlen(others[i]) == size && strncasecmp(others[i], at, size) == 0;
    if (!other && size > 0 && size < REFUSAL_WORD_MAX && !isdigit((unsigned char)*at)) {
      snprintf(subject, REFUSAL_WORD_MAX, "%.*s", (int)size, at);
      return;
    }
    at += size;
  }
}

// Adds the words that are quoted, or those that are not, behind `count`. A letter alone is a word where it
// is quoted. Returns how many there are then.
static size_t add_words(const char *message, bool quoted, size_t count,
                        char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX])
{
  static const char *const others[] = {"be",    "or",    "and", "must",    "not",   "one",
                                       "of",    "the",   "is",  "missing", "given", "expected",
                                       "needs", "lacks", "has", "have"};
  const char *at = strstr(message, ": ");
  for (at = at ? at + 2 : message; *at && count < REFUSAL_WORDS_MAX;) {
    size_t size = 0;
    bool other = false;
    while (is_word_character(at[size])) ++size;
    const bool is_quoted =
        size && at > message && (at[-1] == '"' || at[-1] == '\'') && at[size] == at[-1];
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
      other |= strlen(others[i]) == size && memcmp(others[i], at, size) == 0;
    if (is_quoted == quoted && size > !quoted && size < REFUSAL_WORD_MAX && (quoted || !other))
      snprintf(words[count++], REFUSAL_WORD_MAX, "%.*s", (int)size, at);
    at += size ? size : 1;
  }
  return count;
}

size_t refusal_quoted(const char *message, char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX])
{
  return add_words(message, true, 0, words);
}

size_t refusal_words(const char *message, char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX])
{
  return add_words(message, false, refusal_quoted(message, words), words);
}

bool refusal_is_about(const char *message, RefusalTopic topic)
{
  static const char *const words[REFUSAL_COUNT][40] = {
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
                         "crease",  "sorted",  "beyond",      "outside",  "bound",  "exceed",
                         "sum",     "page",    "not a",       "fit",      NULL},
  };
  return refusal_has_any(message, words[topic]);
}

bool refusal_asks_for_more(const char *message)
{
  static const char *const words[] = {"small",   "short",  "enough",  "least",  "larger",
                                      "greater", "above",  "too few", "memory", "workspace",
                                      "beyond",  "exceed", "room",    NULL};
  return refusal_has_any(message, words);
}

int refusal_axis(const char *message, int rank)
{
  static const struct {
    const char *words[4];
    bool last;
  } named[] = {{{"column", "last dim", "last axis", NULL}, true},
               {{"row", "first dim", NULL}, false}};
  const char *first = NULL;
  int axis = refusal_dimension(message);
  if (axis >= 0) return axis < rank ? axis : -1;
  for (size_t i = 0; i < sizeof named / sizeof *named; ++i)
    for (size_t k = 0; named[i].words[k]; ++k) {
      const char *at = strcasestr(message, named[i].words[k]);
      if (!at || (first && at > first)) continue;
      first = at;
      axis = named[i].last ? rank - 1 : 0;
    }
  return rank > 0 ? axis : -1;
}

bool refusal_reckons(const char *message, char sign)
{
  static const char *const products[] = {"*", "times", "product", "\xc3\x97", NULL};
  static const char *const sums[] = {"+", "one more", "plus", "1 more", NULL};
  return refusal_has_any(message, sign == '*' ? products : sums);
}
