// SPDX-License-Identifier: Apache-2.0
// Environment variables that a runtime may read: those whose names begin with RECORD_VARIABLE_PREFIX.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/replay_player.h"

enum { NAME_MAX_SIZE = 256, VALUE_MAX_SIZE = 4096 };

// The name that the text begins with, up to "=" or its end; false if recordings have no such variable.
static bool name_in(const char *text, size_t size, char name[NAME_MAX_SIZE])
{
  static const char prefix[] = RECORD_VARIABLE_PREFIX;
  size_t length = strcspn(text, "=");
  if (length > size) length = size;
  if (length >= NAME_MAX_SIZE || strncmp(text, prefix, sizeof prefix - 1) != 0) return false;
  memcpy(name, text, length);
  name[length] = '\0';
  return true;
}

void player_clear_variables(void)
{
  char name[NAME_MAX_SIZE];
  for (size_t i = 0; environ && environ[i];) {
    if (name_in(environ[i], strlen(environ[i]), name) && unsetenv(name) == 0)
      i = 0;
    else
      ++i;
  }
}

static bool copy(const RecordItem *item, char *out, size_t room)
{
  if (item->tag != RECORD_TEXT || item->text.size >= room) return false;
  memcpy(out, item->text.data, item->text.size);
  out[item->text.size] = '\0';
  return true;
}

static void set(const RecordEvent *event)
{
  char text[NAME_MAX_SIZE], name[NAME_MAX_SIZE], value[VALUE_MAX_SIZE];
  RecordItem key, content;
  uint32_t at = 0;
  if (!record_next(event, &at, &key) || !record_next(event, &at, &content) ||
      !copy(&key, text, sizeof text) || !name_in(text, strlen(text), name) ||
      strcmp(text, name) != 0)
    return;
  if (copy(&content, value, sizeof value))
    setenv(name, value, 1);
  else
    unsetenv(name);
}

void player_set_variables(Player *player, uint64_t serial)
{
  while (player->variables && player->variable_next < player->variable_count &&
         player->variables[player->variable_next]->serial <= serial)
    set(player->variables[player->variable_next++]);
}
