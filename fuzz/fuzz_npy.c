// SPDX-License-Identifier: Apache-2.0
// Files of the format .npy. What is read and written is read again.
#include <string.h>

#include "expression/npy.h"
#include "fuzz_target.h"

static void check_array(const NpyArray *array)
{
  size_t count = 1;
  FUZZ_CHECK(array->rank >= 0 && array->rank <= NPY_RANK_MAX);
  FUZZ_CHECK(array->size == 1 || array->size == 2 || array->size == 4 || array->size == 8);
  for (int32_t k = 0; k < array->rank; ++k) {
    FUZZ_CHECK(array->shape[k] >= 0);
    count *= (size_t)array->shape[k];
  }
  FUZZ_CHECK(count == array->count && array->bytes != NULL);
}

static void check_same(const NpyArray *seen, const NpyArray *expected)
{
  FUZZ_CHECK(seen->kind == expected->kind && seen->size == expected->size);
  FUZZ_CHECK(seen->rank == expected->rank && seen->count == expected->count);
  FUZZ_CHECK(memcmp(seen->shape, expected->shape, sizeof seen->shape) == 0);
  FUZZ_CHECK(memcmp(seen->bytes, expected->bytes, seen->count * seen->size) == 0);
}

static void write_and_read(const NpyArray *array)
{
  NpyArray again;
  char *bytes = NULL, problem[NPY_PROBLEM_MAX];
  size_t size = 0;
  FILE *out = open_memstream(&bytes, &size);
  FUZZ_CHECK(out != NULL);
  FUZZ_CHECK(npy_write(out, array));
  FUZZ_CHECK(fclose(out) == 0);
  FUZZ_CHECK(npy_read(bytes, size, &again, problem));
  check_same(&again, array);
  npy_free(&again);
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  NpyArray array;
  char problem[NPY_PROBLEM_MAX];
  if (npy_read(data, size, &array, problem)) {
    check_array(&array);
    write_and_read(&array);
    npy_free(&array);
  } else {
    FUZZ_CHECK(problem[0] != '\0' && array.bytes == NULL);
    fuzz_is_line(problem);
  }
  return 0;
}
