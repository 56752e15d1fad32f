// SPDX-License-Identifier: Apache-2.0
#include "sandbox/policy.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KIBI = 1 << 10 };

// A case has limits of its own, of time and of address space; these hold for whatever a library
// starts besides. Sparse files of some gigabytes are ordinary for tests of sizes.
const SandboxLimit policy_limits[] = {
    {RLIMIT_CORE, 0, "core files"},
    {RLIMIT_NOFILE, (uint64_t)64 * KIBI, "open files"},
    {RLIMIT_FSIZE, (uint64_t)8 * KIBI *KIBI *KIBI, "file size"},
    {RLIMIT_CPU, (uint64_t)6 * 3600, "processor time"},
    {RLIMIT_MSGQUEUE, (uint64_t)64 * KIBI, "message queues"},
};
const size_t policy_limit_count = sizeof policy_limits / sizeof policy_limits[0];

static const struct {
  const char *path;
  unsigned rights;
} system_paths[] = {
#define PATH(path, rights) {path, rights},
#include "sandbox/policy_paths.def"
};

static const char *const variable_names[] = {
#define VARIABLE(name) name,
#include "sandbox/policy_variables.def"
};

// --- Files ---------------------------------------------------------------------------------------

bool policy_has_path(const SandboxPolicy *policy, const char *path)
{
  for (size_t i = 0; i < policy->path_count; ++i)
    if (strcmp(policy->paths[i].path, path) == 0) return true;
  return false;
}

void policy_add_path(SandboxPolicy *policy, const char *path, unsigned rights)
{
  if (access(path, F_OK) != 0) return;
  for (size_t i = 0; i < policy->path_count; ++i) {
    if (strcmp(policy->paths[i].path, path) != 0) continue;
    policy->paths[i].rights |= rights;
    return;
  }
  if (policy->path_count == policy->path_room) {
    size_t room = policy->path_room ? 2 * policy->path_room : 64;
    SandboxPath *grown = realloc(policy->paths, room * sizeof *grown);
    policy->lacks |= !grown;
    if (!grown) return;
    policy->paths = grown;
    policy->path_room = room;
  }
  char *copy = strdup(path);
  policy->lacks |= !copy;
  if (copy) policy->paths[policy->path_count++] = (SandboxPath){copy, rights};
}

void policy_limit(SandboxPolicy *policy, unsigned rights)
{
  for (size_t i = 0; i < policy->path_count; ++i) policy->paths[i].rights &= rights;
}

// Directories that the system's linker looks into, as its configuration lists them.
static void add_linker_folders(SandboxPolicy *policy, const char *pattern)
{
  glob_t found;
  char line[PATH_MAX];
  if (glob(pattern, 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; ++i) {
    FILE *file = fopen(found.gl_pathv[i], "re");
    while (file && fgets(line, sizeof line, file)) {
      line[strcspn(line, " \t\r\n")] = '\0';
      if (line[0] == '/' && line[1]) policy_add_path(policy, line, SANDBOX_READ | SANDBOX_EXECUTE);
    }
    if (file) fclose(file);
  }
  globfree(&found);
}

void policy_add_system(SandboxPolicy *policy)
{
  for (size_t i = 0; i < sizeof system_paths / sizeof system_paths[0]; ++i)
    policy_add_path(policy, system_paths[i].path, system_paths[i].rights);
  add_linker_folders(policy, "/etc/ld.so.conf");
  add_linker_folders(policy, "/etc/ld.so.conf.d/*.conf");
}

static void add_all(SandboxPolicy *policy, const char *pattern, unsigned rights)
{
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; ++i) policy_add_path(policy, found.gl_pathv[i], rights);
  globfree(&found);
}

void policy_add_cuda(SandboxPolicy *policy)
{
  policy->device = true;
  add_all(policy, "/dev/nvidia*", SANDBOX_READ | SANDBOX_WRITE | SANDBOX_DEVICE);
  policy_add_path(policy, "/sys/devices", SANDBOX_READ);
  policy_add_path(policy, "/sys/bus/pci", SANDBOX_READ);
  policy_add_path(policy, "/sys/class", SANDBOX_READ);
  policy_add_path(policy, "/sys/module", SANDBOX_READ);
}

// Whether the directory holds many people's or programs' things, and not those of one library.
static bool is_shared_by_many(const char *folder)
{
  static const char *const known[] = {"/",    "/tmp", "/var/tmp", "/dev/shm", "/home", "/root",
                                      "/srv", "/mnt", "/media",   "/run",     "/var",  "/etc"};
  const char *home = getenv("HOME"), *temporary = getenv("TMPDIR");
  char whole[PATH_MAX];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (strcmp(folder, known[i]) == 0) return true;
  if (temporary && realpath(temporary, whole) && strcmp(folder, whole) == 0) return true;
  if (!home || !realpath(home, whole)) return false;
  // Home itself, and what it lies in.
  size_t length = strlen(folder);
  return strncmp(folder, whole, length) == 0 && (whole[length] == '/' || whole[length] == '\0');
}

static void add_libraries_in(SandboxPolicy *policy, const char *folder)
{
  DIR *open = opendir(folder);
  if (!open) return;
  char path[PATH_MAX];
  for (struct dirent *entry; (entry = readdir(open));) {
    const char *mark = strstr(entry->d_name, ".so");
    if (!mark || (mark[3] != '\0' && mark[3] != '.')) continue;
    snprintf(path, sizeof path, "%s/%s", strcmp(folder, "/") ? folder : "", entry->d_name);
    policy_add_path(policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
  }
  closedir(open);
}

// The directory of `path`, without links in it, in `folder`.
static bool find_folder(const char *path, char folder[PATH_MAX])
{
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", path);
  char *slash = strrchr(copy, '/');
  if (slash == copy)
    slash[1] = '\0';
  else if (slash)
    *slash = '\0';
  return realpath(slash ? copy : ".", folder) != NULL;
}

static void add_folder(SandboxPolicy *policy, const char *folder)
{
  if (is_shared_by_many(folder))
    add_libraries_in(policy, folder);
  else
    policy_add_path(policy, folder, SANDBOX_READ | SANDBOX_EXECUTE);
}

void policy_add_libraries_beside(SandboxPolicy *policy, const char *path)
{
  char folder[PATH_MAX];
  if (find_folder(path, folder)) add_libraries_in(policy, folder);
}

void policy_add_folder_of(SandboxPolicy *policy, const char *path)
{
  char folder[PATH_MAX];
  if (find_folder(path, folder)) add_folder(policy, folder);
}

void policy_add_library(SandboxPolicy *policy, const char *path)
{
  char whole[PATH_MAX];
  policy_add_path(policy, path, SANDBOX_READ | SANDBOX_EXECUTE);
  policy_add_folder_of(policy, path);
  // What a link points to may lie elsewhere, and has its neighbours there.
  if (realpath(path, whole)) policy_add_folder_of(policy, whole);
}

// --- Environment ---------------------------------------------------------------------------------

static bool is_let_through(const char *variable)
{
  size_t length = strcspn(variable, "=");
  for (size_t i = 0; i < sizeof variable_names / sizeof variable_names[0]; ++i) {
    const char *name = variable_names[i];
    size_t size = strlen(name);
    bool open = name[size - 1] == '*';
    if (open ? length >= size - 1 && strncmp(variable, name, size - 1) == 0
             : length == size && strncmp(variable, name, size) == 0)
      return true;
  }
  return false;
}

static size_t count_words(const char *const *words)
{
  size_t count = 0;
  while (words && words[count]) ++count;
  return count;
}

static bool has_name_of(const char *const *words, const char *variable)
{
  size_t name = strcspn(variable, "=");
  for (; words && *words; ++words)
    if (strcspn(*words, "=") == name && strncmp(*words, variable, name) == 0) return true;
  return false;
}

char **policy_environment(const char *const *ours, const char *const *added, const char *folder)
{
  static const char *const places[] = {"HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"};
  enum { PLACES = sizeof places / sizeof places[0], PLACE_MAX = 300 };
  size_t most = count_words(ours) + count_words(added) + PLACES + 1, used = 0;
  char **all = calloc(1, most * sizeof *all + PLACES * PLACE_MAX);
  if (!all) return NULL;
  char *text = (char *)(all + most);
  for (; *ours; ++ours)
    if (!has_name_of(added, *ours) && (!folder || is_let_through(*ours)))
      memcpy(&all[used++], ours, sizeof *all);
  for (size_t i = 0; folder && i < PLACES; ++i, text += PLACE_MAX) {
    snprintf(text, PLACE_MAX, "%s=%s", places[i], folder);
    all[used++] = text;
  }
  for (; added && *added; ++added) memcpy(&all[used++], added, sizeof *all);
  return all;
}

// The parts of a list with colons or spaces between them: directories, or files.
static void add_list(SandboxPolicy *policy, const char *list)
{
  char part[PATH_MAX], folder[PATH_MAX];
  struct stat status;
  for (; list && *list; list += strspn(list, ": ;")) {
    size_t length = strcspn(list, ": ;");
    snprintf(part, sizeof part, "%.*s", (int)length, list);
    list += length;
    if (stat(part, &status) != 0) continue;
    if (!S_ISDIR(status.st_mode))
      policy_add_path(policy, part, SANDBOX_READ | SANDBOX_EXECUTE);
    else if (realpath(part, folder))
      add_folder(policy, folder);
  }
}

void policy_add_named_by_environment(SandboxPolicy *policy)
{
  static const char *const lists[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "TVMFFI_CONFORM_CUDA"};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) add_list(policy, getenv(lists[i]));
  const char *other = getenv("TVMFFI_CONFORM_SAME_AS");
  if (other) policy_add_library(policy, other);
}

void policy_free(SandboxPolicy *policy)
{
  for (size_t i = 0; i < policy->path_count; ++i) free(policy->paths[i].path);
  free(policy->paths);
  *policy = (SandboxPolicy){0};
}
