// SPDX-License-Identifier: Apache-2.0
// Writes the functions that the observer exports, one for each of the C API, to stdout: count the
// call, then hand it to the hook or to the runtime. Run by the build.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"

typedef struct Row {
  const char *result, *name, *parameters;
} Row;

static const Row rows[] = {
#define ABI_FUNCTION(chapter, since, result, name, parameters) {#result, #name, #parameters},
#include "abi/functions.def"
};

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// The name of a parameter: behind "(*" where it is a pointer to a function, else the last word.
static void write_name(const char *parameter, size_t size)
{
  const char *star = NULL, *end = parameter + size;
  for (const char *c = parameter; c + 1 < end && !star; ++c)
    if (c[0] == '(' && c[1] == '*') star = c + 2;
  if (star) {
    end = star;
    while (is_word(*end)) ++end;
  } else {
    while (end > parameter && !is_word(end[-1])) --end;
    star = end;
    while (star > parameter && is_word(star[-1])) --star;
  }
  printf("%.*s", (int)(end - star), star);
}

// "(a, b)" for "(int a, void (*b)(int c))".
static void write_arguments(const char *parameters)
{
  const char *from = parameters + 1, *end = parameters + strlen(parameters) - 1;
  int depth = 0;
  printf("(");
  for (const char *c = from; strcmp(parameters, "(void)") != 0 && c <= end; ++c) {
    if (c == end || (*c == ',' && depth == 0)) {
      write_name(from, (size_t)(c - from));
      if (c < end) printf(", ");
      from = c + 1;
    }
    depth += (*c == '(') - (*c == ')');
  }
  printf(")");
}

int main(void)
{
  printf("// Generated from conformance/abi/functions.def.\n#include \"observe/observe.h\"\n");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    bool gives = strcmp(rows[i].result, "void") != 0;
    printf("\n__attribute__((visibility(\"default\"))) %s TVMFFI%s%s\n{\n  observe_enter(FN_%s);\n",
           rows[i].result, rows[i].name, rows[i].parameters, rows[i].name);
    printf("  %s(observe_hooks.%s ? observe_hooks.%s : tvmffi_observer.real.%s)",
           gives ? "return " : "", rows[i].name, rows[i].name, rows[i].name);
    write_arguments(rows[i].parameters);
    printf(";\n}\n");
  }
  return ferror(stdout) != 0;
}
