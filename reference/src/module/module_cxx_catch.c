// SPDX-License-Identifier: Apache-2.0
#include "module/module_cxx_catch.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "core/any.h"
#include "core/object.h"
#include "core/raise.h"
#include "core/thread.h"
#include "core/unwinder.h"

#if !defined(TVM_FFI_NO_UNWINDER) && \
    (defined(__x86_64__) || defined(__aarch64__) || defined(__i386__) || defined(__s390x__))

//--------------------------------------------------------------------------------------------------
// The frame in which a throw ends
//--------------------------------------------------------------------------------------------------

// Calls a function. Returns NULL, or the exception by which the function was left.
struct _Unwind_Exception *module_cxx_try(void (*function)(void *data), void *data)
    __attribute__((visibility("hidden")));
extern const char module_cxx_caught[] __attribute__((visibility("hidden")));
_Unwind_Reason_Code module_cxx_personality(int version, _Unwind_Action actions,
                                           _Unwind_Exception_Class class_of,
                                           struct _Unwind_Exception *exception,
                                           struct _Unwind_Context *context)
    __attribute__((visibility("hidden"), used));

#if defined(__x86_64__)
#define CXX_FRAME             \
  "pushq %rbp\n"              \
  ".cfi_def_cfa_offset 16\n"  \
  ".cfi_offset 6, -16\n"      \
  "movq %rsp, %rbp\n"         \
  ".cfi_def_cfa_register 6\n" \
  "movq %rdi, %rax\n"         \
  "movq %rsi, %rdi\n"         \
  "callq *%rax\n"             \
  "xorl %eax, %eax\n"         \
  "module_cxx_caught:\n"      \
  "popq %rbp\n"               \
  ".cfi_def_cfa 7, 8\n"       \
  "retq\n"
#elif defined(__i386__)
// The stack is aligned to 16 bytes at the call.
#define CXX_FRAME             \
  "pushl %ebp\n"              \
  ".cfi_def_cfa_offset 8\n"   \
  ".cfi_offset 5, -8\n"       \
  "movl %esp, %ebp\n"         \
  ".cfi_def_cfa_register 5\n" \
  "subl $4, %esp\n"           \
  "pushl 12(%ebp)\n"          \
  "calll *8(%ebp)\n"          \
  "xorl %eax, %eax\n"         \
  "module_cxx_caught:\n"      \
  "leave\n"                   \
  ".cfi_def_cfa 4, 4\n"       \
  "retl\n"
#elif defined(__s390x__)
// An exception comes in register 6, which belongs to the caller and is saved with those behind it.
#define CXX_FRAME             \
  "stmg %r6,%r15,48(%r15)\n"  \
  ".cfi_offset 6, -112\n"     \
  ".cfi_offset 7, -104\n"     \
  ".cfi_offset 8, -96\n"      \
  ".cfi_offset 9, -88\n"      \
  ".cfi_offset 10, -80\n"     \
  ".cfi_offset 11, -72\n"     \
  ".cfi_offset 12, -64\n"     \
  ".cfi_offset 13, -56\n"     \
  ".cfi_offset 14, -48\n"     \
  ".cfi_offset 15, -40\n"     \
  "aghi %r15,-160\n"          \
  ".cfi_def_cfa_offset 320\n" \
  "lgr %r1,%r2\n"             \
  "lgr %r2,%r3\n"             \
  "basr %r14,%r1\n"           \
  "lghi %r6,0\n"              \
  "module_cxx_caught:\n"      \
  "lgr %r2,%r6\n"             \
  "lmg %r6,%r15,208(%r15)\n"  \
  ".cfi_restore 6\n"          \
  ".cfi_restore 7\n"          \
  ".cfi_restore 8\n"          \
  ".cfi_restore 9\n"          \
  ".cfi_restore 10\n"         \
  ".cfi_restore 11\n"         \
  ".cfi_restore 12\n"         \
  ".cfi_restore 13\n"         \
  ".cfi_restore 14\n"         \
  ".cfi_restore 15\n"         \
  ".cfi_def_cfa_offset 160\n" \
  "br %r14\n"
#else
#define CXX_FRAME               \
  "stp x29, x30, [sp, #-16]!\n" \
  ".cfi_def_cfa_offset 16\n"    \
  ".cfi_offset 29, -16\n"       \
  ".cfi_offset 30, -8\n"        \
  "mov x29, sp\n"               \
  "mov x2, x0\n"                \
  "mov x0, x1\n"                \
  "blr x2\n"                    \
  "mov x0, #0\n"                \
  "module_cxx_caught:\n"        \
  "ldp x29, x30, [sp], #16\n"   \
  ".cfi_restore 29\n"           \
  ".cfi_restore 30\n"           \
  ".cfi_def_cfa_offset 0\n"     \
  "ret\n"
#endif

__asm__(
    ".text\n"
    ".balign 16\n"
    ".globl module_cxx_try\n"
    ".hidden module_cxx_try\n"
    ".type module_cxx_try, %function\n"
    ".globl module_cxx_caught\n"
    ".hidden module_cxx_caught\n"
    "module_cxx_try:\n"
    ".cfi_startproc\n"
    ".cfi_personality 0x1b, module_cxx_personality\n" CXX_FRAME
    ".cfi_endproc\n"
    ".size module_cxx_try, . - module_cxx_try\n");

// What the unwinder asks about that frame: it takes every exception, but doesn't stop a thread from
// being cancelled.
_Unwind_Reason_Code module_cxx_personality(int version, _Unwind_Action actions,
                                           _Unwind_Exception_Class class_of,
                                           struct _Unwind_Exception *exception,
                                           struct _Unwind_Context *context)
{
  (void)class_of;
  if (version != 1) return _URC_FATAL_PHASE1_ERROR;
  if (actions & _UA_FORCE_UNWIND) return _URC_CONTINUE_UNWIND;
  Unwinder unwinder;
  if (!unwinder_get(&unwinder)) return _URC_CONTINUE_UNWIND;
  if (actions & _UA_SEARCH_PHASE) return _URC_HANDLER_FOUND;
  if (!(actions & _UA_HANDLER_FRAME)) return _URC_CONTINUE_UNWIND;
  unwinder.set_gr(context, __builtin_eh_return_data_regno(0), (_Unwind_Word)(uintptr_t)exception);
  unwinder.set_ip(context, (_Unwind_Ptr)(uintptr_t)module_cxx_caught);
  return _URC_INSTALL_CONTEXT;
}

//--------------------------------------------------------------------------------------------------
// What was thrown
//--------------------------------------------------------------------------------------------------

// The class of exceptions that GNU's library of C++ throws itself: "GNUCC++" and a zero.
#define CXX_GNU 0x474e5543432b2b00u

// Where that library has the description of the class, in front of the header, and the name in
// that; what was thrown stands behind the header. (Level II of the Itanium C++ ABI.)
enum { CXX_DESCRIPTION = sizeof(void *) == 8 ? -80 : -48, CXX_NAME = sizeof(void *) };

static const char *module_cxx_class_name(const struct _Unwind_Exception *exception)
{
  const char *const *description;
  memcpy(&description, (const char *)exception + CXX_DESCRIPTION, sizeof description);
  const char *name = description[CXX_NAME / sizeof(char *)];
  return *name == '*' ? name + 1 : name;
}

// An error of the official headers: the table of its class, then the object.
static TVMFFIObject *module_cxx_error(const struct _Unwind_Exception *exception)
{
  TVMFFIObject *error;
  memcpy(&error, (const char *)(exception + 1) + sizeof(void *), sizeof error);
  return error;
}

// The library of C++ that threw, opened; NULL if it is none. To be closed.
static void *module_cxx_library(const struct _Unwind_Exception *exception)
{
  Dl_info info;
  void *address;
  memcpy(&address, &exception->exception_cleanup, sizeof address);
  if (address == NULL || dladdr(address, &info) == 0) return NULL;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

// Tells that library that the exception was caught and is over.
static void module_cxx_end(struct _Unwind_Exception *exception)
{
  void *(*begin)(void *) = NULL;
  void (*end)(void) = NULL;
  Unwinder unwinder;
  void *library = module_cxx_library(exception);
  if (library != NULL) {
    void *found[2] = {dlsym(library, "__cxa_begin_catch"), dlsym(library, "__cxa_end_catch")};
    memcpy(&begin, &found[0], sizeof begin);
    memcpy(&end, &found[1], sizeof end);
  }
  if (begin != NULL && end != NULL) {
    (void)begin(exception);
    end();
  } else if (unwinder_get(&unwinder)) {
    unwinder.delete_exception(exception);
  }
  if (library != NULL) dlclose(library);
}

int module_cxx_catch(void (*function)(void *data), void *data)
{
  struct _Unwind_Exception *exception = module_cxx_try(function, data);
  if (exception == NULL) return 0;
  if (exception->exception_class != CXX_GNU) {
    raise_error("RuntimeError", "a method of a module threw an exception", NULL);
  } else if (strcmp(module_cxx_class_name(exception), "N3tvm3ffi5ErrorE") == 0) {
    TVMFFIErrorSetRaised(module_cxx_error(exception));
  } else {
    raise_error("RuntimeError", "a method of a module threw an exception of class ",
                module_cxx_class_name(exception), NULL);
  }
  module_cxx_end(exception);
  return -1;
}

#else

int module_cxx_catch(void (*function)(void *data), void *data)
{
  function(data);
  return 0;
}

#endif
