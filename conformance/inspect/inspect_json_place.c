// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_json_place.h"

#include <stdio.h>
#include <string.h>

void inspect_json_place_enter(InspectJsonPlace *place, const char *key)
{
  if (place->depth < INSPECT_JSON_DEPTH) place->steps[place->depth].key = key;
  ++place->depth;
}

void inspect_json_place_enter_item(InspectJsonPlace *place, size_t index)
{
  if (place->depth < INSPECT_JSON_DEPTH) {
    place->steps[place->depth].key = NULL;
    place->steps[place->depth].index = index;
  }
  ++place->depth;
}

void inspect_json_place_leave(InspectJsonPlace *place)
{
  --place->depth;
}

static size_t known_depth(const InspectJsonPlace *place)
{
  return place->depth < INSPECT_JSON_DEPTH ? place->depth : INSPECT_JSON_DEPTH;
}

void inspect_json_place_text(const InspectJsonPlace *place, char *out, size_t capacity)
{
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < known_depth(place) && used < capacity; ++i) {
    if (place->steps[i].key) {
      used +=
          (size_t)snprintf(out + used, capacity - used, "%s%s", i ? "." : "", place->steps[i].key);
    } else {
      used += (size_t)snprintf(out + used, capacity - used, "[%zu]", place->steps[i].index);
    }
  }
  for (; *out; ++out) {
    if ((unsigned char)*out < ' ' || (unsigned char)*out > '~') *out = '?';
  }
}

// How far a walk through the text has come.
typedef struct Walk {
  const char *at, *end;
  unsigned line;
  size_t depth;                          // brackets that are open
  size_t matched;                        // steps of the place that lead here
  size_t items[INSPECT_JSON_DEPTH + 1];  // commas seen at each depth
} Walk;

// Steps over a string; returns what is between its quotes.
static void skip_string(Walk *walk, const char **begin, size_t *size)
{
  *begin = ++walk->at;
  while (walk->at < walk->end && *walk->at != '"') walk->at += *walk->at == '\\' ? 2 : 1;
  if (walk->at > walk->end) walk->at = walk->end;
  *size = (size_t)(walk->at - *begin);
  if (walk->at < walk->end) ++walk->at;
}

static bool is_key(const Walk *walk)
{
  const char *next = walk->at;
  while (next < walk->end && strchr(" \t\r\n", *next)) ++next;
  return next < walk->end && *next == ':';
}

// Whether the next step of the place is taken here: `key` of an object, or NULL for an item.
static bool takes_step(const InspectJsonPlace *place, Walk *walk, const char *key, size_t size)
{
  if (walk->depth != walk->matched + 1 || walk->matched >= known_depth(place)) return false;
  const char *wanted = place->steps[walk->matched].key;
  if ((wanted != NULL) != (key != NULL)) return false;
  bool taken = wanted ? strlen(wanted) == size && memcmp(wanted, key, size) == 0
                      : place->steps[walk->matched].index == walk->items[walk->depth];
  walk->matched += taken;
  return taken;
}

static bool starts_value(const Walk *walk)
{
  return !strchr(" \t\r\n,:]}", *walk->at);
}

unsigned inspect_json_place_line(const InspectJsonPlace *place, const char *text, size_t size)
{
  Walk walk = {.at = text, .end = text + size, .line = 1};
  unsigned best = 1;
  while (walk.at < walk.end && walk.matched < known_depth(place)) {
    char c = *walk.at;
    if (starts_value(&walk) && takes_step(place, &walk, NULL, 0)) best = walk.line;
    if (c == '"') {
      const char *begin;
      size_t length;
      skip_string(&walk, &begin, &length);
      if (is_key(&walk) && takes_step(place, &walk, begin, length)) best = walk.line;
      continue;
    }
    if (c == '\n') ++walk.line;
    if (c == '{' || c == '[') {
      ++walk.depth;
      if (walk.depth <= INSPECT_JSON_DEPTH) walk.items[walk.depth] = 0;
    }
    if (c == ',' && walk.depth <= INSPECT_JSON_DEPTH) ++walk.items[walk.depth];
    if (c == '}' || c == ']') {
      if (--walk.depth == 0) break;
      if (walk.depth < walk.matched) break;  // what was looked for is not in here
    }
    ++walk.at;
  }
  return best;
}
