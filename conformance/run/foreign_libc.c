// SPDX-License-Identifier: Apache-2.0
#include "run/foreign_libc.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

// C libraries, by what is needed of them. musl's own tools write the shorter name, Alpine the
// other.
static const struct {
  const char *name, *needed;
} c_libraries[] = {
    {"glibc", "libc.so.6"},
    {"musl", "libc.musl-*.so.1"},
    {"musl", "libc.so"},
};

// The C library that a file needs, and `as` under which name; NULL if it is none of these.
static const char *find(const InspectReport *file, const char **as)
{
  for (char **needed = file->needed; needed && *needed; ++needed)
    for (size_t i = 0; i < sizeof c_libraries / sizeof *c_libraries; ++i)
      if (fnmatch(c_libraries[i].needed, *needed, 0) == 0) {
        *as = *needed;
        return c_libraries[i].name;
      }
  return NULL;
}

void foreign_libc_explain(const InspectReport *library, const char *worker, char *text, size_t size)
{
  const char *as = "", *its_as = "";
  const char *name = find(library, &as);
  InspectReport *program = name ? inspect_file(worker) : NULL;
  const char *its = program ? find(program, &its_as) : NULL;
  size_t used = strlen(text);
  if (its && strcmp(its, name) != 0 && used < size)
    snprintf(text + used, size - used,
             "\nIt needs %s: it was built for %s, and the worker that loads it, %s, for %s. A "
             "worker that was built for %s, and is named with --worker, can load it; "
             "cross/README.md says how to build one.",
             as, name, worker, its, name);
  if (program) inspect_free(program);
}
