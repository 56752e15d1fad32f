// SPDX-License-Identifier: Apache-2.0
#include "trace/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/format.h"

typedef struct Writer {
  FILE *out;
  const Ring *ring;
  TracePlaces *places;
  TraceRecording *made;
} Writer;

static void write_bytes(Writer *writer, const void *bytes, size_t size)
{
  fwrite(bytes, 1, size, writer->out);
  writer->made->bytes += size;
}

static void pad(Writer *writer, size_t size)
{
  static const char zeros[8];
  if (size % 8) write_bytes(writer, zeros, 8 - size % 8);
}

// The name of the function that a module exports, for its address.
static const char *module_function(const Writer *writer, const unsigned char *event)
{
  uint32_t process;
  uint64_t address;
  memcpy(&process, event + 8, sizeof process);
  memcpy(&address, event + RECORD_EVENT_HEADER + 1, sizeof address);
  if (process >= RING_PROCESSES_MAX) return NULL;
  TracePlace place = trace_places_find(writer->places, writer->ring,
                                       writer->ring->processes[process].image, 0, address, false);
  return place.symbol && strncmp(place.symbol, "__tvm_ffi_", 10) == 0 ? place.symbol + 10 : NULL;
}

// In a file the name stands in the place of the address.
static void write_module(Writer *writer, const unsigned char *event, uint32_t size)
{
  enum { ADDRESS = 9 };  // a tag and 8 bytes
  const char *name = module_function(writer, event);
  if (!name) name = "";
  const unsigned char head[] = {RECORD_TEXT, FORM_RAW, 0, 0, 0, 0, 0, 0, 0, 0};
  uint32_t length = (uint32_t)strlen(name);
  uint32_t total = size - ADDRESS + (uint32_t)sizeof head + 4 + length;
  write_bytes(writer, &total, 4);
  write_bytes(writer, event + 4, RECORD_EVENT_HEADER - 4);
  write_bytes(writer, head, sizeof head);
  write_bytes(writer, &length, 4);
  write_bytes(writer, name, length);
  write_bytes(writer, event + RECORD_EVENT_HEADER + ADDRESS, size - RECORD_EVENT_HEADER - ADDRESS);
  pad(writer, total);
}

static void write_event(Writer *writer, const unsigned char *event, uint32_t size)
{
  uint16_t kind;
  memcpy(&kind, event + 4, sizeof kind);
  ++writer->made->events;
  if (kind == RECORD_MODULE && size >= RECORD_EVENT_HEADER + 9) {
    write_module(writer, event, size);
    return;
  }
  write_bytes(writer, event, size);
  pad(writer, size);
}

static void write_events(Writer *writer)
{
  const Ring *ring = writer->ring;
  const unsigned char *from = (const unsigned char *)ring + ring_size(ring->events_max, 0);
  uint64_t used = atomic_load(&ring->record_used);
  if (used > ring->record_bytes) used = ring->record_bytes;
  for (uint64_t at = 0; at + RECORD_EVENT_HEADER <= used;) {
    uint32_t mark = __atomic_load_n((const uint32_t *)(const void *)(from + at), __ATOMIC_ACQUIRE);
    uint32_t size = mark & ~RECORD_PENDING;
    // Behind a place that was taken, and whose size is not there, nothing can be found.
    if (size < RECORD_EVENT_HEADER || size > used - at) {
      writer->made->unfinished += 1;
      return;
    }
    if (mark & RECORD_PENDING)
      writer->made->unfinished += 1;
    else
      write_event(writer, from + at, size);
    at += ((uint64_t)size + 7) & ~(uint64_t)7;
  }
}

int trace_save_recording(const Ring *ring, TracePlaces *places, const char *path,
                         TraceRecording *made, char *error, size_t error_size)
{
  const uint32_t head[] = {RECORD_VERSION, 0};
  Writer writer = {fopen(path, "we"), ring, places, made};
  *made = (TraceRecording){.lost = atomic_load(&ring->lost_records)};
  if (writer.out) {
    write_bytes(&writer, RECORD_MAGIC, 8);
    write_bytes(&writer, head, sizeof head);
    write_events(&writer);
  }
  bool failed = !writer.out || ferror(writer.out);
  if (writer.out && fclose(writer.out) != 0) failed = true;
  if (failed)
    snprintf(error, error_size, "cannot write the recording to %s: %s", path, strerror(errno));
  return failed ? -1 : 0;
}
