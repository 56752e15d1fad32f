// SPDX-License-Identifier: Apache-2.0
// Fields, methods and metadata. What is registered stays, so every test has types of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

static int32_t new_type(const char *key)
{
  TVMFFIByteArray text = {key, strlen(key)};
  int32_t index = TVMFFITypeGetOrAllocIndex(&text, -1, 1, 0, 1, kTVMFFIObject);
  ck_assert_int_ge(index, kTVMFFIDynObjectBegin);
  return index;
}

static char somewhere;

static int get(void *field, TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = *(int64_t *)field};
  return 0;
}

static TVMFFIFieldInfo describe(const char *name)
{
  return (TVMFFIFieldInfo){
      .name = {name, strlen(name)},
      .doc = *BYTES("what it is"),
      .metadata = *BYTES("{\"a\": 1}"),
      .flags = kTVMFFIFieldFlagBitMaskWritable,
      .size = 8,
      .alignment = 4,
      .offset = 40,
      .getter = get,
      .setter = &somewhere,
      .field_static_type_index = kTVMFFIInt,
  };
}

static const TVMFFIFieldInfo *last_field(int32_t index)
{
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  ck_assert_int_gt(info->num_fields, 0);
  return &info->fields[info->num_fields - 1];
}

//--------------------------------------------------------------------------------------------------
// Fields
//--------------------------------------------------------------------------------------------------

TEST_GROUP(all, .timeout = 60);

TEST(a_field_is_described_as_it_was_given)
{
  int32_t index = new_type("field.given");
  char name[] = "first", doc[] = "some text", metadata[] = "{}";
  TVMFFIFieldInfo given = describe("");
  given.name = (TVMFFIByteArray){fenced(name, 5), 5};
  given.doc = (TVMFFIByteArray){doc, 9};
  given.metadata = (TVMFFIByteArray){metadata, 2};
  TVMFFIFieldInfo before = given;
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &given), 0);
  ck_assert_mem_eq(&given, &before, sizeof given);
  memset((char *)given.name.data, 'x', 5);
  memset(doc, 'x', 9);
  memset(metadata, 'x', 2);
  const TVMFFIFieldInfo *seen = last_field(index);
  expect_text(&seen->name, "first");
  expect_text(&seen->doc, "some text");
  expect_text(&seen->metadata, "{}");
  ck_assert_int_eq(seen->flags, 1);
  ck_assert_int_eq(seen->size, 8);
  ck_assert_int_eq(seen->alignment, 4);
  ck_assert_int_eq(seen->offset, 40);
  ck_assert(seen->getter == get);
  ck_assert_ptr_eq(seen->setter, given.setter);
  ck_assert_int_eq(seen->field_static_type_index, kTVMFFIInt);
  expect_same_value(&seen->default_value_or_factory, &(TVMFFIAny){.type_index = kTVMFFINone});
}

TEST(texts_of_a_field_may_be_missing)
{
  int32_t index = new_type("field.bare");
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &(TVMFFIFieldInfo){.flags = 0}), 0);
  const TVMFFIFieldInfo *seen = last_field(index);
  ck_assert_uint_eq(seen->name.size, 0);
  ck_assert_uint_eq(seen->doc.size, 0);
  ck_assert_uint_eq(seen->metadata.size, 0);
}

TEST(fields_stand_in_order)
{
  int32_t index = new_type("field.order");
  char name[16];
  for (int i = 0; i < 100; ++i) {
    snprintf(name, sizeof name, "f%d", i);
    TVMFFIFieldInfo field = describe(name);
    field.offset = i;
    ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), 0);
    ck_assert_int_eq(TVMFFIGetTypeInfo(index)->num_fields, i + 1);
  }
  for (int i = 0; i < 100; ++i) {
    const TVMFFIFieldInfo *seen = &TVMFFIGetTypeInfo(index)->fields[i];
    snprintf(name, sizeof name, "f%d", i);
    expect_bytes(&seen->name, name, strlen(name));
    ck_assert_int_eq(seen->offset, i);
  }
}

TEST(a_field_name_is_taken_once)
{
  int32_t index = new_type("field.twice");
  TVMFFIFieldInfo field = describe("same"), longer = describe("same!"), empty = describe("");
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), 0);
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &longer), 0);
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &empty), 0);
  Probe probe = probe_make(200);
  field.flags = kTVMFFIFieldFlagBitMaskHasDefault;
  field.default_value_or_factory = (TVMFFIAny){.type_index = 200, .v_obj = &probe.header};
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), -1);
  expect_raised("InternalError",
                "`info->name` is `same`, a field that the type `field.twice` has already");
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &empty), -1);
  expect_raised("InternalError", "already");
  expect_counts(&probe, 1, 1);
  ck_assert_int_eq(TVMFFIGetTypeInfo(index)->num_fields, 3);
}

TEST(a_default_is_kept_as_an_owned_value)
{
  int32_t index = new_type("field.default");
  char text[] = "longer than seven";
  Probe probe = probe_make(200);
  TVMFFIFieldInfo field = describe("text");
  field.flags = kTVMFFIFieldFlagBitMaskHasDefault;
  field.default_value_or_factory = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = text};
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), 0);
  memset(text, 'x', strlen(text));
  const TVMFFIAny *seen = &last_field(index)->default_value_or_factory;
  ck_assert_int_eq(seen->type_index, kTVMFFIStr);
  expect_text((TVMFFIByteArray *)(seen->v_obj + 1), "longer than seven");
  field.name = *BYTES("object");
  field.default_value_or_factory = (TVMFFIAny){.type_index = 200, .v_obj = &probe.header};
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), 0);
  expect_counts(&probe, 2, 1);
  field.name = *BYTES("none");
  field.flags = 0;
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), 0);
  expect_counts(&probe, 2, 1);
  expect_same_value(&last_field(index)->default_value_or_factory,
                    &(TVMFFIAny){.type_index = kTVMFFINone});
}

TEST(a_setter_that_is_a_function_is_retained)
{
  int32_t index = new_type("field.setter");
  Probe function = probe_make(kTVMFFIFunction), other = probe_make(kTVMFFIError);
  TVMFFIFieldInfo field = describe("function");
  field.flags = kTVMFFIFieldFlagBitSetterIsFunctionObj;
  field.setter = &function;
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), 0);
  expect_counts(&function, 2, 1);
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), -1);
  expect_raised("InternalError", "already");
  expect_counts(&function, 2, 1);
  field.name = *BYTES("other");
  field.setter = &other;
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), -1);
  expect_raised("TypeError", "`info->setter`");
  expect_counts(&other, 1, 1);
  field.setter = NULL;
  ck_assert_int_eq(TVMFFITypeRegisterField(index, &field), -1);
  expect_raised("ValueError", "`info->setter`");
  ck_assert_int_eq(TVMFFIGetTypeInfo(index)->num_fields, 1);
}

//--------------------------------------------------------------------------------------------------
// Methods and metadata
//--------------------------------------------------------------------------------------------------

static TVMFFIMethodInfo describe_method(const char *name, TVMFFIObjectHandle function)
{
  return (TVMFFIMethodInfo){
      .name = {name, strlen(name)},
      .doc = *BYTES("what it does"),
      .metadata = *BYTES("{}"),
      .flags = kTVMFFIFieldFlagBitMaskIsStaticMethod,
      .method = {.type_index = kTVMFFIFunction, .v_ptr = function},
  };
}

TEST(a_method_is_described_as_it_was_given)
{
  int32_t index = new_type("method.given");
  Probe function = probe_make(kTVMFFIFunction);
  char name[] = "run";
  TVMFFIMethodInfo given = describe_method(name, &function);
  given.method.zero_padding = 9;
  ck_assert_int_eq(TVMFFITypeRegisterMethod(index, &given), 0);
  memset(name, 'x', 3);
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  ck_assert_int_eq(info->num_methods, 1);
  ck_assert_int_eq(info->num_fields, 0);
  const TVMFFIMethodInfo *seen = info->methods;
  expect_text(&seen->name, "run");
  expect_text(&seen->doc, "what it does");
  expect_text(&seen->metadata, "{}");
  ck_assert_int_eq(seen->flags, kTVMFFIFieldFlagBitMaskIsStaticMethod);
  TVMFFIAny due = {.type_index = kTVMFFIFunction, .v_ptr = &function};
  expect_same_value(&seen->method, &due);
  expect_counts(&function, 2, 1);
}

TEST(methods_stand_in_order)
{
  int32_t index = new_type("method.order");
  Probe function = probe_make(kTVMFFIFunction);
  TVMFFIMethodInfo method = describe_method("same", &function);
  for (int i = 0; i < 40; ++i) {
    method.flags = i;
    ck_assert_int_eq(TVMFFITypeRegisterMethod(index, &method), 0);
  }
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  ck_assert_int_eq(info->num_methods, 40);
  for (int i = 0; i < 40; ++i) ck_assert_int_eq(info->methods[i].flags, i);
  expect_counts(&function, 41, 1);
}

TEST(a_method_is_a_function_or_nothing)
{
  int32_t index = new_type("method.kind");
  Probe other = probe_make(kTVMFFIError);
  TVMFFIMethodInfo method = describe_method("none", NULL);
  ck_assert_int_eq(TVMFFITypeRegisterMethod(index, &method), -1);
  expect_raised("ValueError", "`info->method`");
  method.method = (TVMFFIAny){.type_index = kTVMFFIError, .v_obj = &other.header};
  ck_assert_int_eq(TVMFFITypeRegisterMethod(index, &method), -1);
  expect_raised("TypeError", "`info->method`");
  expect_counts(&other, 1, 1);
  method.method = (TVMFFIAny){.type_index = kTVMFFINone};
  ck_assert_int_eq(TVMFFITypeRegisterMethod(index, &method), 0);
  ck_assert_int_eq(TVMFFIGetTypeInfo(index)->num_methods, 1);
}

static int create(TVMFFIObjectHandle *result)
{
  (void)result;
  return 0;
}

TEST(metadata_is_given_once)
{
  int32_t index = new_type("metadata.once");
  char doc[] = "a type";
  TVMFFITypeMetadata given = {{doc, 6}, create, 64, kTVMFFISEqHashKindDAGNode};
  ck_assert_ptr_null(TVMFFIGetTypeInfo(index)->metadata);
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(index, &given), 0);
  memset(doc, 'x', 6);
  given.total_size = 99;
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(index, &given), -1);
  expect_raised("RuntimeError",
                "`type_index` is that of `metadata.once`, which has metadata already");
  const TVMFFITypeMetadata *seen = TVMFFIGetTypeInfo(index)->metadata;
  expect_text(&seen->doc, "a type");
  ck_assert(seen->creator == create);
  ck_assert_int_eq(seen->total_size, 64);
  ck_assert_int_eq(seen->structural_eq_hash_kind, kTVMFFISEqHashKindDAGNode);
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(kTVMFFIObject, &given), -1);
  expect_raised("RuntimeError", "`ffi.Object`");
}

//--------------------------------------------------------------------------------------------------
// What built-in types have
//--------------------------------------------------------------------------------------------------

TEST(object_says_how_large_its_header_is)
{
  const TVMFFITypeMetadata *seen = TVMFFIGetTypeInfo(kTVMFFIObject)->metadata;
  ck_assert_ptr_nonnull(seen);
  ck_assert_int_eq(seen->total_size, 24);
  ck_assert(seen->creator == NULL);
  ck_assert_int_eq(seen->structural_eq_hash_kind, 0);
}

TEST(a_module_has_its_imports)
{
  const TVMFFIFieldInfo *field = TVMFFIGetTypeInfo(kTVMFFIModule)->fields;
  expect_text(&field->name, "imports_");
  ck_assert_int_eq(field->offset, 24);
  ck_assert_int_eq(field->size, sizeof(void *));
  ck_assert_int_eq(field->alignment, sizeof(void *));
  ck_assert_int_eq(field->flags, 0);
  ck_assert_int_eq(field->field_static_type_index, kTVMFFIArray);
  Probe array = probe_make(kTVMFFIArray), other = probe_make(kTVMFFIArray);
  TVMFFIObject *place = NULL;
  TVMFFIAny value = rubbish();
  ck_assert_int_eq(field->getter(&place, &value), 0);
  ck_assert_int_eq(value.type_index, kTVMFFIArray);
  ck_assert_int_eq(((TVMFFISeqCell *)(value.v_obj + 1))->size, 0);
  TVMFFIObjectDecRef(value.v_obj);
  TVMFFIFieldSetter set = __extension__(TVMFFIFieldSetter) field->setter;
  ck_assert_int_eq(set(&place, &(TVMFFIAny){.type_index = 71, .v_obj = &array.header}), 0);
  expect_counts(&array, 2, 1);
  ck_assert_int_eq(field->getter(&place, &value), 0);
  expect_same_value(&value, &(TVMFFIAny){.type_index = 71, .v_obj = &array.header});
  expect_counts(&array, 3, 1);
  ck_assert_int_eq(set(&place, &(TVMFFIAny){.type_index = 71, .v_obj = &other.header}), 0);
  expect_counts(&array, 2, 1);
  ck_assert_int_eq(set(&place, &value), 0);
  ck_assert_int_eq(set(&place, &(TVMFFIAny){.type_index = kTVMFFIInt}), -1);
  expect_raised("TypeError", "an Array");
  ck_assert_int_eq(set(&place, &(TVMFFIAny){.type_index = 71}), -1);
  expect_raised("ValueError", "`value`");
  ck_assert_int_eq(set(NULL, &value), -1);
  expect_raised("ValueError", "`field`");
  ck_assert_int_eq(field->getter(&place, NULL), -1);
  expect_raised("ValueError", "`value`");
  expect_counts(&other, 1, 1);
}

TEST(a_visit_interrupt_holds_a_value)
{
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(kTVMFFIVisitInterrupt);
  const TVMFFIFieldInfo *field = info->fields;
  expect_text(&field->name, "value");
  ck_assert_int_eq(field->offset, 24);
  ck_assert_int_eq(field->size, 16);
  ck_assert_int_eq(field->alignment, _Alignof(TVMFFIAny));
  ck_assert_int_eq(field->field_static_type_index, kTVMFFIAny);
  ck_assert_int_eq(info->metadata->total_size, 40);
  TVMFFIObjectHandle interrupt = NULL;
  ck_assert_int_eq(info->metadata->creator(&interrupt), 0);
  expect_counts(interrupt, 1, 1);
  char *place = (char *)interrupt + field->offset;
  TVMFFIFieldSetter set = __extension__(TVMFFIFieldSetter) field->setter;
  Probe probe = probe_make(200);
  TVMFFIAny view = {.type_index = 200, .v_obj = &probe.header}, seen = rubbish();
  ck_assert_int_eq(field->getter(place, &seen), 0);
  expect_same_value(&seen, &(TVMFFIAny){.type_index = kTVMFFINone});
  ck_assert_int_eq(set(place, &view), 0);
  ck_assert_int_eq(set(place, &view), 0);
  expect_counts(&probe, 2, 1);
  ck_assert_int_eq(field->getter(place, &seen), 0);
  expect_same_value(&seen, &view);
  TVMFFIObjectDecRef(seen.v_obj);
  TVMFFIObjectDecRef(interrupt);
  expect_counts(&probe, 1, 1);
  ck_assert_int_eq(info->metadata->creator(NULL), -1);
  expect_raised("ValueError", "`result`");
  faults_arm(1);
  ck_assert_int_eq(info->metadata->creator(&interrupt), -1);
  ck_assert(faults_disarm());
  expect_raised("InternalError", "memory");
}

// Built-in descriptions are constants; the array with a new one among them is not.
TEST(built_in_types_can_have_more_fields)
{
  TVMFFIFieldInfo field = describe("more"), taken = describe("imports_");
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(kTVMFFIModule);
  ck_assert_int_eq(TVMFFITypeRegisterField(kTVMFFIModule, &field), 0);
  ck_assert_int_eq(TVMFFITypeRegisterField(kTVMFFIModule, &taken), -1);
  expect_raised("InternalError", "`imports_`");
  ck_assert_int_eq(info->num_fields, 2);
  expect_text(&info->fields[0].name, "imports_");
  expect_text(&info->fields[1].name, "more");
  ck_assert_int_eq(TVMFFITypeRegisterField(kTVMFFIInt, &field), 0);
}

//--------------------------------------------------------------------------------------------------
// Bad input
//--------------------------------------------------------------------------------------------------

static const int32_t nobodys[] = {-1, INT32_MIN, 14, 63, INT32_MAX};

TEST(a_type_that_does_not_exist_gets_nothing, .rows = ROWS(nobodys))
{
  Probe function = probe_make(kTVMFFIFunction);
  TVMFFIFieldInfo field = describe("field");
  field.flags = kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskHasDefault;
  field.setter = &function;
  field.default_value_or_factory = (TVMFFIAny){.type_index = 68, .v_obj = &function.header};
  TVMFFIMethodInfo method = describe_method("method", &function);
  TVMFFITypeMetadata metadata = {.total_size = 24};
  ck_assert_int_eq(TVMFFITypeRegisterField(nobodys[_i], &field), -1);
  expect_raised("InternalError", "which is the index of no type");
  ck_assert_int_eq(TVMFFITypeRegisterMethod(nobodys[_i], &method), -1);
  expect_raised("InternalError", "which is the index of no type");
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(nobodys[_i], &metadata), -1);
  expect_raised("InternalError", "which is the index of no type");
  expect_counts(&function, 1, 1);
}

TEST(refuses_broken_descriptions)
{
  int32_t index = new_type("member.broken");
  TVMFFIByteArray bad = {NULL, 3};
  TVMFFIFieldInfo fields[6];
  for (int i = 0; i < 6; ++i) fields[i] = describe("broken");
  fields[0].name = fields[1].doc = fields[2].metadata = bad;
  fields[3].size = fields[4].alignment = -1;
  fields[5].flags = kTVMFFIFieldFlagBitMaskHasDefault;
  fields[5].default_value_or_factory = (TVMFFIAny){.type_index = kTVMFFIRawStr};
  static const char *const words[] = {"`info->name`",       "`info->doc`",       "`info->metadata`",
                                      "`info->size` is -1", "`info->alignment`", "NULL"};
  for (int i = 0; i < 6; ++i) {
    ck_assert_int_eq(TVMFFITypeRegisterField(index, &fields[i]), -1);
    expect_raised("ValueError", words[i]);
  }
  ck_assert_int_eq(TVMFFITypeRegisterField(index, NULL), -1);
  expect_raised("ValueError", "`info`");
  Probe function = probe_make(kTVMFFIFunction);
  TVMFFIMethodInfo methods[3];
  for (int i = 0; i < 3; ++i) methods[i] = describe_method("broken", &function);
  methods[0].name = methods[1].doc = methods[2].metadata = bad;
  for (int i = 0; i < 3; ++i) {
    ck_assert_int_eq(TVMFFITypeRegisterMethod(index, &methods[i]), -1);
    expect_raised("ValueError", words[i]);
  }
  ck_assert_int_eq(TVMFFITypeRegisterMethod(index, NULL), -1);
  expect_raised("ValueError", "`info`");
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(index, NULL), -1);
  expect_raised("ValueError", "`metadata`");
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(index, &(TVMFFITypeMetadata){.doc = bad}), -1);
  expect_raised("ValueError", "`metadata->doc`");
  ck_assert_int_eq(TVMFFITypeRegisterMetadata(index, &(TVMFFITypeMetadata){.total_size = -5}), -1);
  expect_raised("ValueError", "`metadata->total_size` is -5");
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  ck_assert(info->num_fields == 0 && info->num_methods == 0 && info->metadata == NULL);
  expect_counts(&function, 1, 1);
}

// Registers with every single request for memory refused in turn, and then with none.
static int until_it_succeeds(int (*attempt)(void))
{
  for (int n = 1;; ++n) {
    faults_arm(n);
    int code = attempt();
    if (!faults_disarm()) {
      ck_assert_int_eq(code, 0);
      return n - 1;
    }
    ck_assert_int_eq(code, -1);
    expect_raised("InternalError", "memory");
  }
}

static int32_t scarce;
static Probe scarce_function;

static int attempt_field(void)
{
  TVMFFIFieldInfo field = describe("scarce");
  field.flags = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitSetterIsFunctionObj;
  field.setter = &scarce_function;
  field.default_value_or_factory =
      (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "longer than seven"};
  return TVMFFITypeRegisterField(scarce, &field);
}

static int attempt_method(void)
{
  TVMFFIMethodInfo method = describe_method("scarce", &scarce_function);
  return TVMFFITypeRegisterMethod(scarce, &method);
}

static int attempt_metadata(void)
{
  return TVMFFITypeRegisterMetadata(scarce, &(TVMFFITypeMetadata){.doc = *BYTES("text")});
}

TEST(reports_want_of_memory)
{
  scarce = new_type("member.scarce");
  scarce_function = probe_make(kTVMFFIFunction);
  ck_assert_int_eq(until_it_succeeds(attempt_field), 3);
  expect_counts(&scarce_function, 2, 1);
  ck_assert_int_eq(until_it_succeeds(attempt_method), 2);
  expect_counts(&scarce_function, 3, 1);
  ck_assert_int_eq(until_it_succeeds(attempt_metadata), 1);
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(scarce);
  ck_assert(info->num_fields == 1 && info->num_methods == 1 && info->metadata != NULL);
}

static int32_t raced;

static long add_in_race(int number)
{
  long refused = 0;
  for (int i = 0; i < 200; ++i) {
    char name[16];
    snprintf(name, sizeof name, "f%d", i);
    TVMFFIFieldInfo field = describe(name);
    if (TVMFFITypeRegisterField(raced, &field) != 0) ++refused;
    TVMFFITypeMetadata metadata = {.total_size = number};
    if (TVMFFITypeRegisterMetadata(raced, &metadata) != 0) ++refused;
    TVMFFIErrorSetRaised(NULL);
  }
  return refused;
}

TEST(of_threads_that_add_a_member_one_succeeds)
{
  raced = new_type("member.raced");
  ck_assert_int_eq(run_threads(4, add_in_race), 200 * 3 + 4 * 200 - 1);
  ck_assert_int_eq(TVMFFIGetTypeInfo(raced)->num_fields, 200);
}
