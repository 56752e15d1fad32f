// SPDX-License-Identifier: Apache-2.0
#include "sandbox/needs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "inspect/elfdynamic.h"
#include "inspect/inspect_map.h"
#include "sandbox/reader.h"

enum { TEXT_MAX = 1024, DEEPEST = 16, FILES_MAX = 256 };

// --- One file ------------------------------------------------------------------------------------

typedef struct Opened {
  InspectMap map;
  InspectProblem problem;
  ElfFile file;
  ElfDynamic dynamic;
} Opened;

static void opened_close(Opened *opened)
{
  elffile_close(&opened->file);
  inspect_map_close(&opened->map);
}

// Opens a regular file that has a dynamic section, of any machine. opened_close is due if it is one.
static bool opened_open(const char *path, Opened *opened)
{
  *opened = (Opened){.problem = {.status = INSPECT_OK}};
  if (!inspect_map_open(path, &opened->map, &opened->problem)) return false;
  if (elffile_open(&opened->file, opened->map.data, opened->map.size, &opened->problem) &&
      elfdynamic_open(&opened->file, &opened->dynamic))
    return true;
  opened_close(opened);
  return false;
}

static bool copy_text(const ElfFile *file, uint64_t offset, uint64_t size, uint64_t at, char *out)
{
  ElfText text;
  out[0] = '\0';
  if (!elffile_text(file, offset, size, at, &text) || text.size >= TEXT_MAX) return false;
  memcpy(out, text.data, text.size);
  out[text.size] = '\0';
  return out[0] != '\0';
}

// The text of the `nth` entry with this tag, or false.
static bool entry_text(const Opened *opened, int64_t tag, size_t nth, char out[TEXT_MAX])
{
  uint64_t at;
  out[0] = '\0';
  return elfdynamic_value(&opened->dynamic, tag, nth, &at) &&
         copy_text(&opened->file, opened->dynamic.names_offset, opened->dynamic.names_size, at,
                   out);
}

// The linker that a program names.
static bool linker_of(const Opened *opened, char out[TEXT_MAX])
{
  GElf_Phdr segment;
  return elffile_segment(&opened->file, PT_INTERP, &segment) &&
         copy_text(&opened->file, segment.p_offset, segment.p_filesz, 0, out);
}

// --- Looking for them ----------------------------------------------------------------------------

typedef struct Search {
  SandboxPolicy *policy;
  unsigned files;  // looked into so far
} Search;

// The list of directories with the library's own in the place of $ORIGIN.
static void expand(const char *list, const char *origin, char *out, size_t size)
{
  static const char *const names[] = {"${ORIGIN}", "$ORIGIN"};
  size_t used = 0;
  out[0] = '\0';
  while (*list && used + 1 < size) {
    const char *name = NULL;
    for (size_t i = 0; i < 2 && !name; ++i)
      if (strncmp(list, names[i], strlen(names[i])) == 0) name = names[i];
    used += (size_t)(name ? snprintf(out + used, size - used, "%s", origin)
                          : snprintf(out + used, size - used, "%c", *list));
    list += name ? strlen(name) : 1;
  }
}

static void look_into(Search *search, const char *path, const char *inherited, unsigned depth);

static bool take(Search *search, const char *path, const char *inherited, unsigned depth)
{
  Opened opened;
  if (!opened_open(path, &opened)) return false;
  opened_close(&opened);
  if (policy_has_path(search->policy, path)) return true;
  policy_add_path(search->policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
  policy_add_libraries_beside(search->policy, path);
  look_into(search, path, inherited, depth + 1);
  return true;
}

// Looks for one name in a list of directories.
static void look_for(Search *search, const char *name, const char *folders, const char *inherited,
                     unsigned depth)
{
  char path[PATH_MAX];
  if (strchr(name, '/')) {
    take(search, name, inherited, depth);
    return;
  }
  for (const char *at = folders; *at; at += strspn(at, ":")) {
    size_t length = strcspn(at, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
    at += length;
    if (length && take(search, path, inherited, depth)) return;
  }
}

// `inherited` are the directories that those who need it say are to be looked into.
static void look_into(Search *search, const char *path, const char *inherited, unsigned depth)
{
  Opened opened;
  char origin[PATH_MAX], name[TEXT_MAX], list[TEXT_MAX], own[2 * PATH_MAX], all[4 * PATH_MAX];
  if (depth > DEEPEST || ++search->files > FILES_MAX || !realpath(path, origin)) return;
  *strrchr(origin, '/') = '\0';
  if (!opened_open(path, &opened)) return;
  // The linker takes no notice of the older kind of list where there is the newer one.
  const bool newer = entry_text(&opened, DT_RUNPATH, 0, list);
  const bool for_all = !newer && entry_text(&opened, DT_RPATH, 0, list);
  expand(list, origin, own, sizeof own);
  snprintf(all, sizeof all, "%s%s%s", own, own[0] ? ":" : "", newer ? "" : inherited);
  for (size_t i = 0; i < opened.dynamic.needed_count; ++i)
    if (entry_text(&opened, DT_NEEDED, i, name))
      look_for(search, name, all, for_all ? all : inherited, depth);
  if (linker_of(&opened, name)) take(search, name, "", depth);
  opened_close(&opened);
}

void needs_add(SandboxPolicy *policy, const char *path)
{
  Search search = {policy, 0};
  look_into(&search, path, "", 0);
}

// --- In a child ----------------------------------------------------------------------------------

typedef struct Wanted {
  const char *const *files;
  size_t count;
} Wanted;

static void tell_needs(void *context, FILE *out)
{
  const Wanted *wanted = context;
  SandboxPolicy found = {.path_count = 0};
  for (size_t i = 0; i < wanted->count; ++i) needs_add(&found, wanted->files[i]);
  for (size_t i = 0; i < found.path_count; ++i)
    if (!strchr(found.paths[i].path, '\n')) fprintf(out, "%s\n", found.paths[i].path);
}

void needs_add_confined(SandboxPolicy *policy, const char *const *files, size_t count)
{
  enum { NEEDED_MAX = 4096 };
  Wanted wanted = {files, count};
  ReaderAnswer answer;
  SandboxPolicy all = {.path_count = 0};
  struct stat status;
  policy_add_path(&all, "/", SANDBOX_READ);
  bool done = reader_run(&all, tell_needs, &wanted, &answer);
  policy_free(&all);
  char *rest = answer.bytes;
  for (unsigned i = 0; done && rest && *rest && i < NEEDED_MAX; ++i) {
    char *path = strsep(&rest, "\n");
    if (strstr(path, ".so") && stat(path, &status) == 0 && S_ISREG(status.st_mode))
      policy_add_path(policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
  }
  free(answer.bytes);
}
