// SPDX-License-Identifier: Apache-2.0
// Everything that inspect does with a file's bytes: shared libraries as a run looks at them, and
// every member of an archive.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "inspect/archive.h"
#include "inspect/inspect.h"

// Bytes as a file that has a path.
static void inspect_bytes(const unsigned char *bytes, size_t size)
{
  int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0) abort();
  if (write(file, bytes, size) != (ssize_t)size) abort();
  char path[32];
  fuzz_path(file, path);
  InspectReport *report = inspect_file(path);
  if (report == NULL) abort();
  fuzz_is_line(report->message);
  if (report->symbol_count != 0)
    inspect_symbol_at(report, report->symbols[report->symbol_count / 2].address);
  inspect_free(report);
  unsigned char description[64];
  size_t found = 0;
  inspect_symbol_bytes(path, "__tvm_ffi__library_bin", description, sizeof description, &found);
  close(file);
}

static bool on_member(void *context, const ArchiveMember *member)
{
  (void)context;
  fuzz_is_line(member->path);
  inspect_bytes(member->bytes, member->size);
  return true;
}

static void on_problem(void *context, const char *path, const char *text)
{
  (void)context;
  fuzz_is_line(path);
  fuzz_is_line(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const ArchiveLimits limits = {.member_bytes = 1 << 20,
                                       .total_bytes = 4 << 20,
                                       .ratio = 1000,
                                       .ratio_from = 1 << 20,
                                       .directory_bytes = 1 << 20,
                                       .libraries = 16,
                                       .problems = 4,
                                       .depth = 3};
  const ArchiveVisitor visitor = {NULL, on_member, on_problem};
  if (archive_kind(data, size) != ARCHIVE_KIND_NONE)
    archive_visit("fuzz", data, size, &limits, &visitor);
  else
    inspect_bytes(data, size);
  return 0;
}
