// SPDX-License-Identifier: Apache-2.0
// Everything that a file shows about the ABI it needs and offers, of any machine, word size and
// byte order: symbols, versions, segments. inspect.h knows what a run needs; this is for `inspect`.
// The facts are in the terms of ELF: SHN_UNDEF, STT_FUNC, STB_WEAK; other formats are put into them. The file is untrusted: what is stored of it is bounded, whatever it claims.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_FACTS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_FACTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "inspect/elfdynamic.h"
#include "inspect/elffile.h"
#include "inspect/inspect.h"
#include "inspect/inspect_device.h"
#include "inspect/inspect_format.h"
#include "inspect/inspect_problem.h"
#include "macho/macho.h"
#include "pe/pe.h"

enum {
  INSPECT_MOST_SYMBOLS = 1 << 19,  // stored; further ones are counted
  INSPECT_MOST_VERSIONS = 1 << 14,
  INSPECT_MOST_NEEDED = 1 << 12,
};

typedef enum InspectKind {
  INSPECT_KIND_SHARED,
  INSPECT_KIND_OBJECT,
  INSPECT_KIND_EXECUTABLE,  // position-independent ones included
} InspectKind;

// What a name is to the ABI.
typedef enum InspectRole {
  INSPECT_ROLE_NONE = 0,
  INSPECT_ROLE_API,          // TVMFFI*
  INSPECT_ROLE_FUNCTION,     // __tvm_ffi_<name>
  INSPECT_ROLE_METADATA,     // __tvm_ffi__metadata_<name>
  INSPECT_ROLE_DOC,          // __tvm_ffi__doc_<name>
  INSPECT_ROLE_LIBRARY_CTX,  // __tvm_ffi__library_ctx, with a system library's prefix or without
  INSPECT_ROLE_LIBRARY_BIN,  // __tvm_ffi__library_bin, likewise
  INSPECT_ROLE_CUBIN,        // __tvm_ffi__cubin_<name>
  INSPECT_ROLE_RESERVED,     // another name that begins with __tvm_ffi__
  INSPECT_ROLE_SLOT,         // __TVMFFI*, __TVMBackend*: a context symbol
} InspectRole;

// A symbol that others can see or that is to be found elsewhere. Of a shared object those of the
// dynamic table, of an object file the global ones.
typedef struct InspectEntry {
  ElfText name;
  uint64_t value, size;
  uint32_t section;  // SHN_UNDEF: undefined
  uint16_t version;  // index into what the version tables define; 0 and 1: none
  uint8_t type, binding, visibility;
  uint8_t role;         // InspectRole
  bool hidden_version;  // foo@V instead of foo@@V
  int32_t library;      // where it comes from: 1 + the place in `needed`, INSPECT_LIBRARY_ANY, or 0
                        // if the file does not give it (ELF never does)
} InspectEntry;

enum { INSPECT_LIBRARY_ANY = -1 };  // whatever is loaded

typedef struct InspectVersion {
  ElfText library;  // that has to define it; empty: this file does
  ElfText name;     // "GLIBC_2.34"
  uint16_t index;
  bool weak;  // may be missing
} InspectVersion;

// A version of a library as one number that sorts as versions do, as ABI_VERSION; 0 for none.
typedef struct InspectFloors {
  uint32_t glibc, glibcxx, cxxabi;
  bool glibc_private;  // names of glibc that it promises to nobody
} InspectFloors;

typedef enum InspectStack {
  INSPECT_STACK_UNMARKED,
  INSPECT_STACK_PLAIN,
  INSPECT_STACK_EXECUTABLE
} InspectStack;

typedef struct InspectFacts {
  InspectFormat format;
  ElfFile file;  // its bytes are borrowed, and texts below borrow from them; the rest is for ELF
  MachoFile *macho;      // own; NULL but for Mach-O
  PeFile *pe;            // own; NULL but for PE
  BinaryProblem binary;  // where these two report
  InspectKind kind;
  char machine[32];
  char build_id[129];
  unsigned word_size;  // in bytes
  bool little_endian;
  InspectProfile profile;  // of what is defined
  ElfText soname;          // also the install name, and the name in a DLL's exports
  ElfText rpath, runpath;
  ElfText *needed;  // own
  size_t needed_count;
  InspectEntry *symbols;  // own, in the order of the file
  size_t symbol_count;
  size_t omitted;            // symbols beyond INSPECT_MOST_SYMBOLS
  InspectVersion *versions;  // own
  size_t version_count;
  uint16_t *version_places;  // own; by index: 1 + the place in versions, 0 for none
  uint64_t version_indices;  // where in the file each dynamic symbol has its index; 0: nowhere
  bool broken_versions;
  InspectFloors floors;
  ElfDynamic dynamic;  // of a shared object
  bool text_relocations, writable_code;
  InspectStack stack;
  uint64_t hash, gnu_hash;  // where in the file; 0: none
  uint64_t gnu_hash_size;
  uint64_t device_code;    // bytes of embedded code for other processors
  InspectDevices devices;  // that this code is for, and that of cubins
  size_t cubin_count;      // __tvm_ffi__cubin_<name> that are local
  ElfText hidden;          // a name of the ABI that is defined but not exported; size 0: none
  size_t hidden_count;
  size_t absolute_relocations;  // of an object file: those that a shared library can't have
  ElfText cxx_import;           // an undefined symbol of the runtime's C++ API, size 0: none
  ElfText cxx_symbol;           // a definition that came with the C++ headers, size 0: none
  ElfText header_stamp[8];      // a symbol that shows each HEADER_STAMP, size 0: none
  uint32_t key_functions;       // whose form native functions of keys are called by; 0: not shown
} InspectFacts;

// Reads a file in memory, of one of these formats; `bytes` must outlive the facts and may be written to. Returns the
// facts (own, by inspect_facts_free), or NULL with the problem recorded: INSPECT_NOT_ELF,
// INSPECT_NOT_SHARED for core dumps and files of debug information, INSPECT_BROKEN, or no memory.
InspectFacts *inspect_facts_read(unsigned char *bytes, uint64_t size, InspectProblem *problem);
void inspect_facts_free(InspectFacts *facts);

// Whether dlsym() would find a symbol, or another object file link to it.
bool inspect_facts_exports(const InspectEntry *entry);

// Where the bytes of a data symbol lie in the file, and how many of its section or segment follow.
// False if the file has none (.bss, undefined).
bool inspect_facts_place(const InspectFacts *facts, const InspectEntry *entry, uint64_t *offset,
                         uint64_t *available);

// Whether the loader can write to a symbol when the library is ready.
bool inspect_facts_is_writable(const InspectFacts *facts, const InspectEntry *entry);

// The version table's entry for a symbol, or NULL.
const InspectVersion *inspect_facts_version(const InspectFacts *facts, const InspectEntry *entry);

// Whether a name is one of the C++ headers' namespace, as g++, Clang or MSVC write it.
bool inspect_facts_is_cxx(ElfText name);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_FACTS_H_
