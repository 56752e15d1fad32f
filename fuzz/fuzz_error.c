// SPDX-License-Identifier: Apache-2.0
// Errors: raised from parts, made with causes and context, their backtraces replaced and extended,
// by parts of themselves too.
#include <string.h>

#include "producer.h"
#include "runtime.h"

enum { TEXT_MAX = 1 << 13, PARTS_MAX = 8 };

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

static void is_text(const TVMFFIByteArray *text, const char *data, size_t size)
{
  FUZZ_CHECK(text->size == size && text->data[size] == '\0');
  FUZZ_CHECK(size == 0 || memcmp(text->data, data, size) == 0);
}

// Raises an error from parts and takes it out. Own.
static TVMFFIObjectHandle raise_parts(Producer *producer)
{
  const char *parts[PARTS_MAX], *kind = producer_text(producer);
  char message[PARTS_MAX * 256] = "";
  int32_t count = (int32_t)producer_below(producer, PARTS_MAX + 1) - 1;
  for (int32_t i = 0; i < count; ++i) {
    parts[i] = producer_below(producer, 8) == 7 ? NULL : producer_text(producer);
    if (parts[i] != NULL) strcat(message, parts[i]);
  }
  bool is_one = count == 1 && parts[0] != NULL && producer_flag(producer);
  if (is_one)
    TVMFFIErrorSetRaisedFromCStr(kind, parts[0]);
  else
    TVMFFIErrorSetRaisedFromCStrParts(kind, producer_flag(producer) || count > 0 ? parts : NULL,
                                      count);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  runtime_has_counts(error, 1, 1);
  is_text(&cell_of(error)->kind, kind, strlen(kind));
  is_text(&cell_of(error)->message, message, strlen(message));
  return error;
}

// Makes an error, mostly one whose cause is `cause` (own, or NULL), and raises and takes it on the
// way. Own.
static TVMFFIObjectHandle create(Producer *producer, TVMFFIObjectHandle cause)
{
  ProducerBytes kind = producer_bytes(producer), message = producer_bytes(producer);
  ProducerBytes backtrace = producer_bytes(producer);
  TVMFFIByteArray texts[] = {{kind.data, kind.size},
                             {message.data, message.size},
                             {backtrace.size != 0 ? backtrace.data : NULL, backtrace.size}};
  uint8_t how = producer_byte(producer);
  TVMFFIObjectHandle kept = how & 2 ? NULL : cause, context = how & 1 ? kept : NULL;
  TVMFFIObjectHandle error = NULL, taken = NULL;
  if (how & 2)
    FUZZ_CHECK(TVMFFIErrorCreate(&texts[0], &texts[1], &texts[2], &error) == 0);
  else
    FUZZ_CHECK(TVMFFIErrorCreateWithCauseAndExtraContext(&texts[0], &texts[1], &texts[2], cause,
                                                         context, &error) == 0);
  if (cause != NULL) runtime_has_counts(cause, 1 + (kept != NULL) + (context != NULL), 1);
  if (cause != NULL) TVMFFIObjectDecRef(cause);
  TVMFFIErrorSetRaised(error);
  TVMFFIErrorSetRaised(error);
  runtime_has_counts(error, 2, 1);
  TVMFFIErrorMoveFromRaised(&taken);
  FUZZ_CHECK(taken == error);
  TVMFFIObjectDecRef(taken);
  runtime_has_counts(error, 1, 1);
  is_text(&cell_of(error)->kind, kind.data, kind.size);
  is_text(&cell_of(error)->message, message.data, message.size);
  is_text(&cell_of(error)->backtrace, backtrace.data, backtrace.size);
  FUZZ_CHECK(cell_of(error)->cause_chain == kept && cell_of(error)->extra_context == context);
  return error;
}

// Changes a backtrace, which has to be what the same steps make of a copy.
static void update(Producer *producer, TVMFFIObjectHandle error)
{
  TVMFFIErrorCell *cell = cell_of(error);
  char due[TEXT_MAX], added[TEXT_MAX];
  size_t kept = cell->backtrace.size;
  TVMFFIByteArray text;
  if (producer_flag(producer)) {
    size_t first = kept == 0 ? 0 : (size_t)producer_byte(producer) % kept;
    text = (TVMFFIByteArray){cell->backtrace.data + first, kept - first};
    if (text.size > 256) text.size = 256;
  } else {
    ProducerBytes bytes = producer_bytes(producer);
    text = (TVMFFIByteArray){bytes.data, bytes.size};
  }
  int32_t mode = (int32_t)producer_below(producer, 2);
  if (kept + text.size > TEXT_MAX) mode = kTVMFFIBacktraceUpdateModeReplace;
  if (mode == kTVMFFIBacktraceUpdateModeReplace) kept = 0;
  if (kept != 0) memcpy(due, cell->backtrace.data, kept);
  if (text.size != 0) memcpy(added, text.data, text.size);
  if (text.size != 0) memcpy(due + kept, added, text.size);
  size_t size = kept + text.size;
  cell->update_backtrace(error, &text, mode);
  is_text(&cell->backtrace, due, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Producer producer;
  producer_start(&producer, data, size);
  TVMFFIObjectHandle error = raise_parts(&producer);
  while (producer_has_more(&producer)) {
    if (producer_below(&producer, 3) == 0)
      error = create(&producer, error);
    else
      update(&producer, error);
  }
  TVMFFIObjectDecRef(error);
  producer_end(&producer);
  runtime_has_raised_nothing();
  return 0;
}
