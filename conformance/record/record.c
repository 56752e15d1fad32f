// SPDX-License-Identifier: Apache-2.0
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Items ---------------------------------------------------------------------------------------

// What is left of an event's body. Each take_ returns false where it would pass the end.
typedef struct Bytes {
  const unsigned char *at;
  uint32_t left;
} Bytes;

static bool take(Bytes *bytes, void *out, uint32_t size)
{
  if (size > bytes->left) return false;
  memcpy(out, bytes->at, size);
  bytes->at += size;
  bytes->left -= size;
  return true;
}

static bool take_run(Bytes *bytes, const void *start, uint64_t size)
{
  if (size > bytes->left) return false;
  *(const unsigned char **)(uintptr_t)start = bytes->at;
  bytes->at += size;
  bytes->left -= (uint32_t)size;
  return true;
}

static bool take_text(Bytes *bytes, RecordItem *item)
{
  unsigned char form;
  uint32_t size;
  if (!take(bytes, &form, 1) || form >= RECORD_FORMS || !take(bytes, &item->number, 8) ||
      !take(bytes, &size, 4) || size > RECORD_TEXT_MAX)
    return false;
  item->form = (RecordForm)form;
  item->text.size = size;
  return (item->form == FORM_OBJECT) == (item->number != 0) &&
         (item->form != FORM_SMALL || size <= 7) && take_run(bytes, &item->text.data, size);
}

static bool take_error(Bytes *bytes, RecordItem *item)
{
  uint32_t sizes[2];
  if (!take(bytes, &item->number, 8) || !item->number || !take(bytes, sizes, sizeof sizes))
    return false;
  for (int i = 0; i < 2; ++i) {
    item->both[i].size = sizes[i];
    if (sizes[i] > RECORD_TEXT_MAX || !take_run(bytes, &item->both[i].data, sizes[i])) return false;
  }
  return true;
}

// The bytes that the extents come to are those that it says it has.
static bool is_sound(const RecordTensor *tensor)
{
  int64_t bytes = ((int64_t)tensor->bits * tensor->lanes + 7) / 8;
  for (int32_t i = 0; i < tensor->ndim; ++i)
    if (tensor->shape[i] < 0 || __builtin_mul_overflow(bytes, tensor->shape[i], &bytes))
      return false;
  return !(tensor->flags & TENSOR_HAS_DIGEST) || tensor->bytes == (uint64_t)bytes;
}

static bool take_tensor(Bytes *bytes, RecordItem *item)
{
  RecordTensor *tensor = &item->tensor;
  unsigned char flags;
  uint64_t rest[3];
  *tensor = (RecordTensor){.data = NULL};
  if (!take(bytes, &item->number, 8) || !take(bytes, &flags, 1) ||
      !take(bytes, &tensor->device_type, 4) || !take(bytes, &tensor->device_id, 4) ||
      !take(bytes, &tensor->code, 1) || !take(bytes, &tensor->bits, 1) ||
      !take(bytes, &tensor->lanes, 2) || !take(bytes, &tensor->ndim, 4) || tensor->ndim < 0 ||
      tensor->ndim > RECORD_DIMS_MAX ||
      !take(bytes, tensor->shape, (uint32_t)tensor->ndim * sizeof(int64_t)) ||
      !take(bytes, rest, sizeof rest))
    return false;
  tensor->flags = flags;
  tensor->byte_offset = rest[0];
  tensor->bytes = rest[1];
  tensor->digest = rest[2];
  bool is_view = flags & TENSOR_IS_VIEW;
  if (is_view == (item->number != 0) || !is_sound(tensor)) return false;
  if (!(flags & TENSOR_HAS_DATA)) return true;
  return (flags & TENSOR_HAS_DIGEST) && tensor->bytes <= RECORD_DATA_MAX &&
         take_run(bytes, &tensor->data, tensor->bytes);
}

static bool take_shape(Bytes *bytes, RecordItem *item)
{
  return take(bytes, &item->number, 8) && item->number && take(bytes, &item->shape.count, 4) &&
         item->shape.count <= RECORD_DIMS_MAX &&
         take_run(bytes, &item->shape.numbers, (uint64_t)item->shape.count * 8);
}

static bool take_dtype(Bytes *bytes, RecordItem *item)
{
  unsigned char code[2];
  uint16_t lanes;
  if (!take(bytes, code, 2) || !take(bytes, &lanes, 2)) return false;
  item->pair[0] = code[0] << 8 | code[1];
  item->pair[1] = lanes;
  return true;
}

static bool take_item(Bytes *bytes, RecordItem *item)
{
  unsigned char tag;
  *item = (RecordItem){.number = 0};
  if (!take(bytes, &tag, 1)) return false;
  item->moved = tag & RECORD_MOVED;
  item->tag = (RecordTag)(tag & ~RECORD_MOVED);
  switch (item->tag) {
    case RECORD_NONE:
      return true;
    case RECORD_INT:
    case RECORD_BOOL:
    case RECORD_FLOAT:
    case RECORD_POINTER:
    case RECORD_DEVICE:
      return take(bytes, &item->bits, 8);
    case RECORD_DTYPE:
      return take_dtype(bytes, item);
    case RECORD_TEXT:
    case RECORD_BYTES:
      return take_text(bytes, item);
    case RECORD_TENSOR:
      return take_tensor(bytes, item);
    case RECORD_ERROR:
      return take_error(bytes, item);
    case RECORD_OBJECT:
      return take(bytes, &item->number, 8) && item->number && take(bytes, &item->type_index, 4) &&
             take(bytes, &item->flags, 4);
    case RECORD_SHAPE:
      return take_shape(bytes, item);
    case RECORD_OTHER:
      return take(bytes, &item->type_index, 4);
    default:
      return false;
  }
}

bool record_next(const RecordEvent *event, uint32_t *at, RecordItem *item)
{
  Bytes bytes = {event->body + *at, event->size - *at};
  if (*at >= event->size || !take_item(&bytes, item)) return false;
  *at = event->size - bytes.left;
  return true;
}

int64_t record_shape_at(const RecordItem *shape, uint32_t index)
{
  int64_t number;
  memcpy(&number, shape->shape.numbers + (size_t)index * 8, sizeof number);
  return number;
}

// --- Events --------------------------------------------------------------------------------------

typedef struct Reader {
  const char *path;
  Recording *recording;
  size_t at;
  char *error;
  size_t error_size;
} Reader;

static bool broken(const Reader *reader, const char *what)
{
  snprintf(reader->error, reader->error_size, "%s: the event at byte %zu %s", reader->path,
           reader->at, what);
  return false;
}

static bool check_items(const Reader *reader, const RecordEvent *event)
{
  RecordItem item;
  uint32_t at = 0, count = 0;
  while (at < event->size) {
    if (++count > RECORD_ITEMS_MAX) return broken(reader, "has too many items");
    if (!record_next(event, &at, &item)) return broken(reader, "has an item that is damaged");
  }
  return true;
}

static bool read_event(Reader *reader, RecordEvent *event)
{
  const Recording *recording = reader->recording;
  const unsigned char *from = recording->bytes + reader->at;
  size_t left = recording->size - reader->at;
  uint32_t size;
  uint16_t kind;
  if (left < RECORD_EVENT_HEADER) return broken(reader, "is cut off");
  memcpy(&size, from, 4);
  memcpy(&kind, from + 4, 2);
  if (size < RECORD_EVENT_HEADER || size > left) return broken(reader, "has a size that is wrong");
  if (kind == 0 || kind >= RECORD_KINDS) return broken(reader, "is of a kind that is unknown");
  *event = (RecordEvent){.kind = (RecordKind)kind,
                         .body = from + RECORD_EVENT_HEADER,
                         .size = size - RECORD_EVENT_HEADER};
  memcpy(&event->what, from + 6, 2);
  memcpy(&event->process, from + 8, 4);
  memcpy(&event->thread, from + 12, 4);
  memcpy(&event->serial, from + 16, 8);
  event->runtime = event->process >> RECORD_RUNTIME_SHIFT;
  event->process &= (1u << RECORD_RUNTIME_SHIFT) - 1;
  if (event->runtime >= RECORD_RUNTIMES_MAX) return broken(reader, "is of a process that can't be");
  if (event->kind == RECORD_LEAF && (event->what == 0 || event->what >= RECORD_LEAVES))
    return broken(reader, "is of a function that is unknown");
  size_t rounded = ((size_t)size + 7) & ~(size_t)7;
  reader->at += rounded < left ? rounded : left;
  return true;
}

static bool read_events(Reader *reader)
{
  Recording *recording = reader->recording;
  size_t room = 0;
  while (reader->at < recording->size) {
    if (recording->count == RECORD_EVENTS_MAX) return broken(reader, "is one too many");
    if (recording->count == room) {
      room = room ? 2 * room : 1024;
      RecordEvent *grown = realloc(recording->events, room * sizeof *grown);
      if (!grown) {
        snprintf(reader->error, reader->error_size, "%s: out of memory", reader->path);
        return false;
      }
      recording->events = grown;
    }
    size_t start = reader->at;
    RecordEvent *event = &recording->events[recording->count];
    if (!read_event(reader, event)) return false;
    size_t behind = reader->at;
    reader->at = start;
    if (!check_items(reader, event)) return false;
    reader->at = behind;
    ++recording->count;
    if (event->process >= recording->processes) recording->processes = event->process + 1;
  }
  return true;
}

static int by_thread(const void *a, const void *b)
{
  const RecordEvent *first = a, *second = b;
  if (first->process != second->process) return first->process < second->process ? -1 : 1;
  if (first->runtime != second->runtime) return first->runtime < second->runtime ? -1 : 1;
  if (first->thread != second->thread) return first->thread < second->thread ? -1 : 1;
  return first->serial < second->serial ? -1 : first->serial > second->serial;
}

// Finds the END of each call. Depth is bounded, since a program's stack is.
static void nest(Recording *recording)
{
  enum { DEPTH_MAX = 4096 };
  static uint32_t open[DEPTH_MAX];
  uint32_t depth = 0;
  for (size_t i = 0; i < recording->count; ++i) {
    RecordEvent *event = &recording->events[i];
    if (i == 0 || event->thread != event[-1].thread || event->process != event[-1].process ||
        event->runtime != event[-1].runtime)
      depth = 0;
    if (event->kind == RECORD_END && depth > 0) {
      --depth;
      if (depth < DEPTH_MAX) recording->events[open[depth]].end = (uint32_t)i;
    }
    event->depth = depth;
    if (event->kind != RECORD_CALL && event->kind != RECORD_BACK) continue;
    if (depth < DEPTH_MAX) open[depth] = (uint32_t)i;
    ++depth;
  }
}

static bool check_header(const char *path, const unsigned char *bytes, size_t size, char *error,
                         size_t error_size)
{
  uint32_t version;
  if (size < RECORD_FILE_HEADER || memcmp(bytes, RECORD_MAGIC, 8) != 0) {
    snprintf(error, error_size,
             "%s: is not a recording (`tvmffi-conform trace --record` makes one)", path);
    return false;
  }
  memcpy(&version, bytes + 8, sizeof version);
  if (version == RECORD_VERSION) return true;
  snprintf(error, error_size, "%s: is a recording of version %u; this program reads version %d",
           path, version, RECORD_VERSION);
  return false;
}

Recording *record_read(const char *path, unsigned char *bytes, size_t size, char *error,
                       size_t error_size)
{
  Recording *recording = calloc(1, sizeof *recording);
  if (!recording) {
    snprintf(error, error_size, "%s: out of memory", path);
    free(bytes);
    return NULL;
  }
  recording->bytes = bytes;
  recording->size = size;
  Reader reader = {path, recording, RECORD_FILE_HEADER, error, error_size};
  if (!check_header(path, bytes, size, error, error_size) || !read_events(&reader)) {
    record_free(recording);
    return NULL;
  }
  if (recording->count)
    qsort(recording->events, recording->count, sizeof *recording->events, by_thread);
  nest(recording);
  return recording;
}

Recording *record_load(const char *path, char *error, size_t error_size)
{
  struct stat about;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  unsigned char *bytes = NULL;
  size_t size = 0;
  const char *why = NULL;
  if (file < 0 || fstat(file, &about) != 0)
    why = strerror(errno);
  else if (!S_ISREG(about.st_mode))
    why = "is not a regular file";
  else if (about.st_size > RECORD_FILE_MAX)
    why = "is larger than 256 MiB (the limit)";
  else if (!(bytes = malloc((size_t)about.st_size + 1)))
    why = "out of memory";
  for (ssize_t got = 1; !why && got != 0 && size < (size_t)about.st_size;) {
    got = read(file, bytes + size, (size_t)about.st_size - size);
    if (got < 0 && errno != EINTR) why = strerror(errno);
    if (got > 0) size += (size_t)got;
  }
  if (file >= 0) close(file);
  if (!why) return record_read(path, bytes, size, error, error_size);
  snprintf(error, error_size, "%s: %s", path, why);
  free(bytes);
  return NULL;
}

void record_free(Recording *recording)
{
  if (!recording) return;
  free(recording->bytes);
  free(recording->events);
  free(recording);
}
