// SPDX-License-Identifier: Apache-2.0
// `vectors`: the vectors of the specification as files, for suites in other languages.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/vectors.h"
#include "judge/save.h"

// What stands under the name of a file already.
typedef enum VectorsState { VECTORS_ABSENT, VECTORS_SAME, VECTORS_OTHER } VectorsState;

static size_t size_of(const VectorsFile *file)
{
  return (size_t)(file->last - file->data);
}

static VectorsState compare(const char *path, const VectorsFile *file)
{
  struct stat existing;
  if (lstat(path, &existing) != 0) return errno == ENOENT ? VECTORS_ABSENT : VECTORS_OTHER;
  if (!S_ISREG(existing.st_mode) || (size_t)existing.st_size != size_of(file)) return VECTORS_OTHER;
  FILE *stream = fopen(path, "re");
  char *data = malloc(size_of(file));
  bool same = stream && data && fread(data, 1, size_of(file), stream) == size_of(file) &&
              memcmp(data, file->data, size_of(file)) == 0;
  free(data);
  if (stream) fclose(stream);
  return same ? VECTORS_SAME : VECTORS_OTHER;
}

// The path of a file in the folder, or NULL with a message if it is too long.
static const char *path_of(const char *folder, const VectorsFile *file, char path[4096])
{
  if (snprintf(path, 4096, "%s/%s", folder, file->name) < 4096) return path;
  complain("cannot write the vectors to %.40s...: path too long", folder);
  return NULL;
}

// Looks before anything is written, so that either all files are written or none.
static bool nothing_in_the_way(const char *folder, bool force)
{
  char path[4096];
  bool free_way = true;
  for (size_t i = 0; i < vectors_file_count; ++i) {
    if (!path_of(folder, &vectors_files[i], path)) return false;
    if (force || compare(path, &vectors_files[i]) != VECTORS_OTHER) continue;
    complain("%s: exists with other content (--force replaces it)", path);
    free_way = false;
  }
  return free_way;
}

static bool make_folder(const char *folder)
{
  struct stat existing;
  if (stat(folder, &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) return true;
    complain("cannot write the vectors to %s: Not a directory", folder);
    return false;
  }
  if (mkdir(folder, 0777) == 0) return true;
  complain("cannot create directory %s: %s", folder, strerror(errno));
  return false;
}

static bool write_file(const char *folder, const VectorsFile *file)
{
  char path[4096], error[4400];
  if (!path_of(folder, file, path)) return false;
  bool same = compare(path, file) == VECTORS_SAME;
  if (!same && save_file(path, "the file", file->data, size_of(file), error, sizeof error) != 0) {
    complain("%s", error);
    return false;
  }
  printf("%s  %zu bytes%s\n", path, size_of(file), same ? ", unchanged" : "");
  return true;
}

int verb_vectors(const Options *options)
{
  const char *folder = options->operand_count ? options->operands[0] : "vectors";
  if (!make_folder(folder) || !nothing_in_the_way(folder, options->force)) return EXIT_USAGE;
  for (size_t i = 0; i < vectors_file_count; ++i)
    if (!write_file(folder, &vectors_files[i])) return EXIT_USAGE;
  return complain_of_output("list");
}
