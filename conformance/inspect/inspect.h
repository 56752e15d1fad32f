// SPDX-License-Identifier: Apache-2.0
// What can be told about a library without loading it. The file is untrusted: it is read as bytes
// through libelf, every length is checked, and nothing of it is ever executed.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"

typedef enum InspectStatus {
  INSPECT_OK = 0,
  INSPECT_UNREADABLE,     // missing, no regular file, no permission, an I/O error, over 4 GiB
  INSPECT_NOT_ELF,        // empty, text, another format
  INSPECT_BROKEN,         // ELF, but truncated or inconsistent
  INSPECT_NOT_SHARED,     // ELF, but no shared object (position-independent executables included)
  INSPECT_OTHER_MACHINE,  // sound, but for another architecture, word size, byte order or
                          // operating system than this process; the report is complete
} InspectStatus;

typedef enum InspectProfile {
  INSPECT_PROFILE_NONE = 0,
  INSPECT_PROFILE_RUNTIME,  // exports functions of the C API
  INSPECT_PROFILE_MODULE,   // exports __tvm_ffi_* symbols and no function of the C API
} InspectProfile;

enum {
  INSPECT_ADDRESS_SANITIZER = 1,
  INSPECT_THREAD_SANITIZER = 2,
  INSPECT_MEMORY_SANITIZER = 4,
  INSPECT_UNDEFINED_SANITIZER = 8,
};

// A function symbol that a crash can be named by.
typedef struct InspectSymbol {
  uint64_t address;  // as in the file, to be added to the load address
  uint64_t size;     // where the file says 0 (assembly): up to the next function
  const char *name;  // borrowed from the report
} InspectSymbol;

// A function that a module offers to callers.
typedef struct InspectFunction {
  const char *name;   // without "__tvm_ffi_"; borrowed from the report
  bool has_metadata;  // the module has __tvm_ffi__metadata_<name>
} InspectFunction;

// Names in it are printable ASCII: other bytes of the file's names appear as '?'. What is not
// known, because the file is not sound, is zero or empty.
typedef struct InspectReport {
  InspectStatus status;
  char message[512];  // status != OK: what was being done, what was wrong, what to do; one line
  const char *path;   // own; as given
  uint64_t file_size;
  uint64_t mapped_size;  // from the load address to the end of the last loaded segment
  char sha256[65];       // of the whole file, lower-case hex; "" if unreadable
  char build_id[129];    // lower-case hex, "" if none
  char soname[256];      // "" if none
  char machine[32];      // "x86-64", "aarch64", ...
  InspectProfile profile;
  bool exports[ABI_FUNCTION_COUNT];  // which functions of the C API it defines, by AbiFunctionId
  bool former_exports[ABI_FUNCTION_COUNT];  // those that it defines by the name of September 2025,
                                            // where that was another one
  unsigned exports_count;                   // of `exports`
  unsigned unknown_exports;                 // TVMFFI* functions that the table does not know
  unsigned module_functions;   // __tvm_ffi_<name> functions; those for metadata and doc don't count
  InspectFunction *functions;  // own; module_functions of them, by name
  unsigned sanitizers;         // INSPECT_*_SANITIZER, by the libraries and symbols that it needs
  unsigned places_named;       // entries by which it says where what it needs lies: 0 if it leaves
                               // that to the linker
  char **needed;               // own; DT_NEEDED names (borrowed from backing), NULL-terminated
  InspectSymbol *symbols;      // own; functions by rising address, one each
  size_t symbol_count;
  void *backing;  // own; keeps names alive
} InspectReport;

// Reads the file at `path`. Always returns a report (own, freed by inspect_free) unless memory is
// out (NULL); what went wrong is in status and message. Needs memory of a small multiple of the
// file's size while it works, and keeps the names only. Exports are what dlsym() would find: they
// are looked for as the loader does, so a library without section headers has all of them.
InspectReport *inspect_file(const char *path);
void inspect_free(InspectReport *report);

const char *inspect_profile_name(InspectProfile profile);  // "runtime", "module", "none"

// The function that holds the file address `address`, or NULL. Of functions within one another, the
// inner one.
const InspectSymbol *inspect_symbol_at(const InspectReport *report, uint64_t address);

// Copies the bytes of the data symbol `name`, exported or not, into `out`, at most `capacity` of
// them, and stores its size in `*size`. The bytes are those in the file: pointers among them are
// not relocated. False, and nothing is written, if the file has no such symbol with bytes in it.
// Used for descriptions embedded in a library.
bool inspect_symbol_bytes(const char *path, const char *name, void *out, size_t capacity,
                          size_t *size);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_H_
