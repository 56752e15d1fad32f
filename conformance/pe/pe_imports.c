// SPDX-License-Identifier: Apache-2.0
// Imports: a list of libraries, each with a list of names and ordinals; and the same for libraries
// that are loaded at the first call.
#include "pe/pe_parts.h"

enum { DESCRIPTOR_SIZE = 20, DELAYED_SIZE = 32 };

static bool add_library(PeFile *file, BinaryText name, bool delayed)
{
  if (name.size == 0) {
    return binary_broken(&file->bytes, "the name of a library that it needs is not in the file");
  }
  if (file->library_count == PE_MOST_LIBRARIES) {
    return binary_broken(&file->bytes, "needs more libraries than any library does");
  }
  PeLibrary *grown =
      binary_grow(file->libraries, file->library_count, sizeof *grown, file->bytes.problem);
  if (!grown) return false;
  file->libraries = grown;
  grown[file->library_count++] = (PeLibrary){name, delayed};
  return true;
}

static bool add_import(PeFile *file, const PeImport *symbol)
{
  PeImport *grown =
      binary_grow(file->imports, file->import_count, sizeof *grown, file->bytes.problem);
  if (!grown) return false;
  file->imports = grown;
  grown[file->import_count++] = *symbol;
  return true;
}

// The names and ordinals that the latest library has to have. Ends with a zero.
static bool read_names(PeFile *file, uint64_t address)
{
  unsigned width = file->wide ? 8 : 4;
  uint64_t by_ordinal = UINT64_C(1) << (8 * width - 1), offset, available;
  if (!pe_at_address(file, address, &offset, &available)) {
    return binary_broken(&file->bytes, "the names that it imports are not in the file");
  }
  for (uint64_t end = offset + available; offset + width <= end; offset += width) {
    uint64_t entry = binary_number(&file->bytes, offset, width);
    if (entry == 0) return true;
    if (file->import_count == PE_MOST_SYMBOLS) {
      ++file->imports_omitted;
      return true;
    }
    PeImport symbol = {.library = (uint32_t)file->library_count - 1};
    if (entry & by_ordinal) {
      symbol.ordinal = (uint16_t)entry;
    } else {
      symbol.name = pe_text(file, (entry & 0x7fffffff) + 2);
      if (symbol.name.size == 0) {
        return binary_broken(&file->bytes, "a name that it imports is not in the file");
      }
    }
    if (!add_import(file, &symbol)) return false;
  }
  return binary_broken(&file->bytes, "the names that it imports have no end");
}

static bool read_plain(PeFile *file)
{
  uint64_t at = file->directories[PE_DIRECTORY_IMPORT].address, offset, available;
  if (at == 0) return true;
  if (!pe_at_address(file, at, &offset, &available)) {
    return binary_broken(&file->bytes, "its directory of imports is not in the file");
  }
  for (;; at += DESCRIPTOR_SIZE) {
    uint64_t names = pe_number(file, at, 4), library = pe_number(file, at + 12, 4);
    if (library == 0) return true;
    if (names == 0) names = pe_number(file, at + 16, 4);
    if (!add_library(file, pe_text(file, library), false) || !read_names(file, names)) return false;
  }
}

// Old linkers wrote addresses of the process instead of ones from the image's base.
static bool read_delayed(PeFile *file)
{
  uint64_t at = file->directories[PE_DIRECTORY_DELAY_IMPORT].address, offset, available;
  if (at == 0) return true;
  if (!pe_at_address(file, at, &offset, &available)) {
    return binary_broken(&file->bytes, "its directory of delayed imports is not in the file");
  }
  for (;; at += DELAYED_SIZE) {
    uint64_t library = pe_number(file, at + 4, 4), names = pe_number(file, at + 16, 4);
    if (library == 0) return true;
    if (!(pe_number(file, at, 4) & 1)) {
      library -= file->base;
      names -= file->base;
    }
    if (!add_library(file, pe_text(file, library), true) || !read_names(file, names)) return false;
  }
}

bool pe_imports_read(PeFile *file)
{
  return read_plain(file) && read_delayed(file);
}
