// SPDX-License-Identifier: Apache-2.0
#include "sandbox/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/kernel_file.h"

enum { LINE_MAX_HERE = 4096, FILE_MAX = CGROUP_PATH_MAX + 32, PATIENCE_MS = 200 };

// --- Files of groups -----------------------------------------------------------------------------

static bool put(const char *group, const char *name, const char *text)
{
  char path[FILE_MAX];
  snprintf(path, sizeof path, "%s/%s", group, name);
  return kernel_file_put(path, text);
}

static bool get(const char *group, const char *name, char text[LINE_MAX_HERE])
{
  char path[FILE_MAX];
  snprintf(path, sizeof path, "%s/%s", group, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, text, LINE_MAX_HERE - 1);
  if (file >= 0) close(file);
  text[size < 0 ? 0 : size] = '\0';
  return size >= 0;
}

static bool has_word(const char *text, const char *word)
{
  size_t length = strlen(word);
  for (; *text; text += strspn(text, " \n")) {
    size_t size = strcspn(text, " \n");
    if (size == length && strncmp(text, word, length) == 0) return true;
    text += size;
  }
  return false;
}

// Whether the file of the group names both controllers.
static bool has_both(const char *group, const char *name)
{
  char text[LINE_MAX_HERE];
  return get(group, name, text) && has_word(text, "memory") && has_word(text, "pids");
}

// --- Finding it ----------------------------------------------------------------------------------

// Where the tree of groups is mounted, and which group its root is.
static bool find_mount(char root[CGROUP_PATH_MAX], char place[CGROUP_PATH_MAX])
{
  char line[LINE_MAX_HERE], kind[32];
  bool found = false;
  FILE *mounts = fopen("/proc/self/mountinfo", "re");
  while (mounts && !found && fgets(line, sizeof line, mounts)) {
    const char *rest = strstr(line, " - ");
    found = rest && sscanf(rest, " - %31s", kind) == 1 && strcmp(kind, "cgroup2") == 0 &&
            sscanf(line, "%*s %*s %*s %511s %511s", root, place) == 2;
  }
  if (mounts) fclose(mounts);
  return found;
}

bool cgroup_find(char own[CGROUP_PATH_MAX], char why[CGROUP_WHY_MAX])
{
  char root[CGROUP_PATH_MAX], place[CGROUP_PATH_MAX], line[LINE_MAX_HERE];
  const char *path = NULL;
  snprintf(why, CGROUP_WHY_MAX, "version 2 is not mounted");
  if (!find_mount(root, place)) return false;
  FILE *groups = fopen("/proc/self/cgroup", "re");
  while (groups && !path && fgets(line, sizeof line, groups))
    if (strncmp(line, "0::/", 4) == 0) path = line + 3;
  if (groups) fclose(groups);
  line[strcspn(line, "\n")] = '\0';
  // What is mounted may begin at a group further down, whose name is a part of the path then.
  size_t above = strcmp(root, "/") == 0 ? 0 : strlen(root);
  if (path && strncmp(path, root, above) == 0) path += above;
  if (!path || snprintf(own, CGROUP_PATH_MAX, "%s%s", place, path) >= CGROUP_PATH_MAX) return false;
  size_t length = strlen(own);
  if (own[length - 1] == '/') own[length - 1] = '\0';
  return true;
}

// --- Opening -------------------------------------------------------------------------------------

// Whether no other process is in the group: others are not ours to move.
static bool is_alone(const char *group)
{
  char text[LINE_MAX_HERE], *at = text;
  if (!get(group, "cgroup.procs", text)) return false;
  for (char *end; *at; at = end + strspn(end, "\n"))
    if (strtol(at, &end, 10) != getpid()) return false;
  return true;
}

// One that an earlier process of our number left behind is as good as a new one.
static bool make(const char *own, const char *what, char path[CGROUP_PATH_MAX])
{
  int length = snprintf(path, CGROUP_PATH_MAX, "%s/tvmffi-conform-%s-%d", own, what, (int)getpid());
  if (length < CGROUP_PATH_MAX && (mkdir(path, 0755) == 0 || errno == EEXIST)) return true;
  path[0] = '\0';
  return false;
}

// A group with processes has no controllers for groups below it: we go to one below it ourselves.
static bool hand_down(Cgroup *group)
{
  char number[24];
  snprintf(number, sizeof number, "%d", (int)getpid());
  return make(group->own, "runner", group->self) && put(group->self, "cgroup.procs", number) &&
         put(group->own, "cgroup.subtree_control", "+memory +pids");
}

static bool limit(const Cgroup *group, uint64_t memory)
{
  char most[32], tasks[24];
  snprintf(most, sizeof most, "%" PRIu64, memory);
  snprintf(tasks, sizeof tasks, "%d", (int)CGROUP_TASKS_MAX);
  // (Not every kernel has swap to bound.)
  put(group->workers, "memory.swap.max", "0");
  return put(group->workers, "memory.max", most) && put(group->workers, "pids.max", tasks);
}

bool cgroup_open(Cgroup *group, const char *own, uint64_t memory, char why[CGROUP_WHY_MAX])
{
  *group = (Cgroup){.own = ""};
  snprintf(group->own, sizeof group->own, "%s", own);
  if (!has_both(own, "cgroup.controllers")) {
    snprintf(why, CGROUP_WHY_MAX, "memory and pids are not controllers of this group");
    return false;
  }
  bool ready = has_both(own, "cgroup.subtree_control");
  if (!ready && !is_alone(own)) {
    snprintf(why, CGROUP_WHY_MAX, "not delegated: other processes are in this group");
    return false;
  }
  if ((ready || hand_down(group)) && make(own, "workers", group->workers) && limit(group, memory))
    return true;
  snprintf(why, CGROUP_WHY_MAX, "not delegated: %s", strerror(errno));
  cgroup_close(group);
  return false;
}

int cgroup_join(const Cgroup *group)
{
  return put(group->workers, "cgroup.procs", "0") ? 0 : errno;
}

void cgroup_close(Cgroup *group)
{
  char number[24];
  snprintf(number, sizeof number, "%d", (int)getpid());
  if (group->workers[0]) put(group->workers, "cgroup.kill", "1");
  // What was ended takes its time.
  for (int i = 0; group->workers[0] && i < PATIENCE_MS; ++i) {
    if (rmdir(group->workers) == 0 || errno != EBUSY) break;
    poll(NULL, 0, 1);
  }
  if (group->self[0]) {
    put(group->own, "cgroup.subtree_control", "-memory -pids");
    put(group->own, "cgroup.procs", number);
    rmdir(group->self);
  }
  *group = (Cgroup){.own = ""};
}
