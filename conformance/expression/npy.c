// SPDX-License-Identifier: Apache-2.0
#include "expression/npy.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 1 << 24, MAGIC_SIZE = 6, HEADER_MAX = 1 << 16, ALIGNMENT = 64 };

static const char magic[MAGIC_SIZE] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

static bool fail(char problem[NPY_PROBLEM_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(char problem[NPY_PROBLEM_MAX], const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(problem, NPY_PROBLEM_MAX, format, list);
  va_end(list);
  return false;
}

// --- The header ----------------------------------------------------------------------------------

// A dict of three entries, as NumPy writes it; `at` is never behind `end`.
typedef struct Header {
  const char *at, *end;
  NpyArray *array;
  bool fortran, swapped;
  unsigned seen;  // of the three keys, as bits
  char *problem;
} Header;

static void skip_spaces(Header *header)
{
  while (header->at < header->end && (*header->at == ' ' || *header->at == '\n')) ++header->at;
}

// Takes this character, if it comes next.
static bool take(Header *header, char mark)
{
  skip_spaces(header);
  if (header->at == header->end || *header->at != mark) return false;
  ++header->at;
  return true;
}

static bool need(Header *header, char mark)
{
  return take(header, mark) || fail(header->problem, "the header lacks a `%c`", mark);
}

// A string without escapes.
static bool take_string(Header *header, const char **begin, size_t *size)
{
  char quote = take(header, '\'') ? '\'' : '"';
  if (quote == '"' && !take(header, '"'))
    return fail(header->problem, "the header lacks a string where there should be one");
  *begin = header->at;
  while (header->at < header->end && *header->at != quote) ++header->at;
  *size = (size_t)(header->at - *begin);
  return need(header, quote);
}

static bool is_text(const char *begin, size_t size, const char *text)
{
  return strlen(text) == size && memcmp(begin, text, size) == 0;
}

// The letter of a type and the sizes that there are of it, as bits.
static const struct {
  char letter;
  NpyKind kind;
  unsigned sizes;
} kinds[] = {{'b', NPY_BOOL, 1},
             {'i', NPY_INT, 1 | 2 | 4 | 8},
             {'u', NPY_UINT, 1 | 2 | 4 | 8},
             {'f', NPY_FLOAT, 2 | 4 | 8},
             {'V', NPY_RAW, 1 | 2 | 4 | 8}};

// "<f4": the order of bytes, the kind, the size.
static bool take_type(Header *header)
{
  const char *text;
  size_t size;
  if (take(header, '[')) return fail(header->problem, "the elements are records");
  if (!take_string(header, &text, &size)) return false;
  bool known = size == 3 && strchr("<>|=", text[0]) && text[2] >= '1' && text[2] <= '8';
  for (size_t i = 0; known && i < sizeof kinds / sizeof kinds[0]; ++i) {
    if (kinds[i].letter != text[1] || !(kinds[i].sizes & (unsigned)(text[2] - '0'))) continue;
    bool power = (text[2] & (text[2] - 1) & 7) == 0;
    if (!power) break;
    header->array->kind = kinds[i].kind;
    header->array->size = (uint32_t)(text[2] - '0');
    header->swapped = text[0] == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<');
    return true;
  }
  char shown[16] = "";
  for (size_t i = 0; i < size && i + 1 < sizeof shown; ++i)
    shown[i] = text[i] > ' ' && text[i] < 0x7f ? text[i] : '?';
  return fail(header->problem,
              "elements of type %s are not read: bool, integers and floats of 1 to 8 bytes are",
              shown);
}

static bool take_truth(Header *header, bool *value)
{
  static const char *const texts[] = {"False", "True"};
  skip_spaces(header);
  for (int i = 0; i < 2; ++i) {
    size_t size = strlen(texts[i]);
    if ((size_t)(header->end - header->at) < size || memcmp(header->at, texts[i], size) != 0)
      continue;
    header->at += size;
    *value = i == 1;
    return true;
  }
  return fail(header->problem, "fortran_order is neither True nor False");
}

static bool take_extent(Header *header, int64_t *extent)
{
  bool any = false;
  skip_spaces(header);
  for (*extent = 0; header->at < header->end && *header->at >= '0' && *header->at <= '9';
       any = true)
    if ((*extent = *extent * 10 + (*header->at++ - '0')) > ELEMENTS_MAX)
      return fail(header->problem, "an array of more than %d elements", ELEMENTS_MAX);
  return any || fail(header->problem, "the shape must be a tuple of numbers");
}

static bool take_shape(Header *header)
{
  NpyArray *array = header->array;
  array->rank = 0;
  if (!need(header, '(')) return false;
  while (!take(header, ')')) {
    if (array->rank == NPY_RANK_MAX)
      return fail(header->problem, "an array of more than %d dimensions", NPY_RANK_MAX);
    if (!take_extent(header, &array->shape[array->rank])) return false;
    ++array->rank;
    if (take(header, ',')) continue;
    if (!need(header, ')')) return false;
    return true;
  }
  return true;
}

static bool take_entry(Header *header)
{
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  const char *text;
  size_t size;
  unsigned key = 0;
  if (!take_string(header, &text, &size) || !need(header, ':')) return false;
  while (key < 3 && !is_text(text, size, keys[key])) ++key;
  if (key == 3 || header->seen >> key & 1)
    return fail(header->problem, "the header has other entries than descr, fortran_order, shape");
  header->seen |= 1u << key;
  if (key == 0) return take_type(header);
  return key == 1 ? take_truth(header, &header->fortran) : take_shape(header);
}

static bool take_header(Header *header)
{
  if (!need(header, '{')) return false;
  while (!take(header, '}')) {
    if (!take_entry(header)) return false;
    if (take(header, ',')) continue;
    if (!need(header, '}')) return false;
    break;
  }
  skip_spaces(header);
  if (header->at != header->end) return fail(header->problem, "the header goes on behind its `}`");
  return header->seen == 7 ||
         fail(header->problem, "the header lacks one of descr, fortran_order, shape");
}

// --- Elements ------------------------------------------------------------------------------------

static bool count_elements(NpyArray *array, char *problem)
{
  size_t count = 1;
  bool none = false;
  for (int32_t k = 0; k < array->rank; ++k) {
    size_t extent = (size_t)array->shape[k];
    none |= extent == 0;
    if (extent && count > ELEMENTS_MAX / extent)
      return fail(problem, "an array of more than %d elements", ELEMENTS_MAX);
    if (extent) count *= extent;
  }
  array->count = none ? 0 : count;
  return true;
}

static void copy_element(unsigned char *to, const unsigned char *from, uint32_t size, bool swapped)
{
  for (uint32_t i = 0; i < size; ++i) to[swapped ? size - 1 - i : i] = from[i];
}

// Column by column in the file, row by row in memory.
static void copy_columns(NpyArray *array, const unsigned char *from, bool swapped)
{
  int64_t index[NPY_RANK_MAX] = {0};
  for (size_t i = 0; i < array->count; ++i) {
    size_t place = 0;
    for (int32_t k = 0; k < array->rank; ++k)
      place = place * (size_t)array->shape[k] + (size_t)index[k];
    copy_element(array->bytes + place * array->size, from + i * array->size, array->size, swapped);
    for (int32_t k = 0; k < array->rank && ++index[k] == array->shape[k]; ++k) index[k] = 0;
  }
}

static bool take_elements(const Header *header, const unsigned char *from, size_t size)
{
  NpyArray *array = header->array;
  if (!count_elements(array, header->problem)) return false;
  size_t wanted = array->count * array->size;
  if (size != wanted)
    return fail(header->problem, "%zu bytes of elements, where shape and type ask for %zu", size,
                wanted);
  array->bytes = malloc(wanted ? wanted : 1);
  if (!array->bytes) return fail(header->problem, "out of memory");
  if (header->fortran) {
    copy_columns(array, from, header->swapped);
    return true;
  }
  for (size_t i = 0; i < array->count; ++i)
    copy_element(array->bytes + i * array->size, from + i * array->size, array->size,
                 header->swapped);
  return true;
}

static bool read_array(const unsigned char *bytes, size_t size, NpyArray *array, char *problem)
{
  size_t at = MAGIC_SIZE + 2, length;
  if (size < at || memcmp(bytes, magic, MAGIC_SIZE) != 0)
    return fail(problem, "not a file of NumPy's format .npy");
  unsigned version = bytes[MAGIC_SIZE];
  if (version < 1 || version > 3 || bytes[MAGIC_SIZE + 1] != 0)
    return fail(problem, "version %u.%u of the format .npy is not known", version,
                bytes[MAGIC_SIZE + 1]);
  size_t width = version == 1 ? 2 : 4;
  if (size - at < width) return fail(problem, "the file ends in its header");
  length = bytes[at] | (size_t)bytes[at + 1] << 8;
  if (width == 4) length |= (size_t)bytes[at + 2] << 16 | (size_t)bytes[at + 3] << 24;
  at += width;
  if (length > HEADER_MAX || length > size - at)
    return fail(problem, "the file ends in its header");
  Header header = {.at = (const char *)bytes + at, .array = array, .problem = problem};
  header.end = header.at + length;
  return take_header(&header) && take_elements(&header, bytes + at + length, size - at - length);
}

bool npy_read(const void *bytes, size_t size, NpyArray *array, char problem[NPY_PROBLEM_MAX])
{
  *array = (NpyArray){.kind = NPY_BOOL};
  problem[0] = '\0';
  if (read_array(bytes, size, array, problem)) return true;
  npy_free(array);
  return false;
}

void npy_free(NpyArray *array)
{
  free(array->bytes);
  *array = (NpyArray){.kind = NPY_BOOL};
}

// --- Files ---------------------------------------------------------------------------------------

static unsigned char *read_all(FILE *file, size_t *size)
{
  enum { SIZE_MAX_OF_FILE = ELEMENTS_MAX * 8 + HEADER_MAX + ALIGNMENT };
  size_t room = 1 << 16;
  unsigned char *bytes = malloc(room);
  *size = 0;
  while (bytes) {
    *size += fread(bytes + *size, 1, room - *size, file);
    if (*size < room || room > SIZE_MAX_OF_FILE) return bytes;
    room *= 2;
    unsigned char *grown = realloc(bytes, room);
    if (!grown) free(bytes);
    bytes = grown;
  }
  return NULL;
}

static NpyReadFile *read_by;

void npy_read_files_by(NpyReadFile *read)
{
  read_by = read;
}

bool npy_read_file(const char *path, NpyArray *array, char problem[NPY_PROBLEM_MAX])
{
  size_t size;
  *array = (NpyArray){.kind = NPY_BOOL};
  if (read_by) return read_by(path, array, problem);
  FILE *file = fopen(path, "rb");
  if (!file) return fail(problem, "%s", strerror(errno));
  errno = 0;
  unsigned char *bytes = read_all(file, &size);
  bool failed = ferror(file) != 0;
  int reason = errno;
  fclose(file);
  bool read = bytes && !failed && npy_read(bytes, size, array, problem);
  if (failed) fail(problem, "%s", strerror(reason));
  if (!bytes) fail(problem, "out of memory");
  free(bytes);
  return read;
}

bool npy_write(FILE *out, const NpyArray *array)
{
  char text[256];
  char letter = '\0', order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    if (kinds[i].kind == array->kind) letter = kinds[i].letter;
  int length = snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
                        array->size == 1 ? '|' : order, letter, array->size);
  for (int32_t k = 0; k < array->rank; ++k)
    length += snprintf(text + length, sizeof text - (size_t)length, k ? ", %lld" : "%lld",
                       (long long)array->shape[k]);
  length +=
      snprintf(text + length, sizeof text - (size_t)length, "%s), }", array->rank == 1 ? "," : "");
  // As many spaces as align the elements, then the end of the line.
  int total = MAGIC_SIZE + 4 + length + 1, padding = (ALIGNMENT - total % ALIGNMENT) % ALIGNMENT;
  unsigned header = (unsigned)(length + padding + 1);
  fwrite(magic, 1, MAGIC_SIZE, out);
  fprintf(out, "%c%c%c%c%s%*s\n", 1, 0, (int)(header & 0xff), (int)(header >> 8), text, padding,
          "");
  size_t size = array->count * array->size;
  return fwrite(array->bytes, 1, size, out) == size && !ferror(out);
}
