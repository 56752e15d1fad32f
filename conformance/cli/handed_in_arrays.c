// SPDX-License-Identifier: Apache-2.0
// The .npy files that a signature file names, as far as they are read before there is a worker: for
// the call that is taken as the example.
#include <stdlib.h>
#include <string.h>

#include "cli/handed_in.h"
#include "expression/npy.h"

enum { KEPT_MAX = 256, KEPT_BYTES_MAX = 1 << 24 };

static SandboxMode mode;

// What was read: the search for an example reads the same files over and over, and each time takes a process.
static struct {
  char *path;
  NpyArray array;
} kept[KEPT_MAX];
static size_t kept_count, kept_bytes;

static bool read_confined(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX]);

// What a child has to say of the file: what kind of array it is, and its elements.
static void put_array(void *context, FILE *out)
{
  NpyArray array;
  char problem[NPY_PROBLEM_MAX] = "";
  npy_read_files_by(NULL);
  bool good = npy_read_file(context, &array, problem);
  npy_read_files_by(read_confined);
  handed_in_put_outcome(out, good, problem);
  if (!good) return;
  fputc((int)array.kind, out);
  fwrite(&array.size, sizeof array.size, 1, out);
  fwrite(&array.rank, sizeof array.rank, 1, out);
  fwrite(array.shape, sizeof array.shape, 1, out);
  fwrite(array.bytes, array.size, array.count, out);
  npy_free(&array);
}

// The number of elements, which is bounded by the bytes that are there. False if they don't agree.
static bool count_elements(NpyArray *array, size_t size)
{
  const bool known = array->size == 1 || array->size == 2 || array->size == 4 || array->size == 8;
  if (!known || array->rank < 0 || array->rank > NPY_RANK_MAX) return false;
  array->count = 1;
  for (int32_t i = 0; i < array->rank; ++i) {
    size_t extent = 0;
    if (array->shape[i] < 0 || (uint64_t)array->shape[i] > SIZE_MAX) return false;
    extent = (size_t)array->shape[i];
    if (__builtin_mul_overflow(array->count, extent, &array->count)) return false;
  }
  return array->count <= size / array->size && array->count * array->size == size;
}

static bool take_array(ReaderRest *rest, NpyArray *array)
{
  unsigned char kind = 0;
  reader_take(rest, &kind, 1);
  reader_take(rest, &array->size, sizeof array->size);
  reader_take(rest, &array->rank, sizeof array->rank);
  reader_take(rest, array->shape, sizeof array->shape);
  if (rest->lacks || kind > NPY_RAW || !count_elements(array, rest->size)) return false;
  array->kind = (NpyKind)kind;
  array->bytes = malloc(rest->size ? rest->size : 1);
  if (array->bytes) reader_take(rest, array->bytes, rest->size);
  return array->bytes && !rest->lacks;
}

static bool copy_array(const NpyArray *array, NpyArray *copy)
{
  const size_t size = array->count * array->size;
  *copy = *array;
  copy->bytes = malloc(size ? size : 1);
  if (copy->bytes) memcpy(copy->bytes, array->bytes, size);
  return copy->bytes != NULL;
}

static void keep_array(const char *path, const NpyArray *array)
{
  const size_t size = array->count * array->size;
  if (kept_count == KEPT_MAX || size > KEPT_BYTES_MAX - kept_bytes) return;
  char *own = strdup(path);
  if (own && copy_array(array, &kept[kept_count].array)) {
    kept[kept_count++].path = own;
    kept_bytes += size;
  } else {
    free(own);
  }
}

static bool find_array(const char *path, NpyArray *array)
{
  for (size_t i = 0; i < kept_count; ++i)
    if (strcmp(kept[i].path, path) == 0) return copy_array(&kept[i].array, array);
  return false;
}

static bool read_confined(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX])
{
  if (find_array(path, array)) return true;
  SandboxPolicy paths = {.paths = NULL};
  ReaderAnswer answer;
  ReaderRest rest;
  char *own = strdup(path);
  *array = (NpyArray){.kind = NPY_BOOL};
  policy_add_path(&paths, path, SANDBOX_READ);
  bool asked = own && handed_in_ask(path, mode, &paths, put_array, own, &answer, &rest, problem,
                                    NPY_PROBLEM_MAX);
  bool good = asked && take_array(&rest, array);
  if (asked && !good) handed_in_refuse(path, problem, NPY_PROBLEM_MAX);
  if (asked) free(answer.bytes);
  if (good) keep_array(path, array);
  if (!good) npy_free(array);
  policy_free(&paths);
  free(own);
  return good;
}

void handed_in_arrays(SandboxMode wanted)
{
  mode = wanted;
  npy_read_files_by(wanted == SANDBOX_OFF ? NULL : read_confined);
}
