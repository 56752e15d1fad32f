// SPDX-License-Identifier: Apache-2.0
// Policy files, and what they make of the findings of a file.
#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "inspect/inspect_policy.h"
#include "report/inspect_json.h"

// The file that policies are applied to.
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

static void apply(const InspectPolicy *policy)
{
  InspectProblem problem = {0};
  InspectJson json;
  InspectSubject *subject = inspect_subject_read("fuzz.so", library, library_size, true, &problem);
  FUZZ_CHECK(subject != NULL);
  FUZZ_CHECK(inspect_policy_apply(policy, subject));
  inspect_json_begin(&json);
  inspect_json_file(&json, subject);
  inspect_json_end(&json);
  inspect_subject_free(subject);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char error[512] = "";
  if (library == NULL) read_library();
  InspectPolicy *policy = inspect_policy_read(fuzz_file(data, size), error, sizeof error);
  if (policy != NULL) {
    apply(policy);
    inspect_policy_free(policy);
  } else {
    FUZZ_CHECK(error[0] != '\0');
    fuzz_is_line(error);
  }
  return 0;
}
