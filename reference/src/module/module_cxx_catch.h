// SPDX-License-Identifier: Apache-2.0
// Exceptions of C++ end where C begins.
#ifndef REFERENCE_SRC_MODULE_MODULE_CXX_CATCH_H_
#define REFERENCE_SRC_MODULE_MODULE_CXX_CATCH_H_

// Calls a function that may be left by an exception. Returns 0; -1 with an error: the one that was
// thrown if it is one of the official headers', else a RuntimeError that names the class of what
// was thrown.
//
// Exceptions are caught on x86-64, i386, AArch64 and s390x, built with a compiler that has an
// unwinder; elsewhere they go on to whoever called the runtime.
int module_cxx_catch(void (*function)(void *data), void *data);

#endif  // REFERENCE_SRC_MODULE_MODULE_CXX_CATCH_H_
