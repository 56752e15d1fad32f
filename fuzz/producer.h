// SPDX-License-Identifier: Apache-2.0
// Makes numbers and texts of a fuzzer's bytes, one after the other. When they are used up, every
// number is 0 and every text is empty, so that any input is a whole one.
#ifndef TVMFFI_FUZZ_PRODUCER_H_
#define TVMFFI_FUZZ_PRODUCER_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCER_COPIES = 256 };

typedef struct Producer {
  const uint8_t *at, *end;        // borrow: the input
  void *copies[PRODUCER_COPIES];  // own
  size_t copy_count;
} Producer;

// A run of bytes: `size` of them and no more, so that a sanitizer sees what is read behind.
typedef struct ProducerBytes {
  char *data;
  size_t size;
} ProducerBytes;

static inline void producer_start(Producer *self, const uint8_t *data, size_t size)
{
  self->at = data;
  self->end = size == 0 ? data : data + size;
  self->copy_count = 0;
}

// Frees what producer_bytes and producer_text gave.
static inline void producer_end(Producer *self)
{
  while (self->copy_count != 0) free(self->copies[--self->copy_count]);
}

static inline bool producer_has_more(const Producer *self)
{
  return self->at != self->end && self->copy_count < PRODUCER_COPIES - 16;
}

static inline uint8_t producer_byte(Producer *self)
{
  return self->at == self->end ? 0 : *self->at++;
}

// A number below `bound`, which is 256 at most.
static inline unsigned producer_below(Producer *self, unsigned bound)
{
  return producer_byte(self) % bound;
}

static inline bool producer_flag(Producer *self)
{
  return producer_byte(self) & 1;
}

static inline uint64_t producer_word(Producer *self)
{
  uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= (uint64_t)producer_byte(self) << 8 * i;
  return word;
}

// An integer: mostly a small one, else one of those at which arithmetic goes wrong, or any.
static inline int64_t producer_integer(Producer *self)
{
  static const int64_t odd[] = {
      -1,        -2,        INT8_MIN,     UINT8_MAX,        INT16_MAX,        UINT16_MAX,
      INT32_MIN, INT32_MAX, UINT32_MAX,   (int64_t)1 << 32, (int64_t)1 << 61, (int64_t)1 << 62,
      INT64_MAX, INT64_MIN, INT64_MIN + 1};
  enum { ODD = sizeof odd / sizeof *odd, FIRST_ODD = 200 };
  uint8_t choice = producer_byte(self);
  if (choice < FIRST_ODD) return choice;
  if (choice < FIRST_ODD + ODD) return odd[choice - FIRST_ODD];
  return (int64_t)producer_word(self);
}

static inline ProducerBytes producer_keep(Producer *self, size_t size, size_t room)
{
  char *copy = malloc(room);
  if (copy == NULL || self->copy_count == PRODUCER_COPIES) abort();
  if (size != 0) memcpy(copy, self->at, size);
  self->copies[self->copy_count++] = copy;
  self->at += size;
  return (ProducerBytes){copy, size};
}

static inline size_t producer_size(Producer *self)
{
  size_t size = producer_byte(self), left = (size_t)(self->end - self->at);
  return size < left ? size : left;
}

// At most 255 of the bytes that follow. Borrow: until producer_end.
static inline ProducerBytes producer_bytes(Producer *self)
{
  size_t size = producer_size(self);
  return producer_keep(self, size, size != 0 ? size : 1);
}

// The same up to the first NUL, which it ends with.
static inline char *producer_text(Producer *self)
{
  size_t size = producer_size(self);
  ProducerBytes bytes = producer_keep(self, size, size + 1);
  bytes.data[size] = '\0';
  return bytes.data;
}

// All that is left.
static inline ProducerBytes producer_rest(Producer *self)
{
  size_t size = (size_t)(self->end - self->at);
  return producer_keep(self, size, size != 0 ? size : 1);
}

#endif  // TVMFFI_FUZZ_PRODUCER_H_
