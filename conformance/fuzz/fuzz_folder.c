// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_folder.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clause.h"
#include "fuzz/fuzz_cause.h"
#include "fuzz/fuzz_payload.h"

enum { PATH_SIZE = 4300 };

void fuzz_folder_name(const FuzzSurface *surface, const FuzzFinding *finding, unsigned number,
                      char name[FUZZ_NAME_MAX])
{
  bool alone = !finding->before || finding->aspect != surface->stateful;
  int used = snprintf(name, FUZZ_NAME_MAX, "%s%s%s%s", finding->before ? "stateful-" : "",
                      fuzz_class_name(finding->class), alone ? "-" : "",
                      alone ? surface->aspects[finding->aspect].name : "");
  if (number > 1 && used > 0 && used < FUZZ_NAME_MAX)
    snprintf(name + used, (size_t)(FUZZ_NAME_MAX - used), "-%u", number);
}

// The folder that this path is in.
static void cut_last(char *path)
{
  size_t size = strlen(path);
  while (size > 1 && path[size - 1] == '/') --size;
  while (size && path[size - 1] != '/') --size;
  while (size > 1 && path[size - 1] == '/') --size;
  path[size] = '\0';
  if (size == 0) strcpy(path, ".");
}

bool fuzz_folder_usable(const char *directory, char *error, size_t error_size)
{
  struct stat there;
  char place[PATH_SIZE];
  snprintf(place, sizeof place, "%s", directory);
  // The first folder on the way that is there decides.
  while (stat(place, &there) != 0 && errno == ENOENT && strcmp(place, ".") != 0) cut_last(place);
  int reason = stat(place, &there) != 0          ? errno
               : !S_ISDIR(there.st_mode)         ? ENOTDIR
               : access(place, W_OK | X_OK) == 0 ? 0
                                                 : errno;
  if (reason)
    snprintf(error, error_size, "cannot write findings to %s: %s: %s", directory, place,
             strerror(reason));
  return reason == 0;
}

static const char *phase_name(const FuzzSurface *surface, const FuzzFinding *finding)
{
  return finding->phase < surface->phase_count ? surface->phases[finding->phase] : "";
}

static bool write_bytes(const char *path, const void *bytes, size_t size)
{
  FILE *out = fopen(path, "wbe");
  bool good = out && fwrite(bytes, 1, size, out) == size;
  if (out) good &= fclose(out) == 0;
  return good;
}

static bool write_json(const char *path, const FuzzSurface *surface, const FuzzFinding *finding,
                       const InspectReport *library)
{
  const FuzzAspect *aspect = &surface->aspects[finding->aspect];
  const Clause *clause = clause_get(fuzz_cause_clause(surface, finding));
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:i, s:s, s:s}", "surface",
                surface->name, "class", fuzz_class_name(finding->class), "aspect", aspect->name,
                "clause", clause ? clause->id : "", "doing", phase_name(surface, finding), "where",
                finding->where, "seen", finding->seen, "confirmed", !finding->unconfirmed, "bytes",
                (int)finding->size, "before", (int)fuzz_finding_before(finding), "library_sha256",
                library->sha256, "library_build_id", library->build_id);
  bool good = object && json_dump_file(object, path, JSON_INDENT(2)) == 0;
  json_decref(object);
  return good;
}

static void write_text(FILE *out, const FuzzSurface *surface, const FuzzFinding *finding,
                       const InspectReport *library)
{
  const FuzzAspect *aspect = &surface->aspects[finding->aspect];
  const Clause *clause = clause_get(fuzz_cause_clause(surface, finding));
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  fprintf(out, "# %s: %s\n\n%c%s: %s. ", fuzz_class_name(finding->class), aspect->what,
          fuzz_class_sentence(finding->class)[0] - 'a' + 'A',
          fuzz_class_sentence(finding->class) + 1, finding->seen);
  surface->describe(&input, finding->aspect, out);
  if (finding->class == FUZZ_CRASH || finding->class == FUZZ_HANG)
    fprintf(out, " It was seen while %s%s%s%s.", phase_name(surface, finding),
            finding->where[0] ? ", in `" : "", finding->where, finding->where[0] ? "`" : "");
  if (finding->before)
    fprintf(out,
            " It shows only behind %zu other input%s in the same process (`before.bin`: 32 bits of "
            "size, and the input).",
            fuzz_finding_before(finding), fuzz_finding_before(finding) == 1 ? "" : "s");
  if (finding->unconfirmed)
    fprintf(out, " It was seen once: there was no time to see it again (`--replay` does).");
  fprintf(out, "\n\n");
  if (clause)
    fprintf(out, "%s · %s (%s): %s\n\n", clause->id, clause->title,
            clause_level_name(clause->level), clause->text);
  fprintf(out, "Library: build id `%s`, SHA-256 `%s`. The input has %zu bytes (`input.bin`).\n",
          library->build_id[0] ? library->build_id : "none", library->sha256, finding->size);
  fprintf(out, "`tvmffi-conform fuzz --program DIR` prints the C program that reproduces it.\n");
}

static void write_examples(FILE *out, const FuzzSurface *surface, const FuzzFinding *finding)
{
  if (finding->example_count == 0) return;
  fprintf(out, "\nThe same shows in inputs of other kinds (`examples`, as they were met):\n\n");
  for (unsigned i = 0; i < finding->example_count; ++i)
    fprintf(out, "- %s\n", surface->aspects[finding->examples[i].aspect].what);
}

// Makes a folder, and those that it is in.
static bool make_folder(const char *path, char *error, size_t error_size)
{
  char above[PATH_SIZE];
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  snprintf(above, sizeof above, "%s", path);
  cut_last(above);
  if (errno == ENOENT && strcmp(above, ".") != 0 && strcmp(above, path) != 0) {
    if (!make_folder(above, error, error_size)) return false;
    if (mkdir(path, 0777) == 0) return true;
  }
  snprintf(error, error_size, "cannot create directory %s: %s", path, strerror(errno));
  return false;
}

void fuzz_folder_program(const FuzzSurface *surface, const FuzzFinding *finding, FILE *out)
{
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  FuzzReport report = {finding->class, finding->aspect, finding->before, finding->before_size};
  surface->program(surface, &input, &report, out);
}

static bool write_program(const char *path, const FuzzSurface *surface, const FuzzFinding *finding)
{
  FILE *out = fopen(path, "we");
  if (!out) return false;
  fuzz_folder_program(surface, finding, out);
  bool good = !ferror(out);
  return fclose(out) == 0 && good;
}

static bool write_page(const char *path, const FuzzSurface *surface, const FuzzFinding *finding,
                       const InspectReport *library)
{
  FILE *out = fopen(path, "we");
  if (!out) return false;
  write_text(out, surface, finding, library);
  write_examples(out, surface, finding);
  bool good = !ferror(out);
  return fclose(out) == 0 && good;
}

static bool write_example(const char *folder, const FuzzSurface *surface,
                          const FuzzExample *example, char *error, size_t error_size)
{
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%.4100s/examples", folder);
  if (!make_folder(path, error, error_size)) return false;
  snprintf(path, sizeof path, "%.4100s/examples/%s.bin", folder,
           surface->aspects[example->aspect].name);
  if (write_bytes(path, example->bytes, example->size)) return true;
  snprintf(error, error_size, "cannot write %s: %s", path, strerror(errno));
  return false;
}

bool fuzz_folder_write(const FuzzShelf *shelf, const FuzzSurface *surface,
                       const FuzzFinding *finding, const char *name, char *error, size_t error_size)
{
  char folder[PATH_SIZE - 64], path[PATH_SIZE];
  FuzzInput input = {finding->bytes, finding->size, FUZZ_INPUT_MAX};
  snprintf(folder, sizeof folder, "%s/%s", shelf->directory, name);
  if (!make_folder(shelf->directory, error, error_size) || !make_folder(folder, error, error_size))
    return false;
  snprintf(path, sizeof path, "%s/input.bin", folder);
  if (!write_bytes(path, finding->bytes, finding->size)) goto failed;
  snprintf(path, sizeof path, "%s/before.bin", folder);
  if (finding->before && !write_bytes(path, finding->before, finding->before_size)) goto failed;
  for (unsigned i = 0; i < finding->example_count; ++i)
    if (!write_example(folder, surface, &finding->examples[i], error, error_size)) return false;
  snprintf(path, sizeof path, "%s/finding.json", folder);
  if (!write_json(path, surface, finding, shelf->library)) goto failed;
  snprintf(path, sizeof path, "%s/finding.md", folder);
  if (!write_page(path, surface, finding, shelf->library)) goto failed;
  snprintf(path, sizeof path, "%s/payload.so", folder);
  if (surface->in_library && !fuzz_payload_write(shelf->libraries, &input, path, error, error_size))
    return false;
  snprintf(path, sizeof path, "%s/repro.c", folder);
  if (write_program(path, surface, finding)) return true;
failed:
  snprintf(error, error_size, "cannot write %s: %s", path, strerror(errno));
  return false;
}
