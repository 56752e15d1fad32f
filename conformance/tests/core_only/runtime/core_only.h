// SPDX-License-Identifier: Apache-2.0
/*!
 * @file core_only.h
 * A runtime of the MUST clauses of the scope core and of nothing else, written from spec/ and the public C headers
 * alone. It shows that a runtime can be built from these clauses, and that no case of a MUST asks for more.
 *
 * It is no example to follow. A SHOULD or HARDENING clause that costs a line is not kept; one that is kept by habit is
 * broken on purpose ("not ERR-8"), and what is UNSPECIFIED differs from the official runtime ("LAY-5"), so that a case
 * which relies on either goes red here. It has no containers, no names of data types, no built-in type but ffi.Object, and
 * two registered functions.
 */
#ifndef CORE_ONLY_H
#define CORE_ONLY_H

#include <stdbool.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/*! Allocates an object of counts 1 and 1, whose bytes after the header are zero. */
void *core_object(size_t size, int32_t type_index, void (*deleter)(void *self, int flags));

/*! Raises a RuntimeError and returns -1. */
int core_fail(const char *message);

/*! Creates an error, which the caller owns; NULL if there is no memory. */
TVMFFIObject *core_error(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                         const TVMFFIByteArray *backtrace);

/*! Returns a copy of the bytes, which the caller frees. */
TVMFFIByteArray core_copy(TVMFFIByteArray from);

/*! Tells whether two runs of bytes are the same. */
bool core_same(TVMFFIByteArray a, TVMFFIByteArray b);

/*! Reads a string of any form. */
bool core_string(const TVMFFIAny *value, TVMFFIByteArray *out);

/*! Releases the object in an owned value, if it holds one. */
void core_release(TVMFFIAny *value);

/*! Makes an array one longer, and returns it. */
void *core_grow(void *array, size_t count, size_t item_size);

/*! Registers the two functions about modules, once. */
void core_register_module_functions(void);

#endif
