// SPDX-License-Identifier: Apache-2.0
// The way from C++ to modules of this runtime, and what classes that are compiled from the official
// headers need in order to be linked: the table and the description of their base class, and the
// methods that it has out of line.
//
// A method that fails raises an error and gives nothing: C cannot throw.
#include "module/module_cxx_table.h"

#include <tvm/ffi/c_api.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "module/module.h"
#include "module/module_cxx.h"
#include "native/native.h"

_Thread_local bool module_cxx_import_failed;

#define CXX_EXPORT(name) __asm__(name) __attribute__((visibility("default")))

// A method that returns through memory is written here as a function whose first parameter is the
// address, which it returns. That is how x86-64 and most others pass it. AArch64 has a register for
// it, and on i386 such a function takes the address off the stack: there a few instructions stand
// before the function.
#if defined(__aarch64__)
#define CXX_MEMORY(name)                                                             \
  __asm__(".text\n.balign 4\n.hidden " #name "_\n.globl " #name "_\n.type " #name    \
          "_, %function\n" #name                                                     \
          "_:\n mov x3, x2\n mov x2, x1\n mov x1, x0\n mov x0, x8\n b " #name "\n"); \
  extern const char name##_[];
#define CXX_ENTRY(name) ((const void *)name##_)
#elif defined(__i386__)
// A method of fewer arguments is given words of its caller's frame, and does not look at them.
#define CXX_MEMORY(name)                                                                        \
  __asm__(".text\n.balign 16\n.hidden " #name "_\n.globl " #name "_\n.type " #name              \
          "_, @function\n" #name                                                                \
          "_:\n.cfi_startproc\n pushl 12(%esp)\n.cfi_adjust_cfa_offset 4\n"                     \
          " pushl 12(%esp)\n.cfi_adjust_cfa_offset 4\n pushl 12(%esp)\n.cfi_adjust_cfa_offset " \
          "4\n call " #name                                                                     \
          "\n addl $12, %esp\n.cfi_adjust_cfa_offset -12\n ret $4\n"                            \
          ".cfi_endproc\n.size " #name "_, .-" #name "_\n");                                    \
  extern const char name##_[];
#define CXX_ENTRY(name) ((const void *)name##_)
#else
#define CXX_MEMORY(name)
#define CXX_ENTRY(name) __extension__((const void *)name)
#endif

//--------------------------------------------------------------------------------------------------
// Methods of modules of this runtime
//--------------------------------------------------------------------------------------------------

static TVMFFIByteArray module_cxx_text(const TVMFFIAny *string)
{
  return native_text(string);
}

static const char *module_cxx_kind(ModuleObject *self)
{
  return ((ModuleOwn *)self)->kind.name;
}

static int module_cxx_property_mask(ModuleObject *self)
{
  return (int)((ModuleOwn *)self)->kind.property_mask;
}

void *module_cxx_find(TVMFFIObject **result, ModuleObject *self, const TVMFFIAny *name);
void *module_cxx_find(TVMFFIObject **result, ModuleObject *self, const TVMFFIAny *name)
{
  TVMFFIByteArray text = module_cxx_text(name);
  *result = NULL;
  (void)module_get_function(&self->header, &text, result);
  return result;
}
CXX_MEMORY(module_cxx_find)

static bool module_cxx_implements(ModuleObject *self, const TVMFFIAny *name)
{
  TVMFFIByteArray text = module_cxx_text(name);
  int is_there = 0;
  return module_implements_function(&self->header, &text, &is_there) == 0 && is_there;
}

void *module_cxx_doc(TVMFFIAny *result, ModuleObject *self, const TVMFFIAny *name);
void *module_cxx_doc(TVMFFIAny *result, ModuleObject *self, const TVMFFIAny *name)
{
  TVMFFIByteArray text = module_cxx_text(name);
  *result = any_none();
  (void)module_get_doc(&self->header, &text, result);
  return result;
}
CXX_MEMORY(module_cxx_doc)

void *module_cxx_metadata(TVMFFIAny *result, ModuleObject *self, const TVMFFIAny *name);
void *module_cxx_metadata(TVMFFIAny *result, ModuleObject *self, const TVMFFIAny *name)
{
  TVMFFIByteArray text = module_cxx_text(name);
  *result = any_none();
  (void)module_get_metadata(&self->header, &text, result);
  return result;
}
CXX_MEMORY(module_cxx_metadata)

static void module_cxx_write(const ModuleObject *self, const TVMFFIAny *file,
                             const TVMFFIAny *format)
{
  TVMFFIByteArray texts[2] = {module_cxx_text(file), module_cxx_text(format)};
  (void)module_write_to_file((TVMFFIObject *)&self->header, &texts[0], &texts[1]);
}

void *module_cxx_formats(TVMFFIObject **result, ModuleObject *self);
void *module_cxx_formats(TVMFFIObject **result, ModuleObject *self)
{
  *result = NULL;
  (void)module_get_write_formats(&self->header, result);
  return result;
}
CXX_MEMORY(module_cxx_formats)

void *module_cxx_save(TVMFFIAny *result, ModuleObject *self);
void *module_cxx_save(TVMFFIAny *result, ModuleObject *self)
{
  *result = (TVMFFIAny){.type_index = kTVMFFISmallBytes};
  (void)tvmffi_module_save_to_bytes(&self->header, result);
  return result;
}
CXX_MEMORY(module_cxx_save)

void *module_cxx_inspect(TVMFFIAny *result, ModuleObject *self, const TVMFFIAny *format);
void *module_cxx_inspect(TVMFFIAny *result, ModuleObject *self, const TVMFFIAny *format)
{
  TVMFFIByteArray text = module_cxx_text(format);
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
  (void)module_inspect_source(&self->header, &text, result);
  return result;
}
CXX_MEMORY(module_cxx_inspect)

//--------------------------------------------------------------------------------------------------
// Methods that foreign classes inherit
//--------------------------------------------------------------------------------------------------

void module_cxx_import_base(ModuleObject *self, TVMFFIObject *const *other)
    CXX_EXPORT("_ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE");
void module_cxx_import_base(ModuleObject *self, TVMFFIObject *const *other)
{
  if (module_import(&self->header, *other) != 0) module_cxx_import_failed = true;
}

void module_cxx_clear_base(ModuleObject *self) CXX_EXPORT("_ZN3tvm3ffi9ModuleObj12ClearImportsEv");
void module_cxx_clear_base(ModuleObject *self)
{
  // Not NULL: the headers take for granted that there is an array.
  TVMFFIObject *old = module_exchange_imports(&self->header, sequence_new(kTVMFFIArray, 0));
  if (old != NULL) object_release(old);
}

//--------------------------------------------------------------------------------------------------
// The tables
//--------------------------------------------------------------------------------------------------

// What describes a class that has one base behind its table.
typedef struct {
  const void *class_of_description;
  const char *name;
  unsigned flags, num_bases;
  const void *base;
  long offset_flags;
} CxxDescription;

// From the library of C++, if that is there.
extern const char module_cxx_vmi[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE")
    __attribute__((weak));
extern const char module_cxx_object_class[] __asm__("_ZTIN3tvm3ffi6ObjectE") __attribute__((weak));

extern const CxxDescription module_cxx_class CXX_EXPORT("_ZTIN3tvm3ffi9ModuleObjE");
const CxxDescription module_cxx_class = {
    .class_of_description = module_cxx_vmi + 2 * sizeof(void *),
    .name = "N3tvm3ffi9ModuleObjE",
    .num_bases = 1,
    .base = module_cxx_object_class,
    .offset_flags = (long)(sizeof(void *) << 8) | 2,  // public, behind the table
};

typedef struct {
  intptr_t offset;
  const void *description;
  const void *methods[MODULE_CXX_NUM_METHODS];
} CxxTable;

#define PLAIN(name) __extension__((const void *)name)
#define TABLE                                                          \
  {                                                                    \
    0, &module_cxx_class,                                              \
    {                                                                  \
      [MODULE_CXX_KIND] = PLAIN(module_cxx_kind),                      \
      [MODULE_CXX_PROPERTY_MASK] = PLAIN(module_cxx_property_mask),    \
      [MODULE_CXX_GET_FUNCTION] = CXX_ENTRY(module_cxx_find),          \
      [MODULE_CXX_IMPLEMENTS_FUNCTION] = PLAIN(module_cxx_implements), \
      [MODULE_CXX_DOC] = CXX_ENTRY(module_cxx_doc),                    \
      [MODULE_CXX_METADATA] = CXX_ENTRY(module_cxx_metadata),          \
      [MODULE_CXX_WRITE_TO_FILE] = PLAIN(module_cxx_write),            \
      [MODULE_CXX_WRITE_FORMATS] = CXX_ENTRY(module_cxx_formats),      \
      [MODULE_CXX_SAVE_TO_BYTES] = CXX_ENTRY(module_cxx_save),         \
      [MODULE_CXX_INSPECT_SOURCE] = CXX_ENTRY(module_cxx_inspect),     \
      [MODULE_CXX_IMPORT_MODULE] = PLAIN(module_cxx_import_base),      \
      [MODULE_CXX_CLEAR_IMPORTS] = PLAIN(module_cxx_clear_base),       \
    }                                                                  \
  }

// That of the base class, in which objects are while they are made and ended; and our own.
extern const CxxTable module_cxx_base CXX_EXPORT("_ZTVN3tvm3ffi9ModuleObjE");
const CxxTable module_cxx_base = TABLE;
static const CxxTable own_table = TABLE;

const void *const module_cxx_vtable = own_table.methods;
