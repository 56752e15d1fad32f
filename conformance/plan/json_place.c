// SPDX-License-Identifier: Apache-2.0
#include "plan/json_place.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Cursor {
  const char *at;
  unsigned line;
} Cursor;

static void skip_blank(Cursor *cursor)
{
  for (; *cursor->at && strchr(" \t\r\n,:", *cursor->at); ++cursor->at)
    cursor->line += *cursor->at == '\n';
}

static void skip_string(Cursor *cursor)
{
  for (++cursor->at; *cursor->at && *cursor->at != '"'; ++cursor->at)
    if (*cursor->at == '\\' && cursor->at[1]) ++cursor->at;
  if (*cursor->at) ++cursor->at;
}

// Past one value, whatever is nested in it.
static void skip_value(Cursor *cursor)
{
  size_t depth = 0;
  do {
    skip_blank(cursor);
    if (*cursor->at == '"') {
      skip_string(cursor);
    } else if (*cursor->at == '{' || *cursor->at == '[') {
      ++depth;
      ++cursor->at;
    } else if (*cursor->at == '}' || *cursor->at == ']') {
      --depth;
      ++cursor->at;
    } else {
      while (*cursor->at && !strchr(" \t\r\n,:{}[]\"", *cursor->at)) ++cursor->at;
    }
    if (depth) skip_blank(cursor);
  } while (depth && *cursor->at);
}

// Moves into the object or array at the cursor, to the value of the member. False if it has none.
static bool enter(Cursor *cursor, const char *name, size_t length, unsigned *line)
{
  skip_blank(cursor);
  char opening = *cursor->at;
  if (opening != '{' && opening != '[') return false;
  ++cursor->at;
  unsigned long wanted = strtoul(name, NULL, 10);
  for (unsigned long index = 0;; ++index) {
    skip_blank(cursor);
    if (!*cursor->at || *cursor->at == '}' || *cursor->at == ']') return false;
    *line = cursor->line;
    bool found = opening == '[' && index == wanted;
    if (opening == '{') {
      const char *key = cursor->at + 1;
      skip_string(cursor);
      found = (size_t)(cursor->at - key) == length + 1 && strncmp(key, name, length) == 0;
      skip_blank(cursor);
    }
    if (found) return true;
    skip_value(cursor);
  }
}

unsigned json_place_line(const char *text, const char *path)
{
  Cursor cursor = {text, 1};
  unsigned line = 1;
  while (*path) {
    size_t length = strcspn(path, "/");
    unsigned found = line;
    if (!enter(&cursor, path, length, &found)) return line;
    line = found;
    path += length + (path[length] == '/');
  }
  return line;
}
