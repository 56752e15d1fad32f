// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH_SHOWN = 180 };

bool inspect_problem(InspectProblem *problem, InspectStatus status, const char *format, ...)
{
  if (problem->status != INSPECT_OK) return false;
  va_list arguments;
  va_start(arguments, format);
  problem->status = status;
  vsnprintf(problem->text, sizeof problem->text, format, arguments);
  va_end(arguments);
  return false;
}

bool inspect_problem_no_memory(InspectProblem *problem)
{
  problem->no_memory = true;
  return false;
}

// The last part of a path that is too long, cut between two characters of UTF-8.
static const char *path_end(const char *path)
{
  size_t length = strlen(path);
  if (length <= LONGEST_PATH_SHOWN) return path;
  const char *end = path + (length - LONGEST_PATH_SHOWN);
  while ((*end & 0xc0) == 0x80) ++end;
  return end;
}

void inspect_problem_message(const InspectProblem *problem, const char *path, char *out,
                             size_t capacity)
{
  const char *end = *path ? path_end(path) : "''";
  snprintf(out, capacity, "%s%s: %s", end == path || !*path ? "" : "...", end, problem->text);
  for (; *out; ++out) {
    if ((unsigned char)*out < ' ' || *out == 0x7f) *out = '?';
  }
}
