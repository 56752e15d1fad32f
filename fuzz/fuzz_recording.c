// SPDX-License-Identifier: Apache-2.0
// Recordings of programs. What is read has events and items within its bounds, and is printed as
// text that is fit for a terminal.
#include <string.h>

#include "fuzz_target.h"
#include "record/record.h"

static void check_event(const Recording *recording, size_t index)
{
  const RecordEvent *event = &recording->events[index];
  const unsigned char *end = recording->bytes + recording->size;
  FUZZ_CHECK(event->kind > 0 && event->kind < RECORD_KINDS);
  FUZZ_CHECK(event->body <= end && event->size <= (size_t)(end - event->body));
  FUZZ_CHECK(event->process < recording->processes);
  if (event->end) {
    FUZZ_CHECK(event->end < recording->count && event->end > index);
    FUZZ_CHECK(recording->events[event->end].kind == RECORD_END);
    FUZZ_CHECK(recording->events[event->end].thread == event->thread);
  }
}

static void check_item(const RecordItem *item)
{
  FUZZ_CHECK(item->tag < RECORD_TAGS);
  if (item->tag == RECORD_TENSOR) {
    FUZZ_CHECK(item->tensor.ndim >= 0 && item->tensor.ndim <= RECORD_DIMS_MAX);
    FUZZ_CHECK(!item->tensor.data || item->tensor.bytes <= RECORD_DATA_MAX);
  }
  if (item->tag == RECORD_TEXT) {
    FUZZ_CHECK(item->text.size <= RECORD_TEXT_MAX);
  }
}

static void check_items(const RecordEvent *event)
{
  RecordItem item;
  uint32_t at = 0, before = 0;
  char text[300];
  while (record_next(event, &at, &item)) {
    FUZZ_CHECK(at > before && at <= event->size);
    before = at;
    check_item(&item);
    record_item_text(&item, text, sizeof text);
    fuzz_is_line(text);
  }
  FUZZ_CHECK(at == event->size);
}

static void check_text(const Recording *recording)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  FUZZ_CHECK(out != NULL);
  FUZZ_CHECK(record_write_text(out, recording));
  FUZZ_CHECK(fclose(out) == 0);
  fuzz_is_text(text, size);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char error[256] = "";
  unsigned char *copy = malloc(size + 1);
  FUZZ_CHECK(copy != NULL);
  if (size != 0) memcpy(copy, data, size);
  Recording *recording = record_read("a file", copy, size, error, sizeof error);
  if (recording == NULL) {
    FUZZ_CHECK(error[0] != '\0');
    fuzz_is_line(error);
    return 0;
  }
  for (size_t i = 0; i < recording->count; ++i) {
    check_event(recording, i);
    check_items(&recording->events[i]);
  }
  check_text(recording);
  record_free(recording);
  return 0;
}
