// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over files that are there already, without libFuzzer and with any compiler:
// replay_<name> FILE_OR_FOLDER... A folder stands for all the files below it. The first input is
// the empty one, as with libFuzzer.
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_target.h"

static unsigned replayed;

static void replay_nothing(void)
{
  uint8_t *none = malloc(1);
  if (none == NULL) exit(EXIT_FAILURE);
  LLVMFuzzerTestOneInput(none, 0);
  free(none);
}

static void replay(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  long size = ftell(file);
  rewind(file);
  // As large as the file, so that a sanitizer or valgrind sees what is read behind its end.
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  if (size < 0 || data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  fclose(file);
  // Where the target crashes, this is the last line.
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
  ++replayed;
}

int main(int count, char **arguments)
{
  if (count < 2) {
    fprintf(stderr, "usage: %s FILE_OR_FOLDER...\n", arguments[0]);
    return 2;
  }
  FTS *tree = fts_open(arguments + 1, FTS_LOGICAL | FTS_NOCHDIR, NULL);
  if (tree == NULL) {
    perror("replay");
    return EXIT_FAILURE;
  }
  replay_nothing();
  for (FTSENT *entry = fts_read(tree); entry != NULL; entry = fts_read(tree)) {
    if (entry->fts_info == FTS_F) replay(entry->fts_path);
    if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR) {
      fprintf(stderr, "replay: cannot read %s\n", entry->fts_path);
      return EXIT_FAILURE;
    }
  }
  fts_close(tree);
  if (replayed == 0) {
    fprintf(stderr, "nothing was replayed: the folders hold no file\n");
    return EXIT_FAILURE;
  }
  printf("%u files\n", replayed);
  return EXIT_SUCCESS;
}
