// SPDX-License-Identifier: Apache-2.0
#include "frontend/json_write.h"

#include <stdlib.h>
#include <string.h>

#include "container/map.h"
#include "container/sequence.h"
#include "core/raise.h"
#include "frontend/json_number.h"
#include "frontend/writer.h"
#include "type/type.h"

// A container of which something is still to be written.
typedef struct {
  TVMFFIObject *container;  // borrow
  uint64_t place;           // of the next element: its number, or its position in the map
  bool is_map;
} JsonFrame;

typedef struct {
  Writer text;
  JsonFrame *frames;
  size_t depth, frame_room;
  int64_t indent;
  const TVMFFIAny *value;  // borrow: what is to be written next
} JsonWriter;

// Begins a line, if there are any.
static int json_write_line(JsonWriter *writer)
{
  if (writer->indent == 0) return 0;
  size_t spaces = 0;
  if (writer->indent > 0 &&
      (__builtin_mul_overflow((size_t)writer->indent, writer->depth, &spaces) ||
       spaces > WRITER_MAX)) {
    spaces = WRITER_MAX;  // with the end of the line this is too long
  }
  char *to = writer_reserve(&writer->text, spaces + 1);
  if (to == NULL) return -1;
  *to = '\n';
  memset(to + 1, ' ', spaces);
  writer->text.size += spaces + 1;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Values without others in them
//--------------------------------------------------------------------------------------------------

// What each character is written as: 0 for itself, 'u' for its number, else the letter behind a
// backslash.
static const char escapes[256] = {
    [0] = 'u',    [1] = 'u',    [2] = 'u',    [3] = 'u',    [4] = 'u',     [5] = 'u',
    [6] = 'u',    [7] = 'u',    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',  [11] = 'u',
    ['\f'] = 'f', ['\r'] = 'r', [14] = 'u',   [15] = 'u',   [16] = 'u',    [17] = 'u',
    [18] = 'u',   [19] = 'u',   [20] = 'u',   [21] = 'u',   [22] = 'u',    [23] = 'u',
    [24] = 'u',   [25] = 'u',   [26] = 'u',   [27] = 'u',   [28] = 'u',    [29] = 'u',
    [30] = 'u',   [31] = 'u',   ['"'] = '"',  ['/'] = '/',  ['\\'] = '\\', [127] = 'u',
};

static inline void json_write_end(JsonWriter *writer, const char *end)
{
  writer->text.size = (size_t)(end - writer->text.data);
}

static char *json_write_escape(char *to, unsigned char c)
{
  static const char digits[] = "0123456789abcdef";
  *to++ = '\\';
  *to++ = escapes[c];
  if (escapes[c] != 'u') return to;
  memcpy(to, "00", 2);
  to[2] = digits[c >> 4];
  to[3] = digits[c & 15];
  return to + 4;
}

static int json_write_string(JsonWriter *writer, TVMFFIByteArray text)
{
  enum { LONGEST = 6, PIECE = 4096 };  // of a character; of a text, in bytes
  if (writer_add(&writer->text, "\"", 1) != 0) return -1;
  for (size_t i = 0; i < text.size;) {
    size_t end = text.size - i < PIECE ? text.size : i + PIECE;
    char *to = writer_reserve(&writer->text, (end - i) * LONGEST);
    if (to == NULL) return -1;
    for (; i < end; ++i) {
      unsigned char c = (unsigned char)text.data[i];
      if (escapes[c] == 0) {
        *to++ = (char)c;
      } else {
        to = json_write_escape(to, c);
      }
    }
    json_write_end(writer, to);
  }
  return writer_add(&writer->text, "\"", 1);
}

RAISE_COLD static int json_write_refuse(const TVMFFIAny *value, const char *what)
{
  const Type *type = type_find(value->type_index);
  return raise_error(
      "ValueError", what, "`",
      type == NULL ? raise_number(value->type_index).text : raise_name(&type->info.type_key).text,
      "`", NULL);
}

static int json_write_scalar(JsonWriter *writer, const TVMFFIAny *value)
{
  char *to;
  switch (value->type_index) {
    case kTVMFFINone:
      return writer_add(&writer->text, "null", 4);
    case kTVMFFIBool:
      return value->v_int64 != 0 ? writer_add(&writer->text, "true", 4)
                                 : writer_add(&writer->text, "false", 5);
    case kTVMFFIInt:
      to = writer_reserve(&writer->text, JSON_NUMBER_MAX);
      if (to == NULL) return -1;
      json_write_end(writer, json_number_write_int(to, value->v_int64));
      return 0;
    case kTVMFFIFloat:
      to = writer_reserve(&writer->text, JSON_NUMBER_MAX);
      if (to == NULL) return -1;
      json_write_end(writer, json_number_write_float(to, value->v_float64));
      return 0;
    default:
      if (native_is_string(value)) return json_write_string(writer, native_text(value));
      return json_write_refuse(value, "Unsupported type: ");
  }
}

//--------------------------------------------------------------------------------------------------
// Containers
//--------------------------------------------------------------------------------------------------

static bool json_write_is_container(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList ||
         value->type_index == kTVMFFIMap;
}

// Tells whether a container is the one that lies at the largest power of two above it. On a way that
// goes round in circles this comes true, after a few rounds at most.
static bool json_write_is_cycle(const JsonWriter *writer, const TVMFFIObject *container)
{
  if (writer->depth == 0) return false;
  size_t power = (size_t)1 << (sizeof(size_t) * 8 - 1 - (size_t)__builtin_clzl(writer->depth));
  return writer->frames[power - 1].container == container;
}

static int json_write_enter(JsonWriter *writer, TVMFFIObject *container)
{
  if (json_write_is_cycle(writer, container)) {
    return raise_error("ValueError", "Cycle detected: a container holds itself", NULL);
  }
  if (writer->depth == writer->frame_room) {
    size_t room = writer->frame_room == 0 ? 32 : 2 * writer->frame_room;
    JsonFrame *frames = realloc(writer->frames, room * sizeof *frames);
    if (frames == NULL) return raise_out_of_memory();
    writer->frames = frames;
    writer->frame_room = room;
  }
  bool is_map = container->type_index == kTVMFFIMap;
  uint64_t place = is_map ? map_first((MapObject *)container) : 0;
  writer->frames[writer->depth++] = (JsonFrame){container, place, is_map};
  return writer_add(&writer->text, is_map ? "{" : "[", 1);
}

// Finds the next value of a container, and writes the name of one in a map. NULL behind the last.
// Returns 0; -1 with an error.
static int json_write_element(JsonWriter *writer, JsonFrame *frame, bool first)
{
  const MapEntry *entry = NULL;
  writer->value = NULL;
  if (frame->is_map) {
    MapObject *map = (MapObject *)frame->container;
    entry = map_entry(map, frame->place);
    if (entry == NULL) return 0;
    frame->place = map_next(map, frame->place);
    writer->value = &entry->value;
  } else {
    if (frame->place >= (uint64_t)sequence_cell(frame->container)->size) return 0;
    writer->value = &sequence_values(frame->container)[frame->place++];
  }
  if (!first && writer_add(&writer->text, ",", 1) != 0) return -1;
  if (json_write_line(writer) != 0) return -1;
  if (entry == NULL) return 0;
  if (!native_is_string(&entry->key)) {
    return json_write_refuse(&entry->key, "Expect key to be string, got ");
  }
  if (json_write_string(writer, native_text(&entry->key)) != 0) return -1;
  return writer_add(&writer->text, ": ", writer->indent == 0 ? 1 : 2);
}

static int json_write_leave(JsonWriter *writer)
{
  bool is_map = writer->frames[--writer->depth].is_map;
  if (json_write_line(writer) != 0) return -1;
  return writer_add(&writer->text, is_map ? "}" : "]", 1);
}

// Writes a value and all that is in it.
static int json_write_all(JsonWriter *writer, const TVMFFIAny *value)
{
  writer->value = value;
  int code = 0;
  do {
    bool entered = writer->value != NULL && json_write_is_container(writer->value);
    if (entered) {
      code = json_write_enter(writer, writer->value->v_obj);
    } else if (writer->value != NULL) {
      code = json_write_scalar(writer, writer->value);
    }
    if (code != 0 || writer->depth == 0) return code;
    code = json_write_element(writer, &writer->frames[writer->depth - 1], entered);
    if (code == 0 && writer->value == NULL) code = json_write_leave(writer);
  } while (code == 0 && (writer->value != NULL || writer->depth != 0));
  return code;
}

int json_write_text(const TVMFFIAny *value, int32_t indent, TVMFFIAny *out)
{
  JsonWriter writer = {.indent = indent};
  int code = json_write_all(&writer, value);
  if (code == 0) {
    code = writer_finish(&writer.text, out);
  } else {
    writer_end(&writer.text);
  }
  free(writer.frames);
  return code;
}

int json_write(const NativeCall *call)
{
  TVMFFIAny text;
  int32_t indent = call->args[1].type_index == kTVMFFINone ? 0 : (int32_t)call->args[1].v_int64;
  if (json_write_text(&call->args[0], indent, &text) != 0) return -1;
  return native_give(call, text);
}
