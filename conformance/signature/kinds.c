// SPDX-License-Identifier: Apache-2.0
#include "signature/kinds.h"

#include "abi/abi.h"

const char *const kernel_kind_names[KERNEL_KIND_COUNT] = {
    [KERNEL_ANY] = "any",           [KERNEL_NONE] = "none",     [KERNEL_INT] = "int",
    [KERNEL_BOOL] = "bool",         [KERNEL_FLOAT] = "float",   [KERNEL_POINTER] = "pointer",
    [KERNEL_DTYPE] = "dtype",       [KERNEL_DEVICE] = "device", [KERNEL_STRING] = "string",
    [KERNEL_BYTES] = "bytes",       [KERNEL_SHAPE] = "shape",   [KERNEL_TENSOR] = "tensor",
    [KERNEL_FUNCTION] = "function", [KERNEL_OBJECT] = "object", [KERNEL_ARRAY] = "array",
    [KERNEL_TUPLE] = "tuple",       [KERNEL_MAP] = "map",       [KERNEL_VARIANT] = "variant",
};

const KernelSpelling kernel_spellings[KERNEL_SPELLING_COUNT] = {
    {KERNEL_TENSOR, "borrowed", KERNEL_SPELLED_BORROWED, kTVMFFIDLTensorPtr},
    {KERNEL_TENSOR, "object", KERNEL_SPELLED_OBJECT, kTVMFFITensor},
    {KERNEL_STRING, "raw", KERNEL_SPELLED_RAW, kTVMFFIRawStr},
    {KERNEL_STRING, "small", KERNEL_SPELLED_SMALL, kTVMFFISmallStr},
    {KERNEL_STRING, "object", KERNEL_SPELLED_OBJECT, kTVMFFIStr},
    {KERNEL_BYTES, "byte_array", KERNEL_SPELLED_BYTE_ARRAY, kTVMFFIByteArrayPtr},
    {KERNEL_BYTES, "small", KERNEL_SPELLED_SMALL, kTVMFFISmallBytes},
    {KERNEL_BYTES, "object", KERNEL_SPELLED_OBJECT, kTVMFFIBytes},
};

bool kernel_role_is_read(KernelRole role)
{
  return role == KERNEL_IN || role == KERNEL_INOUT;
}

bool kernel_role_is_given(KernelRole role)
{
  return role == KERNEL_OUT || role == KERNEL_INOUT;
}
