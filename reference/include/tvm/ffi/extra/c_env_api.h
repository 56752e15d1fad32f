// SPDX-License-Identifier: Apache-2.0
/*!
 * @file tvm/ffi/extra/c_env_api.h
 * What a runtime offers to code that runs inside a larger program: streams, tensor memory,
 * interrupts, and symbols for modules.
 *
 * `own`, `borrow` and `fails` mean what tvm/ffi/c_api.h says.
 */
#ifndef TVM_FFI_EXTRA_C_ENV_API_H_
#define TVM_FFI_EXTRA_C_ENV_API_H_

#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

//--------------------------------------------------------------------------------------------------
// The current stream, a note that each thread keeps per device. The runtime creates no stream.
//--------------------------------------------------------------------------------------------------

/*! A stream of some device, such as a cudaStream_t. */
typedef void *TVMFFIStreamHandle;

/*!
 * Sets this thread's current stream of a device.
 * @param device_type A DLDeviceType.
 * @param device_id Number of the device, 0 or more.
 * @param stream Borrow: kept as it is; NULL for the default stream.
 * @param opt_out_original_stream If not NULL: written with the stream that was current before.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id,
                                   TVMFFIStreamHandle stream,
                                   TVMFFIStreamHandle *opt_out_original_stream);

/*!
 * Tells this thread's current stream of a device.
 * @param device_type A DLDeviceType.
 * @param device_id Number of the device.
 * @return Borrow: the stream; NULL if none was set.
 */
TVM_FFI_DLL TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id);

//--------------------------------------------------------------------------------------------------
// Tensor memory from the surrounding framework
//--------------------------------------------------------------------------------------------------

/*!
 * Sets the allocator of this thread.
 * @param allocator NULL for none.
 * @param write_to_global_context Non-zero also sets the one for threads without their own.
 * @param opt_out_original_allocator If not NULL: written with what this thread had before.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIEnvSetDLPackManagedTensorAllocator(
    DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator *opt_out_original_allocator);

/*! Returns the allocator in force for this thread: its own, else the global one, else NULL. */
TVM_FFI_DLL DLPackManagedTensorAllocator TVMFFIEnvGetDLPackManagedTensorAllocator(void);

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * Allocates a tensor through the allocator in force.
 * @param prototype Borrow: its dtype, ndim, shape and device count.
 * @param out Own: a Tensor.
 * @return 0; -1 with RuntimeError if there is no allocator; or the allocator's own code.
 */
TVM_FFI_DLL int TVMFFIEnvTensorAlloc(DLTensor *prototype, TVMFFIObjectHandle *out);
#endif

//--------------------------------------------------------------------------------------------------
// The surrounding interpreter
//--------------------------------------------------------------------------------------------------

/*!
 * Lets a long computation notice an interrupt, such as Ctrl-C in Python.
 * @return 0 to go on; anything else to stop and hand the failure on.
 */
TVM_FFI_DLL int TVMFFIEnvCheckSignals(void);

/*!
 * Hands the runtime a function of the interpreter.
 * @param name "PyErr_CheckSignals", "PyGILState_Ensure" or "PyGILState_Release".
 * @param symbol The function; NULL takes it back.
 * @return 0; -1 with ValueError for any other name.
 */
TVM_FFI_DLL int TVMFFIEnvRegisterCAPI(const char *name, void *symbol);

//--------------------------------------------------------------------------------------------------
// Symbols of modules
//--------------------------------------------------------------------------------------------------

/*!
 * Finds a function among what a module imports, then in the global table.
 * @param library_ctx What the runtime stored in the library's `__tvm_ffi__library_ctx`.
 * @param func_name Name of the function, NUL-terminated.
 * @param out Borrow: the module keeps the Function alive.
 * @return 0; -1 with RuntimeError if there is none.
 */
TVM_FFI_DLL int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char *func_name,
                                              TVMFFIObjectHandle *out);

/*!
 * Registers an address for the libraries loaded from now on that have a variable of this name.
 * @param name Name of the variable, NUL-terminated.
 * @param symbol The address to store there.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIEnvModRegisterContextSymbol(const char *name, void *symbol);

/*!
 * Registers a symbol of the system library, the module made of what the program itself contains.
 * @param name Name of the symbol, NUL-terminated.
 * @param symbol Its address.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIEnvModRegisterSystemLibSymbol(const char *name, void *symbol);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TVM_FFI_EXTRA_C_ENV_API_H_
