// SPDX-License-Identifier: Apache-2.0
#include "run/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES_MAX = 1 << 22, STAT_MAX = 512, NOT_UNDER = -1 };
enum { NEWEST = 128, NEWEST_TURNS = 32 };

typedef struct Process {
  pid_t id, parent;  // parent: 0 if it has gone
  int threads;
  long pages;
  bool alive;  // a zombie is not, unless others of its threads go on
  bool ready;  // its first thread runs, or could
  int under;   // index of the root that it descends from, or NOT_UNDER
} Process;

typedef struct Processes {
  Process *items;  // ordered by id
  size_t count;
} Processes;

// Memory is reserved for as many processes as a kernel can have, and taken only for those that there
// are. It is not from malloc, which in a worker may be the library's.
static size_t reserved_size(void)
{
  return (size_t)PROCESSES_MAX * sizeof(Process);
}

static int compare(const void *one, const void *other)
{
  pid_t left = ((const Process *)one)->id, right = ((const Process *)other)->id;
  return (left > right) - (left < right);
}

static void free_processes(Processes *all)
{
  if (all->items) munmap(all->items, reserved_size());
}

// The processes that there are, of which nothing but the ids is known.
static Processes list_processes(DIR *proc)
{
  Processes all = {NULL, 0};
  void *memory = mmap(NULL, reserved_size(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return all;
  all.items = memory;
  bool ordered = true;
  for (struct dirent *entry; all.count < PROCESSES_MAX && (entry = readdir(proc));) {
    char *end;
    long number = strtol(entry->d_name, &end, 10);
    if (number <= 1 || *end != '\0') continue;
    all.items[all.count].id = (pid_t)number;
    ordered &= !all.count || all.items[all.count - 1].id < (pid_t)number;
    ++all.count;
  }
  if (!ordered) qsort(all.items, all.count, sizeof *all.items, compare);
  return all;
}

static void look_at(int proc, Process *process)
{
  char path[32], text[STAT_MAX], state;
  int parent, threads;
  long pages;
  process->parent = 0;
  process->threads = 0;
  process->pages = 0;
  process->alive = false;
  process->ready = false;
  process->under = NOT_UNDER;
  snprintf(path, sizeof path, "%d/stat", (int)process->id);
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return;
  text[size] = '\0';
  // "17 (name) S 1 ...", and the name may hold anything, parentheses included. The threads are
  // field 20, the pages of memory field 24.
  const char *behind_name = strrchr(text, ')');
  if (!behind_name ||
      sscanf(
          behind_name + 1,
          " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d %*s %*s %*s %ld",
          &state, &parent, &threads, &pages) != 4)
    return;
  process->parent = parent;
  process->threads = threads;
  process->pages = pages;
  process->alive = (state != 'Z' && state != 'X') || threads > 1;
  process->ready = state == 'R';
}

static const Process *find(const Processes *all, pid_t id)
{
  Process wanted = {.id = id};
  return bsearch(&wanted, all->items, all->count, sizeof *all->items, compare);
}

static bool contains(const pid_t *list, size_t count, pid_t process)
{
  for (size_t i = 0; i < count; ++i)
    if (list[i] == process) return true;
  return false;
}

// Sets `under` of all that descend from one that has it set. Parents mostly come before their
// children, so that one turn finds nearly all.
static void find_descendants(Processes *all, const pid_t *spared, size_t count)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < all->count; ++i) {
      Process *process = &all->items[i];
      if (process->under != NOT_UNDER || process->parent == 0) continue;
      const Process *parent = find(all, process->parent);
      if (!parent || parent->under == NOT_UNDER || contains(spared, count, process->id)) continue;
      process->under = parent->under;
      changed = true;
    }
  }
}

size_t children_list(pid_t parent, pid_t *out, size_t capacity)
{
  size_t found = 0;
  DIR *proc = opendir("/proc");
  if (!proc) return 0;
  Processes all = list_processes(proc);
  for (size_t i = 0; i < all.count && found < capacity; ++i) {
    look_at(dirfd(proc), &all.items[i]);
    if (all.items[i].alive && all.items[i].parent == parent) out[found++] = all.items[i].id;
  }
  free_processes(&all);
  closedir(proc);
  return found;
}

// What the kernel tells of the whole machine in one line: "0.20 0.18 0.12 1/80 11206".
typedef struct Machine {
  int ready;     // threads that run, or could
  int tasks;     // threads, zombies included
  pid_t newest;  // the process that was started last
} Machine;

// All 0 where it does not.
static Machine look_at_machine(int folder, const char *path)
{
  char text[STAT_MAX];
  Machine machine = {0, 0, 0};
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return machine;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  if (sscanf(text, "%*s %*s %*s %d/%d %d", &machine.ready, &machine.tasks, &machine.newest) != 3)
    machine = (Machine){0, 0, 0};
  return machine;
}

size_t children_of_machine(void)
{
  const int tasks = look_at_machine(AT_FDCWD, "/proc/loadavg").tasks;
  return tasks > 0 ? (size_t)tasks : 0;
}

void children_count(const pid_t *roots, size_t count, ChildrenToll *tolls)
{
  memset(tolls, 0, count * sizeof *tolls);
  DIR *proc = opendir("/proc");
  if (!proc) return;
  Processes all = list_processes(proc);
  for (size_t i = 0; i < all.count; ++i) {
    Process *process = &all.items[i];
    look_at(dirfd(proc), process);
    for (size_t root = 0; root < count; ++root)
      if (process->id == roots[root]) process->under = (int)root;
  }
  find_descendants(&all, NULL, 0);
  for (size_t i = 0; i < all.count; ++i) {
    const Process *process = &all.items[i];
    if (process->under == NOT_UNDER) continue;
    tolls[process->under].tasks += (size_t)process->threads;
    tolls[process->under].pages += (size_t)(process->pages > 0 ? process->pages : 0);
  }
  free_processes(&all);
  closedir(proc);
}

// Of one thread: "time on a processor, time spent waiting for one, turns".
static uint64_t waited_of_task(int tasks, const char *id)
{
  char path[64], text[STAT_MAX];
  unsigned long long waited = 0;
  snprintf(path, sizeof path, "%.32s/schedstat", id);
  int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  return sscanf(text, "%*s %llu", &waited) == 1 ? (uint64_t)waited : 0;
}

static uint64_t waited_of(int proc, pid_t process)
{
  char path[32];
  uint64_t waited = 0;
  snprintf(path, sizeof path, "%d/task", (int)process);
  int folder = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *tasks = folder < 0 ? NULL : fdopendir(folder);
  if (!tasks && folder >= 0) close(folder);
  if (!tasks) return 0;
  for (struct dirent *entry; (entry = readdir(tasks));)
    if (entry->d_name[0] != '.') waited += waited_of_task(dirfd(tasks), entry->d_name);
  closedir(tasks);
  return waited;
}

// With the children that it has waited for.
static uint64_t worked_of(int proc, pid_t process)
{
  char path[32], text[STAT_MAX];
  unsigned long long own, system;
  long long ended, ended_system;
  snprintf(path, sizeof path, "%d/stat", (int)process);
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  const char *behind_name = strrchr(text, ')');
  const long ticks = sysconf(_SC_CLK_TCK);
  if (!behind_name || ticks <= 0 ||
      sscanf(behind_name + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %lld %lld",
             &own, &system, &ended, &ended_system) != 4)
    return 0;
  return (own + system + (uint64_t)ended + (uint64_t)ended_system) * (1000000000 / (uint64_t)ticks);
}

ChildrenTime children_time(pid_t parent)
{
  ChildrenTime time = {0};
  DIR *proc = opendir("/proc");
  if (!proc) return time;
  Processes all = list_processes(proc);
  for (size_t i = 0; i < all.count; ++i) {
    look_at(dirfd(proc), &all.items[i]);
    if (all.items[i].id == parent) all.items[i].under = 0;
  }
  find_descendants(&all, NULL, 0);
  for (size_t i = 0; i < all.count; ++i) {
    const pid_t id = all.items[i].id;
    if (all.items[i].under != 0 || id == parent) continue;
    time.waited += waited_of(dirfd(proc), id);
    time.worked += worked_of(dirfd(proc), id);
    time.ready += all.items[i].ready;
  }
  free_processes(&all);
  closedir(proc);
  return time;
}

bool children_machine_is_busy(void)
{
  return look_at_machine(AT_FDCWD, "/proc/loadavg").ready > sysconf(_SC_NPROCESSORS_ONLN);
}

static void kill_with_group(pid_t process)
{
  kill(-process, SIGKILL);
  kill(process, SIGKILL);
}

// Not that of another thread: the kernel shows each by its number too, though it does not list it,
// and what is sent to that number reaches the whole process.
static bool is_process(int proc, pid_t id)
{
  char path[32], text[STAT_MAX];
  int group = 0;
  snprintf(path, sizeof path, "%d/status", (int)id);
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  const char *line = strstr(text, "\nTgid:");
  return line && sscanf(line, "\nTgid: %d", &group) == 1 && group == id;
}

// Looks only at the processes that were started last, because to look at all takes longer than a
// process needs that starts the next one and ends.
static size_t kill_newest(int proc, pid_t parent, const pid_t *spared, size_t count)
{
  size_t killed = 0;
  pid_t last = look_at_machine(proc, "loadavg").newest;
  for (pid_t id = last; id > 1 && id > last - NEWEST; --id) {
    Process process = {.id = id};
    look_at(proc, &process);
    if (!process.alive || process.parent != parent || contains(spared, count, id)) continue;
    if (!is_process(proc, id)) continue;
    kill_with_group(id);
    ++killed;
  }
  return killed;
}

size_t children_kill(pid_t parent, const pid_t *spared, size_t count, size_t *reaped)
{
  size_t killed = 0, dead = 0;
  if (reaped) *reaped = 0;
  DIR *proc = opendir("/proc");
  if (!proc) return 0;
  for (size_t turn = 0, found = 1; found && turn < NEWEST_TURNS; ++turn)
    killed += found = kill_newest(dirfd(proc), parent, spared, count);
  Processes all = list_processes(proc);
  for (size_t i = all.count; i-- > 0;) {
    Process *process = &all.items[i];
    look_at(dirfd(proc), process);
    if (process->parent != parent || contains(spared, count, process->id)) continue;
    process->under = 0;
    if (!process->alive) {
      if (reaped) dead += waitpid(process->id, NULL, WNOHANG) == process->id;
      continue;
    }
    kill_with_group(process->id);
    ++killed;
  }
  if (reaped) *reaped = dead;
  // What descends from these would become a child only when they have ended.
  find_descendants(&all, spared, count);
  for (size_t i = all.count; i-- > 0;) {
    const Process *process = &all.items[i];
    if (process->under == NOT_UNDER || process->parent == parent || !process->alive) continue;
    kill_with_group(process->id);
    ++killed;
  }
  free_processes(&all);
  closedir(proc);
  return killed;
}
