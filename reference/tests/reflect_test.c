// SPDX-License-Identifier: Apache-2.0
// Objects made of what was registered about their type.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

// A type with two fields, of which the second has a default, and a type derived from it with two
// more: one whose default comes from a factory, and one that a Function sets.
typedef struct {
  TVMFFIObject header;
  int64_t fields[4];
} Plain;

static int32_t parent_type, child_type, bare_type, late_type, fixed_type;
static int created, deleted;
static char order[64];  // of the setters that ran

static void delete_plain(void *self, int flags)
{
  ++deleted;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static int32_t next_type;

static int create(TVMFFIObjectHandle *result)
{
  Plain *plain = calloc(1, sizeof *plain);
  plain->header.combined_ref_count = COUNTS(1, 1);
  plain->header.type_index = next_type;
  plain->header.deleter = delete_plain;
  ++created;
  *result = plain;
  return 0;
}

static int create_parent(TVMFFIObjectHandle *result)
{
  next_type = parent_type;
  return create(result);
}

static int create_child(TVMFFIObjectHandle *result)
{
  next_type = child_type;
  return create(result);
}

static int create_fixed(TVMFFIObjectHandle *result)
{
  next_type = fixed_type;
  return create(result);
}

static int create_late(TVMFFIObjectHandle *result)
{
  (void)result;
  TVMFFIErrorSetRaisedFromCStr("OSError", "too late");
  return -1;
}

static int set(void *field, const TVMFFIAny *value)
{
  if (value->type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "no number");
    return 7;
  }
  *(int64_t *)field = value->v_int64;
  char digit[] = {(char)('0' + value->v_int64 % 10), '\0'};
  strcat(order, digit);
  return 0;
}

static int set_by_function(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)result;
  ck_assert_int_eq(num_args, 2);
  ck_assert_int_eq(args[0].type_index, kTVMFFIOpaquePtr);
  return set(args[0].v_ptr, &args[1]);
}

static int make_default(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args;
  ck_assert_int_eq(num_args, 0);
  *result = view_int(33);
  return 0;
}

static int make_bare(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  TVMFFIObjectHandle object = NULL;
  next_type = bare_type;
  create(&object);
  *result = view_object(object);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Registration
//--------------------------------------------------------------------------------------------------

static TVMFFIAny function_of(TVMFFISafeCallType function)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, function, NULL, &out), 0);
  return view_object(out);
}

static int32_t add_type(const TVMFFIByteArray *key, int32_t parent, TVMFFIObjectCreator creator)
{
  int32_t depth = parent == kTVMFFIObject ? 1 : 2;
  int32_t type = TVMFFITypeGetOrAllocIndex(key, -1, depth, 0, 1, parent);
  TVMFFITypeMetadata metadata = {.creator = creator, .total_size = sizeof(Plain)};
  if (creator != NULL) ck_assert_int_eq(TVMFFITypeRegisterMetadata(type, &metadata), 0);
  return type;
}

static void add_field(int32_t type, const TVMFFIByteArray *name, int index, int64_t flags,
                      TVMFFIAny default_value)
{
  TVMFFIFieldSetter setter = set;
  TVMFFIFieldInfo field = {.name = *name,
                           .flags = flags | kTVMFFIFieldFlagBitMaskWritable,
                           .size = 8,
                           .alignment = 8,
                           .offset = (int64_t)offsetof(Plain, fields) + 8 * index,
                           .default_value_or_factory = default_value,
                           .field_static_type_index = kTVMFFIInt};
  memcpy(&field.setter, &setter, sizeof setter);
  TVMFFIAny function = function_of(set_by_function);
  if (flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) field.setter = function.v_obj;
  ck_assert_int_eq(TVMFFITypeRegisterField(type, &field), 0);
  drop(function);
}

static void prepare(void)
{
  created = deleted = 0;
  order[0] = '\0';
  if (parent_type != 0) return;
  const int64_t has_default = kTVMFFIFieldFlagBitMaskHasDefault;
  TVMFFIAny factory = function_of(make_default), maker = function_of(make_bare);
  parent_type = add_type(BYTES("reflect_test.Parent"), kTVMFFIObject, create_parent);
  child_type = add_type(BYTES("reflect_test.Child"), parent_type, create_child);
  bare_type = add_type(BYTES("reflect_test.Bare"), kTVMFFIObject, NULL);
  late_type = add_type(BYTES("reflect_test.Late"), kTVMFFIObject, create_late);
  add_field(parent_type, BYTES("a"), 0, 0, view_none());
  add_field(parent_type, BYTES("b"), 1, has_default, view_int(22));
  add_field(child_type, BYTES("a long name"), 2,
            has_default | kTVMFFIFieldFlagBitMaskDefaultFromFactory, factory);
  add_field(child_type, BYTES("d"), 3, has_default | kTVMFFIFieldFlagBitSetterIsFunctionObj,
            view_int(44));
  fixed_type = add_type(BYTES("reflect_test.Fixed"), kTVMFFIObject, create_fixed);
  add_field(fixed_type, BYTES("a"), 0, 0, view_none());
  TVMFFIFieldInfo fixed = {.name = {"fixed", 5},
                           .flags = has_default,
                           .size = 8,
                           .alignment = 8,
                           .offset = (int64_t)offsetof(Plain, fields) + 8,
                           .default_value_or_factory = view_int(22)};
  ck_assert_int_eq(TVMFFITypeRegisterField(fixed_type, &fixed), 0);
  ck_assert_int_eq(TVMFFITypeRegisterAttr(bare_type, BYTES("__ffi_new__"), &maker), 0);
  drop(factory);
  drop(maker);
}

//--------------------------------------------------------------------------------------------------
// Tests
//--------------------------------------------------------------------------------------------------

#define MAKE "ffi.MakeObjectFromPackedArgs"

static void expect_fields(TVMFFIObject *object, int64_t a, int64_t b, int64_t c, int64_t d)
{
  expect_counts(object, 1, 1);
  ck_assert_int_eq(created, 1);
  ck_assert_mem_eq(((Plain *)object)->fields, ((int64_t[]){a, b, c, d}), 32);
  TVMFFIObjectDecRef(object);
  ck_assert_int_eq(deleted, 1);
}

TEST_GROUP(all, .setup = prepare);

TEST(an_object_is_made_of_its_fields, .rows = 2)
{
  TVMFFIObject *object =
      call_object(MAKE, ARGS(_i == 0 ? view_int(child_type) : view_str("reflect_test.Child"),
                             view_str("d"), view_int(4), view_str("a long name"), view_int(3),
                             view_str("b"), view_int(2), view_str("a"), view_int(1)));
  ck_assert_str_eq(order, "1234");
  ck_assert_int_eq(object->type_index, child_type);
  expect_fields(object, 1, 2, 3, 4);
}

TEST(fields_have_defaults)
{
  TVMFFIObject *object = call_object(MAKE, ARGS(view_int(child_type), view_str("a"), view_int(11)));
  ck_assert_str_eq(order, "1234");
  expect_fields(object, 11, 22, 33, 44);
}

TEST(a_type_may_have_a_function_that_makes_objects)
{
  expect_fields(call_object(MAKE, ARGS(view_str("reflect_test.Bare"))), 0, 0, 0, 0);
}

TEST(what_is_wrong_is_refused_before_anything_is_made)
{
  TVMFFIAny type = view_int(child_type), a = view_str("a"), one = view_int(1);
  expect_refused(MAKE, ARGS(type), "TypeError", "`a`");
  expect_refused(MAKE, ARGS(type, view_str("b"), one), "TypeError", "`a`");
  expect_refused(MAKE, ARGS(type, a, one, view_str("e"), one), "TypeError", "no field `e`");
  expect_refused(MAKE, ARGS(type, one, one), "TypeError", "argument #1");
  expect_refused(MAKE, ARGS(view_int(parent_type), a, one, view_str("d"), one), "TypeError", "`d`");
  expect_refused(MAKE, ARGS(type, a), "InternalError", "Expected");
  expect_refused(MAKE, NO_ARGS, "InternalError", "Expected");
  expect_refused(MAKE, ARGS(view_str("reflect_test.Unknown")), "InternalError", "Unknown");
  expect_refused(MAKE, ARGS(view_int(63)), "InternalError", "63");
  expect_refused(MAKE, ARGS(view_int(-1)), "InternalError", "-1");
  expect_refused(MAKE, ARGS(view_int((int64_t)1 << 32)), "InternalError", "4294967296");
  expect_refused(MAKE, ARGS(view_float(1)), "TypeError", "argument #0");
  expect_refused(MAKE, ARGS(view_int(kTVMFFIStr)), "RuntimeError", "ffi.String");
  expect_refused(MAKE, ARGS(view_int(kTVMFFIInt)), "RuntimeError", "int");
  expect_refused(MAKE, ARGS(view_str("reflect_test.Late")), "OSError", "too late");
  ck_assert_int_eq(created, 0);
  ck_assert_str_eq(order, "");
}

// A field that nothing can set is left as it was made, its default notwithstanding.
TEST(a_field_without_a_setter_cannot_be_set)
{
  TVMFFIAny type = view_int(fixed_type), a = view_str("a"), one = view_int(1);
  expect_refused(MAKE, ARGS(type, a, one, view_str("fixed"), one), "TypeError", "`fixed` can't be");
  ck_assert_int_eq(created, 0);
  ck_assert_str_eq(order, "");
  expect_fields(call_object(MAKE, ARGS(type, a, one)), 1, 0, 0, 0);
}

TEST(a_setter_that_fails_makes_the_call_fail)
{
  TVMFFIAny type = view_int(child_type), bad = view_float(1), one = view_int(1);
  expect_refused(MAKE, ARGS(type, view_str("a"), bad), "TypeError", "no number");
  expect_refused(MAKE, ARGS(type, view_str("a"), one, view_str("d"), bad), "TypeError",
                 "no number");
  ck_assert_int_eq(created, 2);
  ck_assert_int_eq(deleted, 2);
}

TEST(rvalue_references_are_moved_out)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObjectHandle slot = &probe;
  expect_refused(MAKE, ARGS(view_int(parent_type), view_str("a"), view_rvalue(&slot)), "TypeError",
                 "no number");
  ck_assert_ptr_null(slot);
  ck_assert_int_eq(probe.calls, 1);
}

static const char *const built_in[] = {"None", "int", "ffi.Object", "ffi.Dict"};

TEST(type_keys_are_listed)
{
  TVMFFIObject *keys = call_object("ffi.GetRegisteredTypeKeys", NO_ARGS);
  const TVMFFISeqCell *cell = (const TVMFFISeqCell *)(keys + 1);
  int32_t last = -1, found = 0;
  ck_assert_int_eq(keys->type_index, kTVMFFIArray);
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny *key = (const TVMFFIAny *)cell->data + i;
    bool is_small = key->type_index == kTVMFFISmallStr;
    TVMFFIByteArray text = is_small ? (TVMFFIByteArray){key->v_bytes, key->small_str_len}
                                    : *(const TVMFFIByteArray *)(key->v_obj + 1);
    int32_t index = -1;
    ck_assert_int_eq(TVMFFITypeKeyToIndex(&text, &index), 0);
    ck_assert_int_gt(index, last);
    last = index;
    found += index == child_type;
    for (size_t b = 0; b < sizeof built_in / sizeof *built_in; ++b) {
      found += text.size == strlen(built_in[b]) && memcmp(text.data, built_in[b], text.size) == 0;
    }
  }
  ck_assert_int_eq(found, 5);
  TVMFFIObjectDecRef(keys);
  drop(call_with_faults("ffi.GetRegisteredTypeKeys", NO_ARGS));
}
