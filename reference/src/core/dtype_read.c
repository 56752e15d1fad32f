// SPDX-License-Identifier: Apache-2.0
// Data types from text. Every step takes what it knows from the front of the text and returns NULL,
// or else what is wrong; what nobody took is an error in the end.
#include <stdbool.h>
#include <string.h>

#include "core/dtype.h"
#include "core/raise.h"

static const char function[] = "TVMFFIDataTypeFromString";
static const char raised[] = "";  // what is wrong, when an error has been raised already
static const char unknown[] = "there is no such name";

typedef struct {
  const char *at;
  const char *end;
} DtypeText;

static const struct {
  const char *name;
  uint8_t size, code, bits;
  bool needs_bits;
} words[] = {
#define WORD(name, code, bits)                \
  {                                           \
    name, sizeof(name) - 1, code, bits, false \
  }
#define SHORT_WORD(name, code, bits)         \
  {                                          \
    name, sizeof(name) - 1, code, bits, true \
  }
    WORD("int", kDLInt, DTYPE_NUMBER_BITS),  // DTYPE-2, DTYPE-3
    WORD("uint", kDLUInt, DTYPE_NUMBER_BITS),
    WORD("float", kDLFloat, DTYPE_NUMBER_BITS),
    WORD("bfloat", kDLBfloat, DTYPE_BFLOAT_BITS),
    WORD("bool", kDLBool, DTYPE_BOOL_BITS),  // DTYPE-6
    WORD("handle", kDLOpaqueHandle, DTYPE_HANDLE_BITS),
    SHORT_WORD("i", kDLInt, DTYPE_NUMBER_BITS),  // DTYPE-11; each behind the words it begins
    SHORT_WORD("u", kDLUInt, DTYPE_NUMBER_BITS),
    SHORT_WORD("f", kDLFloat, DTYPE_NUMBER_BITS),
    SHORT_WORD("bf", kDLBfloat, DTYPE_BFLOAT_BITS),
};

//--------------------------------------------------------------------------------------------------
// Pieces
//--------------------------------------------------------------------------------------------------

static size_t dtype_read_left(const DtypeText *text)
{
  return (size_t)(text->end - text->at);  // DTYPE-16
}

#define SKIP(text, literal) dtype_read_skip(text, literal, sizeof(literal) - 1)

static bool dtype_read_skip(DtypeText *text, const char *word, size_t size)
{
  if (dtype_read_left(text) < size || memcmp(text->at, word, size) != 0) return false;
  text->at += size;
  return true;
}

static bool dtype_read_at_digit(const DtypeText *text)
{
  return text->at < text->end && *text->at >= '0' && *text->at <= '9';
}

// Takes a decimal number, 0 if there is none.
static const char *dtype_read_number(DtypeText *text, uint32_t *number)
{
  uint64_t value = 0;
  for (; dtype_read_at_digit(text); ++text->at) {
    value = 10 * value + (uint64_t)(*text->at - '0');
    if (value > UINT32_MAX) return "it has a number that is too large";  // DTYPE-15
  }
  *number = (uint32_t)value;
  return NULL;
}

// Takes a number of bits. Without one, or with 0, the data type keeps the usual number.
static const char *dtype_read_bits(DtypeText *text, DLDataType *out)
{
  uint32_t bits;
  const char *wrong = dtype_read_number(text, &bits);
  if (wrong != NULL) return wrong;
  if (bits > UINT8_MAX) return "its bits must not be more than 255";
  if (bits != 0) out->bits = (uint8_t)bits;
  return NULL;
}

static const char *dtype_read_lane_number(DtypeText *text, uint16_t *lanes)
{
  uint32_t number;
  const char *wrong = dtype_read_number(text, &number);
  if (wrong != NULL) return wrong;
  if (number == 0 || number > UINT16_MAX) return "its lanes must be a number from 1 to 65535";
  *lanes = (uint16_t)number;
  return NULL;
}

// Takes lanes, if there are some (DTYPE-4).
static const char *dtype_read_lanes(DtypeText *text, DLDataType *out)
{
  return SKIP(text, "x") ? dtype_read_lane_number(text, &out->lanes) : NULL;
}

// Takes lanes, if there are some, that may be scalable.
static const char *dtype_read_any_lanes(DtypeText *text, DLDataType *out)
{
  if (!SKIP(text, "xvscale")) return dtype_read_lanes(text, out);
  if (!SKIP(text, "x")) return NULL;
  const char *wrong = dtype_read_lane_number(text, &out->lanes);
  if (wrong == NULL) out->lanes = (uint16_t)-out->lanes;  // DTYPE-5
  return wrong;
}

//--------------------------------------------------------------------------------------------------
// Kinds of data types
//--------------------------------------------------------------------------------------------------

// Takes what makes "float", "fp" or "f" a family of formats, its bits; 0 if there is no such thing.
static char dtype_read_family(DtypeText *text)
{
  if (dtype_read_left(text) < 2 || text->at[1] != '_') return 0;
  char bits = text->at[0];
  if (bits != '8' && bits != '6' && bits != '4') return 0;
  text->at += 2;
  return bits;
}

static const char *dtype_read_format(DtypeText *text, char family, DLDataType *out)
{
  const char *name = text->at;
  while (text->at < text->end && *text->at != 'x' && *text->at != '_') ++text->at;
  size_t size = (size_t)(text->at - name);
  for (int code = DTYPE_FIRST_FORMAT; code <= DTYPE_LAST_FORMAT; ++code) {  // DTYPE-7, DTYPE-8
    const DtypeFormat *format = &dtype_formats[code - DTYPE_FIRST_FORMAT];
    if (format->name[DTYPE_FAMILY_SIZE - 2] != family) continue;
    if (format->size - DTYPE_FAMILY_SIZE != size) continue;
    if (memcmp(format->name + DTYPE_FAMILY_SIZE, name, size) != 0) continue;
    *out = (DLDataType){(uint8_t)code, format->bits, 1};
    if (code == kDLFloat4_e2m1fn) SKIP(text, "_");  // DTYPE-13
    return dtype_read_lanes(text, out);             // DTYPE-9
  }
  return "there is no such float format";
}

// The text is behind "custom".
static const char *dtype_read_custom(DtypeText *text, DLDataType *out)
{
  if (!SKIP(text, "[")) return "a `[` must follow `custom`";
  const char *name = text->at;
  const char *end = memchr(name, ']', dtype_read_left(text));  // DTYPE-17
  if (end == NULL) return "its `]` is missing";
  if (memchr(name, '\0', (size_t)(end - name)) != NULL) return "it holds a NUL";  // DTYPE-18
  text->at = end + 1;
  *out = (DLDataType){0, DTYPE_NUMBER_BITS, 1};
  const char *wrong = dtype_read_bits(text, out);
  if (wrong == NULL) wrong = dtype_read_any_lanes(text, out);
  if (wrong != NULL || text->at != text->end) return wrong;
  // Last: whatever else may be wrong, nobody need be asked for it.
  TVMFFIByteArray view = {name, (size_t)(end - name)};
  return dtype_custom_code(function, &view, &out->code) == 0 ? NULL : raised;  // DTYPE-30
}

static const char *dtype_read_word(DtypeText *text, DLDataType *out)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (*text->at != *words[i].name) continue;
    if (!dtype_read_skip(text, words[i].name, words[i].size)) continue;
    if (words[i].needs_bits && !dtype_read_at_digit(text)) return unknown;
    if (words[i].code == kDLFloat) {
      char family = dtype_read_family(text);
      if (family != 0) return dtype_read_format(text, family, out);
    }
    *out = (DLDataType){words[i].code, words[i].bits, 1};
    const char *wrong = dtype_read_bits(text, out);
    return wrong != NULL ? wrong : dtype_read_any_lanes(text, out);
  }
  return unknown;
}

static const char *dtype_read(DtypeText *text, DLDataType *out)
{
  *out = (DLDataType){kDLOpaqueHandle, 0, 0};
  if (text->at == text->end || SKIP(text, "void")) return NULL;  // DTYPE-10
  if (SKIP(text, "custom")) return dtype_read_custom(text, out);
  if (SKIP(text, "fp")) {  // DTYPE-12
    char family = dtype_read_family(text);
    return family == 0 ? unknown : dtype_read_format(text, family, out);
  }
  return dtype_read_word(text, out);
}

int TVMFFIDataTypeFromString(const TVMFFIByteArray *str, DLDataType *out)
{
  if (raise_unless_bytes(function, "str", str) != 0) return -1;
  if (out == NULL) return raise_null(function, "out");
  DLDataType dtype;
  DtypeText text = {str->data, str->data};
  if (str->size != 0) text.end += str->size;
  const char *wrong = dtype_read(&text, &dtype);
  if (wrong == raised) return -1;  // DTYPE-33
  if (wrong == NULL && text.at != text.end) wrong = "something is left over behind it";
  if (wrong != NULL) {  // DTYPE-14, DTYPE-18
    return raise_error("ValueError", function, ": `str` is `", raise_name(str).text,
                       "`, which is no data type: ", wrong, NULL);
  }
  *out = dtype;  // DTYPE-19
  return 0;
}
