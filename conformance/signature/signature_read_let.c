// SPDX-License-Identifier: Apache-2.0
// "let": names for parts of formulas. In the text of a formula each is replaced by "(FORMULA)", so
// that nothing behind the reader knows of them.
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "expression/expression_functions.h"
#include "expression/expression_scan.h"
#include "signature/signature_reading.h"

static bool append(ReadingText *out, const char *bytes, size_t size)
{
  if (size > EXPRESSION_TEXT_MAX - out->size) return false;
  memcpy(out->text + out->size, bytes, size);
  out->size += size;
  out->text[out->size] = '\0';
  return true;
}

static const char *formula_of(const Reading *reading, const char *name, size_t size)
{
  for (size_t i = 0; i < reading->let_count; ++i)
    if (strlen(reading->let[i].name) == size && memcmp(reading->let[i].name, name, size) == 0)
      return reading->let[i].formula;
  return NULL;
}

bool reading_is_let(const Reading *reading, const char *name)
{
  return formula_of(reading, name, strlen(name)) != NULL;
}

// One that is all of the text needs no brackets.
static bool append_formula(ReadingText *out, const char *formula, bool alone)
{
  return alone
             ? append(out, formula, strlen(formula))
             : append(out, "(", 1) && append(out, formula, strlen(formula)) && append(out, ")", 1);
}

static bool is_mark(const Token *token, char mark)
{
  return token->kind == TOKEN_MARK && token->mark == mark;
}

// Replaces each name but `x.NAME`, an attribute, and `f(NAME=x)`, a parameter. False if the text gets
// too long. What can't be taken apart stays as it is: the parser complains of it.
static bool expand(const Reading *reading, const char *text, ReadingText *out)
{
  ExpressionError error;
  Scanner scanner = {text, text, &error, text, 1};
  Token before = {.kind = TOKEN_END}, token, next;
  const char *copied = text;
  if (!scan_token(&scanner, &token)) return append(out, text, strlen(text));
  for (; token.kind != TOKEN_END; before = token, token = next) {
    if (!scan_token(&scanner, &next)) break;
    const char *formula =
        token.kind == TOKEN_NAME ? formula_of(reading, token.begin, token.size) : NULL;
    if (!formula || is_mark(&before, '.') || is_mark(&next, '=')) continue;
    const bool alone = before.kind == TOKEN_END && next.kind == TOKEN_END;
    if (!append(out, copied, (size_t)(token.begin - copied)) ||
        !append_formula(out, formula, alone))
      return false;
    copied = token.begin + token.size;
  }
  return append(out, copied, strlen(copied));
}

const char *reading_replace_names(const Reading *reading, const char *text, ReadingText *room)
{
  room->size = 0;
  if (!reading->let_count || strnlen(text, EXPRESSION_TEXT_MAX + 1) > EXPRESSION_TEXT_MAX)
    return text;
  return expand(reading, text, room) ? room->text : NULL;
}

// The same of an expression that is checked; NULL with a complaint.
static const char *checked(Reading *reading, const char *member, const char *text,
                           ReadingText *room)
{
  const char *formula = reading_replace_names(reading, text, room);
  if (!formula)
    reading_complain(reading, member, "longer than %d characters with \"let\"",
                     EXPRESSION_TEXT_MAX);
  return formula && reading_expression(reading, member, formula, READING_ANYTHING) ? formula : NULL;
}

bool reading_formula(Reading *reading, const char *member, const char *text, SignatureText *out)
{
  ReadingText room;
  const char *formula = checked(reading, member, text, &room);
  if (formula) *out = reading_add_text(reading, formula);
  return formula != NULL;
}

static bool check_name(Reading *reading, const char *name)
{
  const ReadingName *found = reading_find_name(reading, name);
  if (!expression_is_name(name) || strlen(name) >= SIGNATURE_SYMBOL_MAX)
    return reading_complain(reading, name, "expected a name of up to %d letters",
                            SIGNATURE_SYMBOL_MAX - 1);
  if (found)
    return reading_complain(reading, name, "\"%s\" is a %s", name,
                            reading_is_size(found) ? "size" : "parameter");
  return !function_find(name, strlen(name)) ||
         reading_complain(reading, name, "\"%s\" is a function of expressions", name);
}

static bool read_name(Reading *reading, const char *name, const json_t *value)
{
  ReadingText room;
  const char *text = json_string_value(value);
  if (!check_name(reading, name)) return false;
  if (!text || strlen(text) != json_string_length(value))
    return reading_complain(reading, name, "expected a formula");
  const char *formula = checked(reading, name, text, &room);
  char *own = formula ? strdup(formula) : NULL;
  if (formula && !own) reading_complain(reading, name, "out of memory");
  if (own) reading->let[reading->let_count++] = (ReadingLet){name, own};
  return own != NULL;
}

bool reading_let(Reading *reading, const json_t *form)
{
  json_t *let = json_object_get(form, "let"), *value;
  const char *name;
  if (!let) return true;
  if (!json_is_object(let))
    return reading_complain(reading, "let", "expected an object of formulas by name");
  if (json_object_size(let) > READING_LET_MAX)
    return reading_complain(reading, "let", "more than %d names", READING_LET_MAX);
  reading_enter(reading, "let");
  json_object_foreach(let, name, value)
  {
    if (!read_name(reading, name, value)) return false;
  }
  reading_leave(reading);
  return true;
}

void reading_let_end(Reading *reading)
{
  while (reading->let_count > 0) free(reading->let[--reading->let_count].formula);
}
