// SPDX-License-Identifier: Apache-2.0
// The inputs that a process has run, in the memory that it shares with the main process.
#include <string.h>

#include "fuzz/fuzz_arena.h"

enum { NUMBER = sizeof(uint32_t) };

static void put(FuzzHistory *history, uint64_t at, const void *bytes, size_t size)
{
  size_t place = (size_t)(at % FUZZ_HISTORY_BYTES), first = FUZZ_HISTORY_BYTES - place;
  if (first > size) first = size;
  memcpy(history->bytes + place, bytes, first);
  memcpy(history->bytes, (const uint8_t *)bytes + first, size - first);
}

static void get(const FuzzHistory *history, uint64_t at, void *bytes, size_t size)
{
  size_t place = (size_t)(at % FUZZ_HISTORY_BYTES), first = FUZZ_HISTORY_BYTES - place;
  if (first > size) first = size;
  memcpy(bytes, history->bytes + place, first);
  memcpy((uint8_t *)bytes + first, history->bytes, size - first);
}

static uint32_t number_at(const FuzzHistory *history, uint64_t at)
{
  uint32_t number;
  get(history, at, &number, sizeof number);
  return number;
}

uint64_t fuzz_history_add(FuzzHistory *history, const void *bytes, uint32_t size)
{
  uint64_t record = history->end, end = record + NUMBER + size;
  while (end - history->start > FUZZ_HISTORY_BYTES)
    history->start += NUMBER + (number_at(history, history->start) & ~FUZZ_HISTORY_SETTLED);
  put(history, record, &size, sizeof size);
  put(history, record + NUMBER, bytes, size);
  history->end = end;
  return record;
}

void fuzz_history_mark(FuzzHistory *history, uint64_t record)
{
  uint32_t number = number_at(history, record) | FUZZ_HISTORY_SETTLED;
  put(history, record, &number, sizeof number);
}

// The end of the record at `at`; 0 if it makes no sense.
static uint64_t end_of(const FuzzHistory *history, uint64_t at, uint64_t end)
{
  if (end - at < NUMBER) return 0;
  uint32_t size = number_at(history, at) & ~FUZZ_HISTORY_SETTLED;
  return size <= FUZZ_INPUT_MAX && size <= end - at - NUMBER ? at + NUMBER + size : 0;
}

size_t fuzz_history_before_last(const FuzzHistory *history, uint8_t *out)
{
  uint64_t start = history->start, end = history->end, last = start, next;
  if (end - start > FUZZ_HISTORY_BYTES) return 0;
  while (last != end && (next = end_of(history, last, end)) != 0 && next != end) last = next;
  get(history, start, out, (size_t)(last - start));
  return (size_t)(last - start);
}

void fuzz_history_set(FuzzHistory *history, const uint8_t *records, size_t size)
{
  history->start = 0;
  history->end = size;
  if (size) memcpy(history->bytes, records, size);
}

bool fuzz_record_next(const uint8_t *records, size_t records_size, size_t *at,
                      const uint8_t **bytes, size_t *size)
{
  uint32_t number;
  size_t left = records_size - *at;
  if (left < sizeof number) return false;
  memcpy(&number, records + *at, sizeof number);
  *size = number & ~FUZZ_HISTORY_SETTLED;
  if (*size > left - sizeof number) return false;
  *bytes = records + *at + sizeof number;
  *at += sizeof number + *size;
  return true;
}
