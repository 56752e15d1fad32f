// SPDX-License-Identifier: Apache-2.0
// Universal files: one Mach-O file for each processor, behind a table of where they are.
#include <inttypes.h>

#include "macho/macho.h"

bool macho_is_universal(const unsigned char *data, uint64_t size)
{
  const BinaryBytes bytes = {data, size, true, NULL};
  uint64_t magic = binary_number(&bytes, 0, 4), count = binary_number(&bytes, 4, 4);
  // Classes of Java begin with the same number, and a version of 45 or more follows.
  return (magic == MACHO_FAT_MAGIC || magic == MACHO_FAT_MAGIC_64) && size >= 8 &&
         count <= MACHO_MOST_SLICES;
}

bool macho_slice(const unsigned char *data, uint64_t size, size_t index, MachoSlice *slice,
                 BinaryProblem *problem)
{
  const BinaryBytes bytes = {data, size, true, problem};
  bool wide = binary_number(&bytes, 0, 4) == MACHO_FAT_MAGIC_64;
  uint64_t at = 8 + index * (wide ? 32 : 20);
  if (!macho_is_universal(data, size) || index >= binary_number(&bytes, 4, 4)) return false;
  if (!binary_needs(&bytes, at, wide ? 32 : 20, "its table of architectures")) return false;
  *slice = (MachoSlice){
      .cpu = (uint32_t)binary_number(&bytes, at, 4),
      .subtype = (uint32_t)binary_number(&bytes, at + 4, 4),
      .offset = binary_number(&bytes, at + 8, wide ? 8 : 4),
      .size = binary_number(&bytes, at + (wide ? 16 : 12), wide ? 8 : 4),
  };
  return binary_needs(&bytes, slice->offset, slice->size, "the bytes of an architecture");
}
