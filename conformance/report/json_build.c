// SPDX-License-Identifier: Apache-2.0
#include "report/json_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/save.h"
#include "report/clean.h"

void json_put(JsonBuild *build, json_t *object, const char *key, json_t *value)
{
  if (json_object_set_new(object, key, value) != 0) build->failed = true;
}

void json_add(JsonBuild *build, json_t *array, json_t *item)
{
  if (json_array_append_new(array, item) != 0) build->failed = true;
}

json_t *json_unsigned(uint64_t value)
{
  return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *json_clean(const char *text, size_t size, bool lines)
{
  char *clean = clean_text(text, size, lines ? CLEAN_LINES : 0);
  json_t *string = clean ? json_string(clean) : NULL;
  free(clean);
  return string;
}

json_t *json_clean_string(const char *text)
{
  return json_clean(text ? text : "", text ? strlen(text) : 0, false);
}

json_t *json_clean_or_null(const char *text)
{
  return text && text[0] ? json_clean_string(text) : json_null();
}

json_t *json_digest(uint64_t digest)
{
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, digest);
  return json_string(text);
}

json_t *json_suite(JsonBuild *build)
{
  json_t *object = json_object();
  json_put(build, object, "name", json_string("tvmffi-conform"));
  json_put(build, object, "version", json_string(TVMFFI_CONFORM_VERSION));
  return object;
}

int json_save(json_t *root, bool failed, const char *what, const char *path, char *error,
              size_t error_size)
{
  char *text = failed ? NULL : json_dumps(root, JSON_INDENT(2));
  json_decref(root);
  if (!text) {
    snprintf(error, error_size, "cannot write %s: %s: out of memory", what, path);
    return -1;
  }
  size_t size = strlen(text);
  text[size] = '\n';  // instead of the NUL
  int status = save_file(path, what, text, size + 1, error, error_size);
  free(text);
  return status;
}
