// SPDX-License-Identifier: Apache-2.0
#include "run/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AT_ONCE = 1024, STAT_MAX = 512 };

// The parent of a living process; 0 for zombies and for processes that have gone.
static pid_t parent_of(int proc, const char *name)
{
  char path[32], text[STAT_MAX], state;
  int parent;
  snprintf(path, sizeof path, "%.16s/stat", name);
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  // "17 (name) S 1 ...", and the name may hold anything, parentheses included.
  const char *behind_name = strrchr(text, ')');
  if (!behind_name || sscanf(behind_name + 1, " %c %d", &state, &parent) != 2) return 0;
  return state == 'Z' || state == 'X' ? 0 : parent;
}

size_t children_list(pid_t parent, pid_t *out, size_t capacity)
{
  size_t count = 0;
  DIR *proc = opendir("/proc");
  if (!proc) return 0;
  for (struct dirent *entry; count < capacity && (entry = readdir(proc));) {
    char *end;
    long number = strtol(entry->d_name, &end, 10);
    if (number > 1 && *end == '\0' && parent_of(dirfd(proc), entry->d_name) == parent)
      out[count++] = (pid_t)number;
  }
  closedir(proc);
  return count;
}

static bool contains(const pid_t *list, size_t count, pid_t process)
{
  for (size_t i = 0; i < count; ++i)
    if (list[i] == process) return true;
  return false;
}

size_t children_kill(pid_t parent, const pid_t *spared, size_t count)
{
  pid_t found[AT_ONCE];
  size_t killed = 0, total = children_list(parent, found, AT_ONCE);
  for (size_t i = 0; i < total; ++i) {
    if (contains(spared, count, found[i])) continue;
    kill(-found[i], SIGKILL);
    kill(found[i], SIGKILL);
    ++killed;
  }
  return killed;
}
