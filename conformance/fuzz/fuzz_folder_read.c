// SPDX-License-Identifier: Apache-2.0
// Findings that somebody hands in as a folder.
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz_folder.h"
#include "inspect/json_file.h"

enum { PATH_SIZE = 4300, FOLDERS_MAX = 4096, JSON_MAX = 65536 };

static unsigned aspect_find(const FuzzSurface *surface, const char *name)
{
  unsigned i = 0;
  while (i < surface->aspect_count && strcmp(surface->aspects[i].name, name) != 0) ++i;
  return i;
}

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static bool take_json(const json_t *object, FuzzKept *kept)
{
  FuzzFinding *finding = &kept->finding;
  kept->surface = fuzz_surface_find(text_of(object, "surface"));
  finding->class = fuzz_class_find(text_of(object, "class"));
  if (!kept->surface || finding->class == FUZZ_CLASSES) return false;
  finding->aspect = aspect_find(kept->surface, text_of(object, "aspect"));
  if (finding->aspect == kept->surface->aspect_count) return false;
  snprintf(finding->where, sizeof finding->where, "%s", text_of(object, "where"));
  snprintf(finding->seen, sizeof finding->seen, "%s", text_of(object, "seen"));
  return finding->size <= kept->surface->input_max;
}

// Whether these bytes are an input that the surface runs: what no caller can get wrong is right.
// (One that is damaged would be read past its end, and no library could help it.)
static bool is_input(const FuzzKept *kept, const uint8_t *from, size_t size)
{
  static uint8_t bytes[FUZZ_INPUT_MAX];
  FuzzInput input = {bytes, size, sizeof bytes};
  if (size > kept->surface->input_max) return false;
  memcpy(bytes, from, size);
  return kept->surface->repair(&input) && input.size == size && memcmp(bytes, from, size) == 0;
}

static bool are_inputs(const FuzzKept *kept, size_t expected)
{
  const uint8_t *bytes;
  size_t at = 0, size, count = 0;
  for (; fuzz_record_next(kept->finding.before, kept->finding.before_size, &at, &bytes, &size);
       ++count)
    if (!is_input(kept, bytes, size)) return false;
  return count == expected && at == kept->finding.before_size;
}

bool fuzz_kept_is_sound(const FuzzKept *kept)
{
  const FuzzFinding *finding = &kept->finding;
  return kept->surface && finding->class < FUZZ_CLASSES &&
         finding->aspect < kept->surface->aspect_count &&
         is_input(kept, finding->bytes, finding->size) &&
         (!finding->before || are_inputs(kept, fuzz_finding_before(finding)));
}

// The object in finding.json (own), or NULL with a reason.
static json_t *read_json(const char *path, char *error, size_t error_size)
{
  size_t size = 0;
  char *text = json_file_load(path, JSON_MAX, &size, error, error_size);
  json_t *value = text ? json_file_parse(path, text, size, NULL, error, error_size) : NULL;
  free(text);
  return value;
}

// Fills `kept` from a folder.
static bool read_one(const char *folder, const char *name, FuzzKept *kept, char *error,
                     size_t error_size)
{
  char path[PATH_SIZE];
  FuzzFinding *finding = &kept->finding;
  memset(kept, 0, sizeof *kept);
  snprintf(error, error_size, "out of memory");
  kept->name = strdup(name);
  snprintf(path, sizeof path, "%s/input.bin", folder);
  if (kept->name)
    finding->bytes =
        (uint8_t *)json_file_load(path, FUZZ_INPUT_MAX, &finding->size, error, error_size);
  if (!finding->bytes) return false;
  snprintf(path, sizeof path, "%s/finding.json", folder);
  json_t *object = read_json(path, error, error_size);
  bool good = object && take_json(object, kept);
  json_int_t before = object ? json_integer_value(json_object_get(object, "before")) : 0;
  if (object && !good) snprintf(error, error_size, "%s does not describe a finding", path);
  json_decref(object);
  if (!good) return false;
  if (!is_input(kept, finding->bytes, finding->size)) {
    snprintf(error, error_size, "%s/input.bin is damaged: it is not an input of the surface %s",
             folder, kept->surface->name);
    return false;
  }
  if (before == 0) return true;
  snprintf(path, sizeof path, "%s/before.bin", folder);
  finding->before =
      (uint8_t *)json_file_load(path, FUZZ_HISTORY_BYTES, &finding->before_size, error, error_size);
  if (!finding->before) return false;
  if (before > 0 && are_inputs(kept, (size_t)before)) return true;
  snprintf(error, error_size, "%s is damaged: it is not %lld inputs of the surface %s", path,
           (long long)before, kept->surface->name);
  return false;
}

// One that has lost a file is one, too, and is refused later.
static bool is_finding(const char *folder)
{
  char path[PATH_SIZE];
  struct stat status;
  snprintf(path, sizeof path, "%s/finding.json", folder);
  if (stat(path, &status) == 0) return true;
  snprintf(path, sizeof path, "%s/input.bin", folder);
  return stat(path, &status) == 0;
}

static int is_visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

void fuzz_kept_free(FuzzKept *kept, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    free(kept[i].name);
    fuzz_finding_clear(&kept[i].finding);
  }
  free(kept);
}

// Adds what is in an entry of the folder, if that is a finding. (A path that has no room here is
// longer than any that can be opened.)
static bool read_entry(const char *directory, const char *name, FuzzKept *all, size_t *count,
                       char *error, size_t error_size)
{
  char folder[PATH_SIZE - 64];
  int size = snprintf(folder, sizeof folder, "%s/%s", directory, name);
  if ((size_t)size >= sizeof folder || !is_finding(folder)) return true;
  if (*count < FOLDERS_MAX) return read_one(folder, name, &all[(*count)++], error, error_size);
  snprintf(error, error_size, "the folder %s holds more than %d findings", directory, FOLDERS_MAX);
  return false;
}

FuzzKept *fuzz_folder_read(const char *directory, size_t *count, char *error, size_t error_size)
{
  struct dirent **entries = NULL;
  int entry_count = scandir(directory, &entries, is_visible, alphasort);
  FuzzKept *all = calloc(FOLDERS_MAX, sizeof *all);
  bool good = entry_count >= 0 && all;
  *count = 0;
  if (!good)
    snprintf(error, error_size, "cannot read directory %s: %s", directory, strerror(errno));
  if (good && is_finding(directory))
    good = read_one(directory, directory, &all[(*count)++], error, error_size);
  for (int i = 0; i < entry_count; ++i) {
    good = good && read_entry(directory, entries[i]->d_name, all, count, error, error_size);
    free(entries[i]);
  }
  free(entries);
  if (good && *count == 0) snprintf(error, error_size, "%s: contains no findings", directory);
  if (good && *count) return all;
  if (all) fuzz_kept_free(all, *count);
  return NULL;
}
