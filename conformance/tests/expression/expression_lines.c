// SPDX-License-Identifier: Apache-2.0
// Works out expressions, one a line, and prints what they come to: for comparisons with NumPy.
//
//   let NAME KIND RANK EXTENT... ELEMENT...    KIND is bool, int or float; elements as strtold reads
//   npy FROM TO                                reads one file, writes the other, prints ok, or ! and why
//   EXPRESSION                                 prints KIND RANK EXTENT... ELEMENT..., or ! and why
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "expression/npy.h"

enum { NAMES_MAX = 64, LINE_MAX_SIZE = 1 << 20 };

static struct {
  char name[EXPRESSION_NAME_MAX];
  ExpressionValue value;
} names[NAMES_MAX];
static size_t name_count;

static const char *const kinds[] = {"none", "bool", "int", "float"};

static bool look_up(void *context, const char *name, ExpressionValue *value)
{
  (void)context;
  for (size_t i = 0; i < name_count; ++i) {
    if (strcmp(names[i].name, name) != 0) continue;
    *value = names[i].value;
    value->borrowed = true;
    return true;
  }
  return false;
}

static bool let(char *line)
{
  char *at = strtok(line, " "), *end;
  int64_t shape[EXPRESSION_RANK_MAX];
  int kind = 0;
  if (!at || name_count == NAMES_MAX) return false;
  snprintf(names[name_count].name, EXPRESSION_NAME_MAX, "%s", at);
  at = strtok(NULL, " ");
  for (int i = 1; at && i < 4; ++i)
    if (strcmp(at, kinds[i]) == 0) kind = i;
  int rank = atoi(strtok(NULL, " "));
  for (int k = 0; k < rank; ++k) shape[k] = atoll(strtok(NULL, " "));
  ExpressionValue *value = &names[name_count].value;
  if (!expression_value_new(value, (ExpressionKind)kind, rank, shape)) return false;
  for (size_t i = 0; i < value->count; ++i) value->elements[i] = strtold(strtok(NULL, " "), &end);
  ++name_count;
  return true;
}

static void print_value(const ExpressionValue *value)
{
  if (value->kind < EXPRESSION_BOOL || value->kind > EXPRESSION_FLOAT) {
    printf("! 0 no array\n");
    return;
  }
  printf("%s %d", kinds[value->kind], value->rank);
  for (int32_t k = 0; k < value->rank; ++k) printf(" %lld", (long long)value->shape[k]);
  for (size_t i = 0; i < value->count; ++i)
    printf(value->kind == EXPRESSION_FLOAT ? " %La" : " %.0Lf", value->elements[i]);
  printf("\n");
}

static void print_outcome(const char *text)
{
  ExpressionError error;
  ExpressionScope scope = {.lookup = look_up};
  ExpressionValue value;
  Expression *expression = expression_parse(text, &error);
  if (expression && expression_evaluate(expression, &scope, &value, &error)) {
    print_value(&value);
    expression_value_free(&value);
  } else {
    printf("! %zu %s\n", error.position, error.message);
  }
  expression_free(expression);
}

static void copy_file(char *line)
{
  NpyArray array;
  char problem[NPY_PROBLEM_MAX];
  const char *from = strtok(line, " "), *to = strtok(NULL, " ");
  if (!from || !to || !npy_read_file(from, &array, problem)) {
    printf("! %s\n", problem);
    return;
  }
  FILE *out = fopen(to, "wb");
  bool written = out && npy_write(out, &array);
  if (out) written &= fclose(out) == 0;
  printf(written ? "ok\n" : "! not written\n");
  npy_free(&array);
}

int main(void)
{
  static char line[LINE_MAX_SIZE];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "npy ", 4) == 0)
      copy_file(line + 4);
    else if (strncmp(line, "let ", 4) != 0)
      print_outcome(line);
    else if (!let(line + 4))
      return 2;
  }
  for (size_t i = 0; i < name_count; ++i) expression_value_free(&names[i].value);
  return 0;
}
