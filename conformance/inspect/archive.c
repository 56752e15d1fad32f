// SPDX-License-Identifier: Apache-2.0
#include "inspect/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/archive_bytes.h"
#include "inspect/archive_directory.h"
#include "inspect/inspect_format.h"
#include "macho/macho.h"

#define MIB ((uint64_t)1 << 20)

const ArchiveLimits archive_limits = {
    .member_bytes = 1024 * MIB,
    .total_bytes = 16 * 1024 * MIB,
    .ratio = 200,
    .ratio_from = 64 * MIB,
    .directory_bytes = 6 * MIB,
    .libraries = 30000,
    .problems = 16,
    .depth = 3,
};

enum { NAME_CAPACITY = 1024, PATH_CAPACITY = 4096, TEXT_CAPACITY = 512 };

// What all the archives within one file share.
typedef struct Visit {
  const ArchiveLimits *limits;
  const ArchiveVisitor *visitor;
  uint64_t file_size;
  uint64_t unpacked;
  bool complete;  // no problem so far, and the visitor wants more
  bool ended;     // by the visitor, or because a limit for the whole file is reached
} Visit;

// One archive. Those within one another form a chain.
typedef struct Layer {
  Visit *visit;
  const char *path;
  struct archive *reader;  // own
  void *names;             // own; a tree of NameCount
  unsigned depth;
  unsigned libraries;
  unsigned problems;
  bool slices;  // it is a universal file
} Layer;

// How many libraries of one name an archive has shown so far.
typedef struct NameCount {
  unsigned count;
  char name[];
} NameCount;

static bool visit_layer(Visit *visit, const char *path, const unsigned char *bytes, uint64_t size,
                        unsigned depth);

// Whether a static archive begins with two indexes, as those for Windows do. The second one's
// header stands behind the first one, at an even place.
static bool is_coff(const unsigned char *bytes, uint64_t size)
{
  enum { BEGIN = 8, HEADER = 60, SIZE_AT = 48, SIZE_DIGITS = 10 };
  char digits[SIZE_DIGITS + 1] = "";
  if (size < BEGIN + HEADER || memcmp(bytes + BEGIN, "/ ", 2) != 0) return false;
  memcpy(digits, bytes + BEGIN + SIZE_AT, SIZE_DIGITS);
  uint64_t first = strtoull(digits, NULL, 10), second = BEGIN + HEADER + first + (first & 1);
  return first < size && second + HEADER <= size && memcmp(bytes + second, "/ ", 2) == 0;
}

ArchiveKind archive_kind(const unsigned char *bytes, uint64_t size)
{
  static const struct {
    const char *magic;
    ArchiveKind kind;
  } known[] = {{"PK\3\4", ARCHIVE_KIND_ZIP},
               {"PK\5\6", ARCHIVE_KIND_ZIP},
               {"!<arch>\n", ARCHIVE_KIND_AR},
               {"!<thin>\n", ARCHIVE_KIND_THIN}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
    size_t length = strlen(known[i].magic);
    if (size < length || memcmp(bytes, known[i].magic, length) != 0) continue;
    return known[i].kind == ARCHIVE_KIND_AR && is_coff(bytes, size) ? ARCHIVE_KIND_COFF
                                                                    : known[i].kind;
  }
  return macho_is_universal(bytes, size) ? ARCHIVE_KIND_UNIVERSAL : ARCHIVE_KIND_NONE;
}

// Whether the bytes are a binary that is shown. Debug information of macOS is none: it has the
// headers of a library and no code.
static bool is_binary(const unsigned char *bytes, uint64_t size)
{
  const BinaryBytes all = {bytes, size, bytes[0] == 0xfe, NULL};
  switch (inspect_format_of(bytes, size)) {
    case INSPECT_FORMAT_MACHO:
      return binary_number(&all, 12, 4) != MACHO_DSYM;
    case INSPECT_FORMAT_NONE:
      return false;
    default:
      return true;
  }
}

// The same, as far as the first bytes tell; there are eight or more.
static bool may_be_binary(const unsigned char *bytes, uint64_t size)
{
  return memcmp(bytes, "MZ", 2) == 0 || inspect_format_of(bytes, size) != INSPECT_FORMAT_NONE;
}

// Reports a problem with `path`, unless the archive has had its share of them. Returns false.
static bool problem(Layer *layer, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool problem(Layer *layer, const char *path, const char *format, ...)
{
  Visit *visit = layer->visit;
  visit->complete = false;
  if (layer->problems++ >= visit->limits->problems) return false;
  char text[TEXT_CAPACITY];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *at = text; *at != '\0'; ++at) {
    if (*at < ' ' || *at > '~') *at = '?';
  }
  visit->visitor->problem(visit->visitor->context, path, text);
  return false;
}

// What libarchive has to say about its latest failure.
static const char *reason(const Layer *layer)
{
  const char *text = archive_error_string(layer->reader);
  return text != NULL ? text : "its format is not sound";
}

// The member's name with nothing in it that a terminal would obey; the end of a long one.
static void printable_name(struct archive_entry *entry, char out[NAME_CAPACITY])
{
  const char *name = archive_entry_pathname(entry);
  if (name == NULL) name = archive_entry_pathname_utf8(entry);
  if (name == NULL) name = "?";
  size_t length = strlen(name);
  if (length >= NAME_CAPACITY) name += length - (NAME_CAPACITY - 1);
  size_t i = 0;
  for (; name[i] != '\0'; ++i) out[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
  out[i] = '\0';
}

static int compare_names(const void *one, const void *other)
{
  return strcmp(((const NameCount *)one)->name, ((const NameCount *)other)->name);
}

// How often the archive has had this name, this time included; 0 if memory is out.
static unsigned count_name(Layer *layer, const char *name)
{
  NameCount *wanted = malloc(sizeof *wanted + strlen(name) + 1);
  if (wanted == NULL) return 0;
  wanted->count = 0;
  strcpy(wanted->name, name);
  NameCount **found = tsearch(wanted, &layer->names, compare_names);
  if (found == NULL || *found != wanted) free(wanted);
  return found != NULL ? ++(*found)->count : 0;
}

// Accounts for `length` more unpacked bytes. False, with the problem reported, where it is too
// much.
static bool spend(Layer *layer, const char *path, uint64_t length)
{
  Visit *visit = layer->visit;
  const ArchiveLimits *limits = visit->limits;
  visit->unpacked += length;
  bool over_ratio =
      visit->unpacked > limits->ratio_from && visit->unpacked / limits->ratio > visit->file_size;
  if (visit->unpacked <= limits->total_bytes && !over_ratio) return true;
  visit->ended = true;
  if (over_ratio)
    return problem(layer, path,
                   "the archive unpacks to more than %" PRIu64
                   " times its size (nothing after this member was read)",
                   limits->ratio);
  return problem(layer, path,
                 "the archive unpacks to more than %" PRIu64
                 " MiB (nothing after this member was read)",
                 limits->total_bytes / MIB);
}

// Gathers the bytes of the entry that the reader stands at. A member that is neither a binary nor
// an archive nor a document is left after its first bytes: `*wanted` is false then. Returns whether
// all went well.
static bool read_member(Layer *layer, const char *path, bool document, ArchiveBytes *bytes,
                        bool *wanted)
{
  const ArchiveLimits *limits = layer->visit->limits;
  for (;;) {
    const void *block = NULL;
    size_t length = 0;
    int64_t offset = 0;
    int status = archive_read_data_block(layer->reader, &block, &length, &offset);
    if (status == ARCHIVE_EOF) break;
    if (status != ARCHIVE_OK) return problem(layer, path, "%s", reason(layer));
    if (offset < 0 || (uint64_t)offset != bytes->size)
      return problem(layer, path, "has a gap at byte %" PRIu64, bytes->size);
    if (!spend(layer, path, length)) return false;
    if (length > limits->member_bytes - bytes->size)
      return problem(layer, path, "is larger than %" PRIu64 " MiB", limits->member_bytes / MIB);
    if (!archive_bytes_add(bytes, block, length))
      return problem(layer, path, "cannot unpack: %s", strerror(errno));
    *wanted = bytes->spill != NULL || bytes->size < 8 || may_be_binary(bytes->data, bytes->size) ||
              archive_kind(bytes->data, bytes->size) != ARCHIVE_KIND_NONE ||
              (document && bytes->size <= ARCHIVE_DOCUMENT);
    if (!*wanted) return true;
  }
  if (!archive_bytes_finish(bytes))
    return problem(layer, path, "cannot unpack: %s", strerror(errno));
  return true;
}

// Hands the member to the visitor, or looks into it if it is an archive.
static bool show_member(Layer *layer, const char *path, bool document, const ArchiveBytes *bytes)
{
  Visit *visit = layer->visit;
  const ArchiveMember member = {path, bytes->data, bytes->size, layer->slices};
  if (!is_binary(bytes->data, bytes->size)) {
    ArchiveKind kind = archive_kind(bytes->data, bytes->size);
    if (document) visit->visitor->document(visit->visitor->context, &member);
    if (document || kind == ARCHIVE_KIND_NONE || kind == ARCHIVE_KIND_COFF) return true;
    if (layer->depth >= visit->limits->depth)
      return problem(layer, path, "is an archive within %u others (not read)", layer->depth);
    return visit_layer(visit, path, bytes->data, bytes->size, layer->depth + 1);
  }
  if (++layer->libraries > visit->limits->libraries) {
    visit->ended = true;
    return problem(layer, path,
                   "the archive has more than %u libraries (this one and those after it "
                   "were not read)",
                   visit->limits->libraries);
  }
  if (visit->visitor->member(visit->visitor->context, &member)) return true;
  visit->complete = false;
  visit->ended = true;
  return false;
}

// Writes "archive!name", and for the second of that name "archive!name#2".
static bool member_path(Layer *layer, const char *name, bool numbered, char out[PATH_CAPACITY])
{
  unsigned count = numbered ? count_name(layer, name) : 1;
  char suffix[16] = "";
  if (count > 1) snprintf(suffix, sizeof suffix, "#%u", count);
  snprintf(out, PATH_CAPACITY, "%s!%s%s", layer->path, name, suffix);
  return count != 0 || problem(layer, out, "out of memory");
}

// Whether libarchive's warning is only that a name is in no character set of this process. The name
// is shown in part then; whatever else it warns of makes a member one that others read otherwise.
static bool is_about_name(const Layer *layer)
{
  static const char start[] = "Pathname can't be converted";
  static const char other[] = "Pathname cannot be converted";
  const char *text = reason(layer);
  return strncmp(text, start, sizeof start - 1) == 0 || strncmp(text, other, sizeof other - 1) == 0;
}

static void visit_member(Layer *layer, struct archive_entry *entry, bool warned)
{
  if (archive_entry_filetype(entry) != AE_IFREG) return;
  char name[NAME_CAPACITY], path[PATH_CAPACITY];
  printable_name(entry, name);
  member_path(layer, name, false, path);
  if (warned && !is_about_name(layer)) {
    problem(layer, path, "%s", reason(layer));
    return;
  }
  if (archive_entry_is_data_encrypted(entry)) {
    problem(layer, path, "is encrypted");
    return;
  }
  const ArchiveVisitor *visitor = layer->visit->visitor;
  bool document = visitor->wants != NULL && visitor->wants(visitor->context, name);
  ArchiveBytes bytes = {0};
  bool wanted = true;
  if (read_member(layer, path, document, &bytes, &wanted) && wanted && bytes.size > 0 &&
      member_path(layer, name, true, path))
    show_member(layer, path, document, &bytes);
  archive_bytes_free(&bytes);
}

// Whether the file is one that libarchive may be given.
static bool check_layer(Layer *layer, const unsigned char *bytes, uint64_t size)
{
  const ArchiveLimits *limits = layer->visit->limits;
  uint64_t directory = 0, end = 0;
  switch (archive_kind(bytes, size)) {
    case ARCHIVE_KIND_THIN:
      return problem(layer, layer->path, "is a thin archive (give the members themselves)");
    case ARCHIVE_KIND_COFF:
      return problem(layer, layer->path, "is a library for the linker of Windows (give the DLL)");
    case ARCHIVE_KIND_ZIP:
      if (!archive_directory_size(bytes, size, &directory, &end))
        return problem(layer, layer->path,
                       "the zip file has no directory at its end (truncated or damaged)");
      if (directory > limits->directory_bytes)
        return problem(layer, layer->path,
                       "the directory of the zip file, before byte %" PRIu64 ", has %" PRIu64
                       " bytes, more than %" PRIu64,
                       end, directory, limits->directory_bytes);
      return true;
    default:
      return true;
  }
}

static bool open_layer(Layer *layer, const unsigned char *bytes, uint64_t size)
{
  if (!check_layer(layer, bytes, size)) return false;
  layer->reader = archive_read_new();
  if (layer->reader == NULL) return problem(layer, layer->path, "out of memory");
  bool ready = archive_read_support_format_zip_seekable(layer->reader) == ARCHIVE_OK &&
               archive_read_support_format_ar(layer->reader) == ARCHIVE_OK &&
               archive_read_open_memory(layer->reader, bytes, size) == ARCHIVE_OK;
  return ready || problem(layer, layer->path, "%s", reason(layer));
}

static void visit_members(Layer *layer)
{
  while (!layer->visit->ended) {
    struct archive_entry *entry = NULL;
    int status = archive_read_next_header(layer->reader, &entry);
    if (status == ARCHIVE_EOF) return;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      problem(layer, layer->path, "%s, %" PRId64 " bytes into it", reason(layer),
              archive_filter_bytes(layer->reader, -1));
      return;
    }
    visit_member(layer, entry, status == ARCHIVE_WARN);
  }
}

// The parts of a universal file lie in it as they are.
static void visit_slices(Layer *layer, const unsigned char *bytes, uint64_t size)
{
  MachoSlice slice;
  BinaryProblem trouble = {0};
  for (size_t i = 0; macho_slice(bytes, size, i, &slice, &trouble); ++i) {
    char name[32], path[PATH_CAPACITY];
    ArchiveBytes part = {.data = (unsigned char *)bytes + slice.offset, .size = slice.size};
    macho_cpu_name(slice.cpu, slice.subtype, name, sizeof name);
    if (layer->visit->ended || !member_path(layer, name, true, path)) return;
    bool sound =
        macho_is(part.data, part.size) || archive_kind(part.data, part.size) == ARCHIVE_KIND_AR;
    if (sound) {
      show_member(layer, path, false, &part);
    } else {
      problem(layer, path, "is not a Mach-O file");
    }
  }
  if (trouble.text[0]) problem(layer, layer->path, "%s", trouble.text);
}

static bool visit_layer(Visit *visit, const char *path, const unsigned char *bytes, uint64_t size,
                        unsigned depth)
{
  bool universal = archive_kind(bytes, size) == ARCHIVE_KIND_UNIVERSAL;
  Layer layer = {.visit = visit, .path = path, .depth = depth, .slices = universal};
  if (universal) {
    visit_slices(&layer, bytes, size);
  } else if (open_layer(&layer, bytes, size)) {
    visit_members(&layer);
  }
  if (layer.problems > visit->limits->problems) {
    unsigned more = layer.problems - visit->limits->problems;
    layer.problems = 0;
    problem(&layer, path, "has %u more unreadable members", more);
  }
  if (layer.reader != NULL) archive_read_free(layer.reader);
  tdestroy(layer.names, free);
  return layer.problems == 0;
}

bool archive_visit(const char *path, const unsigned char *bytes, uint64_t size,
                   const ArchiveLimits *limits, const ArchiveVisitor *visitor)
{
  Visit visit = {
      .limits = limits != NULL ? limits : &archive_limits,
      .visitor = visitor,
      .file_size = size,
      .complete = true,
  };
  // In another locale libarchive keeps to itself what names outside ASCII are.
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
  visit_layer(&visit, path, bytes, size, 1);
  if (utf8 != (locale_t)0) {
    uselocale(before);
    freelocale(utf8);
  }
  return visit.complete;
}
