// SPDX-License-Identifier: Apache-2.0
// Data types and devices as words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signature/signature_words.h"

static const struct {
  const char *name;
  uint8_t code, bits;  // bits 0: written behind the name
} dtypes[] = {
    {"bool", kDLBool, 8},
    {"int", kDLInt, 0},
    {"uint", kDLUInt, 0},
    {"float8_e3m4", kDLFloat8_e3m4, 8},
    {"float8_e4m3fn", kDLFloat8_e4m3fn, 8},
    {"float8_e4m3fnuz", kDLFloat8_e4m3fnuz, 8},
    {"float8_e4m3b11fnuz", kDLFloat8_e4m3b11fnuz, 8},
    {"float8_e4m3", kDLFloat8_e4m3, 8},
    {"float8_e5m2fnuz", kDLFloat8_e5m2fnuz, 8},
    {"float8_e5m2", kDLFloat8_e5m2, 8},
    {"float8_e8m0fnu", kDLFloat8_e8m0fnu, 8},
    {"float6_e2m3fn", kDLFloat6_e2m3fn, 6},
    {"float6_e3m2fn", kDLFloat6_e3m2fn, 6},
    {"float4_e2m1fn", kDLFloat4_e2m1fn, 4},
    {"float", kDLFloat, 0},
    {"bfloat", kDLBfloat, 0},
    {"complex", kDLComplex, 0},
};

static bool read_number(const char **text, unsigned long most, unsigned long *number)
{
  char *end;
  if (**text < '1' || **text > '9') return false;
  *number = strtoul(*text, &end, 10);
  *text = end;
  return *number <= most;
}

bool signature_dtype(const char *text, DLDataType *dtype)
{
  for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; ++i) {
    size_t length = strlen(dtypes[i].name);
    unsigned long bits = dtypes[i].bits, lanes = 1;
    if (strncmp(text, dtypes[i].name, length) != 0) continue;
    const char *rest = text + length;
    if (!dtypes[i].bits && !read_number(&rest, 128, &bits)) continue;
    if (*rest == 'x') {
      ++rest;
      if (!read_number(&rest, 65535, &lanes)) continue;
    }
    if (*rest) continue;
    *dtype = (DLDataType){dtypes[i].code, (uint8_t)bits, (uint16_t)lanes};
    return true;
  }
  return false;
}

char *signature_dtype_text(DLDataType dtype, char text[32])
{
  snprintf(text, 32, "dtype %u.%u.%u", dtype.code, dtype.bits, dtype.lanes);
  for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; ++i) {
    if (dtypes[i].code != dtype.code || (dtypes[i].bits && dtypes[i].bits != dtype.bits)) continue;
    int length = snprintf(text, 32, "%s", dtypes[i].name);
    if (!dtypes[i].bits) length += snprintf(text + length, 32 - (size_t)length, "%u", dtype.bits);
    if (dtype.lanes != 1) snprintf(text + length, 32 - (size_t)length, "x%u", dtype.lanes);
    break;
  }
  return text;
}

static const struct {
  const char *name;
  DLDeviceType type;
} devices[] = {
    {"cpu", kDLCPU},
    {"cuda", kDLCUDA},
    {"cuda_host", kDLCUDAHost},
    {"opencl", kDLOpenCL},
    {"vulkan", kDLVulkan},
    {"metal", kDLMetal},
    {"rocm", kDLROCM},
    {"cuda_managed", kDLCUDAManaged},
    {"oneapi", kDLOneAPI},
    {"webgpu", kDLWebGPU},
    {"hexagon", kDLHexagon},
    {"ext_dev", kDLExtDev},
};

bool signature_device(const char *text, DLDevice *device)
{
  size_t length = strcspn(text, ":");
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; ++i) {
    if (strlen(devices[i].name) != length || strncmp(text, devices[i].name, length) != 0) continue;
    unsigned long number = 0;
    const char *rest = text + length + (text[length] == ':');
    if (text[length] == ':' && strcmp(rest, "0") != 0 && !read_number(&rest, 1 << 16, &number))
      return false;
    if (number && *rest) return false;
    *device = (DLDevice){devices[i].type, (int32_t)number};
    return true;
  }
  return false;
}

char *signature_device_text(DLDevice device, char text[32])
{
  snprintf(text, 32, "device %d:%d", (int)device.device_type, (int)device.device_id);
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; ++i)
    if (devices[i].type == device.device_type) {
      int length = snprintf(text, 32, "%s", devices[i].name);
      if (device.device_id) snprintf(text + length, 32 - (size_t)length, ":%d", device.device_id);
    }
  return text;
}

const char *const signature_promise_words[] = {"atomic", "repeatable", "fresh", "shared", NULL};
