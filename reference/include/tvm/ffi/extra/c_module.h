// SPDX-License-Identifier: Apache-2.0
/*!
 * @file tvm/ffi/extra/c_module.h
 * Module kinds written in plain C.
 *
 * This header is an extension of this runtime and no part of the ABI: other runtimes don't have
 * what it declares, which is why no name in it begins with TVMFFI. Modules made here are ordinary
 * modules to everybody else.
 *
 * A kind that can be saved is loaded by a global function `ffi.Module.load_from_bytes.<kind>`,
 * which takes Bytes and returns a module; register it with TVMFFIFunctionSetGlobal.
 *
 * `own`, `borrow` and `fails` mean what tvm/ffi/c_api.h says.
 */
#ifndef TVM_FFI_EXTRA_C_MODULE_H_
#define TVM_FFI_EXTRA_C_MODULE_H_

#include <tvm/ffi/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/*! What a module can do; bits of a property mask. */
enum tvmffi_module_property {
  /*! It can be saved to bytes, and there is a loader for them. */
  TVMFFI_MODULE_SERIALIZABLE = 1,
  /*! Its functions can be called. */
  TVMFFI_MODULE_RUNNABLE = 2,
  /*! It can be written to a file for a compiler. */
  TVMFFI_MODULE_EXPORTABLE = 4
};

/*!
 * What all modules of a kind have in common. Functions may be NULL unless it is said otherwise, and
 * are called from any thread. Each returns 0; or -1 with an error, and leaves its output alone.
 */
typedef struct tvmffi_module_kind {
  /*! sizeof(tvmffi_module_kind) as the caller was compiled. Fields that lie behind it count as
   * NULL. */
  size_t size;
  /*! Name of the kind, such as "cuda". Not NULL. Borrow: as long as modules of the kind live. */
  const char *name;
  /*! Bits of tvmffi_module_property. */
  int64_t property_mask;
  /*! Finds a function. out: own, a Function; it must keep what it needs, the module may be gone.
   * Left NULL for none. */
  int (*get_function)(void *self, const TVMFFIByteArray *name, TVMFFIObjectHandle *out);
  /*! Finds the metadata of a function, JSON text. out: own, a string. Left None for none. */
  int (*get_function_metadata)(void *self, const TVMFFIByteArray *name, TVMFFIAny *out);
  /*! Finds the description of a function. out: own, a string. Left None for none. */
  int (*get_function_doc)(void *self, const TVMFFIByteArray *name, TVMFFIAny *out);
  /*! Saves the module. out: own, Bytes. */
  int (*save_to_bytes)(void *self, TVMFFIAny *out);
  /*! Gives the source in a format, which may be empty. out: own, a string. Left None for none. */
  int (*inspect_source)(void *self, const TVMFFIByteArray *format, TVMFFIAny *out);
  /*! Frees what `self` is. Called once, when nobody has the module any more. */
  void (*deleter)(void *self);
} tvmffi_module_kind;

/*!
 * Makes a module.
 * @param kind Borrow: it is copied.
 * @param self Own: handed to the functions of the kind, and to its deleter. Still the caller's on
 * failure.
 * @param out Own: a Module.
 * @return 0; -1 with ValueError for NULL where something is due, with InternalError if there is no
 * memory.
 */
TVM_FFI_DLL int tvmffi_module_create(const tvmffi_module_kind *kind, void *self,
                                     TVMFFIObjectHandle *out);

/*!
 * Saves a module of any kind.
 * @param module Borrow: a Module.
 * @param out Own: Bytes; written on success.
 * @return 0; -1 with RuntimeError if modules of this kind can't be saved, or with the error of its
 * function.
 */
TVM_FFI_DLL int tvmffi_module_save_to_bytes(TVMFFIObjectHandle module, TVMFFIAny *out);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TVM_FFI_EXTRA_C_MODULE_H_
