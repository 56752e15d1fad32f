// SPDX-License-Identifier: Apache-2.0
// Texts that show values.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "probe.h"
#include "unit/unit.h"

// Gives back the value.
static void expect_shown(TVMFFIAny value, const char *due)
{
  TVMFFIAny text = call("ffi.ReprPrint", ARGS(value));
  expect_string_of(&text, due, strlen(due));
  drop(text);
  drop(value);
}

TEST_GROUP(all, .timeout = 30);

TEST(plain_values)
{
  expect_shown(view_none(), "None");
  expect_shown(view_int(-12), "-12");
  expect_shown(view_bool(1), "True");
  expect_shown(view_bool(0), "False");
  expect_shown(view_float(1.5), "1.5");
  expect_shown(view_float(NAN), "nan");
  expect_shown((TVMFFIAny){.type_index = kTVMFFIDataType, .v_dtype = {kDLInt, 32, 4}}, "int32x4");
  expect_shown(view_pointer(&(int){0}), "void*");
}

static const struct {
  int type;
  const char *due;
} devices[] = {
    {kDLCPU, "cpu:1"},
    {kDLCUDA, "cuda:1"},
    {kDLCUDAHost, "cuda_host:1"},
    {kDLOpenCL, "opencl:1"},
    {kDLVulkan, "vulkan:1"},
    {kDLMetal, "metal:1"},
    {kDLVPI, "vpi:1"},
    {kDLROCM, "rocm:1"},
    {kDLROCMHost, "rocm_host:1"},
    {kDLExtDev, "ext_dev:1"},
    {kDLCUDAManaged, "cuda_managed:1"},
    {kDLOneAPI, "oneapi:1"},
    {kDLWebGPU, "webgpu:1"},
    {kDLHexagon, "hexagon:1"},
    {kDLMAIA, "maia:1"},
    {kDLTrn, "trn:1"},
    {99, "unknown:1"},
};

TEST(devices_have_names, .rows = ROWS(devices))
{
  TVMFFIAny device = {.type_index = kTVMFFIDevice};
  device.v_device.device_type = (DLDeviceType)devices[_i].type;
  device.v_device.device_id = 1;
  expect_shown(device, devices[_i].due);
}

static const struct {
  const char *text, *due;
} strings[] = {
    {"", "\"\""},
    {"plain", "\"plain\""},
    {"longer than seven", "\"longer than seven\""},
    {"\"\\\n\r\t\x01\x7f", "\"\\\"\\\\\\n\\r\\t\\x01\\x7f\""},
    {"\xc3\xa9", "\"\\u00e9\""},
    {"\xe2\x82\xac", "\"\\u20ac\""},
    {"\xf0\x9f\x98\x80", "\"\\U0001f600\""},
    {"\xff", "\"\\xff\""},
    {"\xc3", "\"\\xc3\""},
    {"\xc3x", "\"\\xc3x\""},
    {"\xc0\xaf", "\"\\xc0\\xaf\""},
    {"\xe0\x80\x80", "\"\\xe0\\x80\\x80\""},
    {"\xed\xa0\x80", "\"\\xed\\xa0\\x80\""},
    {"\xf4\x90\x80\x80", "\"\\xf4\\x90\\x80\\x80\""},
};

TEST(strings_are_quoted, .rows = ROWS(strings))
{
  expect_shown(view_str(strings[_i].text), strings[_i].due);
}

TEST(bytes_are_quoted)
{
  expect_shown(view_bytes(BYTES("a\"\\\n\xc3")), "b\"a\\x22\\x5c\\x0a\\xc3\"");
  expect_shown(view_bytes(BYTES("longer than seven")), "b\"longer than seven\"");
}

TEST(containers_hold_what_they_hold)
{
  TVMFFIAny inner = call("ffi.List", ARGS(view_int(1), view_str("x")));
  expect_shown(call("ffi.Array", NO_ARGS), "()");
  expect_shown(call("ffi.Array", ARGS(view_int(1))), "(1,)");
  expect_shown(call("ffi.Array", ARGS(inner, view_none())), "([1, \"x\"], None)");
  expect_shown(call("ffi.Array", ARGS(inner, inner)), "([1, \"x\"], [1, \"x\"])");
  expect_shown(call("ffi.Map", ARGS(view_str("k"), inner)), "{\"k\": [1, \"x\"]}");
  expect_shown(call("ffi.Dict", ARGS(view_int(1), view_int(2), view_int(3), view_int(4))),
               "{1: 2, 3: 4}");
  expect_shown(call("ffi.Shape", ARGS(view_int(2), view_int(3))), "Shape(2, 3)");
  expect_shown(call("ffi.Shape", NO_ARGS), "Shape()");
  drop(inner);
}

TEST(marks_and_objects_without_fields)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  expect_shown(call("ffi.GetInvalidObject", NO_ARGS), "<MISSING>");
  expect_shown(call("ffi.GetKwargsObject", NO_ARGS), "<KWARGS>");
  TVMFFIObjectIncRef(&probe);
  expect_shown(view_object(&probe), "ffi.OpaquePyObject");
  probe = probe_make(4711);
  TVMFFIObjectIncRef(&probe);
  expect_shown(view_object(&probe), "object of an unknown type");
}

TEST(what_holds_itself_is_left_out)
{
  TVMFFIAny list = call("ffi.List", ARGS(view_int(1)));
  call_void("ffi.ListAppend", ARGS(list, list));
  TVMFFIObjectIncRef(list.v_obj);
  expect_shown(list, "[1, ...]");
  call_void("ffi.ListClear", ARGS(list));
  drop(list);
}

TEST(what_was_written_is_written_alike)
{
  TVMFFIAny list = call("ffi.List", NO_ARGS), holder = call("ffi.Array", ARGS(list));
  call_void("ffi.ListAppend", ARGS(list, holder));
  expect_shown(call("ffi.Array", ARGS(holder, list, list)), "(([...],), [...], [...])");
  call_void("ffi.ListClear", ARGS(list));
  drop(holder);
  drop(list);
}

// Each level holds the one below twice, so the text has twice its length and six bytes more.
TEST(parts_that_are_shared_are_written_each_time)
{
  TVMFFIAny value = call("ffi.Array", ARGS(view_int(1), view_int(1)));
  for (int level = 0; level < 19; ++level) {
    TVMFFIAny above = call("ffi.Array", ARGS(value, value));
    drop(value);
    value = above;
  }
  TVMFFIAny text = call("ffi.ReprPrint", ARGS(value));
  const TVMFFIByteArray *content = (TVMFFIByteArray *)((TVMFFIObject *)text.v_obj + 1);
  ck_assert_uint_eq(content->size, 10 * (1 << 19) - 4);
  ck_assert_str_eq(content->data + content->size - 24, "1, 1))))))))))))))))))))");
  drop(text);
  drop(value);
}

TEST(addresses_are_shown_on_request)
{
  char due[64];
  TVMFFIAny list = call("ffi.List", ARGS(view_int(1)));
  snprintf(due, sizeof due, "[1]@0x%llx", (unsigned long long)(uintptr_t)list.v_obj);
  setenv("TVM_FFI_REPR_WITH_ADDR", "1", 1);
  expect_shown(list, due);
  unsetenv("TVM_FFI_REPR_WITH_ADDR");
}

// Two's complement, the lowest word first.
static TVMFFIAny big(uint64_t low, uint64_t high)
{
  uint64_t words[] = {low, high};
  TVMFFIAny value;
  ck_assert_int_eq(TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){(char *)words, 16}, &value), 0);
  return value;
}

TEST(large_integers_have_all_digits)
{
  expect_shown(big(0, 1), "18446744073709551616");
  expect_shown(big(0, UINT64_MAX), "-18446744073709551616");
  expect_shown(big(UINT64_MAX, INT64_MAX), "170141183460469231731687303715884105727");
  expect_shown(big(0, (uint64_t)1 << 63), "-170141183460469231731687303715884105728");
  static uint64_t words[2050];
  TVMFFIAny value;
  words[2049] = 1;
  ck_assert_int_eq(
      TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){(char *)words, sizeof words}, &value), 0);
  expect_refused("ffi.ReprPrint", ARGS(value), "ValueError", "has no text");
  drop(value);
}

TEST(want_of_memory_is_reported)
{
  TVMFFIAny number = big(7, 7), inner = call("ffi.List", ARGS(number, view_str("a long text, 1")));
  TVMFFIAny value = call("ffi.Map", ARGS(view_str("longer than seven"), inner));
  drop(call_with_faults("ffi.ReprPrint", ARGS(value)));
  drop(number);
  drop(inner);
  drop(value);
}
