// SPDX-License-Identifier: Apache-2.0
// Environment variables that a runtime may read, as the recording has them.
#include <string.h>
#include <unistd.h>

#include "layer/recorder.h"
#include "layer/recorder_write.h"

enum { VARIABLES_MAX = 32, TEXT_MAX = 512 };

// As they were last: NAME=VALUE. One whose value is longer is not recorded, and those for which there is
// no room.
static struct {
  char text[TEXT_MAX];  // "": free
  bool is_set, is_seen;
} variables[VARIABLES_MAX];
static atomic_flag busy = ATOMIC_FLAG_INIT;

typedef struct Variable {
  const char *text;
  bool is_set;
} Variable;

static void put_variable(RecordSink *sink, const void *of)
{
  const Variable *variable = of;
  size_t length = strcspn(variable->text, "=");
  recorder_put_text(sink, &(const TVMFFIByteArray){variable->text, length});
  if (variable->is_set)
    recorder_put_c_string(sink, variable->text + length + 1);
  else
    recorder_put_none(sink);
}

static void emit(size_t place)
{
  recorder_emit((RecorderEvent){RECORD_VARIABLE, 0, 0}, put_variable,
                &(const Variable){variables[place].text, variables[place].is_set});
}

// The place of a variable, or a free one; VARIABLES_MAX: there is none.
static size_t find(const char *text)
{
  size_t length = strcspn(text, "=") + 1, place = 0;
  while (place < VARIABLES_MAX && variables[place].text[0] &&
         strncmp(variables[place].text, text, length) != 0)
    ++place;
  return place;
}

static void note(const char *text)
{
  size_t place = find(text), size = strlen(text) + 1;
  if (place == VARIABLES_MAX || size > TEXT_MAX || !strchr(text, '=')) return;
  variables[place].is_seen = true;
  if (variables[place].is_set && strcmp(variables[place].text, text) == 0) return;
  memcpy(variables[place].text, text, size);
  variables[place].is_set = true;
  emit(place);
}

void recorder_note_variables(void)
{
  static const char prefix[] = RECORD_VARIABLE_PREFIX;
  if (atomic_flag_test_and_set(&busy)) return;  // another thread does
  for (size_t i = 0; i < VARIABLES_MAX; ++i) variables[i].is_seen = false;
  for (size_t i = 0; environ && environ[i]; ++i)
    if (strncmp(environ[i], prefix, sizeof prefix - 1) == 0) note(environ[i]);
  for (size_t i = 0; i < VARIABLES_MAX; ++i) {
    if (!variables[i].is_set || variables[i].is_seen) continue;
    variables[i].is_set = false;
    emit(i);
  }
  atomic_flag_clear(&busy);
}
