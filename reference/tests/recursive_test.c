// SPDX-License-Identifier: Apache-2.0
// Containers with what is in them: compared, hashed, copied.
#include <math.h>

#include "call.h"
#include "probe.h"
#include "tensor_source.h"
#include "unit/unit.h"

enum { DEEP = 100000, LAYERS = 60 };

static const char *const sequences[] = {"ffi.Array", "ffi.List"};
static const char *const maps[] = {"ffi.Map", "ffi.Dict"};

static TVMFFIAny make(const char *maker, const TVMFFIAny *values, int32_t count)
{
  return view_object(call_object(maker, values, count));
}

// Compares both ways, and the hashes, too. Gives back both values.
static bool are_equal(TVMFFIAny one, TVMFFIAny other)
{
  bool equal = call_bool("ffi.RecursiveEq", ARGS(one, other));
  ck_assert_int_eq(call_bool("ffi.RecursiveEq", ARGS(other, one)), equal);
  ck_assert(call_bool("ffi.RecursiveEq", ARGS(one, one)));
  int64_t hash = call_int("ffi.RecursiveHash", ARGS(one));
  if (equal) ck_assert_int_eq(hash, call_int("ffi.RecursiveHash", ARGS(other)));
  drop(one);
  drop(other);
  return equal;
}

TEST_GROUP(all, .timeout = 30);

TEST(plain_values_are_equal_as_keys)
{
  const char *text = "longer than seven";
  TVMFFIByteArray bytes = {text, 17};
  ck_assert(are_equal(view_int(1), view_int(1)));
  ck_assert(!are_equal(view_int(1), view_bool(1)));
  ck_assert(!are_equal(view_int(1), view_float(1)));
  ck_assert(!are_equal(view_none(), view_int(0)));
  ck_assert(are_equal(view_float(0.0), view_float(-0.0)));
  ck_assert(are_equal(view_float(NAN), view_float(-NAN)));
  ck_assert(!are_equal(view_float(NAN), view_float(1)));
  ck_assert(are_equal(view_str(text), call("ffi.String", ARGS(view_str(text)))));
  ck_assert(are_equal(view_str("x"), call("ffi.String", ARGS(view_str("x")))));
  ck_assert(!are_equal(view_str(text), view_bytes(&bytes)));
}

TEST(sequences_are_equal_by_their_elements, .rows = 2)
{
  const char *maker = sequences[_i];
  ck_assert(are_equal(make(maker, NO_ARGS), make(maker, NO_ARGS)));
  ck_assert(are_equal(make(maker, ARGS(view_int(1), view_str("longer than seven"))),
                      make(maker, ARGS(view_int(1), view_str("longer than seven")))));
  ck_assert(!are_equal(make(maker, ARGS(view_int(1))), make(maker, ARGS(view_bool(1)))));
  ck_assert(
      !are_equal(make(maker, ARGS(view_int(1))), make(maker, ARGS(view_int(1), view_int(2)))));
  ck_assert(!are_equal(make("ffi.Array", ARGS(view_int(1))), make("ffi.List", ARGS(view_int(1)))));
  ck_assert(are_equal(make("ffi.Shape", ARGS(view_int(1), view_int(2))),
                      make("ffi.Shape", ARGS(view_int(1), view_int(2)))));
  ck_assert(!are_equal(make("ffi.Shape", ARGS(view_int(1), view_int(2))),
                       make("ffi.Shape", ARGS(view_int(1), view_int(3)))));
}

TEST(maps_are_equal_whatever_their_order, .rows = 2)
{
  const char *maker = maps[_i], *text = "longer than seven";
  ck_assert(are_equal(make(maker, ARGS(view_int(1), view_str("a"), view_str(text), view_int(2))),
                      make(maker, ARGS(view_str(text), view_int(2), view_int(1), view_str("a")))));
  ck_assert(!are_equal(make(maker, ARGS(view_int(1), view_int(1))),
                       make(maker, ARGS(view_int(1), view_int(2)))));
  ck_assert(!are_equal(make(maker, ARGS(view_int(1), view_none())),
                       make(maker, ARGS(view_int(2), view_none()))));
  ck_assert(!are_equal(make(maker, NO_ARGS), make(maker, ARGS(view_int(2), view_none()))));
}

TEST(objects_without_fields_are_equal)
{
  Probe one = probe_make(kTVMFFIOpaquePyObject), other = probe_make(kTVMFFIOpaquePyObject);
  ck_assert(call_bool("ffi.RecursiveEq", ARGS(view_object(&one), view_object(&one))));
  ck_assert(call_bool("ffi.RecursiveEq", ARGS(view_object(&one), view_object(&other))));
  expect_counts(&one, 1, 1);
  expect_counts(&other, 1, 1);
}

// A list in a list in a list, and so on.
static TVMFFIAny nest(int depth)
{
  TVMFFIAny nested = make("ffi.List", ARGS(view_int(1)));
  for (int i = 0; i < depth; ++i) {
    TVMFFIAny outer = make("ffi.List", ARGS(nested));
    drop(nested);
    nested = outer;
  }
  return nested;
}

// Each layer has the one below twice, so that there are 2^60 ways to the bottom.
static TVMFFIAny diamond(void)
{
  TVMFFIAny layer = make("ffi.List", ARGS(view_int(1)));
  for (int i = 0; i < LAYERS; ++i) {
    TVMFFIAny outer = make("ffi.List", ARGS(layer, layer));
    drop(layer);
    layer = outer;
  }
  return layer;
}

static TVMFFIAny copy_of(TVMFFIAny value)
{
  TVMFFIAny copy = call("ffi.DeepCopy", ARGS(value));
  ck_assert_ptr_ne(copy.v_obj, value.v_obj);
  return copy;
}

TEST(depth_and_shared_parts_are_ordinary)
{
  TVMFFIAny deep = nest(DEEP), shared = diamond();
  ck_assert(are_equal(copy_of(deep), deep));
  ck_assert(are_equal(copy_of(shared), shared));
  ck_assert(!are_equal(nest(DEEP), nest(DEEP - 1)));
}

TEST(what_contains_itself_is_compared_and_copied)
{
  TVMFFIAny list = make("ffi.List", ARGS(view_int(1)));
  call_void("ffi.ListAppend", ARGS(list, list));
  TVMFFIAny copy = copy_of(list);
  TVMFFIAny inner = call("ffi.ListGetItem", ARGS(copy, view_int(1)));
  ck_assert_ptr_eq(inner.v_obj, copy.v_obj);
  ck_assert(call_bool("ffi.RecursiveEq", ARGS(list, copy)));
  call_void("ffi.ListSetItem", ARGS(copy, view_int(0), view_int(2)));
  ck_assert(!call_bool("ffi.RecursiveEq", ARGS(list, copy)));
  drop(inner);
  call_void("ffi.ListClear", ARGS(copy));
  call_void("ffi.ListClear", ARGS(list));
  expect_counts(copy.v_obj, 1, 1);
  expect_counts(list.v_obj, 1, 1);
  drop(copy);
  drop(list);
}

TEST(shared_containers_stay_shared_in_a_copy, .rows = 2)
{
  static const char *const getters[] = {"ffi.MapGetItem", "ffi.DictGetItem"};
  TVMFFIAny list = make("ffi.List", ARGS(view_int(1)));
  TVMFFIAny map = make(maps[_i], ARGS(view_str("a"), list, view_str("b"), list, list, view_int(3)));
  TVMFFIAny copy = copy_of(map);
  TVMFFIAny value = call(getters[_i], ARGS(copy, view_str("a")));
  TVMFFIAny other = call(getters[_i], ARGS(copy, view_str("b")));
  ck_assert_ptr_ne(value.v_obj, list.v_obj);
  ck_assert_ptr_eq(value.v_obj, other.v_obj);
  ck_assert_int_eq(call_int(getters[_i], ARGS(copy, value)), 3);  // the key was copied, too
  expect_counts(list.v_obj, 4, 1);
  drop(value);
  drop(other);
  drop(copy);
  drop(map);
  expect_counts(list.v_obj, 1, 1);
  drop(list);
}

TEST(what_never_changes_is_shared_with_a_copy)
{
  TVMFFIAny text = call("ffi.String", ARGS(view_str("longer than seven")));
  TVMFFIAny shape = make("ffi.Shape", ARGS(view_int(1)));
  TVMFFIAny array = make("ffi.Array", ARGS(text, shape, view_float(2)));
  TVMFFIAny copy = copy_of(array);
  expect_counts(text.v_obj, 3, 1);
  expect_counts(shape.v_obj, 3, 1);
  drop(copy);
  drop(array);
  expect_counts(text.v_obj, 1, 1);
  expect_counts(shape.v_obj, 1, 1);
  drop(text);
  drop(shape);
}

TEST(what_cannot_be_copied_leaves_nothing_behind)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIAny list = make("ffi.List", ARGS(view_int(1)));
  call_void("ffi.ListAppend", ARGS(list, list));
  call_void("ffi.ListAppend", ARGS(list, view_object(&probe)));
  expect_refused("ffi.DeepCopy", ARGS(list), "RuntimeError", "ffi.OpaquePyObject");
  expect_refused("ffi.DeepCopy", ARGS(view_object(&probe)), "RuntimeError", "ffi.OpaquePyObject");
  expect_counts(&probe, 2, 1);
  expect_counts(list.v_obj, 2, 1);
  call_void("ffi.ListClear", ARGS(list));
  expect_counts(&probe, 1, 1);
  drop(list);
}

TEST(want_of_memory_is_reported)
{
  TVMFFIByteArray bytes = {"longer than seven", 17};  // without them comparing needs no memory
  TVMFFIAny list = make("ffi.List", ARGS(view_int(1), view_bytes(&bytes)));
  TVMFFIAny map = make("ffi.Map", ARGS(view_str("a"), list, view_int(2), view_none()));
  TVMFFIAny array = make("ffi.Array", ARGS(map, list, map));
  TVMFFIAny copy = call_with_faults("ffi.DeepCopy", ARGS(array));
  drop(call_with_faults("ffi.RecursiveEq", ARGS(array, copy)));
  expect_counts(array.v_obj, 1, 1);
  drop(copy);
  drop(array);
  drop(map);
  expect_counts(list.v_obj, 1, 1);
  drop(list);
}

//--------------------------------------------------------------------------------------------------
// Devices
//--------------------------------------------------------------------------------------------------

static DLDevice first_device(TVMFFIAny value)
{
  TVMFFIAny found = call("ffi.ContainerFindFirstNonCPUDevice", ARGS(value));
  ck_assert_int_eq(found.type_index, kTVMFFIDevice);
  return found.v_device;
}

// In a List that holds itself, so many levels down, behind values that say nothing.
TEST(first_device_is_found, .rows = 4)
{
  static const int levels[] = {0, 1, 19, 5000};
  Source source;
  DLTensor tensor;
  source_init(&source, 1, (const int64_t[]){4}, NULL);
  TVMFFIAny here = view_object(source_tensor(&source, true));
  tensor = source.versioned.dl_tensor;
  tensor.device = (DLDevice){kDLCUDA, 3};
  source_set(&source, &tensor);
  TVMFFIAny there = view_object(source_tensor(&source, true));
  TVMFFIAny list = make("ffi.List", ARGS(view_int(1), here));
  ck_assert_int_eq(first_device(list).device_type, kDLCPU);
  call_void("ffi.ListAppend", ARGS(list, list));
  ck_assert_int_eq(first_device(list).device_type, kDLCPU);
  TVMFFIAny value = there;
  TVMFFIObjectIncRef(there.v_obj);
  for (int i = 0; i < levels[_i]; ++i) {
    TVMFFIAny next = i % 2 ? make("ffi.Map", ARGS(view_str("k"), value))
                           : make("ffi.Array", ARGS(list, view_none(), value));
    drop(value);
    value = next;
  }
  DLDevice found = first_device(value);
  ck_assert_int_eq(found.device_type, kDLCUDA);
  ck_assert_int_eq(found.device_id, 3);
  call_void("ffi.ListClear", ARGS(list));
  const TVMFFIAny all[] = {value, there, list, here};
  for (int i = 0; i < 4; ++i) drop(all[i]);
}
