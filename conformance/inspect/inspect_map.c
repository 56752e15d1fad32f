// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_map.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inspect/inspect_read.h"

static InspectMap *open_maps;
static struct sigaction action_before;
static size_t page_size;

// Puts a page of zeros where the file has none any more. mmap() is a bare system call, and so may
// be called from here.
static bool mend(InspectMap *map, const unsigned char *address)
{
  if (address < map->data || (size_t)(address - map->data) >= map->size) return false;
  unsigned char *page = map->data + ((size_t)(address - map->data) & ~(page_size - 1));
  map->torn = 1;
  return mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
              0) != MAP_FAILED;
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
  int error = errno;
  (void)context;
  for (InspectMap *map = open_maps; map; map = map->next) {
    if (!mend(map, info->si_addr)) continue;
    errno = error;
    return;
  }
  sigaction(signal, &action_before, NULL);  // not ours: what happens without us happens now
}

static void guard(InspectMap *map)
{
  if (!open_maps) {
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, &action_before);
  }
  map->next = open_maps;
  open_maps = map;
}

static void unguard(const InspectMap *map)
{
  InspectMap **link = &open_maps;
  while (*link && *link != map) link = &(*link)->next;
  if (*link) *link = map->next;
  if (!open_maps) sigaction(SIGBUS, &action_before, NULL);
}

bool inspect_map_open(const char *path, InspectMap *map, InspectProblem *problem)
{
  *map = (InspectMap){.descriptor = -1};
  int descriptor = inspect_read_open(path, &map->status, problem);
  if (descriptor < 0) return false;
  size_t size = (size_t)map->status.st_size;
  void *data = NULL;
  if (size > 0) {
    data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  }
  if (data == MAP_FAILED) {
    inspect_problem(problem, INSPECT_UNREADABLE, "%s (copy it to a local disk and try again)",
                    strerror(errno));
    close(descriptor);
    return false;
  }
  map->data = data;
  map->size = size;
  map->descriptor = descriptor;
  guard(map);
  // A write makes the first page ours: the header stays as it was when it was checked.
  if (size > 0) *(volatile unsigned char *)map->data = map->data[0];
  return true;
}

bool inspect_map_is_whole(const InspectMap *map, InspectProblem *problem)
{
  if (!map->torn) return inspect_read_is_unchanged(&map->status, map->descriptor, problem);
  return inspect_problem(problem, INSPECT_UNREADABLE,
                         "became shorter than %zu bytes while it was read (try again when its "
                         "build or copy is done)",
                         map->size);
}

void inspect_map_close(InspectMap *map)
{
  if (map->descriptor < 0) return;
  unguard(map);
  if (map->data) munmap(map->data, map->size);
  close(map->descriptor);
  map->descriptor = -1;
}
