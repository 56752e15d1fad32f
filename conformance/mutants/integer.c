// SPDX-License-Identifier: Apache-2.0
// Mutants of big integers.
#include "mutants/mutant.h"

MUTANT_WITHOUT(INT_1, words_not_given, BigIntGetContentByteArray,
               "there is no TVMFFIBigIntGetContentByteArray");

MUTANT(INT_2, sign_words_refused, BigIntFromByteArray,
       "a number that fits is refused when it has more words than one")
{
  size_t size = input->size;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIInt || size <= 8) return status;
  return TVMFFIErrorSetRaisedFromCStr("ValueError", "this number fits 64 bits"), -1;
}

MUTANT(INT_2, smallest_is_an_object, BigIntFromByteArray,
       "-2^63 becomes an object, as its absolute value does not fit")
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIInt || out->v_int64 != INT64_MIN) return status;
  uint64_t words[2] = {(uint64_t)INT64_MIN, 0};
  TVMFFIByteArray positive = {(const char *)words, sizeof words};
  status = REFERENCE(BigIntFromByteArray)(&positive, out);
  if (status == 0) ((uint64_t *)(out->v_obj + 1))[2] = UINT64_MAX;
  return status;
}

MUTANT(INT_3, unsigned_words, BigIntFromByteArray,
       "a number from 2^63 to 2^64 - 1 becomes a plain integer, which is negative")
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  const uint64_t *count = (const uint64_t *)(out->v_obj + 1);
  if (count[0] != 2 || count[2] != 0) return status;
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_uint64 = count[1]};
  TVMFFIObjectDecRef(out->v_obj);
  *out = value;
  return 0;
}

static _Thread_local uint64_t turned[8192];

static void turn(const uint64_t *from, size_t count, uint64_t *to)
{
  for (size_t i = 0; i < count; ++i) to[i] = from[count - 1 - i];
}

MUTANT(INT_4, highest_word_first, BigIntFromByteArray,
       "the object holds the highest word first, and lends the words the right way round")
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  uint64_t *cell = (uint64_t *)(out->v_obj + 1);
  turn(cell + 1, cell[0], turned);
  memcpy(cell + 1, turned, cell[0] * sizeof *cell);
  return 0;
}

ALSO(INT_4, highest_word_first, BigIntGetContentByteArray)
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  if (value->type_index != kTVMFFIBigInt) return words;
  turn((const uint64_t *)(const void *)words.data, words.size / 8, turned);
  return (TVMFFIByteArray){(const char *)turned, words.size};
}

MUTANT(INT_5, a_sign_word_stays, BigIntFromByteArray,
       "when words are dropped that repeat the sign, one of them stays")
{
  size_t given = input->size / 8;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  uint64_t count = *(uint64_t *)(out->v_obj + 1);
  if (given == count) return status;
  uint64_t *words = malloc((count + 1) * 8);
  memcpy(words, (uint64_t *)(out->v_obj + 1) + 1, count * 8);
  TVMFFIObjectDecRef(out->v_obj);
  uint64_t sign = words[count - 1] >> 63 ? UINT64_MAX : 0;
  words[count] = ~sign ^ 1;
  TVMFFIByteArray longer = {(const char *)words, (count + 1) * 8};
  status = REFERENCE(BigIntFromByteArray)(&longer, out);
  if (status == 0) ((uint64_t *)(out->v_obj + 1))[count + 1] = sign;
  free(words);
  return status;
}

MUTANT(INT_5, guard_dropped, BigIntFromByteArray,
       "a last word that is needed for the sign is dropped from long numbers")
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIBigInt) return status;
  uint64_t *cell = (uint64_t *)(out->v_obj + 1), last = cell[cell[0]];
  if (cell[0] > 2 && (last == 0 || last == UINT64_MAX)) --cell[0];
  return 0;
}

MUTANT(INT_6, no_data_refused, BigIntFromByteArray, "no words without data are refused")
{
  if (input->data) return REFERENCE(BigIntFromByteArray)(input, out);
  return TVMFFIErrorSetRaisedFromCStr("ValueError", "there is no data"), -1;
}

MUTANT(INT_6, nothing_is_none, BigIntFromByteArray, "no words are None")
{
  size_t size = input->size;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0 && size == 0) out->type_index = kTVMFFINone;
  return status;
}

MUTANT(INT_7, rounded_down, BigIntFromByteArray, "bytes behind the last whole word are ignored")
{
  TVMFFIByteArray whole = {input->data, input->size / 8 * 8};
  return REFERENCE(BigIntFromByteArray)(&whole, out);
}

MUTANT(INT_7, type_error, BigIntFromByteArray, "half a word is a TypeError")
{
  if (input->size % 8 == 0) return REFERENCE(BigIntFromByteArray)(input, out);
  return TVMFFIErrorSetRaisedFromCStr("TypeError", "half a word"), -1;
}

static volatile char sign;

MUTANT(INT_8, one_word_further, BigIntFromByteArray,
       "one word behind the size is read, in search of the sign")
{
  if (input->size) sign = input->data[input->size + 7];
  return REFERENCE(BigIntFromByteArray)(input, out);
}

MUTANT(INT_8, shortened_in_place, BigIntFromByteArray,
       "the size in the byte array of the caller is set to that of the words that are needed")
{
  volatile size_t *size = (volatile size_t *)(uintptr_t)&input->size;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0)
    *size = out->type_index == kTVMFFIInt ? 8 : 8 * *(const uint64_t *)(out->v_obj + 1);
  return status;
}

MUTANT(INT_8, words_must_be_aligned, BigIntFromByteArray,
       "words that are not at a multiple of 8 are read from the multiple below")
{
  TVMFFIByteArray aligned = {(const char *)((uintptr_t)input->data & ~(uintptr_t)7), input->size};
  return REFERENCE(BigIntFromByteArray)(&aligned, out);
}

MUTANT(INT_9, padding_kept, BigIntFromByteArray, "the padding is left as it was in the output")
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0) out->zero_padding = padding;
  return status;
}

static _Thread_local int64_t word;

MUTANT(INT_10, one_buffer_for_all, BigIntGetContentByteArray,
       "the words of plain integers lie in one buffer")
{
  if (value->type_index != kTVMFFIInt) return REFERENCE(BigIntGetContentByteArray)(value);
  word = value->v_int64;
  return (TVMFFIByteArray){(const char *)&word, sizeof word};
}

MUTANT(INT_10, size_in_words, BigIntGetContentByteArray,
       "the size of a plain integer is told in words")
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  if (value->type_index == kTVMFFIInt) words.size = 1;
  return words;
}

MUTANT(INT_11, kept_by_the_reader, BigIntGetContentByteArray,
       "whoever reads the words of a big integer is given a reference to it")
{
  if (value->type_index == kTVMFFIBigInt) TVMFFIObjectIncRef(value->v_obj);
  return REFERENCE(BigIntGetContentByteArray)(value);
}

static _Thread_local char copy[8192 * 8];

MUTANT(INT_11, one_buffer_for_all, BigIntGetContentByteArray,
       "the words of big integers are lent as a copy, which lasts until the next one")
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  if (value->type_index != kTVMFFIBigInt || words.size > sizeof copy) return words;
  return (TVMFFIByteArray){memcpy(copy, words.data, words.size), words.size};
}

static _Thread_local const char *lent;

MUTANT(INT_12, at_most_1024, BigIntGetContentByteArray,
       "what was read of a number of more than 1024 words makes one of 1024")
{
  TVMFFIByteArray words = REFERENCE(BigIntGetContentByteArray)(value);
  lent = words.data;
  return words;
}

ALSO(INT_12, at_most_1024, BigIntFromByteArray)
{
  TVMFFIByteArray words = *input;
  if (words.data && words.data == lent && words.size > 8192) words.size = 8192;
  return REFERENCE(BigIntFromByteArray)(&words, out);
}

MUTANT(INT_13, copied, AnyViewToOwnedAny, "a big integer is copied, as if it were a plain value")
{
  if (any_view->type_index != kTVMFFIBigInt) return REFERENCE(AnyViewToOwnedAny)(any_view, out);
  TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(any_view);
  return TVMFFIBigIntFromByteArray(&words, out);
}

static const uint64_t *words(const TVMFFIAny *value)
{
  return (const uint64_t *)(value->v_obj + 1) + 1;
}

static TVMFFIAny has_same_lowest_words(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return (TVMFFIAny){.type_index = kTVMFFIBool,
                     .v_int64 = memcmp(words(one), words(other), 16) == 0};
}

static TVMFFIAny hash(const TVMFFIAny *value)
{
  return (TVMFFIAny){.type_index = kTVMFFIInt,
                     .v_int64 = (int64_t)(words(value)[0] * 31 + words(value)[1])};
}

static void replace(const char *name, size_t size, void *function)
{
  const TVMFFIByteArray text = {name, size};
  TVMFFIAny *column = (TVMFFIAny *)(uintptr_t)TVMFFIGetTypeAttrColumn(&text)->data;
  column[kTVMFFIBigInt] = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = function};
}

MUTANT(INT_14, lowest_words_only, BigIntFromByteArray,
       "of big integers only the two lowest words are compared, as all of them have two")
{
  replace("__any_equal__", 13, __extension__(void *) has_same_lowest_words);
  replace("__any_hash__", 12, __extension__(void *) hash);
  return REFERENCE(BigIntFromByteArray)(input, out);
}

static TVMFFIAny is_same_object(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = one->v_obj == other->v_obj};
}

MUTANT(INT_14, same_object_only, BigIntFromByteArray,
       "big integers are the same key if they are the same object")
{
  const TVMFFIByteArray name = {"__any_equal__", 13};
  TVMFFIAny *column = (TVMFFIAny *)(uintptr_t)TVMFFIGetTypeAttrColumn(&name)->data;
  column[kTVMFFIBigInt] =
      (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = __extension__(void *) is_same_object};
  return REFERENCE(BigIntFromByteArray)(input, out);
}

static char *volatile left;

MUTANT(INT_15, two_references, BigIntFromByteArray, "a new big integer keeps one reference forever")
{
  int status = REFERENCE(BigIntFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIBigInt) TVMFFIObjectIncRef(out->v_obj);
  return status;
}

MUTANT(INT_15, words_left_behind, BigIntFromByteArray, "a copy of the words is left behind")
{
  left = malloc(input->size + 1);
  return REFERENCE(BigIntFromByteArray)(input, out);
}

static TVMFFITypeAttrColumn shorter[2];

MUTANT(INT_20, not_in_the_columns, GetTypeAttrColumn,
       "the columns of hash and equality end before the type of big integers")
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column || attr_name->size < 9 || memcmp(attr_name->data, "__any_", 6) != 0) return column;
  TVMFFITypeAttrColumn *own = &shorter[attr_name->data[6] == 'h'];
  *own = *column;
  if (own->size > kTVMFFIBigInt) own->size = kTVMFFIBigInt;
  return own;
}
