// SPDX-License-Identifier: Apache-2.0
// Everything that inspect does with a file's bytes: facts, findings and the reports on them, for a
// file and for every member of an archive; and what a run wants to know of a library.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "inspect/archive.h"
#include "inspect/inspect.h"
#include "inspect/inspect_subject.h"
#include "report/inspect_json.h"
#include "report/inspect_report.h"

// What `inspect` prints about it has to be text that no terminal obeys.
static void print_subject(const InspectSubject *subject)
{
  static const TextStyle style = {.columns = 80};
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL) abort();
  inspect_text_file(out, &style, subject);
  if (fclose(out) != 0) abort();
  fuzz_is_text(text, size);
  free(text);
}

static void write_subject(const InspectSubject *subject)
{
  InspectJson json;
  inspect_json_begin(&json);
  inspect_json_file(&json, subject);
  inspect_json_end(&json);
  InspectSarif sarif;
  inspect_sarif_begin(&sarif);
  inspect_sarif_file(&sarif, subject);
  inspect_sarif_end(&sarif);
}

// What the members of an archive are to one another.
static InspectSet *set;

static void inspect_all(const unsigned char *bytes, size_t size)
{
  unsigned char *own = malloc(size != 0 ? size : 1);
  if (own == NULL) abort();
  memcpy(own, bytes, size);
  InspectProblem problem = {0};
  InspectPlace place = {set, "fuzz", "fuzz"};
  InspectSubject *subject = inspect_subject_read("fuzz", own, size, true, &place, &problem);
  if (subject != NULL) {
    print_subject(subject);
    write_subject(subject);
  } else {
    fuzz_is_line(problem.text);
  }
  inspect_subject_free(subject);
  free(own);
}

// The same bytes as a file that has a path.
static void inspect_for_a_run(const unsigned char *bytes, size_t size)
{
  int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes, size) != (ssize_t)size) abort();
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
  inspect_all(member->bytes, member->size);
  return true;
}

static void on_problem(void *context, const char *path, const char *text)
{
  (void)context;
  fuzz_is_line(path);
  fuzz_is_line(text);
}

static bool gather_member(void *context, const ArchiveMember *member)
{
  (void)context;
  if (!inspect_set_add(set, "fuzz", member->path, member->bytes, member->size)) abort();
  return true;
}

static bool wants(void *context, const char *name)
{
  (void)context;
  return inspect_wheel_wants(name);
}

static void gather_document(void *context, const ArchiveMember *member)
{
  (void)context;
  InspectWheel *wheel = inspect_set_wheel(set, "fuzz");
  if (wheel == NULL) abort();
  inspect_wheel_read(wheel, member->path, member->bytes, member->size);
  fuzz_is_line(wheel->name);
  fuzz_is_line(wheel->tags);
  fuzz_is_line(wheel->requirement);
}

static void gather_problem(void *context, const char *path, const char *text)
{
  (void)context;
  (void)path;
  (void)text;
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
  const ArchiveVisitor visitor = {.member = on_member, .problem = on_problem};
  const ArchiveVisitor gatherer = {NULL, gather_member, gather_problem, wants, gather_document};
  set = inspect_set_new();
  if (set == NULL) abort();
  if (archive_kind(data, size) != ARCHIVE_KIND_NONE) {
    archive_visit("fuzz", data, size, &limits, &gatherer);
    archive_visit("fuzz", data, size, &limits, &visitor);
  } else {
    inspect_all(data, size);
    inspect_for_a_run(data, size);
  }
  inspect_set_free(set);
  return 0;
}
