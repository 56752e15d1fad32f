// SPDX-License-Identifier: Apache-2.0
// The table of names lasts as long as the process, and without forking the tests share it: each
// uses names of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "unit/unit.h"

static int answer(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 42};
  return 0;
}

static TVMFFIObjectHandle make(void)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, answer, NULL, &out), 0);
  return out;
}

static TVMFFIObjectHandle look_up(const TVMFFIByteArray *name)
{
  TVMFFIObjectHandle out = &out;
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(name, &out), 0);
  return out;
}

static void expect_found(const TVMFFIByteArray *name, TVMFFIObjectHandle due)
{
  TVMFFIObjectHandle found = look_up(name);
  ck_assert_ptr_eq(found, due);
  TVMFFIObjectDecRef(found);
}

TEST_GROUP(all, .timeout = 60);

TEST(what_was_registered_is_found)
{
  TVMFFIObjectHandle function = make();
  char name[] = "registry.found";
  TVMFFIByteArray view = {name, strlen(name)};
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(&view, function, 0), 0);
  expect_counts(function, 2, 1);
  memset(name, 'x', strlen(name));
  ck_assert_ptr_eq(look_up(BYTES("registry.found")), function);
  expect_counts(function, 3, 1);
  TVMFFIObjectDecRef(function);
  TVMFFIObjectDecRef(function);
  TVMFFIObjectHandle found = look_up(BYTES("registry.found"));
  TVMFFIAny result = {.type_index = kTVMFFINone};
  ck_assert_int_eq(TVMFFIFunctionCall(found, NULL, 0, &result), 0);
  ck_assert_int_eq(result.v_int64, 42);
  TVMFFIObjectDecRef(found);
}

TEST(an_unknown_name_gives_null)
{
  ck_assert_ptr_null(look_up(BYTES("registry.unknown")));
  ck_assert_ptr_null(look_up(BYTES("")));
  ck_assert_ptr_null(look_up(&(TVMFFIByteArray){NULL, 0}));
  expect_nothing_raised();
}

TEST(every_byte_of_a_name_counts)
{
  static const TVMFFIByteArray names[] = {
      {"n", 1},
      {"nA", 2},
      {"na", 2},
      {"nab", 3},
      {"n\0a", 3},
      {"n\0b", 3},
      {"na\0", 3},
      {"nabcdefg", 8},
      {"nabcdefh", 8},
      {"nabcdefgh", 9},
      {"nabcdefg\0", 9},
      {"\xff\xfe", 2},
      {"nabcdefgnabcdefg", 16},
  };
  enum { NAMES = sizeof names / sizeof *names };
  TVMFFIObjectHandle functions[NAMES];
  for (int i = 0; i < NAMES; ++i) {
    functions[i] = make();
    TVMFFIByteArray name = {fenced(names[i].data, names[i].size), names[i].size};
    ck_assert_int_eq(TVMFFIFunctionSetGlobal(&name, functions[i], 0), 0);
  }
  for (int i = 0; i < NAMES; ++i) {
    TVMFFIByteArray name = {fenced(names[i].data, names[i].size), names[i].size};
    expect_found(&name, functions[i]);
    TVMFFIObjectDecRef(functions[i]);
  }
}

TEST(a_taken_name_is_refused)
{
  TVMFFIObjectHandle first = make(), second = make();
  TVMFFIByteArray *name = BYTES("registry.taken");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, first, 0), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, second, 0), -1);
  expect_raised("RuntimeError", "registry.taken");
  expect_counts(first, 2, 1);
  expect_counts(second, 1, 1);
  expect_found(name, first);
  TVMFFIObjectDecRef(first);
  TVMFFIObjectDecRef(second);
}

TEST(a_refusal_survives_any_name)
{
  char *name = malloc(1000);
  memset(name, '%', 1000);
  TVMFFIObjectHandle function = make();
  static const size_t sizes[] = {1000, 202, 201, 200, 199};
  for (int i = 0; i < ROWS(sizes); ++i) {
    TVMFFIByteArray view = {fenced(name, sizes[i]), sizes[i]};
    ck_assert_int_eq(TVMFFIFunctionSetGlobal(&view, function, 0), 0);
    ck_assert_int_eq(TVMFFIFunctionSetGlobal(&view, function, 0), -1);
    expect_raised("RuntimeError", "%%%%");
  }
  TVMFFIObjectDecRef(function);
  free(name);
}

static const int permissions[] = {1, -1, 2, INT32_MIN};

TEST(an_override_replaces, .rows = ROWS(permissions))
{
  TVMFFIObjectHandle first = make(), second = make();
  TVMFFIByteArray *name = BYTES("registry.override");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, first, permissions[_i]), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, second, permissions[_i]), 0);
  expect_counts(first, 1, 1);
  expect_counts(second, 2, 1);
  expect_found(name, second);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, second, permissions[_i]), 0);
  expect_counts(second, 2, 1);
  expect_found(name, second);
  TVMFFIObjectDecRef(first);
  TVMFFIObjectDecRef(second);
}

static void register_when_deleted(void *self)
{
  TVMFFIObjectHandle function = make();
  TVMFFIFunctionSetGlobal(self, function, 1);
  TVMFFIObjectDecRef(function);
}

TEST(a_replaced_function_may_register_another)
{
  TVMFFIObjectHandle function = NULL, other = make();
  TVMFFIByteArray *name = BYTES("registry.again");
  ck_assert_int_eq(TVMFFIFunctionCreate(name, answer, register_when_deleted, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, function, 1), 0);
  TVMFFIObjectDecRef(function);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, other, 1), 0);
  expect_counts(other, 1, 1);  // replaced in turn by what the deleter of the first one registered
  TVMFFIObjectDecRef(other);
}

TEST(a_name_without_a_function_is_taken)
{
  TVMFFIObjectHandle function = make();
  TVMFFIByteArray *name = BYTES("registry.null");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, NULL, 1), 0);
  ck_assert_ptr_null(look_up(name));
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, function, 0), -1);
  expect_raised("RuntimeError", "registry.null");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, function, 1), 0);
  expect_found(name, function);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, NULL, 1), 0);
  expect_counts(function, 1, 1);
  TVMFFIObjectDecRef(function);
}

TEST(thousands_of_names_lead_to_their_functions)
{
  enum { NAMES = 20000 };
  static TVMFFIObjectHandle functions[NAMES];
  char text[32];
  for (int i = 0; i < NAMES; ++i) {
    TVMFFIByteArray name = {text, (size_t)snprintf(text, sizeof text, "many.%d", i)};
    functions[i] = make();
    ck_assert_int_eq(TVMFFIFunctionSetGlobal(&name, functions[i], 0), 0);
  }
  for (int i = 0; i < NAMES; ++i) {
    TVMFFIByteArray name = {text, (size_t)snprintf(text, sizeof text, "many.%d", i)};
    expect_found(&name, functions[i]);
    expect_counts(functions[i], 2, 1);
    TVMFFIObjectDecRef(functions[i]);
  }
}

static TVMFFIMethodInfo describe(TVMFFIByteArray *name, TVMFFIObjectHandle function)
{
  return (TVMFFIMethodInfo){
      .name = *name,
      .doc = *BYTES("what it does"),
      .metadata = *BYTES("{}"),
      .method = {.type_index = kTVMFFIFunction, .v_ptr = function},
  };
}

TEST(a_description_registers_its_method)
{
  TVMFFIObjectHandle first = make(), second = make();
  TVMFFIByteArray *name = BYTES("registry.described");
  TVMFFIMethodInfo one = describe(name, first), two = describe(name, second);
  two.doc = two.metadata = (TVMFFIByteArray){NULL, 0};
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&one, 0), 0);
  expect_counts(first, 2, 1);
  expect_found(name, first);
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&two, 0), -1);
  expect_raised("RuntimeError", "registry.described");
  expect_counts(second, 1, 1);
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&two, 1), 0);
  expect_counts(first, 1, 1);
  expect_found(name, second);
  two.method = (TVMFFIAny){.type_index = kTVMFFINone};
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&two, 1), 0);
  ck_assert_ptr_null(look_up(name));
  TVMFFIObjectDecRef(first);
  TVMFFIObjectDecRef(second);
}

static const int32_t not_functions[] = {1, 2, 4, 8, 11, 64, 65, 67, 74, 200};

TEST(a_method_must_be_a_function, .rows = ROWS(not_functions))
{
  Probe probe = probe_make(not_functions[_i]);
  TVMFFIByteArray *name = BYTES("registry.no-method");
  TVMFFIMethodInfo info = describe(name, &probe);
  info.method.type_index = not_functions[_i];
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1), -1);
  expect_raised("TypeError", "method");
  expect_counts(&probe, 1, 1);
  ck_assert_ptr_null(look_up(name));
}

TEST(refuses_missing_arguments)
{
  TVMFFIByteArray *name = BYTES("registry.missing"), bad = {NULL, 3};
  TVMFFIObjectHandle function = make(), out = &out;
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(NULL, &out), -1);
  expect_raised("ValueError", "name");
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(&bad, &out), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_int_eq(TVMFFIFunctionGetGlobal(name, NULL), -1);
  expect_raised("ValueError", "out");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(NULL, function, 0), -1);
  expect_raised("ValueError", "name");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(&bad, function, 0), -1);
  expect_raised("ValueError", "3 bytes");
  ck_assert_ptr_eq(out, &out);
  expect_counts(function, 1, 1);
  TVMFFIObjectDecRef(function);
}

TEST(refuses_broken_descriptions)
{
  TVMFFIByteArray bad = {NULL, 3};
  TVMFFIObjectHandle function = make();
  TVMFFIMethodInfo good = describe(BYTES("registry.broken"), function);
  TVMFFIMethodInfo bad_name = good, bad_doc = good, bad_metadata = good, bad_method = good;
  bad_name.name = bad_doc.doc = bad_metadata.metadata = bad;
  bad_method.method.v_obj = NULL;
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(NULL, 0), -1);
  expect_raised("ValueError", "`method_info`");
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&bad_name, 0), -1);
  expect_raised("ValueError", "`method_info->name`");
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&bad_doc, 0), -1);
  expect_raised("ValueError", "`method_info->doc`");
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&bad_metadata, 0), -1);
  expect_raised("ValueError", "`method_info->metadata`");
  ck_assert_int_eq(TVMFFIFunctionSetGlobalFromMethodInfo(&bad_method, 0), -1);
  expect_raised("ValueError", "`method_info->method`");
  expect_counts(function, 1, 1);
  TVMFFIObjectDecRef(function);
}

TEST(refuses_what_is_no_function)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIByteArray *name = BYTES("registry.no-function");
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(name, &probe, 1), -1);
  expect_raised("TypeError", "74");
  expect_counts(&probe, 1, 1);
  ck_assert_ptr_null(look_up(name));
}

static void expect_not_registered(const TVMFFIByteArray *name, int code)
{
  ck_assert_int_eq(code, -1);
  expect_raised("InternalError", "memory");
  ck_assert_ptr_null(look_up(name));
}

// Every registration asks for memory once, and those for which the table grows ask twice. How many
// there are until it grows depends on what is registered before.
TEST(reports_want_of_memory)
{
  TVMFFIObjectHandle function = make();
  int grown = 0;
  for (int i = 0; i < 300 || (grown == 0 && i < 100000); ++i) {
    char text[32];
    TVMFFIByteArray name = {text, (size_t)snprintf(text, sizeof text, "scarce.%d", i)};
    faults_arm(1);
    int code = TVMFFIFunctionSetGlobal(&name, function, 0);
    ck_assert(faults_disarm());
    expect_not_registered(&name, code);
    faults_arm(2);
    code = TVMFFIFunctionSetGlobal(&name, function, 0);
    if (faults_disarm()) {
      ++grown;
      expect_not_registered(&name, code);
      code = TVMFFIFunctionSetGlobal(&name, function, 0);
    }
    ck_assert_int_eq(code, 0);
    expect_counts(function, i + 2, 1);
  }
  ck_assert_int_gt(grown, 0);
  TVMFFIObjectDecRef(function);
}

// The core finds them without knowing the registry.
static int give_code(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 150};
  return 0;
}

TEST(custom_data_types_are_asked_for_here)
{
  TVMFFIObjectHandle function;
  DLDataType dtype = {0, 0, 0};
  ck_assert_int_eq(TVMFFIDataTypeFromString(BYTES("custom[foo]"), &dtype), -1);
  expect_raised("ValueError", "not registered");
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, give_code, NULL, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("dtype.get_custom_type_code"), function, 1), 0);
  TVMFFIObjectDecRef(function);
  ck_assert_int_eq(TVMFFIDataTypeFromString(BYTES("custom[foo]"), &dtype), 0);
  ck_assert_uint_eq(dtype.code, 150);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("dtype.get_custom_type_code"), NULL, 1), 0);
}
