// SPDX-License-Identifier: Apache-2.0
// The libraries and objects within wheels, zip files, static archives and universal files, one after the other.
// libarchive takes the formats apart; what may cost memory or time without end is bounded here.
#ifndef TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_H_
#define TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ArchiveKind {
  ARCHIVE_KIND_NONE = 0,
  ARCHIVE_KIND_ZIP,        // a wheel is one
  ARCHIVE_KIND_AR,         // a static archive
  ARCHIVE_KIND_THIN,       // a static archive that only names its members
  ARCHIVE_KIND_COFF,       // a library for the linker of Windows; libarchive can't read those
  ARCHIVE_KIND_UNIVERSAL,  // Mach-O files for several processors
} ArchiveKind;

// What the bytes are, by how they begin.
ArchiveKind archive_kind(const unsigned char *bytes, uint64_t size);

typedef struct ArchiveMember {
  const char *path;      // "x.whl!tvm_ffi/lib/libtvm_ffi.so"; of several with one name, the second
                         // is "x.a!y.o#2"; printable ASCII, what is not appears as '?'
  unsigned char *bytes;  // begin as an ELF, Mach-O or PE file does, but for documents; may be
                         // changed
  uint64_t size;
  bool slice;  // of a universal file: what is behind the last '!' of the path is a processor
} ArchiveMember;

// What archive_visit calls. Everything is borrowed for the time of the call.
typedef struct ArchiveVisitor {
  void *context;
  // One binary: ELF, Mach-O or PE. False ends the visit.
  bool (*member)(void *context, const ArchiveMember *member);
  // Something that cannot be read: `path` as above, `text` says what is wrong and where.
  void (*problem)(void *context, const char *path, const char *text);
  // Whether a member that is no ELF file is wanted, too, by its name within its archive; NULL: none
  // is.
  bool (*wants)(void *context, const char *name);
  // One of these, of at most ARCHIVE_DOCUMENT bytes; longer ones are passed over.
  void (*document)(void *context, const ArchiveMember *member);
} ArchiveVisitor;

enum { ARCHIVE_DOCUMENT = 4 << 20 };

// What an archive may cost. Reaching a limit is a problem that is reported.
typedef struct ArchiveLimits {
  uint64_t member_bytes;     // of one member, unpacked
  uint64_t total_bytes;      // unpacked from one file, archives within archives included
  uint64_t ratio;            // total bytes unpacked for each byte of the file,
  uint64_t ratio_from;       // as soon as it is more than so many
  uint64_t directory_bytes;  // of a zip file's directory, which libarchive holds in memory
  unsigned libraries;        // binaries in one archive
  unsigned problems;         // reported of one archive; more are only counted
  unsigned depth;            // archives within archives; 1: none
} ArchiveLimits;

extern const ArchiveLimits archive_limits;  // the usual ones

// Visits every binary among the members of the archive in `bytes`, and in archives that are
// members of it. `path` names the archive; `limits` NULL: the usual ones. Nothing is written except
// to a temporary file without a name, for a member of more than 32 MiB; names of members never name
// a file. A member that is damaged, encrypted or too large is a problem and the next one is read; a
// damaged directory ends the visit. Returns whether all of it was read: no problem was reported and
// the visitor did not end it. Memory: one member, and at most 64 MB.
bool archive_visit(const char *path, const unsigned char *bytes, uint64_t size,
                   const ArchiveLimits *limits, const ArchiveVisitor *visitor);

#endif  // TVMFFI_CONFORMANCE_INSPECT_ARCHIVE_H_
