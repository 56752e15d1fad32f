// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_blob.h"

// The reader takes a small multiple of what these numbers are in memory.
enum { NBYTES_SIZE = 8, MOST_MODULES = 1 << 19, MOST_CHILDREN = 1 << 21 };

static uint64_t little_number(const unsigned char *bytes)
{
  uint64_t number = 0;
  for (int i = NBYTES_SIZE - 1; i >= 0; --i) number = number << 8 | bytes[i];
  return number;
}

static const InspectEntry *find(const InspectFacts *facts)
{
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->role == INSPECT_ROLE_LIBRARY_BIN && inspect_facts_exports(entry)) return entry;
  }
  return NULL;
}

// Before August 2025 a number of entries came first, then a text: where the new layout has
// indptr[0], which is 0, the old one has the text's length, and its letters behind it.
static bool is_old_layout(const unsigned char *bytes, uint64_t size)
{
  if (size < 32) return false;
  uint64_t length = little_number(bytes + 16);
  if (length == 0 || length > size - 24 || length > 64) return false;
  for (uint64_t i = 0; i < length; ++i) {
    if (bytes[24 + i] < ' ' || bytes[24 + i] > '~') return false;
  }
  return true;
}

static bool is_too_large(const unsigned char *bytes, uint64_t size)
{
  if (size < 24) return false;
  // Where there are more than fit, the reader refuses them without taking memory.
  uint64_t rows = little_number(bytes + 8), room = (size - 24) / 8;
  if (rows > room) return false;
  uint64_t children = little_number(bytes + 16 + 8 * rows);
  if (children > room - rows) return false;
  return rows > MOST_MODULES || children > MOST_CHILDREN;
}

static bool judge(const unsigned char *bytes, InspectBlob *blob)
{
  if (blob->size >= NBYTES_SIZE) blob->nbytes = little_number(bytes);
  if (is_too_large(bytes, blob->size)) {
    blob->state = INSPECT_BLOB_TOO_LARGE;
  } else if (library_bin_read(bytes, (size_t)blob->size, &blob->tree, &blob->problem)) {
    blob->state = INSPECT_BLOB_SOUND;
  } else if (blob->problem.rule == kLibraryBinNoMemory) {
    return false;
  } else {
    blob->state = is_old_layout(bytes, blob->size) ? INSPECT_BLOB_OLD : INSPECT_BLOB_BROKEN;
  }
  return true;
}

bool inspect_blob_read(const InspectFacts *facts, InspectBlob *blob)
{
  uint64_t available;
  const InspectEntry *entry = find(facts);
  *blob = (InspectBlob){.state = INSPECT_BLOB_NONE};
  if (!entry) return true;
  blob->symbol = entry->name;
  blob->symbol_size = entry->size;
  blob->state = INSPECT_BLOB_NO_BYTES;
  if (!inspect_facts_place(facts, entry, &blob->offset, &available)) return true;
  blob->size = entry->size > 0 && entry->size < available ? entry->size : available;
  return judge(facts->file.bytes + blob->offset, blob);
}

void inspect_blob_free(InspectBlob *blob)
{
  if (blob->state == INSPECT_BLOB_SOUND) library_bin_free(&blob->tree);
  blob->state = INSPECT_BLOB_NONE;
}

void inspect_blob_window(const InspectBlob *blob, uint64_t *begin, size_t *count)
{
  uint64_t at = blob->problem.offset < blob->size ? blob->problem.offset : blob->size;
  *begin = at < 16 ? 0 : (at - 16) & ~UINT64_C(15);
  uint64_t left = blob->size - *begin;
  *count = left < INSPECT_BLOB_WINDOW ? (size_t)left : INSPECT_BLOB_WINDOW;
}
