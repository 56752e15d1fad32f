// SPDX-License-Identifier: Apache-2.0
// A call is made of a signature over and over, and its formulas, of up to 4,096 bytes, are asked for each time:
// those that were parsed last are remembered. An expression does not change once it was parsed.
#include <pthread.h>
#include <string.h>

#include "expression/expression_program.h"

enum { CACHED = 32, TEXT_LEAST = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Expression *cached[CACHED];
static size_t next;  // whose place is taken

// The one with this text, with a reference for the caller; NULL if it is not there.
static Expression *find(const char *text)
{
  for (size_t i = 0; i < CACHED && cached[i]; ++i)
    if (strcmp(cached[i]->text, text) == 0) {
      ++cached[i]->references;
      return cached[i];
    }
  return NULL;
}

static void give_back(Expression *expression)
{
  if (--expression->references == 0) expression_end(expression);
}

static void remember(Expression *expression)
{
  if (cached[next]) give_back(cached[next]);
  ++expression->references;
  cached[next] = expression;
  next = (next + 1) % CACHED;
}

Expression *expression_parse(const char *text, ExpressionError *error)
{
  const bool is_long = strnlen(text, TEXT_LEAST) == TEXT_LEAST;
  if (!is_long) return expression_parse_anew(text, error);
  pthread_mutex_lock(&lock);
  *error = (ExpressionError){0};
  Expression *expression = find(text);
  if (!expression && (expression = expression_parse_anew(text, error))) remember(expression);
  pthread_mutex_unlock(&lock);
  return expression;
}

void expression_free(Expression *expression)
{
  if (!expression) return;
  pthread_mutex_lock(&lock);
  give_back(expression);
  pthread_mutex_unlock(&lock);
}
