// SPDX-License-Identifier: Apache-2.0
// Reads recordings. A file is somebody's: every event and every item in it is looked at within its
// bounds before anything is made of it.
#ifndef TVMFFI_CONFORMANCE_RECORD_RECORD_H_
#define TVMFFI_CONFORMANCE_RECORD_RECORD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "record/format.h"

// A file may have this many bytes and events.
enum { RECORD_FILE_MAX = 256 << 20, RECORD_EVENTS_MAX = 4 << 20 };

typedef struct RecordText {
  const char *data;  // borrowed from the file; no NUL behind it
  uint32_t size;
} RecordText;

typedef struct RecordTensor {
  uint32_t flags;
  int32_t device_type, device_id;
  uint8_t code, bits;
  uint16_t lanes;
  int32_t ndim;
  int64_t shape[RECORD_DIMS_MAX];
  uint64_t byte_offset, bytes, digest;
  const unsigned char *data;  // `bytes` of them, borrowed; NULL: not kept
} RecordTensor;

typedef struct RecordItem {
  RecordTag tag;
  bool moved;
  uint64_t number;     // of the object; 0: it is none
  int32_t type_index;  // OBJECT, OTHER
  uint32_t flags;      // OBJECT
  RecordForm form;     // TEXT, BYTES
  union {
    int64_t integer;     // INT, BOOL
    uint64_t bits;       // FLOAT, POINTER
    int32_t pair[2];     // DEVICE; DTYPE: code and bits in the first, lanes in the second
    RecordText text;     // TEXT, BYTES
    RecordText both[2];  // ERROR: kind, message
    RecordTensor tensor;
    struct {
      uint32_t count;
      const unsigned char *numbers;  // borrowed; record_shape_at reads them
    } shape;
  };
} RecordItem;

typedef struct RecordEvent {
  RecordKind kind;
  uint16_t what;  // RecordLeaf of a LEAF
  uint32_t process, thread;
  uint32_t runtime;  // of the process; what passes between the program and another one is apart
  uint64_t serial;
  const unsigned char *body;  // borrowed
  uint32_t size;
  uint32_t end;    // of a CALL or a BACK: the index of its END; 0: it has none. Else 0.
  uint32_t depth;  // of calls that are open in its thread
} RecordEvent;

typedef struct Recording {
  unsigned char *bytes;  // own
  size_t size;
  RecordEvent *events;  // own; of a thread in their order
  size_t count;         // by process, runtime and thread
  uint32_t processes;   // one more than the greatest number of one
} Recording;

// The recording in the file at `path`, or in `size` bytes (taken over, from malloc), for which `path`
// stands in messages. NULL with a line in `error`.
Recording *record_load(const char *path, char *error, size_t error_size);
Recording *record_read(const char *path, unsigned char *bytes, size_t size, char *error,
                       size_t error_size);
void record_free(Recording *recording);

// The items of an event one by one: `at` starts as 0. False behind the last.
bool record_next(const RecordEvent *event, uint32_t *at, RecordItem *item);

int64_t record_shape_at(const RecordItem *shape, uint32_t index);

// A value in words, as snprintf. Bytes that are no printable ASCII become \xNN.
size_t record_item_text(const RecordItem *item, char *out, size_t size);

// "FunctionGetGlobal", or NULL.
const char *record_leaf_name(unsigned leaf);

// An event in words, on a line.
void record_write_event(FILE *out, const RecordEvent *event);

// The whole, a line for each event.
bool record_write_text(FILE *out, const Recording *recording);

#endif  // TVMFFI_CONFORMANCE_RECORD_RECORD_H_
