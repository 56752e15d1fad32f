// SPDX-License-Identifier: Apache-2.0
// What reads untrusted bytes, when memory runs out: test_memory KIND FOLDER. Each file in the
// folder is read as often as it asks for memory, and each time another request is refused: only
// that one, or all from there on. The reader either succeeds or fails with words, and keeps no
// memory.
#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inspect/archive.h"
#include "inspect/inspect.h"
#include "inspect/inspect_policy.h"
#include "inspect/inspect_subject.h"
#include "judge/waivers.h"
#include "plan/signature_file.h"
#include "plan/signature_metadata.h"
#include "report/inspect_baseline.h"
#include "report/inspect_json.h"
#include "report/report_diff.h"

// --- In place of the allocator -------------------------------------------------------------------
// For this program's own code. Libraries have theirs: jansson and libarchive end the process, or
// worse, when memory is refused to them.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *block);

enum { BLOCKS_MAX = 1 << 14 };

static struct {
  unsigned long asked, refuse;  // 0: nothing is refused
  bool for_good;                // all requests from that one on
  void *blocks[BLOCKS_MAX];     // that were given out and not yet given back
  size_t held;
} gate;

static bool refused(void)
{
  ++gate.asked;
  bool hit = gate.refuse && (gate.for_good ? gate.asked >= gate.refuse : gate.asked == gate.refuse);
  if (hit) errno = ENOMEM;
  return hit;
}

static void *note(void *block)
{
  if (gate.held == BLOCKS_MAX) abort();
  if (block) gate.blocks[gate.held++] = block;
  return block;
}

// Of a library's block nothing is known.
static void forget(const void *block)
{
  for (size_t i = gate.held; i-- > 0;)
    if (gate.blocks[i] == block) {
      gate.blocks[i] = gate.blocks[--gate.held];
      return;
    }
}

void *malloc(size_t size)
{
  return refused() ? NULL : note(__libc_malloc(size));
}

void *calloc(size_t nmemb, size_t size)
{
  return refused() ? NULL : note(__libc_calloc(nmemb, size));
}

void *realloc(void *ptr, size_t size)
{
  if (refused()) return NULL;
  forget(ptr);
  return note(__libc_realloc(ptr, size));
}

void free(void *ptr)
{
  forget(ptr);
  __libc_free(ptr);
}

// --- Readers -------------------------------------------------------------------------------------
// Each returns whether it succeeded; a failure has left words in `error`.

static char error[1024];

typedef bool Reader(const unsigned char *bytes, size_t size, const char *path);

static bool read_subject(unsigned char *bytes, size_t size, bool whole)
{
  InspectProblem problem = {.text = ""};
  InspectSubject *subject = inspect_subject_read("a.so", bytes, size, whole, NULL, &problem);
  if (!subject) snprintf(error, sizeof error, "%s%s", problem.text, problem.no_memory ? "!" : "");
  inspect_subject_free(subject);
  return subject != NULL;
}

static bool on_member(void *context, const ArchiveMember *member)
{
  (void)context;
  (void)member;
  return true;
}

static void on_problem(void *context, const char *path, const char *text)
{
  (void)context;
  (void)path;
  snprintf(error, sizeof error, "%s", text);
}

static bool read_inspect(const unsigned char *bytes, size_t size, const char *path)
{
  static const ArchiveVisitor visitor = {.member = on_member, .problem = on_problem};
  static const ArchiveLimits limits = {.member_bytes = 1 << 20,
                                       .total_bytes = 4 << 20,
                                       .ratio = 1000,
                                       .ratio_from = 1 << 20,
                                       .directory_bytes = 1 << 20,
                                       .libraries = 16,
                                       .problems = 4,
                                       .depth = 3};
  if (archive_kind(bytes, size) != ARCHIVE_KIND_NONE)
    return archive_visit("a.zip", bytes, size, &limits, &visitor);
  InspectReport *report = inspect_file(path);
  bool good = report && report->status == INSPECT_OK;
  if (!good) snprintf(error, sizeof error, "%s", report ? report->message : "none");
  inspect_free(report);
  unsigned char *own = __libc_malloc(size + 1);
  memcpy(own, bytes, size);
  good = read_subject(own, size, true) && good;
  __libc_free(own);
  return good;
}

static bool read_policy(const unsigned char *bytes, size_t size, const char *path)
{
  (void)bytes;
  (void)size;
  InspectPolicy *policy = inspect_policy_read(path, error, sizeof error);
  inspect_policy_free(policy);
  return policy != NULL;
}

static bool read_baseline(const unsigned char *bytes, size_t size, const char *path)
{
  (void)bytes;
  (void)size;
  InspectBaseline *baseline = inspect_baseline_read(path, error, sizeof error);
  inspect_baseline_free(baseline);
  return baseline != NULL;
}

static bool read_signatures(const unsigned char *bytes, size_t size, const char *path)
{
  static Kernel kernels[2];
  (void)bytes;
  (void)size;
  memset(kernels, 0, sizeof kernels);
  strcpy(kernels[0].name, "add");
  strcpy(kernels[1].name, "scale");
  KernelList list = {.items = kernels, .count = 2};
  const bool good = signature_file_read(path, &list, error, sizeof error);
  for (size_t i = 0; list.signatures && i < list.count; ++i) free(list.signatures[i]);
  free(list.signatures);
  return good;
}

static bool read_metadata(const unsigned char *bytes, size_t size, const char *path)
{
  static Kernel kernel;
  (void)path;
  kernel = (Kernel){.name = "add"};
  bool good = signature_metadata_read((const char *)bytes, size, &kernel, error, sizeof error);
  if (!good && !error[0]) strcpy(error, "no metadata");
  return good;
}

static bool read_waivers(const unsigned char *bytes, size_t size, const char *path)
{
  (void)bytes;
  (void)size;
  WaiverSet *set = waivers_read(path, "2026-11-21", error, sizeof error);
  waivers_free(set);
  return set != NULL;
}

// The first of the reports in the file, held against itself.
static bool read_report(const unsigned char *bytes, size_t size, const char *path)
{
  const unsigned char *end = memmem(bytes, size, "\n#\n", 3);
  ReportDiff diff = {.changes = NULL};
  (void)path;
  ReadReport *report = report_read_text("r.json", (const char *)bytes,
                                        end ? (size_t)(end - bytes) : size, error, sizeof error);
  bool good = report && report_diff(report, report, &diff);
  if (report && !good) strcpy(error, "out of memory");
  report_diff_free(&diff);
  report_read_free(report);
  return good;
}

static const struct {
  const char *name;
  Reader *read;
} kinds[] = {{"inspect", read_inspect},   {"policy", read_policy},
             {"baseline", read_baseline}, {"signatures", read_signatures},
             {"metadata", read_metadata}, {"waivers", read_waivers},
             {"report", read_report}};

// --- Refusing one request after the other --------------------------------------------------------

static unsigned failures;
static bool warming;  // what libraries keep for good they ask for now

static void complain(const char *path, const char *what)
{
  unsigned long refuse = gate.refuse;
  gate.refuse = 0;
  ++failures;
  printf("%s: request %lu%s refused: %s\n", path, refuse, gate.for_good ? " and all after" : "",
         what);
}

// One turn; how many requests there were.
static unsigned long turn(Reader *read, const char *path, const unsigned char *bytes, size_t size)
{
  size_t held = gate.held;
  error[0] = '\0';
  gate.asked = 0;
  bool good = read(bytes, size, path);
  unsigned long asked = gate.asked;
  if (gate.held != held && !warming) complain(path, "memory was kept");
  if (!good && !error[0]) complain(path, "it failed without a word");
  gate.refuse = 0;
  return asked;
}

static void try_file(Reader *read, const char *path)
{
  enum { TURNS_MAX = 250 };
  FILE *file = fopen(path, "re");
  unsigned char *bytes = __libc_malloc(1 << 20);
  size_t size = file && bytes ? fread(bytes, 1, 1 << 20, file) : 0;
  if (!file || fclose(file) != 0) complain(path, "it can't be read");
  warming = true;
  turn(read, path, bytes, size);
  warming = false;
  unsigned long all = turn(read, path, bytes, size), step = all / TURNS_MAX + 1;
  for (int for_good = 0; for_good < 2; ++for_good)
    for (unsigned long refuse = 1; refuse <= all; refuse += step) {
      gate.refuse = refuse;
      gate.for_good = for_good;
      turn(read, path, bytes, size);
    }
  __libc_free(bytes);
}

int main(int count, char **arguments)
{
  size_t kind = 0, files = 0;
  while (count == 3 && kind < sizeof kinds / sizeof *kinds &&
         strcmp(kinds[kind].name, arguments[1]) != 0)
    ++kind;
  if (count != 3 || kind == sizeof kinds / sizeof *kinds) return 2;
  FTS *tree = fts_open((char *[]){arguments[2], NULL}, FTS_LOGICAL | FTS_NOCHDIR, NULL);
  for (FTSENT *entry; tree && (entry = fts_read(tree));) {
    if (entry->fts_info != FTS_F) continue;
    printf("%s\n", entry->fts_path);
    fflush(stdout);
    try_file(kinds[kind].read, entry->fts_path);
    ++files;
  }
  if (tree) fts_close(tree);
  printf("%zu files, %u failures\n", files, failures);
  return files == 0 || failures != 0;
}
