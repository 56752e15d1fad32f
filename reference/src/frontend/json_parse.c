// SPDX-License-Identifier: Apache-2.0
#include "frontend/json_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/map.h"
#include "container/sequence.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "frontend/json_number.h"

// A container whose end has not been read. Its values so far are the last ones of the reader.
typedef struct {
  size_t first;
  bool is_object;
} JsonOpen;

typedef struct {
  const char *begin, *at, *end;
  const char *failed;  // where the text is wrong, NULL as long as it isn't
  const char *what;    // is wrong with it
  TVMFFIAny *values;   // own: of the open containers, keys among them
  size_t count, value_room;
  JsonOpen *open;
  size_t depth, open_room;
} JsonReader;

//--------------------------------------------------------------------------------------------------
// What is wrong
//--------------------------------------------------------------------------------------------------

static const char *const expecting_value = "Expecting value";
static const char *const expecting_name = "Expecting property name enclosed in double quotes";

// Notes a mistake. Returns -1.
static int json_parse_fail(JsonReader *reader, const char *at, const char *what)
{
  reader->failed = at;
  reader->what = what;
  return -1;
}

RAISE_COLD static int json_parse_raise(const JsonReader *reader)
{
  int64_t line = 1;
  const char *line_begin = reader->begin;
  for (const char *at = reader->begin; at < reader->failed; ++at) {
    if (*at != '\n') continue;
    ++line;
    line_begin = at + 1;
  }
  return raise_error("ValueError", reader->what, ": line ", raise_number(line).text, " column ",
                     raise_number(reader->failed - line_begin + 1).text, " (char ",
                     raise_number(reader->failed - reader->begin).text, ")", NULL);
}

//--------------------------------------------------------------------------------------------------
// Values and containers that are open
//--------------------------------------------------------------------------------------------------

// Doubles the memory of an array of items. Returns 0; -1 with InternalError.
static int json_parse_grow(void **items, size_t *room, size_t item_size)
{
  size_t grown = *room == 0 ? 32 : 2 * *room;
  void *memory = grown > PTRDIFF_MAX / item_size ? NULL : realloc(*items, grown * item_size);
  if (memory == NULL) return raise_out_of_memory();
  *items = memory;
  *room = grown;
  return 0;
}

// value: own, also on failure.
static inline int json_parse_push(JsonReader *reader, TVMFFIAny value)
{
  if (reader->count == reader->value_room &&
      json_parse_grow((void **)&reader->values, &reader->value_room, sizeof value) != 0) {
    any_release(&value);
    return -1;
  }
  reader->values[reader->count++] = value;
  return 0;
}

static int json_parse_open(JsonReader *reader, bool is_object)
{
  if (reader->depth == reader->open_room &&
      json_parse_grow((void **)&reader->open, &reader->open_room, sizeof *reader->open) != 0) {
    return -1;
  }
  reader->open[reader->depth++] = (JsonOpen){reader->count, is_object};
  return 0;
}

// Makes an array of values. Returns own; NULL with an error, and then the values are released.
static TVMFFIObject *json_parse_make_array(const TVMFFIAny *values, size_t count)
{
  TVMFFIObject *array = sequence_new(kTVMFFIArray, (int64_t)count);
  if (array == NULL) {
    raise_out_of_memory();
    for (size_t i = 0; i < count; ++i) any_release(&values[i]);
    return NULL;
  }
  if (count != 0) memcpy(sequence_values(array), values, count * sizeof *values);
  sequence_cell(array)->size = (int64_t)count;
  return array;
}

// The same with a map of keys and values. Of equal keys the last value counts.
static TVMFFIObject *json_parse_make_map(const TVMFFIAny *values, size_t count)
{
  MapObject *map = map_new(kTVMFFIMap, count / 2);
  int code = map == NULL ? raise_out_of_memory() : 0;
  for (size_t i = 0; i < count; i += 2) {
    MapEntry entry = {values[i], values[i + 1]};
    if (code == 0) code = map_set(map, &entry);
    any_release(&entry.key);
    any_release(&entry.value);
  }
  if (code == 0) return &map->header;
  if (map != NULL) object_release(&map->header);
  return NULL;
}

// Replaces the values of the innermost container by the container.
static int json_parse_close(JsonReader *reader)
{
  JsonOpen open = reader->open[--reader->depth];
  const TVMFFIAny *values = reader->values == NULL ? NULL : &reader->values[open.first];
  size_t count = reader->count - open.first;
  reader->count = open.first;
  TVMFFIObject *made =
      open.is_object ? json_parse_make_map(values, count) : json_parse_make_array(values, count);
  return made == NULL ? -1 : json_parse_push(reader, any_object(made));
}

//--------------------------------------------------------------------------------------------------
// Strings
//--------------------------------------------------------------------------------------------------

static int json_parse_hex(const char *at, const char *end, uint32_t *out)
{
  *out = 0;
  if (end - at < 4) return -1;
  for (int i = 0; i < 4; ++i) {
    char c = at[i];
    uint32_t digit;
    if (c >= '0' && c <= '9') {
      digit = (uint32_t)(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      digit = (uint32_t)((c | 0x20) - 'a' + 10);
    } else {
      return -1;
    }
    *out = *out << 4 | digit;
  }
  return 0;
}

// Writes a code point in UTF-8. Returns the end.
static char *json_parse_encode(char *to, uint32_t point)
{
  if (point < 0x80) {
    *to++ = (char)point;
    return to;
  }
  int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(marks[more] | point >> 6 * more);
  while (more-- > 0) *to++ = (char)(0x80 | (point >> 6 * more & 0x3f));
  return to;
}

// Reads what stands behind `\u`. The escape may be the first of two that make one code point.
static char *json_parse_unicode(JsonReader *reader, char *to)
{
  static const char *const bad_escape = "Invalid \\uXXXX escape";
  static const char *const bad_pair = "Invalid surrogate pair of \\uXXXX escapes";
  const char *letter = reader->at - 1;
  uint32_t point, low;
  if (json_parse_hex(reader->at, reader->end, &point) != 0) {
    json_parse_fail(reader, letter, bad_escape);
    return NULL;
  }
  reader->at += 4;
  if (point < 0xd800 || point > 0xdfff) return json_parse_encode(to, point);
  bool is_pair = point < 0xdc00 && reader->end - reader->at >= 2 && reader->at[0] == '\\' &&
                 reader->at[1] == 'u';
  if (!is_pair) {
    json_parse_fail(reader, letter, bad_pair);
    return NULL;
  }
  reader->at += 2;
  if (json_parse_hex(reader->at, reader->end, &low) != 0) {
    json_parse_fail(reader, reader->at, bad_escape);
    return NULL;
  }
  if (low < 0xdc00 || low > 0xdfff) {
    json_parse_fail(reader, reader->at, bad_pair);
    return NULL;
  }
  reader->at += 4;
  return json_parse_encode(to, 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00));
}

// Reads what stands behind a backslash.
static char *json_parse_escape(JsonReader *reader, char *to)
{
  static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
  char letter = reader->at < reader->end ? *reader->at : '\0';
  const char *found = letter == '\0' ? NULL : strchr(from, letter);
  if (letter == 'u') {
    ++reader->at;
    return json_parse_unicode(reader, to);
  }
  if (found == NULL) {
    json_parse_fail(reader, reader->at, "Invalid \\escape");
    return NULL;
  }
  ++reader->at;
  *to++ = into[found - from];
  return to;
}

static inline bool json_parse_is_plain(char c)
{
  return (unsigned char)c >= ' ' && c != '"' && c != '\\';
}

// Reads a string that has escapes. What it holds is never longer than how it is written.
static int json_parse_escaped(JsonReader *reader, const char *quote, TVMFFIAny *out)
{
  size_t room = (size_t)(reader->end - quote);
  const char *stop = memchr(reader->at, '"', (size_t)(reader->end - reader->at));
  while (stop != NULL && stop[-1] == '\\') {  // perhaps: to be on the safe side
    stop = memchr(stop + 1, '"', (size_t)(reader->end - stop - 1));
  }
  if (stop != NULL) room = (size_t)(stop - quote);
  char *text = malloc(room + 4);
  if (text == NULL) return raise_out_of_memory();
  char *to = text;
  for (const char *at = quote + 1; at < reader->at; ++at) *to++ = *at;
  while (reader->failed == NULL) {
    if (reader->at == reader->end) {
      json_parse_fail(reader, quote, "Unterminated string starting at");
    } else if (json_parse_is_plain(*reader->at)) {
      *to++ = *reader->at++;
    } else if (*reader->at == '"') {
      break;
    } else if (*reader->at == '\\') {
      ++reader->at;
      to = json_parse_escape(reader, to);
    } else {
      json_parse_fail(reader, reader->at, "Invalid control character at");
    }
  }
  int code = -1;
  if (reader->failed == NULL) {
    ++reader->at;
    code = bytes_make_string(text, (size_t)(to - text), out);
  }
  free(text);
  return code;
}

// Reads a string, at whose quote the reader is.
// out: own, written on success.
static int json_parse_string(JsonReader *reader, TVMFFIAny *out)
{
  const char *quote = reader->at, *at = quote + 1;
  while (at < reader->end && json_parse_is_plain(*at)) ++at;
  reader->at = at;
  if (at == reader->end) {
    return json_parse_fail(reader, quote, "Unterminated string starting at");
  }
  if (*at != '"') return json_parse_escaped(reader, quote, out);
  ++reader->at;
  return bytes_make_string(quote + 1, (size_t)(at - quote - 1), out);
}

//--------------------------------------------------------------------------------------------------
// Values
//--------------------------------------------------------------------------------------------------

static inline void json_parse_skip(JsonReader *reader)
{
  while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\n' ||
                                      *reader->at == '\t' || *reader->at == '\r')) {
    ++reader->at;
  }
}

static inline bool json_parse_is(const JsonReader *reader, char c)
{
  return reader->at < reader->end && *reader->at == c;
}

// Reads one of the words that stand for a value. Returns false if none stands there.
static bool json_parse_word(JsonReader *reader, TVMFFIAny *out)
{
  static const struct {
    TVMFFIByteArray text;
    TVMFFIAny value;
  } words[] = {
      {{"null", 4}, {.type_index = kTVMFFINone}},
      {{"true", 4}, {.type_index = kTVMFFIBool, .v_int64 = 1}},
      {{"false", 5}, {.type_index = kTVMFFIBool}},
      {{"NaN", 3}, {.type_index = kTVMFFIFloat, .v_float64 = (double)NAN}},
      {{"Infinity", 8}, {.type_index = kTVMFFIFloat, .v_float64 = (double)INFINITY}},
      {{"-Infinity", 9}, {.type_index = kTVMFFIFloat, .v_float64 = -(double)INFINITY}},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    size_t size = words[i].text.size;
    if ((size_t)(reader->end - reader->at) < size) continue;
    if (memcmp(reader->at, words[i].text.data, size) != 0) continue;
    reader->at += size;
    *out = words[i].value;
    return true;
  }
  return false;
}

static int json_parse_number(JsonReader *reader, TVMFFIAny *out)
{
  const char *end = json_number_read(reader->at, reader->end, out);
  bool more = end != NULL && end < reader->end && *end != '\0' && strchr("0123456789+-.eE", *end);
  if (end == NULL || more) return json_parse_fail(reader, reader->at, expecting_value);
  reader->at = end;
  return 0;
}

// Reads a value that is no container.
// out: own, written on success.
static int json_parse_scalar(JsonReader *reader, TVMFFIAny *out)
{
  if (reader->at == reader->end) return json_parse_fail(reader, reader->at, expecting_value);
  switch (*reader->at) {
    case '"':
      return json_parse_string(reader, out);
    case 'n':
    case 't':
    case 'f':
    case 'N':
    case 'I':
      if (json_parse_word(reader, out)) return 0;
      return json_parse_fail(reader, reader->at, expecting_value);
    case '-':
      if (json_parse_word(reader, out)) return 0;
      return json_parse_number(reader, out);
    default:
      return json_parse_number(reader, out);
  }
}

// Reads the name of a value in an object, and the colon behind it.
static int json_parse_name(JsonReader *reader)
{
  TVMFFIAny name;
  json_parse_skip(reader);
  if (!json_parse_is(reader, '"')) return json_parse_fail(reader, reader->at, expecting_name);
  if (json_parse_string(reader, &name) != 0 || json_parse_push(reader, name) != 0) return -1;
  json_parse_skip(reader);
  if (!json_parse_is(reader, ':')) {
    return json_parse_fail(reader, reader->at, "Expecting ':' delimiter");
  }
  ++reader->at;
  return 0;
}

// Reads up to the first value that has been read to its end: containers that are not empty are
// entered.
static int json_parse_first(JsonReader *reader)
{
  for (;;) {
    TVMFFIAny value;
    json_parse_skip(reader);
    bool is_object = json_parse_is(reader, '{');
    if (!is_object && !json_parse_is(reader, '[')) {
      if (json_parse_scalar(reader, &value) != 0) return -1;
      return json_parse_push(reader, value);
    }
    ++reader->at;
    if (json_parse_open(reader, is_object) != 0) return -1;
    json_parse_skip(reader);
    if (json_parse_is(reader, is_object ? '}' : ']')) {
      ++reader->at;
      return json_parse_close(reader);
    }
    if (is_object && json_parse_name(reader) != 0) return -1;
  }
}

// Reads what follows a value: the ends of containers, or a comma before the next value. Returns 1 if
// there is one, 0 if nothing is open any more; -1 with an error, or having noted a mistake.
static int json_parse_next(JsonReader *reader)
{
  while (reader->depth != 0) {
    bool is_object = reader->open[reader->depth - 1].is_object;
    json_parse_skip(reader);
    if (json_parse_is(reader, ',')) {
      ++reader->at;
      return is_object && json_parse_name(reader) != 0 ? -1 : 1;
    }
    if (!json_parse_is(reader, is_object ? '}' : ']')) {
      return json_parse_fail(reader, reader->at, "Expecting ',' delimiter");
    }
    ++reader->at;
    if (json_parse_close(reader) != 0) return -1;
  }
  return 0;
}

int json_parse_text(TVMFFIByteArray text, TVMFFIAny *out)
{
  const char *begin = text.size == 0 ? "" : text.data;
  JsonReader reader = {.begin = begin, .at = begin, .end = begin + text.size};
  int code;
  do {
    code = json_parse_first(&reader);
    if (code == 0) code = json_parse_next(&reader);
  } while (code > 0);
  if (code == 0) {
    json_parse_skip(&reader);
    if (reader.at != reader.end) code = json_parse_fail(&reader, reader.at, "Extra data");
  }
  if (code == 0) {
    *out = reader.values[--reader.count];
  } else if (reader.failed != NULL) {
    json_parse_raise(&reader);
  }
  for (size_t i = 0; i < reader.count; ++i) any_release(&reader.values[i]);
  free(reader.values);
  free(reader.open);
  return code;
}

int json_parse(const NativeCall *call)
{
  TVMFFIAny value;
  if (json_parse_text(native_text(&call->args[0]), &value) != 0) return -1;
  return native_give(call, value);
}
