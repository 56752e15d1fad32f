// SPDX-License-Identifier: Apache-2.0
#include "record/record.h"

#include "flaw.h"

static void spoil(Recording *recording)
{
  RecordEvent *event = &recording->events[0];
  if (flaw("kind-unknown")) event->kind = RECORD_KINDS;
  if (flaw("body-too-long")) event->size = (uint32_t)recording->size;
  if (flaw("process-unknown")) event->process = recording->processes;
  for (size_t i = 0; i < recording->count; ++i) {
    event = &recording->events[i];
    if (!event->end) continue;
    if (flaw("end-of-nothing")) event->end = (uint32_t)recording->count;
    if (flaw("end-is-none")) event->end = (uint32_t)i + 1;
    if (flaw("end-of-another-thread")) recording->events[event->end].thread += 1;
  }
}

WRAP(Recording *, record_read, const char *path, unsigned char *bytes, size_t size, char *error,
     size_t error_size)
{
  Recording *recording = REAL(record_read)(path, bytes, size, error, error_size);
  if (!recording && flaw("no-reason")) *error = '\0';
  if (!recording && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  if (recording && recording->count) spoil(recording);
  return recording;
}

WRAP(bool, record_next, const RecordEvent *event, uint32_t *at, RecordItem *item)
{
  if (!REAL(record_next)(event, at, item)) return false;
  if (flaw("item-unknown")) item->tag = RECORD_TAGS;
  if (flaw("item-ends-elsewhere")) *at = event->size + 1;
  if (item->tag == RECORD_TENSOR && flaw("rank-too-high")) item->tensor.ndim = RECORD_DIMS_MAX + 1;
  if (item->tag == RECORD_TENSOR && flaw("bytes-too-many")) item->tensor.bytes = UINT64_MAX;
  if (item->tag == RECORD_TEXT && flaw("text-too-long")) item->text.size = UINT32_MAX;
  return true;
}

WRAP(size_t, record_item_text, const RecordItem *item, char *out, size_t size)
{
  size_t used = REAL(record_item_text)(item, out, size);
  if (size > 8 && flaw("text-unfit")) strcpy(out, "\x1b[1m");
  return used;
}
