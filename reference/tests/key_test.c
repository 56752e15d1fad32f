// SPDX-License-Identifier: Apache-2.0
// Keys whose type brings a hash and a comparison of its own, good ones and bad ones.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "map_walk.h"
#include "probe.h"
#include "unit/unit.h"

// Objects that are equal if their numbers are.
typedef struct {
  TVMFFIObject header;
  int64_t number;
} Number;

static int32_t number_type, compiled_type, wrong_type;

static Number make_number(int64_t number)
{
  return (Number){.header = {.combined_ref_count = COUNTS(1, 1), .type_index = number_type},
                  .number = number};
}

static int64_t number_of(TVMFFIObjectHandle object)
{
  return ((Number *)object)->number;
}

//--------------------------------------------------------------------------------------------------
// What hash and comparison do
//--------------------------------------------------------------------------------------------------

static uint64_t usual_hash(TVMFFIObjectHandle object)
{
  return (uint64_t)number_of(object) * 7919;
}

// All numbers in few chains.
static uint64_t poor_hash(TVMFFIObjectHandle object)
{
  return (uint64_t)number_of(object) % 3;
}

static uint64_t fickle_hash(TVMFFIObjectHandle object)
{
  static uint64_t last;
  return (last += 12345) ^ (uint64_t)number_of(object);
}

static int hash_countdown, equal_countdown;  // calls until one fails; 0 for never
static bool answers_with_text;
static TVMFFIObject *clears, *fills;  // a dict that is changed meanwhile
static int change_countdown;          // calls until it is; 0 for the next one

static int fail_if_due(int *countdown)
{
  if (*countdown == 0 || --*countdown != 0) return 0;
  TVMFFIErrorSetRaisedFromCStr("OverflowError", "too many");
  return -1;
}

static void change_dicts(void)
{
  TVMFFIObject *to_clear = clears, *to_fill = fills;
  if (change_countdown > 0 && --change_countdown > 0) return;
  clears = fills = NULL;
  if (to_clear != NULL) call_void("ffi.DictClear", ARGS(view_object(to_clear)));
  for (int i = 0; to_fill != NULL && i < 40; ++i) {
    call_void("ffi.DictSetItem", ARGS(view_object(to_fill), view_int(i), view_int(i)));
  }
}

static int hash_number(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  ck_assert_int_eq(num_args, 1);
  ck_assert_int_eq(args[0].type_index, number_type);
  change_dicts();
  if (fail_if_due(&hash_countdown) != 0) return -1;
  if (answers_with_text) return TVMFFIStringFromByteArray(BYTES("longer than seven"), result);
  *result = view_int((int64_t)map_hash_of_type(args[0].v_obj));
  return 0;
}

static int equal_numbers(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  ck_assert_int_eq(num_args, 2);
  ck_assert_int_eq(args[1].type_index, number_type);
  change_dicts();
  if (fail_if_due(&equal_countdown) != 0) return -1;
  if (answers_with_text) return TVMFFIStringFromByteArray(BYTES("longer than seven"), result);
  *result = view_bool(number_of(args[0].v_obj) == number_of(args[1].v_obj));
  return 0;
}

// What a native function returns instead if its countdown is over: an error, or a text.
static bool answers_otherwise(int *countdown, TVMFFIAny *answer)
{
  TVMFFIObjectHandle error = NULL;
  if (answers_with_text) {
    ck_assert_int_eq(TVMFFIStringFromByteArray(BYTES("longer than seven"), answer), 0);
    return true;
  }
  if (fail_if_due(countdown) == 0) return false;
  TVMFFIErrorMoveFromRaised(&error);
  *answer = view_object(error);
  return true;
}

static TVMFFIAny hash_compiled(const TVMFFIAny *value)
{
  TVMFFIAny answer = view_int(number_of(value->v_obj));
  answers_otherwise(&hash_countdown, &answer);
  return answer;
}

static TVMFFIAny equal_compiled(const TVMFFIAny *one, const TVMFFIAny *other)
{
  TVMFFIAny answer = view_bool(number_of(one->v_obj) == number_of(other->v_obj));
  answers_otherwise(&equal_countdown, &answer);
  return answer;
}

static void set_function(const TVMFFIByteArray *attribute, TVMFFISafeCallType function)
{
  TVMFFIObjectHandle object = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, function, NULL, &object), 0);
  TVMFFIAny value = view_object(object);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(number_type, attribute, &value), 0);
  TVMFFIObjectDecRef(object);
}

static void set_compiled(const TVMFFIByteArray *attribute, const void *function, size_t size)
{
  TVMFFIAny value = view_pointer(NULL);
  memcpy(&value.v_ptr, function, size);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(compiled_type, attribute, &value), 0);
}

static void prepare(void)
{
  TVMFFIAny (*hash)(const TVMFFIAny *) = hash_compiled;
  TVMFFIAny (*equal)(const TVMFFIAny *, const TVMFFIAny *) = equal_compiled;
  map_hash_of_type = usual_hash;
  hash_countdown = equal_countdown = 0;
  answers_with_text = false;
  clears = fills = NULL;
  change_countdown = 0;
  if (number_type != 0) return;
  number_type = TVMFFITypeGetOrAllocIndex(BYTES("key_test.Number"), -1, 1, 0, 1, kTVMFFIObject);
  compiled_type = TVMFFITypeGetOrAllocIndex(BYTES("key_test.Compiled"), -1, 1, 0, 1, kTVMFFIObject);
  wrong_type = TVMFFITypeGetOrAllocIndex(BYTES("key_test.Wrong"), -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIAny no_function = view_int(1);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(wrong_type, BYTES("__any_hash__"), &no_function), 0);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(wrong_type, BYTES("__any_equal__"), &no_function), 0);
  map_hash_type = number_type;
  set_function(BYTES("__any_hash__"), hash_number);
  set_function(BYTES("__any_equal__"), equal_numbers);
  set_compiled(BYTES("__any_hash__"), &hash, sizeof hash);
  set_compiled(BYTES("__any_equal__"), &equal, sizeof equal);
}

//--------------------------------------------------------------------------------------------------
// Tests
//--------------------------------------------------------------------------------------------------

// Fills a dict with count numbers that lead to themselves; the keys are at `numbers`.
static TVMFFIObject *make_dict(Number *numbers, int count)
{
  TVMFFIObject *dict = call_object("ffi.Dict", NO_ARGS);
  for (int i = 0; i < count; ++i) {
    numbers[i] = make_number(i);
    call_void("ffi.DictSetItem", ARGS(view_object(dict), view_object(&numbers[i]), view_int(i)));
  }
  return dict;
}

static const int counts[] = {1, 4, 5, 100};

TEST_GROUP(all, .setup = prepare, .timeout = 60);

TEST(equal_objects_are_one_key, .rows = 2 * ROWS(counts))
{
  Number numbers[100];
  int count = counts[_i / 2];
  if (_i % 2 == 1) map_hash_of_type = poor_hash;
  TVMFFIObject *dict = make_dict(numbers, count);
  TVMFFIAny self = view_object(dict);
  expect_map_in_order(dict, NULL);
  for (int i = 0; i < count; ++i) {
    Number twin = make_number(i);
    ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_object(&twin))), i);
    call_void("ffi.DictSetItem", ARGS(self, view_object(&twin), view_int(-i)));
    expect_counts(&twin, 1, 1);
  }
  for (int i = 0; i < count; i += 2) {
    Number twin = make_number(i), stranger = make_number(count + i);
    call_void("ffi.DictErase", ARGS(self, view_object(&twin)));
    ck_assert_int_eq(call_int("ffi.DictCount", ARGS(self, view_object(&twin))), 0);
    ck_assert_int_eq(call_int("ffi.DictCount", ARGS(self, view_object(&stranger))), 0);
    expect_map_in_order(dict, NULL);
  }
  ck_assert_int_eq(call_int("ffi.DictSize", ARGS(self)), count / 2);
  TVMFFIObjectDecRef(dict);
  for (int i = 0; i < count; ++i) expect_counts(&numbers[i], 1, 1);
}

TEST(arrays_are_searched_with_it)
{
  Number number = make_number(5), twin = make_number(5), other = make_number(6);
  TVMFFIObject *array = call_object("ffi.Array", ARGS(view_object(&other), view_object(&number)));
  ck_assert(call_bool("ffi.ArrayContains", ARGS(view_object(array), view_object(&twin))));
  twin.number = 7;
  ck_assert(!call_bool("ffi.ArrayContains", ARGS(view_object(array), view_object(&twin))));
  equal_countdown = 1;
  expect_refused("ffi.ArrayContains", ARGS(view_object(array), view_object(&twin)), "OverflowError",
                 "too many");
  TVMFFIObjectDecRef(array);
}

TEST(compiled_functions_will_do, .rows = 6)
{
  Number one = make_number(5), twin = make_number(5), other = make_number(6);
  one.header.type_index = twin.header.type_index = other.header.type_index = compiled_type;
  TVMFFIObject *dict = call_object("ffi.Dict", NO_ARGS);
  TVMFFIAny self = view_object(dict);
  for (int i = 0; i < _i; ++i) call_void("ffi.DictSetItem", ARGS(self, view_int(i), view_int(i)));
  call_void("ffi.DictSetItem", ARGS(self, view_object(&one), view_int(55)));
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_object(&twin))), 55);
  ck_assert_int_eq(call_int("ffi.DictCount", ARGS(self, view_object(&other))), 0);
  TVMFFIObjectDecRef(dict);
}

// The native functions return what went wrong. Small dicts compare, large ones hash before.
TEST(errors_of_compiled_functions_come_out, .rows = 4)
{
  Number one = make_number(5), twin = make_number(5);
  one.header.type_index = twin.header.type_index = compiled_type;
  TVMFFIObject *dict = call_object("ffi.Dict", ARGS(view_object(&one), view_int(55)));
  TVMFFIAny self = view_object(dict);
  bool hashes = _i % 2 == 1, is_text = _i / 2 == 1;
  for (int i = 0; hashes && i < 10; ++i) {
    call_void("ffi.DictSetItem", ARGS(self, view_int(i), view_int(i)));
  }
  if (is_text) {
    answers_with_text = true;
  } else {
    *(hashes ? &hash_countdown : &equal_countdown) = 1;
  }
  expect_refused("ffi.DictGetItem", ARGS(self, view_object(&twin)),
                 is_text ? "TypeError" : "OverflowError",
                 !is_text ? "too many"
                 : hashes ? "__any_hash__"
                          : "__any_equal__");
  answers_with_text = false;
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_object(&twin))), 55);
  TVMFFIObjectDecRef(dict);
}

// Whichever call fails: the error comes out, and the dict is what it was.
TEST(a_failure_changes_nothing, .rows = 2 * ROWS(counts))
{
  Number numbers[100], added = make_number(1000);
  int *countdown = _i % 2 == 0 ? &hash_countdown : &equal_countdown;
  int count = counts[_i / 2];
  map_hash_of_type = poor_hash;
  TVMFFIObject *dict = make_dict(numbers, count);
  TVMFFIAny self = view_object(dict), key = view_object(&added);
  for (int n = 1; n <= count; ++n) {
    *countdown = n;
    TVMFFIObjectHandle set = NULL;
    TVMFFIAny result = view_none(), args[] = {self, key, view_int(1)};
    ck_assert_int_eq(TVMFFIFunctionGetGlobal(BYTES("ffi.DictSetItem"), &set), 0);
    int code = TVMFFIFunctionCall(set, args, 3, &result);
    TVMFFIObjectDecRef(set);
    bool was_due = *countdown == 0;
    *countdown = 0;
    ck_assert_int_eq(code, was_due ? -1 : 0);
    if (was_due) expect_raised("OverflowError", "too many");
    if (!was_due) call_void("ffi.DictErase", ARGS(self, key));
    expect_counts(&added, 1, 1);
    expect_map_in_order(dict, NULL);
    ck_assert_int_eq(call_int("ffi.DictSize", ARGS(self)), count);
    if (!was_due) break;
  }
  for (int i = 0; i < count; ++i) {
    ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_object(&numbers[i]))), i);
  }
  TVMFFIObjectDecRef(dict);
}

TEST(answers_of_another_type_are_refused, .rows = 2)
{
  Number numbers[100], twin = make_number(0);
  TVMFFIObject *dict = make_dict(numbers, _i == 0 ? 1 : 100);
  answers_with_text = true;
  expect_refused("ffi.DictGetItem", ARGS(view_object(dict), view_object(&twin)), "TypeError",
                 _i == 0 ? "__any_equal__" : "__any_hash__");
  answers_with_text = false;
  TVMFFIObjectDecRef(dict);
}

// What a type brings is no function.
TEST(what_is_no_function_is_not_called)
{
  Number one = make_number(1), twin = one;
  one.header.type_index = twin.header.type_index = wrong_type;
  TVMFFIObject *dict = call_object("ffi.Dict", ARGS(view_object(&one), view_int(1)));
  TVMFFIAny self = view_object(dict), key = view_object(&twin);
  expect_refused("ffi.DictSetItem", ARGS(self, key, view_int(2)), "TypeError",
                 "__any_equal__ must be a Function");
  for (int i = 0; i < 3; ++i) call_void("ffi.DictSetItem", ARGS(self, view_int(i), view_int(i)));
  expect_refused("ffi.DictSetItem", ARGS(self, view_int(3), view_int(3)), "TypeError",
                 "__any_hash__ must be a Function");
  ck_assert_int_eq(call_int("ffi.DictSize", ARGS(self)), 4);
  ck_assert_int_eq(call_int("ffi.DictGetItem", ARGS(self, view_object(&one))), 1);
  TVMFFIObjectDecRef(dict);
  expect_counts(&one, 1, 1);
}

// A hash that is another one every time finds nothing, but nothing breaks.
TEST(a_fickle_hash_breaks_nothing)
{
  Number numbers[300];
  map_hash_of_type = fickle_hash;
  TVMFFIObject *dict = make_dict(numbers, 300);
  TVMFFIAny self = view_object(dict);
  for (int i = 0; i < 300; ++i) {
    Number twin = make_number(i);
    call_int("ffi.DictCount", ARGS(self, view_object(&twin)));
    call_void("ffi.DictErase", ARGS(self, view_object(&twin)));
  }
  int64_t left = call_int("ffi.DictSize", ARGS(self));
  TVMFFIObject *walk = call_object("ffi.DictForwardIterFunctor", ARGS(self));
  for (int64_t i = 1; i < left; ++i) {
    ck_assert_int_eq(call_function(walk, ARGS(view_int(2))).v_int64, 1);
  }
  TVMFFIObjectDecRef(walk);
  TVMFFIObjectDecRef(dict);
  for (int i = 0; i < 300; ++i) expect_counts(&numbers[i], 1, 1);
}

// Whichever call changes the very dict that a key is looked up in, or added to. Returns false if
// there were not so many calls.
static bool change_at_call(int number, int which)
{
  static const char *const names[] = {"ffi.DictSetItem", "ffi.DictErase", "ffi.DictCount"};
  Number numbers[130], twin = make_number(which % 3);
  int count = (int[]){2, 4, 7, 100, 126}[which / 3 % 5];
  TVMFFIObject *dict = make_dict(numbers, count), *function = NULL;
  TVMFFIAny result = view_none(), args[] = {view_object(dict), view_object(&twin), view_int(1)};
  if (which / 15 % 2 == 0) twin.number = 1000;
  change_countdown = number;
  if (which / 30 % 2 == 0) clears = dict;
  if (which / 60 != 0) fills = dict;
  bool changes = clears != NULL || fills != NULL;
  TVMFFIByteArray name = {names[which % 3], strlen(names[which % 3])};
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&name, (TVMFFIObjectHandle *)&function), 0);
  if (TVMFFIFunctionCall(function, args, which % 3 == 0 ? 3 : 2, &result) != 0) {
    expect_raised("RuntimeError", "changed");
  }
  bool changed = changes && clears == NULL && fills == NULL;
  clears = fills = NULL;
  change_countdown = 0;
  TVMFFIObjectDecRef(function);
  expect_map_in_order(dict, NULL);
  TVMFFIObjectDecRef(dict);
  expect_counts(&twin, 1, 1);
  for (int i = 0; i < count; ++i) expect_counts(&numbers[i], 1, 1);
  return changed;
}

TEST(a_dict_changed_meanwhile_stays_whole, .rows = 120)
{
  map_hash_of_type = _i % 2 ? usual_hash : poor_hash;
  for (int number = 1; change_at_call(number, _i); number += 1 + number) continue;
}
