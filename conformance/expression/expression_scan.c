// SPDX-License-Identifier: Apache-2.0
#include "expression/expression_scan.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Errors --------------------------------------------------------------------------------------

size_t scan_position(const char *text, const char *at)
{
  size_t position = 1;
  for (; text < at; ++text) position += ((unsigned char)*text & 0xc0) != 0x80;
  return position;
}

bool scan_fail(ExpressionError *error, size_t position, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  error->position = position;
  vsnprintf(error->message, sizeof error->message, format, list);
  va_end(list);
  return false;
}

// --- Words and marks -----------------------------------------------------------------------------

// Not those of <ctype.h>, which depend on the locale.
static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

typedef struct Word {
  const char *text;
  TokenKind kind;
  ExpressionOperator operator;
  long double number;
} Word;

static const Word words[] = {
    {"and", TOKEN_OPERATOR, OPERATOR_AND, 0},
    {"or", TOKEN_OPERATOR, OPERATOR_OR, 0},
    {"not", TOKEN_OPERATOR, OPERATOR_NOT, 0},
    {"is", TOKEN_OPERATOR, OPERATOR_IS, 0},
    {"if", TOKEN_IF, OPERATOR_NONE, 0},
    {"else", TOKEN_ELSE, OPERATOR_NONE, 0},
    {"None", TOKEN_NONE, OPERATOR_NONE, 0},
    {"newaxis", TOKEN_NONE, OPERATOR_NONE, 0},
    {"True", TOKEN_TRUE, OPERATOR_NONE, 0},
    {"False", TOKEN_FALSE, OPERATOR_NONE, 0},
    {"pi", TOKEN_NUMBER, OPERATOR_NONE, M_PI},
    {"inf", TOKEN_NUMBER, OPERATOR_NONE, HUGE_VALL},
    {"nan", TOKEN_NUMBER, OPERATOR_NONE, __builtin_nanl("")},
};

// The longer before those that they begin with.
static const Word symbols[] = {
    {"**", TOKEN_OPERATOR, OPERATOR_POWER, 0},
    {"//", TOKEN_OPERATOR, OPERATOR_FLOOR_DIVIDE, 0},
    {"<<", TOKEN_OPERATOR, OPERATOR_SHIFT_LEFT, 0},
    {">>", TOKEN_OPERATOR, OPERATOR_SHIFT_RIGHT, 0},
    {"<=", TOKEN_OPERATOR, OPERATOR_LESS_EQUAL, 0},
    {">=", TOKEN_OPERATOR, OPERATOR_GREATER_EQUAL, 0},
    {"==", TOKEN_OPERATOR, OPERATOR_EQUAL, 0},
    {"!=", TOKEN_OPERATOR, OPERATOR_NOT_EQUAL, 0},
    {"*", TOKEN_OPERATOR, OPERATOR_TIMES, 0},
    {"/", TOKEN_OPERATOR, OPERATOR_DIVIDE, 0},
    {"%", TOKEN_OPERATOR, OPERATOR_REMAINDER, 0},
    {"@", TOKEN_OPERATOR, OPERATOR_MATMUL, 0},
    {"+", TOKEN_OPERATOR, OPERATOR_PLUS, 0},
    {"-", TOKEN_OPERATOR, OPERATOR_MINUS, 0},
    {"<", TOKEN_OPERATOR, OPERATOR_LESS, 0},
    {">", TOKEN_OPERATOR, OPERATOR_GREATER, 0},
    {"&", TOKEN_OPERATOR, OPERATOR_BITS_AND, 0},
    {"^", TOKEN_OPERATOR, OPERATOR_BITS_XOR, 0},
    {"|", TOKEN_OPERATOR, OPERATOR_BITS_OR, 0},
    {"~", TOKEN_OPERATOR, OPERATOR_INVERT, 0},
};

static const Word *word_of(const char *begin, size_t size)
{
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
    if (strncmp(words[i].text, begin, size) == 0 && !words[i].text[size]) return &words[i];
  return NULL;
}

bool expression_is_name(const char *text)
{
  size_t size = 0;
  while (is_letter(text[size]) || is_digit(text[size])) ++size;
  return size > 0 && size < EXPRESSION_NAME_MAX && !text[size] && is_letter(text[0]) &&
         !word_of(text, size);
}

static void skip_spaces(Scanner *scanner)
{
  while (*scanner->at == ' ' || *scanner->at == '\t' || *scanner->at == '\n' ||
         *scanner->at == '\r')
    ++scanner->at;
}

// `is not` is one operator.
static void take_is_not(Scanner *scanner, Token *token)
{
  const char *behind = scanner->at;
  skip_spaces(scanner);
  if (strncmp(scanner->at, "not", 3) == 0 && !is_letter(scanner->at[3]) &&
      !is_digit(scanner->at[3])) {
    scanner->at += 3;
    token->operator= OPERATOR_IS_NOT;
  } else {
    scanner->at = behind;
  }
}

static bool scan_word(Scanner *scanner, Token *token)
{
  while (is_letter(*scanner->at) || is_digit(*scanner->at)) ++scanner->at;
  token->size = (size_t)(scanner->at - token->begin);
  token->kind = TOKEN_NAME;
  const Word *word = word_of(token->begin, token->size);
  if (word) {
    token->kind = word->kind;
    token->operator= word->operator;
    token->number = word->number;
    if (word->operator== OPERATOR_IS) take_is_not(scanner, token);
  } else if (token->size >= EXPRESSION_NAME_MAX) {
    return scan_fail(scanner->error, token->position,
                     "a name has at most %d characters, this one has %zu", EXPRESSION_NAME_MAX - 1,
                     token->size);
  }
  return true;
}

static bool scan_symbol(Scanner *scanner, Token *token)
{
  if (strncmp(scanner->at, "...", 3) == 0) {
    token->kind = TOKEN_MARK;
    token->mark = 'e';
    token->size = 3;
    scanner->at += 3;
    return true;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; ++i) {
    const char *text = symbols[i].text;
    if (*scanner->at != text[0] || (text[1] && scanner->at[1] != text[1])) continue;
    size_t size = text[1] ? 2 : 1;
    token->kind = symbols[i].kind;
    token->operator= symbols[i].operator;
    token->size = size;
    scanner->at += size;
    return true;
  }
  if (!strchr("()[],:.=", *scanner->at)) {
    if ((unsigned char)*scanner->at <= ' ' || (unsigned char)*scanner->at >= 0x7f)
      return scan_fail(scanner->error, token->position, "the character is not allowed here");
    return scan_fail(scanner->error, token->position, "`%c` is not allowed here", *scanner->at);
  }
  token->kind = TOKEN_MARK;
  token->mark = *scanner->at++;
  token->size = 1;
  return true;
}

// --- Numbers and strings -------------------------------------------------------------------------

static double float_of(const char *text, char **end)
{
  static locale_t plain;
  if (!plain) plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return plain ? strtod_l(text, end, plain) : strtod(text, end);
}

static int digit_value(char c)
{
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

// Digits of this base; false if they come to more than 64 bits.
static bool take_digits(Scanner *scanner, int base, uint64_t *value)
{
  bool fits = true;
  for (*value = 0; digit_value(*scanner->at) < base; ++scanner->at) {
    uint64_t digit = (uint64_t)digit_value(*scanner->at);
    fits = fits && *value <= (UINT64_MAX - digit) / (uint64_t)base;
    *value = *value * (uint64_t)base + digit;
  }
  return fits;
}

static const char *end_of_float(const char *at)
{
  while (is_digit(*at)) ++at;
  if (*at == '.') ++at;
  while (is_digit(*at)) ++at;
  if (*at == 'e' || *at == 'E') {
    const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
    if (is_digit(*exponent)) at = exponent;
    while (is_digit(*at)) ++at;
  }
  return at;
}

static bool scan_number(Scanner *scanner, Token *token)
{
  uint64_t value;
  int base = 10;
  bool fits;
  if (*scanner->at == '0' && (scanner->at[1] | 32) == 'x') base = 16;
  if (*scanner->at == '0' && (scanner->at[1] | 32) == 'b') base = 2;
  if (base != 10) scanner->at += 2;
  const char *first = scanner->at, *end = end_of_float(first);
  fits = take_digits(scanner, base, &value);
  token->kind = TOKEN_NUMBER;
  token->integer = base != 10 || end == scanner->at;
  if (!token->integer) {
    char *behind;
    token->number = (long double)float_of(first, &behind);
    scanner->at = end;
  } else if (!fits) {
    return scan_fail(scanner->error, token->position, "an integer has at most 64 bits");
  } else {
    token->number = (long double)value;
  }
  token->size = (size_t)(scanner->at - token->begin);
  if (scanner->at == first || is_letter(*scanner->at) || is_digit(*scanner->at))
    return scan_fail(scanner->error, token->position,
                     "a number is written as 12, 0x1f, 0b11, 1.5 or 1e-3");
  return true;
}

static bool scan_string(Scanner *scanner, Token *token)
{
  char quote = *scanner->at++;
  token->begin = scanner->at;
  while ((unsigned char)*scanner->at >= ' ' && *scanner->at != quote && *scanner->at != '\\')
    ++scanner->at;
  token->kind = TOKEN_STRING;
  token->size = (size_t)(scanner->at - token->begin);
  if (*scanner->at == '\\')
    return scan_fail(scanner->error, scan_position(scanner->text, scanner->at),
                     "a string holds no backslash");
  if (*scanner->at != quote)
    return scan_fail(scanner->error, token->position, "the string has no end: `%c` expected",
                     quote);
  ++scanner->at;
  return true;
}

bool scan_token(Scanner *scanner, Token *token)
{
  skip_spaces(scanner);
  *token = (Token){.kind = TOKEN_END, .begin = scanner->at};
  token->position = scanner->position += scan_position(scanner->counted, scanner->at) - 1;
  scanner->counted = scanner->at;
  if (!*scanner->at) return true;
  if (is_letter(*scanner->at)) return scan_word(scanner, token);
  if (is_digit(*scanner->at) || (*scanner->at == '.' && is_digit(scanner->at[1])))
    return scan_number(scanner, token);
  if (*scanner->at == '"' || *scanner->at == '\'') return scan_string(scanner, token);
  return scan_symbol(scanner, token);
}
