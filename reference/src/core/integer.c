// SPDX-License-Identifier: Apache-2.0
// Integers of more than 64 bits: words in two's complement, the lowest first, and no more of them
// than the sign needs.
#include "core/integer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/memory.h"
#include "core/object.h"
#include "core/raise.h"

typedef struct {
  TVMFFIObject header;
  size_t count;
  uint64_t words[];
} IntegerObject;

_Static_assert(sizeof(void *) < 8 ||
                   (offsetof(IntegerObject, count) == 24 && offsetof(IntegerObject, words) == 32),
               "compiled code reads them there");  // INT-4

#define WORD sizeof(uint64_t)

const uint64_t *integer_words(const TVMFFIObject *object, size_t *count)
{
  const IntegerObject *integer = (const IntegerObject *)object;
  *count = integer->count;
  return integer->words;
}

//--------------------------------------------------------------------------------------------------
// Words into an integer
//--------------------------------------------------------------------------------------------------

// The words of callers may lie at any address (INT-8).
static uint64_t integer_word(const char *words, size_t place)
{
  uint64_t word;
  memcpy(&word, words + place * WORD, WORD);
  return word;
}

// Returns how many of the words are needed: those that repeat the sign of the word below are not.
static size_t integer_needed(const char *words, size_t count)
{
  while (count > 1) {
    uint64_t sign = integer_word(words, count - 2) >> 63 ? UINT64_MAX : 0;
    if (integer_word(words, count - 1) != sign) break;
    --count;
  }
  return count;
}

// Makes room for that many words. Own; NULL, with an error, if there is no memory.
static IntegerObject *integer_new(size_t count)
{
  size_t room = sizeof(IntegerObject);
  IntegerObject *object = memory_add(&room, count * WORD) ? malloc(room) : NULL;
  if (object == NULL) raise_out_of_memory();
  return object;
}

// Gives back what was asked for in vain.
static IntegerObject *integer_shrink(IntegerObject *object, size_t count)
{
  IntegerObject *smaller = realloc(object, sizeof *object + count * WORD);
  return smaller == NULL ? object : smaller;
}

static int integer_give_plain(uint64_t word, TVMFFIAny *out)
{
  *out = (TVMFFIAny){.type_index = kTVMFFIInt, .v_uint64 = word};  // INT-2, INT-9
  return 0;
}

// The memory comes first: where there is none for so many words, they can't be read (INT-16).
static int integer_make(const char *words, size_t given, TVMFFIAny *out)
{
  IntegerObject *object = integer_new(given);
  if (object == NULL) return -1;
  size_t count = integer_needed(words, given);  // INT-5
  if (count == 1) {
    free(object);
    return integer_give_plain(integer_word(words, 0), out);
  }
  if (count < given) object = integer_shrink(object, count);
  object_init(&object->header, kTVMFFIBigInt, object_free);  // INT-3
  object->count = count;
  memcpy(object->words, words, count * WORD);
  *out = any_object(&object->header);
  return 0;
}

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (raise_unless_bytes(__func__, "input", input) != 0) return -1;  // INT-18
  if (out == NULL) return raise_null(__func__, "out");
  if (input->size % WORD != 0) {  // INT-7
    return raise_error(
        "ValueError", __func__,
        ": the size of `input` must be a multiple of 8, that is whole 64-bit words, not ",
        raise_number((int64_t)input->size).text, NULL);
  }
  if (input->size == 0) return integer_give_plain(0, out);  // INT-6
  if (input->size == WORD) return integer_give_plain(integer_word(input->data, 0), out);
  return integer_make(input->data, input->size / WORD, out);
}

//--------------------------------------------------------------------------------------------------
// An integer's words
//--------------------------------------------------------------------------------------------------

// Returns the object of a big integer, NULL if the value is none. Borrow.
static const IntegerObject *integer_of(const TVMFFIAny *value)
{
  bool is_one = value->type_index == kTVMFFIBigInt && value->v_obj != NULL &&
                value->v_obj->type_index == kTVMFFIBigInt;
  return is_one ? (const IntegerObject *)value->v_obj : NULL;
}

// There is no way to report what is wrong: what is no integer has no words (INT-18).
TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny *value)
{
  if (value == NULL) return (TVMFFIByteArray){NULL, 0};
  if (value->type_index == kTVMFFIInt) {  // INT-10
    return (TVMFFIByteArray){(const char *)&value->v_int64, sizeof value->v_int64};
  }
  const IntegerObject *object = integer_of(value);
  if (object == NULL) return (TVMFFIByteArray){NULL, 0};
  return (TVMFFIByteArray){(const char *)object->words, object->count * WORD};  // INT-11
}

//--------------------------------------------------------------------------------------------------
// Integers as keys: functions that every release of compiled code can call
//--------------------------------------------------------------------------------------------------

// Checks the arguments of a call: that many big integers. Returns 0; -1 with an error.
static int integer_check(const char *name, const TVMFFIAny *args, int32_t num_args, int32_t due,
                         const TVMFFIAny *result)
{
  bool right = num_args == due && args != NULL;
  for (int32_t i = 0; right && i < due; ++i) right = integer_of(&args[i]) != NULL;
  if (!right) {
    return raise_error("TypeError", name, " of ffi.BigInt takes ", raise_number(due).text,
                       due == 1 ? " big integer" : " big integers", NULL);
  }
  return result == NULL ? raise_null(name, "result") : 0;
}

static int integer_call_equal(void *handle, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  (void)handle;
  if (integer_check("__any_equal__", args, num_args, 2, result) != 0) return -1;
  const IntegerObject *one = integer_of(&args[0]), *other = integer_of(&args[1]);
  *result = any_bool(one->count == other->count &&
                     memcmp(one->words, other->words, one->count * WORD) == 0);  // INT-14
  return 0;
}

static int integer_call_hash(void *handle, const TVMFFIAny *args, int32_t num_args,
                             TVMFFIAny *result)
{
  (void)handle;
  if (integer_check("__any_hash__", args, num_args, 1, result) != 0) return -1;
  const IntegerObject *object = integer_of(&args[0]);
  uint64_t hash = object->count;
  for (size_t i = 0; i < object->count; ++i) {
    hash = (hash ^ object->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  *result = any_int((int64_t)hash);
  return 0;
}

typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;  // LAY-13, LAY-14
} IntegerFunction;

#define FUNCTION(call)                                                                    \
  {                                                                                       \
    .header = {OBJECT_NEW_COUNTS, .type_index = kTVMFFIFunction, .deleter = object_keep}, \
    .cell = {.safe_call = (call)},                                                        \
  }
static IntegerFunction equal_function = FUNCTION(integer_call_equal);
static IntegerFunction hash_function = FUNCTION(integer_call_hash);

#define ATTRIBUTES(function)                                                        \
  {                                                                                 \
    [kTVMFFIBigInt] = {.type_index = kTVMFFIFunction, .v_obj = &(function).header } \
  }
TVMFFIAny integer_equal[INTEGER_ATTRIBUTES] = ATTRIBUTES(equal_function);  // INT-20
TVMFFIAny integer_hash[INTEGER_ATTRIBUTES] = ATTRIBUTES(hash_function);
