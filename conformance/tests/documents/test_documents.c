// SPDX-License-Identifier: Apache-2.0
// The examples of the documents are the measure of the clauses: hosts print what their first lines
// say, and kernels break exactly the clauses that their first lines name. None of these is a MUST,
// unless its source is the document that overrules the example.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "documents.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

enum { TEXT_MAX = 4096, WORDS_MAX = 512 };

TEST_GROUP(documents, .timeout = 60);

// Calls `take` with each line of the leading comment of an example, without "//" and the line feed.
static void for_each_line(const char *name, void (*take)(const char *line, char *out), char *out)
{
  char path[600], line[512];
  snprintf(path, sizeof path, "%s/%s.c", SOURCES, name);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s can't be read", path);
  while (fgets(line, sizeof line, file) && strncmp(line, "//", 2) == 0) {
    line[strcspn(line, "\n")] = '\0';
    take(line + 2, out);
  }
  fclose(file);
}

// What stands three blanks in is printed.
static void take_printed(const char *line, char *out)
{
  size_t used = strlen(out);
  if (strncmp(line, "   ", 3) == 0) snprintf(out + used, TEXT_MAX - used, "%s\n", line + 3);
}

static void check_hosts(const char *folder)
{
  char library_path[600];
  snprintf(library_path, sizeof library_path, "LD_LIBRARY_PATH=%s", folder);
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; ++i) {
    char printed[TEXT_MAX] = "", program[600];
    ToolSetup setup = {.environment = {library_path}};
    for_each_line(hosts[i], take_printed, printed);
    snprintf(program, sizeof program, "./%s", hosts[i]);
    ck_assert_msg(printed[0] != '\0', "%s.c does not say what it prints", hosts[i]);
    ToolRun run = tool_run(&setup, (const char *const[]){program, NULL});
    ck_assert_msg(run.exit_code == 0, "%s with %s: exit code %d\n%s%s", hosts[i], folder,
                  run.exit_code, run.out, run.err);
    ck_assert_msg(strcmp(run.out, printed) == 0, "%s with %s printed\n%sinstead of\n%s", hosts[i],
                  folder, run.out, printed);
    tool_free(&run);
  }
}

TEST(hosts_print_what_they_say)
{
  char official[TEXT_MAX] = OFFICIAL, *rest = NULL;
  ck_assert_int_eq(chdir(PROGRAMS), 0);
  check_hosts("");
  for (char *folder = strtok_r(official, ":", &rest); folder; folder = strtok_r(NULL, ":", &rest))
    check_hosts(folder);
}

static void take_broken(const char *line, char *out)
{
  size_t used = strlen(out);
  if (strncmp(line, " breaks", 7) == 0) snprintf(out + used, TEXT_MAX - used, "%s\n", line + 1);
}

// "breaks LEVEL: A-1 B-2\n" for the clauses of a level that the report calls broken.
static void add_broken(const json_t *report, const char *level, const char *words, char *out)
{
  const json_t *clause;
  size_t used = strlen(out), i;
  unsigned count = 0;
  used += (size_t)snprintf(out + used, TEXT_MAX - used, "breaks %s:", words);
  size_t before = used;
  json_array_foreach(json_object_get(report, "clauses"), i, clause)
  {
    const char *id = json_string_value(json_object_get(clause, "id"));
    if (strcmp(json_string_value(json_object_get(clause, "standing")), "broken") != 0 ||
        strcmp(json_string_value(json_object_get(clause, "level")), level) != 0)
      continue;
    const char *source = json_string_value(json_object_get(clause, "source"));
    bool overruled = strncmp(source, "DLPack, ", 8) == 0;
    ck_assert_msg(strcmp(level, "MUST") != 0 || overruled,
                  "%s is a MUST that an example breaks, and no other document says it", id);
    used += (size_t)snprintf(out + used, TEXT_MAX - used, " %s", id);
    ++count;
  }
  if (count == 0)
    out[before - strlen("breaks :") - strlen(words)] = '\0';
  else
    snprintf(out + used, TEXT_MAX - used, "\n");
}

static void check_kernel(const char *name, const char *runtime)
{
  char module[600], signatures[600], request[600], named[TEXT_MAX] = "", broken[TEXT_MAX] = "";
  const char *path = tool_path("report.json");
  snprintf(module, sizeof module, "%s/build/%s.so", PROGRAMS, name);
  snprintf(signatures, sizeof signatures, "%s/%s.json", SOURCES, name);
  snprintf(request, sizeof request, "json:%s", path);
  ToolRun run = tool_run(&(ToolSetup){.limit = 45},
                         TOOL("run", module, "--signatures", signatures, "--runtime", runtime,
                              "--min-judged=0", "--report", request));
  ck_assert_msg(run.exit_code == 0 || run.exit_code == 1, "%s: exit code %d\n%s%s", name,
                run.exit_code, run.out, run.err);
  json_t *report = tool_json(path);
  add_broken(report, "MUST", "MUST, overruled by DLPack", broken);
  add_broken(report, "SHOULD", "SHOULD", broken);
  add_broken(report, "HARDENING", "HARDENING", broken);
  for_each_line(name, take_broken, named);
  ck_assert_msg(strcmp(broken, named) == 0, "%s with %s\n%sinstead of\n%s", name, runtime, broken,
                named);
  ck_assert_msg(tool_count(report, "", "pass") > 0, "%s: nothing passed", name);
  json_decref(report);
  remove(path);
  tool_free(&run);
}

TEST(kernels_break_what_they_say)
{
  char official[TEXT_MAX] = OFFICIAL, runtime[TEXT_MAX], *rest = NULL;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) check_kernel(kernels[i], REFERENCE);
  for (char *folder = strtok_r(official, ":", &rest); folder; folder = strtok_r(NULL, ":", &rest)) {
    snprintf(runtime, sizeof runtime, "%s/libtvm_ffi.so", folder);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) check_kernel(kernels[i], runtime);
  }
}
