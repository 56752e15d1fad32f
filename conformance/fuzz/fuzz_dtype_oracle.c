// SPDX-License-Identifier: Apache-2.0
// What the chapter on data types says of a text and of a data type, clause by clause.
#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz_dtype.h"

const FuzzAspect fuzz_dtype_aspects[FUZZ_DTYPE_ASPECTS] = {
#define X(constant, name, clause, due, what) {name, clause, FUZZ_DUE_##due, what, false},
    FUZZ_DTYPE_ASPECT_LIST(X)
#undef X
};

typedef struct Word {
  const char *name;
  uint8_t code, bits;
  bool is_short;
} Word;

static const Word words[] = {{"bfloat", 4, 16, false}, {"float", 2, 32, false},
                             {"handle", 3, 64, false}, {"uint", 1, 32, false},
                             {"bool", 6, 8, false},    {"int", 0, 32, false},
                             {"bf", 4, 16, true},      {"f", 2, 32, true},
                             {"i", 0, 32, true},       {"u", 1, 32, true}};
enum { WORDS = sizeof words / sizeof words[0] };

// The codes from 7 on.
static const struct {
  const char *name;
  uint8_t bits;
} formats[] = {{"e3m4", 8},     {"e4m3", 8},   {"e4m3b11fnuz", 8}, {"e4m3fn", 8},
               {"e4m3fnuz", 8}, {"e5m2", 8},   {"e5m2fnuz", 8},    {"e8m0fnu", 8},
               {"e2m3fn", 6},   {"e3m2fn", 6}, {"e2m1fn", 4}};
enum { FORMATS = sizeof formats / sizeof formats[0], FIRST_FORMAT = 7, PACKED = 17 };

const char *const fuzz_dtype_words[] = {
    "int",
    "uint",
    "float",
    "bfloat",
    "handle",
    "bool",
    "i",
    "u",
    "f",
    "bf",
    "void",
    "complex",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e5m2",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
    "float4_e2m1fn_",
    "fp8_e4m3fn",
    "f8_e5m2",
    "fp6_e2m3fn",
    "f6_e3m2fn",
    "fp4_e2m1fn",
    "f4_e2m1fn_",
    "custom[a]",
    "custom[]",
    "custom[some.name]",
    "custom[fails]",
    "custom[a_name_that_is_longer_than_any_buffer_of_sixty_four_characters]"};
const size_t fuzz_dtype_word_count = sizeof fuzz_dtype_words / sizeof fuzz_dtype_words[0];

// --- Pieces of a text ----------------------------------------------------------------------------

// A text that is taken apart, and what is wrong with it so far.
typedef struct Text {
  const char *at, *end;
  bool is_long, out_of_range, open;
} Text;

static bool take(Text *text, const char *word)
{
  size_t size = strlen(word);
  if ((size_t)(text->end - text->at) < size || memcmp(text->at, word, size) != 0) return false;
  text->at += size;
  return true;
}

static bool at_digit(const Text *text)
{
  return text->at < text->end && *text->at >= '0' && *text->at <= '9';
}

// Takes the digits that follow. False if there are none.
static bool take_number(Text *text, uint64_t *number)
{
  if (!at_digit(text)) return false;
  for (*number = 0; at_digit(text); ++text->at) {
    uint64_t digit = (uint64_t)(*text->at - '0');
    if (*number > (UINT64_MAX - digit) / 10) text->is_long = true;
    *number = 10 * *number + digit;
  }
  return true;
}

static void take_bits(Text *text, DLDataType *value)
{
  uint64_t bits;
  if (!take_number(text, &bits)) return;
  text->out_of_range |= bits > 255;
  text->open |= bits == 0;  // DTYPE-38
  value->bits = (uint8_t)bits;
}

static void take_lane_number(Text *text, uint64_t *lanes)
{
  if (!take_number(text, lanes)) *lanes = 0;
  text->out_of_range |= *lanes == 0 || *lanes > 65535;
  text->open |= *lanes > 32767;  // DTYPE-36
}

// Takes lanes, of either kind. False if there are none.
static bool take_lanes(Text *text, DLDataType *value, bool *scalable)
{
  uint64_t lanes = 1;
  *scalable = take(text, "xvscale");
  if (*scalable && !take(text, "x")) {
    text->open = true;  // DTYPE-36
    return true;
  }
  if (!*scalable && !take(text, "x")) return false;
  take_lane_number(text, &lanes);
  value->lanes = (uint16_t)(*scalable ? 65536 - lanes : lanes);
  return true;
}

// --- Kinds of texts ------------------------------------------------------------------------------

static FuzzDtypeAspect conclude(const Text *text, FuzzDtypeAspect aspect)
{
  if (text->is_long) return FUZZ_DTYPE_LONG_NUMBER;
  if (text->at != text->end) return FUZZ_DTYPE_NO_DTYPE;
  if (text->out_of_range) return FUZZ_DTYPE_RANGE;
  return text->open ? FUZZ_DTYPE_OPEN_TEXT : aspect;
}

// The text is behind "float8_" or what means the same.
static FuzzDtypeAspect read_format(Text *text, uint8_t bits, bool is_short, DLDataType *value)
{
  bool scalable;
  size_t size = 0, left = (size_t)(text->end - text->at);
  while (size < left && text->at[size] != 'x' && text->at[size] != '_') ++size;
  unsigned i = 0;
  while (i < FORMATS && (formats[i].bits != bits || strlen(formats[i].name) != size ||
                         memcmp(formats[i].name, text->at, size) != 0))
    ++i;
  if (i == FORMATS) return FUZZ_DTYPE_NO_DTYPE;
  text->at += size;
  *value = (DLDataType){(uint8_t)(FIRST_FORMAT + i), bits, 1};
  bool underscore = value->code == PACKED && take(text, "_");
  bool lanes = take_lanes(text, value, &scalable);
  text->open |= scalable || (underscore && !lanes);  // DTYPE-40
  if (underscore) return conclude(text, FUZZ_DTYPE_UNDERSCORE);
  if (is_short) return conclude(text, FUZZ_DTYPE_SHORT_FORMAT);
  if (lanes) return conclude(text, FUZZ_DTYPE_FORMAT_LANES);
  return conclude(text, bits == 8 ? FUZZ_DTYPE_FORMAT_8 : FUZZ_DTYPE_FORMAT_64);
}

// The text is behind "custom".
static FuzzDtypeAspect read_custom(Text *text, DLDataType *value)
{
  bool scalable;
  size_t left = (size_t)(text->end - text->at);
  const char *close = left ? memchr(text->at, ']', left) : NULL;
  if (!close || *text->at != '[') return FUZZ_DTYPE_BRACKET;
  const char *name = text->at + 1;
  size_t size = (size_t)(close - name), behind = (size_t)(text->end - close - 1);
  if ((size && (memchr(name, '[', size) || memchr(name, '\0', size))) ||
      (behind && memchr(close + 1, ']', behind)))
    return FUZZ_DTYPE_OPEN_TEXT;  // DTYPE-42
  text->at = close + 1;
  int code = fuzz_dtype_custom_code(name, size);
  *value = (DLDataType){(uint8_t)code, 32, 1};
  take_bits(text, value);
  take_lanes(text, value, &scalable);
  FuzzDtypeAspect aspect = conclude(text, FUZZ_DTYPE_CUSTOM);
  // What else is wrong may be noticed before or after the function is asked.
  if (code >= 0) return aspect;
  return aspect == FUZZ_DTYPE_CUSTOM ? FUZZ_DTYPE_CUSTOM_FAILS : FUZZ_DTYPE_OPEN_TEXT;
}

// Takes what makes a float a format, and returns its bits; 0 if there is no such thing.
static uint8_t take_family(Text *text)
{
  return take(text, "8_") ? 8 : take(text, "6_") ? 6 : take(text, "4_") ? 4 : 0;
}

static FuzzDtypeAspect read_word(Text *text, const Word *word, DLDataType *value)
{
  bool scalable, digits = at_digit(text);
  if (word->is_short && !digits) return FUZZ_DTYPE_NO_DTYPE;
  *value = (DLDataType){word->code, word->bits, 1};
  take_bits(text, value);
  bool lanes = take_lanes(text, value, &scalable);
  if (word->is_short) return conclude(text, FUZZ_DTYPE_SHORT);
  if (word->code == kDLBool) return conclude(text, FUZZ_DTYPE_BOOL);
  if (lanes) return conclude(text, scalable ? FUZZ_DTYPE_SCALABLE : FUZZ_DTYPE_LANES);
  return conclude(text, digits ? FUZZ_DTYPE_BITS : FUZZ_DTYPE_NAME);
}

static FuzzDtypeAspect read_text(Text *text, DLDataType *value)
{
  *value = (DLDataType){3, 0, 0};
  if (text->at == text->end || take(text, "void")) return conclude(text, FUZZ_DTYPE_NOTHING);
  if (take(text, "complex")) return FUZZ_DTYPE_OPEN_TEXT;  // DTYPE-41
  if (take(text, "custom")) return read_custom(text, value);
  if (take(text, "fp")) {
    uint8_t bits = take_family(text);
    return bits ? read_format(text, bits, true, value) : FUZZ_DTYPE_NO_DTYPE;
  }
  for (unsigned i = 0; i < WORDS; ++i) {
    if (!take(text, words[i].name)) continue;
    uint8_t bits = words[i].code == kDLFloat ? take_family(text) : 0;
    return bits ? read_format(text, bits, words[i].is_short, value)
                : read_word(text, &words[i], value);
  }
  return FUZZ_DTYPE_NO_DTYPE;
}

FuzzDtypeAspect fuzz_dtype_read(const char *data, size_t size, DLDataType *value)
{
  Text text = {.at = data, .end = data + size};
  FuzzDtypeAspect aspect = read_text(&text, value);
  bool nul = aspect == FUZZ_DTYPE_NO_DTYPE && memchr(data, '\0', size);
  return nul ? FUZZ_DTYPE_HOLDS_NUL : aspect;
}

// --- Data types ----------------------------------------------------------------------------------

// Prints lanes behind `text`. False where the spec leaves them open.
static bool print_lanes(uint16_t lanes, char *text, FuzzDtypeAspect *aspect)
{
  size_t used = strlen(text);
  if (lanes == 0 || lanes == 65535) return false;  // DTYPE-37
  if (lanes == 1) return true;
  bool scalable = lanes > 32767;
  *aspect = scalable ? FUZZ_DTYPE_PRINT_SCALABLE : FUZZ_DTYPE_PRINT_LANES;
  snprintf(text + used, FUZZ_DTYPE_TEXT_MAX - used, scalable ? "xvscalex%d" : "x%d",
           scalable ? 65536 - lanes : lanes);
  return true;
}

static FuzzDtypeAspect print_format(DLDataType value, char *text)
{
  unsigned which = value.code - FIRST_FORMAT;
  FuzzDtypeAspect aspect = FUZZ_DTYPE_PRINT_FORMAT;
  if (value.bits != formats[which].bits) return FUZZ_DTYPE_OPEN_PRINT;  // DTYPE-40
  snprintf(text, FUZZ_DTYPE_TEXT_MAX, "float%d_%s", value.bits, formats[which].name);
  return print_lanes(value.lanes, text, &aspect) ? aspect : FUZZ_DTYPE_OPEN_PRINT;
}

static FuzzDtypeAspect print_custom(DLDataType value, char *text)
{
  char name[8];
  FuzzDtypeAspect aspect = FUZZ_DTYPE_PRINT_CUSTOM;
  if (value.bits != 32) return FUZZ_DTYPE_OPEN_PRINT;  // DTYPE-42
  if (!fuzz_dtype_custom_name(value.code, name)) return FUZZ_DTYPE_PRINT_FAILS;
  snprintf(text, FUZZ_DTYPE_TEXT_MAX, "custom[%s]", name);
  return print_lanes(value.lanes, text, &aspect) ? FUZZ_DTYPE_PRINT_CUSTOM : FUZZ_DTYPE_OPEN_PRINT;
}

static FuzzDtypeAspect print_handle(DLDataType value, char *text)
{
  if (value.bits == 64 && value.lanes == 1)
    strcpy(text, "handle");
  else if (value.bits != 0 || value.lanes != 0)
    return FUZZ_DTYPE_OPEN_PRINT;  // DTYPE-39
  return FUZZ_DTYPE_PRINT_HANDLE;
}

FuzzDtypeAspect fuzz_dtype_print(DLDataType value, char text[FUZZ_DTYPE_TEXT_MAX])
{
  static const char *const names[] = {"int", "uint", "float", "", "bfloat", "", "bool"};
  text[0] = '\0';
  FuzzDtypeAspect aspect = value.code == kDLBool ? FUZZ_DTYPE_PRINT_BOOL : FUZZ_DTYPE_PRINT_NUMBER;
  if (value.code == kDLUInt && value.bits == 1) aspect = FUZZ_DTYPE_PRINT_BIT;
  if (value.code >= 129) return print_custom(value, text);
  if (value.code >= 100) return FUZZ_DTYPE_PRINT_NAMELESS;
  if (value.code == kDLOpaqueHandle) return print_handle(value, text);
  if (value.code == kDLComplex || value.code > PACKED) return FUZZ_DTYPE_OPEN_PRINT;  // DTYPE-41
  if (value.code >= FIRST_FORMAT) return print_format(value, text);
  if (value.bits == 0) return FUZZ_DTYPE_OPEN_PRINT;  // DTYPE-38
  snprintf(text, FUZZ_DTYPE_TEXT_MAX, "%s%d", names[value.code], value.bits);
  if (value.code == kDLBool && value.bits == 8) strcpy(text, names[kDLBool]);
  FuzzDtypeAspect without_lanes = aspect;
  if (!print_lanes(value.lanes, text, &aspect)) return FUZZ_DTYPE_OPEN_PRINT;
  return without_lanes == FUZZ_DTYPE_PRINT_NUMBER ? aspect : without_lanes;
}

// --- Custom types --------------------------------------------------------------------------------

const char *fuzz_dtype_kind(unsigned aspect)
{
  bool ours = aspect == FUZZ_DTYPE_CUSTOM_FAILS || aspect == FUZZ_DTYPE_PRINT_FAILS;
  return ours ? "FuzzError" : "ValueError";
}

int fuzz_dtype_custom_code(const char *name, size_t size)
{
  unsigned sum = 0;
  if (size >= 4 && memcmp(name, "fail", 4) == 0) return -1;
  for (size_t i = 0; i < size; ++i) sum = 31 * sum + (unsigned char)name[i];
  return (int)(129 + sum % 127);
}

bool fuzz_dtype_custom_name(unsigned code, char name[8])
{
  snprintf(name, 8, "n%c", (char)('a' + code % 26));
  return code != 255;
}
