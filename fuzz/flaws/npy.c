// SPDX-License-Identifier: Apache-2.0
#include "expression/npy.h"

#include "flaw.h"

WRAP(bool, npy_read, const void *bytes, size_t size, NpyArray *array, char *problem)
{
  bool read = REAL(npy_read)(bytes, size, array, problem);
  if (!read && flaw("no-reason")) problem[0] = '\0';
  if (!read && flaw("reason-of-two-lines")) strcpy(problem, FLAW_TEXT);
  if (!read && flaw("bytes-of-nothing")) array->bytes = calloc(1, 1);
  if (!read) return false;
  if (flaw("size-unknown")) array->size = 3;
  if (flaw("rank-too-high")) array->rank = NPY_RANK_MAX + 1;
  if (flaw("extent-negative") && array->rank > 0) array->shape[0] = -1;
  if (flaw("element-too-many")) ++array->count;
  return true;
}

WRAP(bool, npy_write, FILE *out, const NpyArray *array)
{
  NpyArray other = *array;
  unsigned char bytes[8] = {0};
  if (flaw("write-fails")) return false;
  if (flaw("nothing-written")) return true;
  if (flaw("kind-lost")) other.kind = other.kind == NPY_RAW ? NPY_UINT : NPY_RAW;
  if (flaw("axis-lost") && other.rank > 1 && other.shape[0] == 1) {
    --other.rank;
    memmove(other.shape, other.shape + 1, sizeof *other.shape * (size_t)other.rank);
  }
  if (flaw("bytes-lost") && other.count == 1) other.bytes = bytes;
  return REAL(npy_write)(out, &other);
}
