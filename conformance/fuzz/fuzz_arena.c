// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_FREE_FD = 10 };
static const uint64_t arena_magic = UINT64_C(0x747666757a7a0001);

// The distance between two arenas: whole pages.
static size_t stride(void)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (sizeof(FuzzArena) + page - 1) / page * page;
}

static void *map(int fd, size_t size, off_t at)
{
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at);
  return memory == MAP_FAILED ? NULL : memory;
}

FuzzArena *fuzz_arena_at(FuzzArena *arenas, unsigned slot)
{
  return (FuzzArena *)(void *)((char *)arenas + slot * stride());
}

FuzzArena *fuzz_arenas_create(unsigned slots, int *fd)
{
  FuzzArena *arenas = NULL;
  int made = memfd_create("tvmffi-fuzz", MFD_CLOEXEC);
  if (made < 0) return NULL;
  *fd = fcntl(made, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
  close(made);
  if (*fd < 0) return NULL;
  if (ftruncate(*fd, (off_t)(slots * stride())) == 0) arenas = map(*fd, slots * stride(), 0);
  if (!arenas) close(*fd);
  for (unsigned i = 0; arenas && i < slots; ++i) fuzz_arena_at(arenas, i)->magic = arena_magic;
  return arenas;
}

void fuzz_arenas_free(FuzzArena *arenas, unsigned slots, int fd)
{
  munmap(arenas, slots * stride());
  close(fd);
}

bool fuzz_arena_is_whole(const FuzzArena *arena)
{
  return arena->magic == arena_magic && arena->surface < fuzz_surface_count;
}

FuzzArena *fuzz_arena_attach(int fd, unsigned slot)
{
  struct stat status;
  if (fstat(fd, &status) != 0 || (uint64_t)status.st_size < (slot + UINT64_C(1)) * stride())
    return NULL;
  FuzzArena *arena = map(fd, sizeof *arena, (off_t)(slot * stride()));
  return arena && fuzz_arena_is_whole(arena) ? arena : NULL;
}
