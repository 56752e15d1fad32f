// SPDX-License-Identifier: Apache-2.0
/*!
 * @file tvm/ffi/extra/c_names_2025_09.h
 * What functions were called in the generation of September 2025. tvm/ffi/c_api.h includes this
 * where TVM_FFI_GENERATION_2025_09 is defined; both names then mean the older one.
 */
#ifndef TVM_FFI_EXTRA_C_NAMES_2025_09_H_
#define TVM_FFI_EXTRA_C_NAMES_2025_09_H_

#define TVMFFIBacktrace TVMFFITraceback
#define TVMFFIEnvSetDLPackManagedTensorAllocator TVMFFIEnvSetTensorAllocator
#define TVMFFIEnvGetDLPackManagedTensorAllocator TVMFFIEnvGetTensorAllocator

#endif  // TVM_FFI_EXTRA_C_NAMES_2025_09_H_
