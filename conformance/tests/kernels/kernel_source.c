// SPDX-License-Identifier: Apache-2.0
#include "kernel_source.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool next_line(FILE *file, char line[KERNEL_COMMENT])
{
  if (!fgets(line, KERNEL_COMMENT, file)) return false;
  line[strcspn(line, "\n")] = '\0';
  return true;
}

// Finds the line that begins with `start`, and copies what is behind it.
static bool find_line(FILE *file, const char *start, char behind[KERNEL_COMMENT])
{
  char line[KERNEL_COMMENT];
  while (next_line(file, line))
    if (strncmp(line, start, strlen(start)) == 0)
      return snprintf(behind, KERNEL_COMMENT, "%s", line + strlen(start)) > 0;
  return false;
}

KernelComments kernel_source_comments(const char *source_path, const char *module_path)
{
  KernelComments comments;
  const char *slash = strrchr(module_path, '/'), *name = slash ? slash + 1 : module_path;
  char start[KERNEL_COMMENT];
  FILE *file = fopen(source_path, "r");
  ck_assert_msg(file != NULL, "%s: cannot be read", source_path);
  snprintf(start, sizeof start, "#ifdef KERNEL_%.*s  // ", (int)strcspn(name, "."), name);
  if (!find_line(file, start, comments.first)) {
    rewind(file);
    ck_assert(next_line(file, comments.first));
    ck_assert_msg(find_line(file, "// ", comments.first), "%s: no comment", source_path);
  }
  ck_assert(next_line(file, comments.second));
  fclose(file);
  return comments;
}
