// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Frames of the library, as addresses in the file, innermost first.
typedef struct Frames {
  uint64_t at[EVIDENCE_FRAMES_MAX];
  bool is_call[EVIDENCE_FRAMES_MAX];  // a return address: the call is the byte before
  unsigned count;
  bool whole;  // the stack has no more of them
} Frames;

static Frames frames_of(const Evidence *evidence, const InspectReport *library)
{
  const EvidenceCrash *crash = &evidence->crash;
  uint32_t count = crash->frame_count;
  if (count > EVIDENCE_FRAMES_MAX) count = EVIDENCE_FRAMES_MAX;
  Frames frames = {.whole = count < EVIDENCE_FRAMES_MAX};
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t address = crash->frames[i] - evidence->load_address;
    if (address >= library->mapped_size) continue;
    frames.is_call[frames.count] = i != 0;
    frames.at[frames.count++] = address;
  }
  return frames;
}

static const InspectSymbol *symbol_of(const Frames *frames, unsigned frame,
                                      const InspectReport *library)
{
  return inspect_symbol_at(library, frames->at[frame] - frames->is_call[frame]);
}

static bool is_repeated(const Frames *frames, unsigned frame)
{
  unsigned times = 0;
  for (unsigned i = 0; i < frames->count; ++i) times += frames->at[i] == frames->at[frame];
  return times > 1;
}

// The frame that stands for the crash.
static unsigned choose(const Frames *frames)
{
  unsigned last = frames->count - 1, least = last;
  if (frames->whole || !is_repeated(frames, last)) return 0;
  for (unsigned i = 0; i < frames->count; ++i)
    if (is_repeated(frames, i) && frames->at[i] < frames->at[least]) least = i;
  return least;
}

static void name(char *text, size_t size, const InspectSymbol *symbol, uint64_t address)
{
  snprintf(text, size, "%s+0x%" PRIx64, symbol->name, address - symbol->address);
}

FuzzPlace fuzz_place_of(const Evidence *evidence, const InspectReport *library)
{
  FuzzPlace place = {"", ""};
  Frames frames = frames_of(evidence, library);
  if (!frames.count) return place;
  unsigned chosen = choose(&frames);
  const InspectSymbol *symbol = symbol_of(&frames, chosen, library);
  if (symbol) {
    name(place.at, sizeof place.at, symbol, frames.at[chosen]);
    return place;
  }
  const char *slash = library->path ? strrchr(library->path, '/') : NULL;
  const char *file = slash ? slash + 1 : library->path ? library->path : "";
  snprintf(place.at, sizeof place.at, "%s+0x%" PRIx64, file, frames.at[chosen]);
  for (unsigned i = chosen + 1; i < frames.count && !place.below[0]; ++i)
    if ((symbol = symbol_of(&frames, i, library)))
      name(place.below, sizeof place.below, symbol, frames.at[i]);
  return place;
}
