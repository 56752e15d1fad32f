// SPDX-License-Identifier: Apache-2.0
// An ELF file of any word size and byte order in memory: its header, its segments, and bounded
// access to its bytes. libelf translates records; where they lie is checked here before libelf is
// asked for them.
#ifndef TVMFFI_CONFORMANCE_INSPECT_ELFFILE_H_
#define TVMFFI_CONFORMANCE_INSPECT_ELFFILE_H_

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binary/binary.h"
#include "inspect/inspect_problem.h"

typedef struct ElfFile {
  Elf *elf;              // own
  unsigned char *bytes;  // borrow; must outlive this
  uint64_t size;
  GElf_Ehdr header;
  InspectProblem *problem;  // borrow; where every function below reports
} ElfFile;

// Names that symbols and dynamic entries refer to by offset.
typedef struct ElfNames {
  char *text;  // own, by free(); `size` bytes of printable ASCII or NUL, and one NUL more
  uint64_t size;
} ElfNames;

// Bytes of the file, as they are: any value, no terminator. Borrowed from ElfFile.bytes.
typedef BinaryText ElfText;

// Longer names are cut: a hostile file may have a million names that are each all of it.
enum { ELFFILE_LONGEST_TEXT = 4096 };

// Opens the file in `bytes`, which begin with ELF's magic number; checks the header and that
// segments and section headers lie within the file. Refused with INSPECT_BROKEN. May clear the
// reference to the section headers in `bytes`: where their number is in the extended form, which
// only object files have a use for, and those up to 2^18 sections. elffile_close is due in either
// case.
bool elffile_open(ElfFile *file, unsigned char *bytes, uint64_t size, InspectProblem *problem);
void elffile_close(ElfFile *file);

// Records that the file is damaged: `what` ("its ELF version is not 1"), and what to do. False.
bool elffile_broken(const ElfFile *file, const char *what);

// Whether `length` bytes at `offset` lie within the file.
bool elffile_holds(const ElfFile *file, uint64_t offset, uint64_t length);

// Where the byte at the virtual address `address` lies in the file, and how many bytes of its
// segment follow it there, itself included. False, without a problem recorded, if no loaded segment
// has it from the file.
bool elffile_at_address(const ElfFile *file, uint64_t address, uint64_t *offset,
                        uint64_t *available);

// The first segment of this type, or false.
bool elffile_segment(const ElfFile *file, uint32_t type, GElf_Phdr *segment);

// From address 0 to the end of the last loaded segment.
uint64_t elffile_mapped_size(const ElfFile *file);

// An unsigned number of `width` (4 or 8) bytes at `offset`, in the file's byte order; 0 outside the
// file.
uint64_t elffile_number(const ElfFile *file, uint64_t offset, unsigned width);

// Records of `type` at `offset` for gelf_getsym and gelf_getdyn; `length` is rounded down to whole
// records. NULL, with a problem recorded, if they do not lie within the file or there are none.
Elf_Data *elffile_records(const ElfFile *file, uint64_t offset, uint64_t length, Elf_Type type,
                          const char *what);

// Bytes of one record of `type` in this file.
size_t elffile_record_size(const ElfFile *file, Elf_Type type);

// The build id, at most `capacity` bytes of it; returns how many, 0 if there is none.
size_t elffile_build_id(const ElfFile *file, unsigned char *id, size_t capacity);

// A copy of the string table at `offset`. What is not printable ASCII becomes '?': names end up on
// terminals and in reports.
bool elffile_names(const ElfFile *file, uint64_t offset, uint64_t length, ElfNames *names);

// The text that begins `at` bytes into the `size` bytes of names at `offset` and ends with a NUL,
// the table, or ELFFILE_LONGEST_TEXT bytes. False, without a problem recorded, if it begins
// outside.
bool elffile_text(const ElfFile *file, uint64_t offset, uint64_t size, uint64_t at, ElfText *text);

// The name at `offset`, or NULL if it begins outside the table.
const char *elffile_name(const ElfNames *names, uint64_t offset);

#endif  // TVMFFI_CONFORMANCE_INSPECT_ELFFILE_H_
