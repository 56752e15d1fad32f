// SPDX-License-Identifier: Apache-2.0
// Data types and devices as words, and back.
#include <stdint.h>
#include <string.h>

#include "plan/signature_file.h"
#include "unit/unit.h"

static const struct {
  const char *text;
  DLDataType dtype;
} dtypes[] = {
    {"bool", {kDLBool, 8, 1}},
    {"boolx4", {kDLBool, 8, 4}},
    {"int1", {kDLInt, 1, 1}},
    {"int8", {kDLInt, 8, 1}},
    {"int4x8", {kDLInt, 4, 8}},
    {"int128", {kDLInt, 128, 1}},
    {"uint16", {kDLUInt, 16, 1}},
    {"float16", {kDLFloat, 16, 1}},
    {"float32x65535", {kDLFloat, 32, 65535}},
    {"float64", {kDLFloat, 64, 1}},
    {"bfloat16", {kDLBfloat, 16, 1}},
    {"complex64", {kDLComplex, 64, 1}},
    {"float8_e3m4", {kDLFloat8_e3m4, 8, 1}},
    {"float8_e4m3", {kDLFloat8_e4m3, 8, 1}},
    {"float8_e4m3b11fnuz", {kDLFloat8_e4m3b11fnuz, 8, 1}},
    {"float8_e4m3fn", {kDLFloat8_e4m3fn, 8, 1}},
    {"float8_e4m3fnuz", {kDLFloat8_e4m3fnuz, 8, 1}},
    {"float8_e5m2", {kDLFloat8_e5m2, 8, 1}},
    {"float8_e5m2fnuz", {kDLFloat8_e5m2fnuz, 8, 1}},
    {"float8_e8m0fnu", {kDLFloat8_e8m0fnu, 8, 1}},
    {"float6_e2m3fn", {kDLFloat6_e2m3fn, 6, 1}},
    {"float6_e3m2fn", {kDLFloat6_e3m2fn, 6, 1}},
    {"float4_e2m1fnx2", {kDLFloat4_e2m1fn, 4, 2}},
};

TEST(data_types_and_their_words, .rows = ROWS(dtypes))
{
  DLDataType seen = {0, 0, 0};
  char text[32];
  ck_assert_msg(signature_dtype(dtypes[_i].text, &seen), "%s is refused", dtypes[_i].text);
  ck_assert_mem_eq(&seen, &dtypes[_i].dtype, sizeof seen);
  ck_assert_str_eq(signature_dtype_text(dtypes[_i].dtype, text), dtypes[_i].text);
}

TEST(what_is_no_data_type)
{
  static const char *const wrong[] = {"",
                                      "float",
                                      "int",
                                      "half",
                                      "Float32",
                                      "float032",
                                      "float-32",
                                      "float0",
                                      "int129",
                                      "float32x",
                                      "float32x0",
                                      "float32x65536",
                                      "float32x1x1",
                                      "float32 ",
                                      " float32",
                                      "float32y",
                                      "bool8",
                                      "float8_e4m3fn2",
                                      "x4",
                                      "int8x-1",
                                      "int99999999999999999999",
                                      "int8x99999999999999999999"};
  const DLDataType before = {77, 78, 79};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    DLDataType seen = before;
    ck_assert_msg(!signature_dtype(wrong[i], &seen), "\"%s\" is taken", wrong[i]);
    ck_assert_mem_eq(&seen, &before, sizeof seen);
  }
}

TEST(data_types_without_a_word_are_shown_as_numbers)
{
  char text[32];
  ck_assert_str_eq(signature_dtype_text((DLDataType){255, 255, 65535}, text),
                   "dtype 255.255.65535");
  ck_assert_str_eq(signature_dtype_text((DLDataType){kDLBool, 1, 1}, text), "dtype 6.1.1");
}

static const struct {
  const char *text;
  DLDevice device;
} devices[] = {
    {"cpu", {kDLCPU, 0}},
    {"cuda", {kDLCUDA, 0}},
    {"cuda:1", {kDLCUDA, 1}},
    {"cuda:65536", {kDLCUDA, 65536}},
    {"cuda_host", {kDLCUDAHost, 0}},
    {"opencl", {kDLOpenCL, 0}},
    {"vulkan:3", {kDLVulkan, 3}},
    {"metal", {kDLMetal, 0}},
    {"rocm", {kDLROCM, 0}},
    {"cuda_managed", {kDLCUDAManaged, 0}},
    {"oneapi", {kDLOneAPI, 0}},
    {"webgpu", {kDLWebGPU, 0}},
    {"hexagon", {kDLHexagon, 0}},
    {"ext_dev", {kDLExtDev, 0}},
};

TEST(devices_and_their_words, .rows = ROWS(devices))
{
  DLDevice seen = {kDLCPU, -1};
  char text[32];
  ck_assert_msg(signature_device(devices[_i].text, &seen), "%s is refused", devices[_i].text);
  ck_assert_int_eq(seen.device_type, devices[_i].device.device_type);
  ck_assert_int_eq(seen.device_id, devices[_i].device.device_id);
  ck_assert_str_eq(signature_device_text(devices[_i].device, text), devices[_i].text);
}

TEST(number_0_may_be_said)
{
  DLDevice seen = {kDLCPU, -1};
  ck_assert(signature_device("cuda:0", &seen));
  ck_assert_int_eq(seen.device_type, kDLCUDA);
  ck_assert_int_eq(seen.device_id, 0);
}

TEST(what_is_no_device)
{
  static const char *const wrong[] = {"",
                                      "gpu",
                                      "CUDA",
                                      "cud",
                                      "cudas",
                                      ":1",
                                      "cuda:",
                                      "cuda:x",
                                      "cuda:-1",
                                      "cuda:01",
                                      "cuda: 1",
                                      "cuda:1x",
                                      "cuda:00",
                                      "cuda:0x",
                                      "cuda:65537",
                                      "cuda:1:2",
                                      "cuda:99999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    DLDevice seen = {kDLMetal, 79};
    ck_assert_msg(!signature_device(wrong[i], &seen), "\"%s\" is taken", wrong[i]);
    ck_assert_int_eq(seen.device_type, kDLMetal);
    ck_assert_int_eq(seen.device_id, 79);
  }
}

TEST(devices_without_a_word_are_shown_as_numbers)
{
  char text[32];
  ck_assert_str_eq(signature_device_text((DLDevice){(DLDeviceType)99, -7}, text), "device 99:-7");
}
