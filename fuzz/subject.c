// SPDX-License-Identifier: Apache-2.0
#include "subject.h"

#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "report/inspect_json.h"
#include "report/inspect_report.h"

static unsigned char *library;
static size_t library_size;

// It lies beside the program where that was moved with it, as build scripts for fuzzing do.
static FILE *open_library(void)
{
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  while (length > 0 && path[length - 1] != '/') --length;
  FUZZ_CHECK(length > 0);
  strcpy(path + length, "lib/libfuzz_subject.so");
  FILE *file = fopen(path, "rb");
  return file != NULL ? file : fopen(FUZZ_LIBRARY, "rb");
}

static void read_library(void)
{
  FILE *file = open_library();
  FUZZ_CHECK(file != NULL);
  library = malloc(1 << 20);
  FUZZ_CHECK(library != NULL);
  library_size = fread(library, 1, 1 << 20, file);
  FUZZ_CHECK(library_size != 0 && library_size < 1 << 20);
  fclose(file);
}

InspectSubject *fuzz_subject(void)
{
  InspectProblem problem = {0};
  if (library == NULL) read_library();
  InspectSubject *subject =
      inspect_subject_read("fuzz.so", library, library_size, true, NULL, &problem);
  FUZZ_CHECK(subject != NULL);
  return subject;
}

void fuzz_subject_tell(const InspectSubject *subject)
{
  char *text = NULL;
  size_t size = 0;
  TextStyle style = {.columns = 100, .verbosity = 1};
  InspectJson json;
  FILE *out = open_memstream(&text, &size);
  FUZZ_CHECK(out != NULL);
  inspect_text_file(out, &style, subject);
  fclose(out);
  fuzz_is_text(text, size);
  free(text);
  inspect_json_begin(&json);
  inspect_json_file(&json, subject);
  FUZZ_CHECK(!json.build.failed);
  inspect_json_end(&json);
}
