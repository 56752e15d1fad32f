// SPDX-License-Identifier: Apache-2.0
#include "trace/places.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/inspect.h"

enum { FILES_MAX = 256 };

struct TracePlaces {
  InspectReport *files[FILES_MAX];
  size_t count;
};

TracePlaces *trace_places_new(void)
{
  return calloc(1, sizeof(TracePlaces));
}

void trace_places_free(TracePlaces *places)
{
  for (size_t i = 0; places && i < places->count; ++i) inspect_free(places->files[i]);
  free(places);
}

static const InspectReport *file_of(TracePlaces *places, const char *path)
{
  for (size_t i = 0; i < places->count; ++i)
    if (strcmp(places->files[i]->path, path) == 0) return places->files[i];
  if (places->count == FILES_MAX) return NULL;
  InspectReport *file = inspect_file(path);
  if (file) places->files[places->count++] = file;
  return file;
}

static bool holds(const RingModule *module, uint32_t image, uint64_t clock, uint64_t address)
{
  uint64_t closed = atomic_load(&module->closed);
  return atomic_load(&module->ready) == 2 && module->image == image && address >= module->start &&
         address < module->end && (closed == 0 || closed >= clock);
}

// The program itself has no path; its process has.
static const char *path_of(const Ring *ring, const RingModule *module)
{
  if (module->path[0]) return module->path;
  for (size_t i = 0; i < RING_PROCESSES_MAX; ++i)
    if (ring->processes[i].image == module->image) return ring->processes[i].program;
  return "";
}

TracePlace trace_places_find(TracePlaces *places, const Ring *ring, uint32_t image, uint64_t clock,
                             uint64_t address, bool is_return_address)
{
  TracePlace place = {.library = "", .offset = address};
  const RingModule *module = ring->modules, *end = module + RING_MODULES_MAX;
  while (module < end && !holds(module, image, clock, address)) ++module;
  if (address == 0 || module == end) return place;
  char path[RING_PATH_MAX];
  snprintf(path, sizeof path, "%.*s", (int)sizeof path - 1, path_of(ring, module));
  place.offset = address - module->base;
  const InspectReport *file = file_of(places, path);
  if (!file) return place;
  place.library = file->path;
  const InspectSymbol *symbol = inspect_symbol_at(file, place.offset - (is_return_address ? 1 : 0));
  if (!symbol) return place;
  place.symbol = symbol->name;
  place.symbol_offset = place.offset - symbol->address;
  return place;
}
