// SPDX-License-Identifier: Apache-2.0
// tvmffi-extract-clauses OUT.h OUT.c CHAPTER.md...
//
// Turns the chapters of the specification into a C enumeration and table, in the order given.
// Nothing is written unless every chapter is valid. An output that would not change is not written,
// so that nothing is rebuilt. Exit status: 0 success, 1 an invalid chapter, 2 a usage error or a
// file that cannot be read or written.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clause_parser.h"
#include "table_writer.h"

enum { EXIT_WRONG_CHAPTER = 1, EXIT_NO_FILE = 2 };

typedef struct Bytes {
  char *data;  // own
  size_t size;
} Bytes;

static void complain(const char *failure, const char *file)
{
  fprintf(stderr, "tvmffi-extract-clauses: %s: %s: %s\n", failure, file, strerror(errno));
}

// Reads at most `limit` bytes of a file; ignores the rest.
static bool read_file(const char *file, size_t limit, Bytes *out)
{
  FILE *stream = fopen(file, "rb");
  *out = (Bytes){malloc(limit), 0};
  if (stream && out->data) out->size = fread(out->data, 1, limit, stream);
  bool good = stream && out->data && !ferror(stream);
  if (!good) free(out->data);
  if (stream) fclose(stream);
  return good;
}

static int parse_file(const char *file, ParsedChapter *chapter)
{
  Bytes bytes;
  ParseError error;
  if (!read_file(file, CHAPTER_BYTES_MAX + 1, &bytes)) {
    complain("cannot read", file);
    return EXIT_NO_FILE;
  }
  bool good = clause_parse_chapter(file, bytes.data, bytes.size, chapter, &error);
  free(bytes.data);
  if (good) return EXIT_SUCCESS;
  fprintf(stderr, "%s\n", error.message);
  return EXIT_WRONG_CHAPTER;
}

// Ids begin with letters of their chapter's name, so only chapters with a common beginning can
// share one.
static bool ids_are_unique(char **files, const ParsedChapter *chapters, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const ParsedClause *one = &chapters[i].clauses[0], *other = &chapters[j].clauses[0];
      size_t prefix = strcspn(one->id, "-") + 1;
      if (strncmp(one->id, other->id, prefix) != 0) continue;
      fprintf(stderr, "%s:%d: the prefix of %s is already used by %s; expected a unique prefix\n",
              files[i], one->line, one->id, files[j]);
      return false;
    }
  }
  return true;
}

static bool holds(const char *file, Bytes wanted)
{
  Bytes there;
  if (!read_file(file, wanted.size + 1, &there)) return false;
  bool same = there.size == wanted.size && memcmp(there.data, wanted.data, wanted.size) == 0;
  free(there.data);
  return same;
}

static bool write_file(const char *file, Bytes bytes)
{
  if (holds(file, bytes)) return true;
  FILE *stream = fopen(file, "wb");
  bool good = stream && fwrite(bytes.data, 1, bytes.size, stream) == bytes.size;
  if (stream && fclose(stream) != 0) good = false;
  if (!good) complain("cannot write", file);
  return good;
}

typedef void TableWriter(FILE *out, const ParsedChapter *chapters, size_t count);

static bool write_table(const char *file, TableWriter *writer, const ParsedChapter *chapters,
                        size_t count)
{
  Bytes bytes = {0};
  FILE *memory = open_memstream(&bytes.data, &bytes.size);
  if (memory) writer(memory, chapters, count);
  bool good = memory && fclose(memory) == 0;
  if (!good) complain("cannot build", file);
  good = good && write_file(file, bytes);
  free(bytes.data);
  return good;
}

static int extract(const char *header, const char *source, char **files, ParsedChapter *chapters,
                   size_t count)
{
  int status = EXIT_SUCCESS;
  for (size_t i = 0; i < count; ++i) {
    int one = parse_file(files[i], &chapters[i]);
    if (one > status) status = one;
  }
  if (status != EXIT_SUCCESS) return status;
  if (!ids_are_unique(files, chapters, count)) return EXIT_WRONG_CHAPTER;
  bool written = write_table(header, table_write_header, chapters, count) &&
                 write_table(source, table_write_source, chapters, count);
  return written ? EXIT_SUCCESS : EXIT_NO_FILE;
}

int main(int argc, char **argv)
{
  if (argc < 4) {
    fprintf(stderr, "usage: tvmffi-extract-clauses OUT.h OUT.c CHAPTER.md...\n");
    return EXIT_NO_FILE;
  }
  size_t count = (size_t)(argc - 3);
  ParsedChapter *chapters = calloc(count, sizeof *chapters);
  if (!chapters) {
    complain("cannot read", argv[3]);
    return EXIT_NO_FILE;
  }
  int status = extract(argv[1], argv[2], argv + 3, chapters, count);
  for (size_t i = 0; i < count; ++i) parsed_chapter_free(&chapters[i]);
  free(chapters);
  return status;
}
