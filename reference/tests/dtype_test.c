// SPDX-License-Identifier: Apache-2.0
// Data types as text. What the vectors of the specification say is tested as a whole; what they
// cannot say, and why something is refused, is tested here.
#include <stdlib.h>
#include <string.h>

#include "core/global.h"
#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

static const DLDataType untouched = {0xa5, 0xa5, 0xa5a5};

static int read_bytes(const char *text, size_t size, DLDataType *out)
{
  *out = untouched;
  return TVMFFIDataTypeFromString(&(TVMFFIByteArray){text, size}, out);
}

static void expect_dtype(DLDataType seen, unsigned code, unsigned bits, unsigned lanes)
{
  ck_assert_uint_eq(seen.code, code);
  ck_assert_uint_eq(seen.bits, bits);
  ck_assert_uint_eq(seen.lanes, lanes);
}

static void expect_untouched(DLDataType seen)
{
  expect_dtype(seen, untouched.code, untouched.bits, untouched.lanes);
}

// Checks that a data type prints as `size` bytes, in a string object of its own.
static void expect_printed(DLDataType dtype, const char *due, size_t size)
{
  TVMFFIAny out = rubbish();
  ck_assert_int_eq(TVMFFIDataTypeToString(&dtype, &out), 0);
  ck_assert_int_eq(out.type_index, kTVMFFIStr);
  ck_assert_uint_eq(out.zero_padding, 0);
  ck_assert_int_eq(out.v_obj->type_index, kTVMFFIStr);
  expect_counts(out.v_obj, 1, 1);
  expect_bytes((TVMFFIByteArray *)(out.v_obj + 1), due, size);
  TVMFFIObjectDecRef(out.v_obj);
}

//--------------------------------------------------------------------------------------------------
// The vectors
//--------------------------------------------------------------------------------------------------

static const struct {
  enum { READS_AS, READ_FAILURE, PRINTS_AS, PRINT_FAILURE } kind;
  const char *text;
  size_t size;
  DLDataType dtype;
} vectors[] = {
#define READS(text, size, code, bits, lanes) {READS_AS, text, size, {code, bits, lanes}},
#define READ_FAILS(text, size) {READ_FAILURE, text, size, {0, 0, 0}},
#define PRINTS(code, bits, lanes, text, size) {PRINTS_AS, text, size, {code, bits, lanes}},
#define PRINT_FAILS(code, bits, lanes) {PRINT_FAILURE, NULL, 0, {code, bits, lanes}},
#include "dtype_vectors.inc"
};

TEST(does_what_the_vectors_say, .rows = ROWS(vectors))
{
  DLDataType seen, due = vectors[_i].dtype;
  size_t size = vectors[_i].size;
  TVMFFIAny out = rubbish(), before = out;
  switch (vectors[_i].kind) {
    case READS_AS:
      ck_assert_int_eq(read_bytes(fenced(vectors[_i].text, size), size, &seen), 0);
      expect_dtype(seen, due.code, due.bits, due.lanes);
      break;
    case READ_FAILURE:
      ck_assert_int_eq(read_bytes(fenced(vectors[_i].text, size), size, &seen), -1);
      expect_raised("ValueError", "TVMFFIDataTypeFromString");
      expect_untouched(seen);
      break;
    case PRINTS_AS:
      expect_printed(due, vectors[_i].text, size);
      break;
    case PRINT_FAILURE:
      ck_assert_int_eq(TVMFFIDataTypeToString(&due, &out), -1);
      expect_raised("ValueError", "TVMFFIDataTypeToString");
      expect_same_value(&out, &before);
      break;
  }
}

//--------------------------------------------------------------------------------------------------
// Reading
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *text, *why;
} refusals[] = {
    {"int256", "`str` is `int256`, which is no data type: its bits must not be more than 255"},
    {"int4294967296", "a number that is too large"},
    {"int32x99999999999999999999999999", "a number that is too large"},
    {"int32x65536", "its lanes must be a number from 1 to 65535"},
    {"int32x", "its lanes"},
    {"int32xvscalex0", "its lanes"},
    {"float8_e4m3fnxvscalex4", "its lanes"},
    {"float8_e4m3f", "no such float format"},
    {"f8_e2m1fn", "no such float format"},
    {"float4_e2m1fnuz", "no such float format"},
    {"float8__e4m3", "no such float format"},
    {"fp16", "no such name"},
    {"fp8", "no such name"},
    {"f", "no such name"},
    {"bf", "no such name"},
    {"Int32", "no such name"},
    {"\xc3\xa9", "no such name"},
    {"int32 ", "something is left over"},
    {"voidx4", "something is left over"},
    {"int32xvscale4", "something is left over"},
    {"float32_", "something is left over"},
    {"bf8_e4m3", "something is left over"},
    {"float6_e2m3fn_x4", "something is left over"},
    {"custom", "a `[` must follow"},
    {"custom[foo", "its `]` is missing"},
    {"custom[foo]300", "its bits"},
};

TEST(says_what_is_wrong_with_a_text, .rows = ROWS(refusals))
{
  DLDataType seen;
  const char *text = refusals[_i].text;
  ck_assert_int_eq(read_bytes(text, strlen(text), &seen), -1);
  expect_raised("ValueError", refusals[_i].why);
  expect_untouched(seen);
}

TEST(reads_no_further_than_the_size)
{
  DLDataType seen;
  ck_assert_int_eq(read_bytes("int32x4", 4, &seen), 0);
  expect_dtype(seen, kDLInt, 3, 1);
  ck_assert_int_eq(read_bytes("int32x4", 5, &seen), 0);
  expect_dtype(seen, kDLInt, 32, 1);
  ck_assert_int_eq(read_bytes("int32x44", 7, &seen), 0);
  expect_dtype(seen, kDLInt, 32, 4);
  ck_assert_int_eq(read_bytes("custom[foo]", 10, &seen), -1);
  expect_raised("ValueError", "missing");
  ck_assert_int_eq(read_bytes(NULL, 0, &seen), 0);
  expect_dtype(seen, kDLOpaqueHandle, 0, 0);
}

TEST(a_nul_belongs_to_no_data_type)
{
  static const TVMFFIByteArray texts[] = {{"int32\0", 6},
                                          {"\0int32", 6},
                                          {"void\0", 5},
                                          {"\0", 1},
                                          {"int\0"
                                           "32",
                                           6},
                                          {"custom[f\0o]", 11},
                                          {"int32x\0"
                                           "4",
                                           8}};
  DLDataType seen;
  for (int i = 0; i < ROWS(texts); ++i) {
    ck_assert_int_eq(read_bytes(texts[i].data, texts[i].size, &seen), -1);
    expect_raised("ValueError", "is no data type");
    expect_untouched(seen);
  }
}

//--------------------------------------------------------------------------------------------------
// Both ways
//--------------------------------------------------------------------------------------------------

// Codes whose bits and lanes are all printed.
static const uint8_t numbers[] = {kDLInt, kDLUInt, kDLFloat, kDLBfloat, kDLBool};
static const uint16_t lane_numbers[] = {1, 2, 9, 10, 16, 255, 256, 32767, 32769, 65000, 65534};

static void expect_round_trip(DLDataType dtype)
{
  TVMFFIAny out;
  ck_assert_int_eq(TVMFFIDataTypeToString(&dtype, &out), 0);
  const TVMFFIByteArray *text = (TVMFFIByteArray *)(out.v_obj + 1);
  DLDataType seen;
  ck_assert_int_eq(read_bytes(text->data, text->size, &seen), 0);
  expect_dtype(seen, dtype.code, dtype.bits, dtype.lanes);
  TVMFFIObjectDecRef(out.v_obj);
}

TEST(what_was_printed_reads_as_the_same, .rows = ROWS(numbers))
{
  for (int bits = 1; bits <= 255; ++bits) {
    expect_round_trip((DLDataType){numbers[_i], (uint8_t)bits, 1});
    for (int i = 0; i < ROWS(lane_numbers); ++i) {
      expect_round_trip((DLDataType){numbers[_i], (uint8_t)bits, lane_numbers[i]});
    }
  }
}

static long read_and_print(int number)
{
  long wrong = 0;
  for (int i = 0; i < 500; ++i) {
    DLDataType dtype = {kDLInt, (uint8_t)(1 + (i + number) % 255), (uint16_t)(2 + i)}, seen;
    TVMFFIAny out;
    wrong += TVMFFIDataTypeToString(&dtype, &out) != 0;
    wrong += TVMFFIDataTypeFromString((TVMFFIByteArray *)(out.v_obj + 1), &seen) != 0;
    wrong += seen.code != dtype.code || seen.bits != dtype.bits || seen.lanes != dtype.lanes;
    TVMFFIObjectDecRef(out.v_obj);
  }
  return wrong;
}

TEST(threads_read_and_print_at_once)
{
  ck_assert_int_eq(run_threads(4, read_and_print), 0);
}

//--------------------------------------------------------------------------------------------------
// Custom types
//--------------------------------------------------------------------------------------------------

static TVMFFIAny answer;      // what the functions return, own
static int answer_code;       // 0, or the code with which they fail
static char asked_name[128];  // with what they were called
static int64_t asked_code;
static int asked, asked_wrongly;

static int give_answer(TVMFFIAny *result)
{
  ++asked;
  if (answer_code != 0) {
    TVMFFIErrorSetRaisedFromCStr("KeyError", "never heard of it");
    return answer_code;
  }
  *result = answer;
  return 0;
}

static int get_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  asked_wrongly += num_args != 1 || args[0].type_index != kTVMFFIRawStr;
  strncpy(asked_name, args[0].v_c_str, sizeof asked_name - 1);
  return give_answer(result);
}

static int get_name(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  asked_wrongly += num_args != 1 || args[0].type_index != kTVMFFIInt;
  asked_code = args[0].v_int64;
  return give_answer(result);
}

// What stands in for the registry, which is not part of the core.
static struct {
  const char *name;
  TVMFFIObjectHandle function;  // own; may be NULL
} globals[] = {{"dtype.get_custom_type_code", NULL}, {"dtype.get_custom_type_name", NULL}};

static int find_global(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  for (int i = 0; i < ROWS(globals); ++i) {
    if (name->size != strlen(globals[i].name) ||
        memcmp(name->data, globals[i].name, name->size) != 0)
      continue;
    if (globals[i].function != NULL) TVMFFIObjectIncRef(globals[i].function);
    *out = globals[i].function;
    return 0;
  }
  TVMFFIErrorSetRaisedFromCStr("KeyError", "looked for another function");
  return -1;
}

static void set_global(int place, TVMFFISafeCallType callback)
{
  TVMFFIObjectDecRef(globals[place].function);
  globals[place].function = NULL;
  if (callback == NULL) return;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, callback, NULL, &globals[place].function), 0);
}

static void know_custom_types(void)
{
  global_set_find(find_global);
  set_global(0, get_code);
  set_global(1, get_name);
  answer_code = asked = 0;
  answer = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 150};
}

static void forget_custom_types(void)
{
  ck_assert_int_eq(asked_wrongly, 0);
  set_global(0, NULL);
  set_global(1, NULL);
}

static const struct {
  const char *text, *name;
  unsigned bits, lanes;
} customs[] = {
    {"custom[foo]", "foo", 32, 1},
    {"custom[]", "", 32, 1},
    {"custom[foo]16", "foo", 16, 1},
    {"custom[foo]0", "foo", 32, 1},
    {"custom[foo]x4", "foo", 32, 4},
    {"custom[foo]8x4", "foo", 8, 4},
    {"custom[foo]8xvscalex4", "foo", 8, 65532},
    {"custom[f[o x4]8", "f[o x4", 8, 1},
    {"custom[a name that is longer than what fits into sixty-four bytes, and then some]",
     "a name that is longer than what fits into sixty-four bytes, and then some", 32, 1},
};

TEST_GROUP(custom, .setup = know_custom_types, .teardown = forget_custom_types);

TEST(the_code_of_a_custom_type_is_asked_for, .rows = ROWS(customs))
{
  DLDataType seen;
  size_t size = strlen(customs[_i].text);
  ck_assert_int_eq(read_bytes(fenced(customs[_i].text, size), size, &seen), 0);
  expect_dtype(seen, 150, customs[_i].bits, customs[_i].lanes);
  ck_assert_str_eq(asked_name, customs[_i].name);
  ck_assert_int_eq(asked, 1);
}

TEST(nobody_is_asked_for_what_is_wrong_anyway)
{
  DLDataType seen;
  ck_assert_int_eq(read_bytes("custom[foo]x0", 13, &seen), -1);
  expect_raised("ValueError", "its lanes");
  ck_assert_int_eq(read_bytes("custom[foo] ", 12, &seen), -1);
  expect_raised("ValueError", "left over");
  ck_assert_int_eq(asked, 0);
}

static const int64_t wrong_codes[] = {0, 5, 128, 256, -1, INT64_MIN, INT64_MAX};

TEST(a_custom_code_is_one_of_those_left, .rows = ROWS(wrong_codes))
{
  DLDataType seen;
  answer.v_int64 = wrong_codes[_i];
  ck_assert_int_eq(read_bytes("custom[foo]", 11, &seen), -1);
  expect_raised("ValueError", "but a custom code is 129 to 255");
  expect_untouched(seen);
}

TEST(a_custom_code_is_an_integer)
{
  DLDataType seen;
  Probe probe = probe_make(200);
  answer = (TVMFFIAny){.type_index = 200, .v_obj = &probe.header};
  ck_assert_int_eq(read_bytes("custom[foo]", 11, &seen), -1);
  expect_raised("TypeError", "an integer");
  ck_assert_int_eq(probe.calls, 1);
  expect_untouched(seen);
}

TEST(the_name_of_a_custom_type_is_asked_for)
{
  answer = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 3, .v_bytes = "foo"};
  expect_printed((DLDataType){150, 32, 1}, "custom[foo]", 11);
  ck_assert_int_eq(asked_code, 150);
  expect_printed((DLDataType){255, 16, 4}, "custom[foo]16x4", 15);
  expect_printed((DLDataType){129, 255, 32768}, "custom[foo]255xvscalex32768", 27);
  ck_assert_int_eq(asked, 3);
  TVMFFIAny owned;
  ck_assert_int_eq(TVMFFIStringFromByteArray(BYTES("longer than seven"), &owned), 0);
  TVMFFIObjectIncRef(owned.v_obj);
  answer = owned;
  expect_printed((DLDataType){150, 32, 1}, "custom[longer than seven]", 25);
  expect_counts(owned.v_obj, 1, 1);
  TVMFFIObjectDecRef(owned.v_obj);
}

TEST(a_custom_name_is_a_string)
{
  TVMFFIAny out = rubbish(), before = out;
  Probe probe = probe_make(kTVMFFIBytes);
  answer = (TVMFFIAny){.type_index = kTVMFFIBytes, .v_obj = &probe.header};
  DLDataType dtype = {150, 32, 1};
  ck_assert_int_eq(TVMFFIDataTypeToString(&dtype, &out), -1);
  expect_raised("TypeError", "a string");
  ck_assert_int_eq(probe.calls, 1);
  expect_same_value(&out, &before);
}

TEST(an_error_of_the_functions_arrives)
{
  DLDataType seen, dtype = {150, 32, 1};
  TVMFFIAny out = rubbish(), before = out;
  answer_code = 77;
  ck_assert_int_eq(read_bytes("custom[foo]", 11, &seen), -1);
  expect_raised("KeyError", "never heard of it");
  expect_untouched(seen);
  ck_assert_int_eq(TVMFFIDataTypeToString(&dtype, &out), -1);
  expect_raised("KeyError", "never heard of it");
  expect_same_value(&out, &before);
}

TEST(without_a_registry_custom_types_are_refused)
{
  DLDataType seen;
  global_set_find(NULL);
  ck_assert_int_eq(read_bytes("custom[foo]", 11, &seen), -1);
  expect_raised("ValueError", "`dtype.get_custom_type_code` is needed");
}

TEST(without_the_functions_custom_types_are_refused)
{
  DLDataType seen, dtype = {150, 32, 1};
  TVMFFIAny out = rubbish();
  forget_custom_types();
  ck_assert_int_eq(read_bytes("custom[foo]", 11, &seen), -1);
  expect_raised("ValueError", "`dtype.get_custom_type_code` is needed");
  ck_assert_int_eq(TVMFFIDataTypeToString(&dtype, &out), -1);
  expect_raised("ValueError", "`dtype.get_custom_type_name` is needed");
  know_custom_types();
  ck_assert_int_eq(read_bytes("custom[foo]", 11, &seen), 0);
}

//--------------------------------------------------------------------------------------------------
// Bad input
//--------------------------------------------------------------------------------------------------

TEST_GROUP(refusals);

TEST(refuses_missing_arguments)
{
  DLDataType seen = untouched;
  TVMFFIAny out = rubbish();
  ck_assert_int_eq(TVMFFIDataTypeFromString(NULL, &seen), -1);
  expect_raised("ValueError", "`str`");
  ck_assert_int_eq(read_bytes(NULL, 3, &seen), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_int_eq(TVMFFIDataTypeFromString(BYTES("int32"), NULL), -1);
  expect_raised("ValueError", "`out`");
  ck_assert_int_eq(TVMFFIDataTypeToString(NULL, &out), -1);
  expect_raised("ValueError", "`dtype`");
  ck_assert_int_eq(TVMFFIDataTypeToString(&seen, NULL), -1);
  expect_raised("ValueError", "`out`");
}

TEST(a_pending_error_stays)
{
  DLDataType seen;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "pending");
  ck_assert_int_eq(read_bytes("int8", 4, &seen), 0);
  expect_printed(seen, "int8", 4);
  expect_raised("KeyError", "pending");
}

static void expect_no_memory(DLDataType dtype, int n)
{
  TVMFFIAny out = rubbish(), before = out;
  faults_arm(n);
  int code = TVMFFIDataTypeToString(&dtype, &out);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  expect_same_value(&out, &before);
}

TEST(reports_want_of_memory)
{
  expect_no_memory((DLDataType){kDLInt, 32, 1}, 1);
  know_custom_types();
  answer = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 3, .v_bytes = "foo"};
  expect_no_memory((DLDataType){150, 32, 1}, 1);
  DLDataType seen;
  const char *text = customs[ROWS(customs) - 1].text;
  faults_arm(1);
  int code = read_bytes(text, strlen(text), &seen);
  ck_assert(faults_disarm());
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  expect_untouched(seen);
  forget_custom_types();
}
