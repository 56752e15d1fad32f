// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_format.h"

#include <string.h>
#include <strings.h>

#include "macho/macho.h"
#include "pe/pe.h"

InspectFormat inspect_format_of(const unsigned char *bytes, uint64_t size)
{
  if (size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0) return INSPECT_FORMAT_ELF;
  if (macho_is(bytes, size)) return INSPECT_FORMAT_MACHO;
  return pe_is(bytes, size) ? INSPECT_FORMAT_PE : INSPECT_FORMAT_NONE;
}

const char *inspect_format_name(InspectFormat format)
{
  static const char *const names[] = {"ELF", "Mach-O", "PE", "unknown"};
  return names[format];
}

ElfText inspect_format_base_name(ElfText library)
{
  size_t begin = library.size;
  while (begin > 0 && library.data[begin - 1] != '/') --begin;
  if (begin == 0) return library;
  return (ElfText){library.data + begin, library.size - begin};
}

// Whether `name` is `begin`, then nothing or a dot or a dash with anything behind it, then `end`.
static bool is_variant(ElfText name, const char *begin, const char *end)
{
  size_t before = strlen(begin), behind = strlen(end);
  if (name.size < before + behind || strncasecmp(name.data, begin, before) != 0) return false;
  if (strncasecmp(name.data + name.size - behind, end, behind) != 0) return false;
  return name.size == before + behind || name.data[before] == '.' || name.data[before] == '-';
}

bool inspect_format_is_runtime(InspectFormat format, ElfText library)
{
  static const char elf[] = "libtvm_ffi.so";
  switch (format) {
    case INSPECT_FORMAT_ELF:
      return binary_text_begins(library, elf);
    case INSPECT_FORMAT_MACHO:
      return is_variant(inspect_format_base_name(library), "libtvm_ffi", ".dylib");
    case INSPECT_FORMAT_PE:
      return is_variant(library, "tvm_ffi", ".dll");
    case INSPECT_FORMAT_NONE:
      break;
  }
  return false;
}
