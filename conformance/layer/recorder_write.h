// SPDX-License-Identifier: Apache-2.0
// How the recorder writes events: what an event says is put twice, first to learn its size, then into
// the place that it was given.
#ifndef TVMFFI_CONFORMANCE_LAYER_RECORDER_WRITE_H_
#define TVMFFI_CONFORMANCE_LAYER_RECORDER_WRITE_H_

#include "layer/layer.h"
#include "record/format.h"

struct ShadowRecord;

typedef struct RecordSink {
  unsigned char *out;  // NULL: only the size is wanted
  size_t size, room;
  uint64_t event;    // a number of its own, the same both times
  uint32_t runtime;  // that the event is about
  bool aside;        // what is known of tensors stays as it is
} RecordSink;

// Whether anything is recorded.
static inline bool recorder_is_on(void)
{
  return layer_ring->record_bytes > 0;
}

// What an event is: its kind, of a LEAF the function, and the index of the runtime that it is about.
typedef struct RecorderEvent {
  RecordKind kind;
  uint32_t what, runtime;
} RecorderEvent;

// The index of a runtime; 0 for NULL.
uint32_t recorder_index(const struct LayerRuntime *runtime);

// Writes an event whose items `put` puts.
void recorder_emit(RecorderEvent event, void (*put)(RecordSink *sink, const void *of),
                   const void *of);

void recorder_put(RecordSink *sink, const void *bytes, size_t size);
void recorder_put_value(RecordSink *sink, const TVMFFIAny *value);
void recorder_put_object(RecordSink *sink, TVMFFIObject *object);
void recorder_put_none(RecordSink *sink);
void recorder_put_int(RecordSink *sink, int64_t value);
void recorder_put_text(RecordSink *sink, const TVMFFIByteArray *text);
void recorder_put_c_string(RecordSink *sink, const char *text);

// A tensor (`known` NULL: a view of one). Its bytes are put if they are not those that are known; with
// `changed_only`, nothing is put otherwise. Whether it was put.
bool recorder_put_tensor(RecordSink *sink, const DLTensor *tensor, struct ShadowRecord *known,
                         bool changed_only);

#endif  // TVMFFI_CONFORMANCE_LAYER_RECORDER_WRITE_H_
