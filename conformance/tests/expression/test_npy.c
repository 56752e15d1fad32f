// SPDX-License-Identifier: Apache-2.0
// Files of the format .npy: what is read of them, and what is refused.
#include "expression/npy.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

// A file of this version with this header and `size` bytes 0, 1, 2, ... behind it. Own.
static unsigned char *file_of(int version, const char *header, size_t size, size_t *total)
{
  size_t length = strlen(header), width = version == 1 ? 2 : 4;
  unsigned char *bytes = calloc(1, 8 + width + length + size);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, "\x93NUMPY", 6);
  bytes[6] = (unsigned char)version;
  bytes[8] = (unsigned char)length;
  bytes[9] = (unsigned char)(length >> 8);
  memcpy(bytes + 8 + width, header, length);
  for (size_t i = 0; i < size; ++i) bytes[8 + width + length + i] = (unsigned char)i;
  *total = 8 + width + length + size;
  return bytes;
}

static const struct {
  int version;
  const char *header;
  NpyKind kind;
  uint32_t size;
  int32_t rank;
  int64_t shape[3];
} good[] = {
    {1,
     "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
     NPY_FLOAT,
     4,
     2,
     {2, 3}},
    {2, "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }\n", NPY_BOOL, 1, 1, {5}},
    {3, "{\"shape\": (), \"descr\": \"<i8\", \"fortran_order\": False}", NPY_INT, 8, 0, {0}},
    {1, "{'descr': '|u1', 'fortran_order': True, 'shape': (3, 0, 2)}", NPY_UINT, 1, 3, {3, 0, 2}},
    {1, "{'descr': '<V2', 'fortran_order': False, 'shape': (4,), }", NPY_RAW, 2, 1, {4}},
    {1, "{'descr': '|V1', 'fortran_order': False, 'shape': (4,), }", NPY_RAW, 1, 1, {4}},
    {1,
     "{'descr': '>u2', 'fortran_order': False, 'shape': (1, 1, 1), }",
     NPY_UINT,
     2,
     3,
     {1, 1, 1}},
};

TEST(files_are_read, .rows = ROWS(good))
{
  NpyArray array;
  char problem[NPY_PROBLEM_MAX];
  size_t count = 1, total;
  for (int32_t k = 0; k < good[_i].rank; ++k) count *= (size_t)good[_i].shape[k];
  unsigned char *bytes = file_of(good[_i].version, good[_i].header, count * good[_i].size, &total);
  ck_assert_msg(npy_read(bytes, total, &array, problem), "%s: %s", good[_i].header, problem);
  ck_assert_int_eq(array.kind, good[_i].kind);
  ck_assert_uint_eq(array.size, good[_i].size);
  ck_assert_int_eq(array.rank, good[_i].rank);
  ck_assert_uint_eq(array.count, count);
  for (int32_t k = 0; k < array.rank; ++k) ck_assert_int_eq(array.shape[k], good[_i].shape[k]);
  npy_free(&array);
  // However short it is cut, it is refused, and nothing behind it is read.
  for (size_t size = 0; size < total; ++size) {
    unsigned char *cut = malloc(size ? size : 1);
    memcpy(cut, bytes, size);
    ck_assert_msg(!npy_read(cut, size, &array, problem), "%zu bytes", size);
    ck_assert(problem[0] != '\0' && !array.bytes);
    free(cut);
  }
  free(bytes);
}

TEST(orders_of_elements_and_bytes)
{
  static const struct {
    const char *header;
    unsigned char bytes[12];
  } rows[] = {
      {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", {0, 1, 2, 3, 4, 5}},
      {"{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", {0, 2, 4, 1, 3, 5}},
      {"{'descr': '>u2', 'fortran_order': False, 'shape': (3,), }", {1, 0, 3, 2, 5, 4}},
      {"{'descr': '>u2', 'fortran_order': True, 'shape': (3, 2), }",
       {1, 0, 7, 6, 3, 2, 9, 8, 5, 4, 11, 10}},
      {"{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", {3, 2, 1, 0}},
  };
  for (int i = 0; i < ROWS(rows); ++i) {
    NpyArray array;
    char problem[NPY_PROBLEM_MAX];
    size_t total, sizes[] = {6, 6, 6, 12, 4};
    unsigned char *bytes = file_of(1, rows[i].header, sizes[i], &total);
    ck_assert(npy_read(bytes, total, &array, problem));
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (little || array.size == 1)
      ck_assert_msg(memcmp(array.bytes, rows[i].bytes, sizes[i]) == 0, "%s", rows[i].header);
    npy_free(&array);
    free(bytes);
  }
}

static const struct {
  const char *header, *problem;
} hostile[] = {
    {"", "the header lacks a `{`"},
    {"{", "the header lacks a string where there should be one"},
    {"{}", "the header lacks one of descr, fortran_order, shape"},
    {"{'descr': '<f4', 'fortran_order': False}",
     "the header lacks one of descr, fortran_order, shape"},
    {"{'descr': '<f4', 'descr': '<f4'}",
     "the header has other entries than descr, fortran_order, shape"},
    {"{'name': '<f4'}", "the header has other entries than descr, fortran_order, shape"},
    {"{'descr: ", "the header lacks a `'`"},
    {"{'descr' '<f4'}", "the header lacks a `:`"},
    {"{'descr': [('a', '<f4')]}", "the elements are records"},
    {"{'descr': '|O'}",
     "elements of type |O are not read: bool, integers and floats of 1 to 8 bytes are"},
    {"{'descr': '<c8'}",
     "elements of type <c8 are not read: bool, integers and floats of 1 to 8 bytes are"},
    {"{'descr': '<f3'}",
     "elements of type <f3 are not read: bool, integers and floats of 1 to 8 bytes are"},
    {"{'descr': '<b2'}",
     "elements of type <b2 are not read: bool, integers and floats of 1 to 8 bytes are"},
    {"{'descr': '<\x1b[2'}",
     "elements of type <?[2 are not read: bool, integers and floats of 1 to 8 bytes are"},
    {"{'fortran_order': 0}", "fortran_order is neither True nor False"},
    {"{'shape': 3}", "the header lacks a `(`"},
    {"{'shape': (3", "the header lacks a `)`"},
    {"{'shape': (,)}", "the shape must be a tuple of numbers"},
    {"{'shape': (-1,)}", "the shape must be a tuple of numbers"},
    {"{'shape': (99999999999999999999999,)}", "an array of more than 16777216 elements"},
    {"{'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}", "an array of more than 8 dimensions"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 16777216, 16777216), }",
     "an array of more than 16777216 elements"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 4096), }",
     "0 bytes of elements, where shape and type ask for 67108864"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0,), } x",
     "the header goes on behind its `}`"},
    {"{'descr': __import__('os').system('true')}",
     "the header lacks a string where there should be one"},
};

TEST(hostile_files_are_refused, .rows = ROWS(hostile))
{
  NpyArray array;
  char problem[NPY_PROBLEM_MAX];
  size_t total;
  unsigned char *bytes = file_of(1, hostile[_i].header, 0, &total);
  ck_assert(!npy_read(bytes, total, &array, problem));
  ck_assert_str_eq(problem, hostile[_i].problem);
  free(bytes);
}

TEST(other_files_are_refused)
{
  NpyArray array;
  char problem[NPY_PROBLEM_MAX];
  ck_assert(!npy_read("PK\3\4", 4, &array, problem));
  ck_assert_str_eq(problem, "not a file of NumPy's format .npy");
  ck_assert(!npy_read("\x93NUMPY\4\0\0\0\0\0", 12, &array, problem));
  ck_assert_str_eq(problem, "version 4.0 of the format .npy is not known");
  ck_assert(!npy_read("\x93NUMPY\2\0\xff\xff\xff\xff", 12, &array, problem));
  ck_assert_str_eq(problem, "the file ends in its header");
  ck_assert(!npy_read_file("/nowhere.npy", &array, problem));
  ck_assert_str_eq(problem, "No such file or directory");
  ck_assert(!npy_read_file("/", &array, problem));
  ck_assert(problem[0] != '\0');
}

TEST(what_is_written_is_read)
{
  static const NpyArray arrays[] = {
      {NPY_FLOAT, 4, 2, {2, 2}, 4, (unsigned char *)"abcdefghijklmnop"},
      {NPY_INT, 8, 0, {0}, 1, (unsigned char *)"12345678"},
      {NPY_BOOL, 1, 1, {3}, 3, (unsigned char *)"\1\0\1"},
      {NPY_RAW, 2, 8, {1, 1, 1, 1, 1, 1, 1, 1}, 1, (unsigned char *)"ab"},
      {NPY_UINT, 2, 2, {0, 16777216}, 0, (unsigned char *)""},
  };
  for (int i = 0; i < ROWS(arrays); ++i) {
    NpyArray array;
    char problem[NPY_PROBLEM_MAX], *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    ck_assert(npy_write(out, &arrays[i]));
    fclose(out);
    size_t elements = arrays[i].count * arrays[i].size;
    ck_assert_uint_eq((size - elements) % 64, 0);
    ck_assert_msg(npy_read(bytes, size, &array, problem), "%s", problem);
    ck_assert_int_eq(array.kind, arrays[i].kind);
    ck_assert_int_eq(array.rank, arrays[i].rank);
    ck_assert(memcmp(array.shape, arrays[i].shape, (size_t)array.rank * sizeof *array.shape) == 0);
    ck_assert(memcmp(array.bytes, arrays[i].bytes, elements) == 0);
    npy_free(&array);
    free(bytes);
  }
}
