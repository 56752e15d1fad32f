// SPDX-License-Identifier: Apache-2.0
// The module as a file that was loaded.
#include <dlfcn.h>

#include "kernel/kernel_battery.h"

CHAPTER(load);

// What the linker says ends with the mangled name of something in tvm::ffi.
static bool misses_cxx(const char *words)
{
  const char *name = strstr(words, "_Z");
  return name && strstr(name, "3tvm3ffi");
}

MODULE_CASE(symbols_resolve, .clauses = {LOAD_1},
            .title = "all symbols resolve at load time when a runtime is loaded")
{
  const char *words = kernel_host.unresolved;
  expect_that(!words[0], "each symbol is found when all are bound at once", "%s%s", words,
              misses_cxx(words) ? ", a C++ symbol of some official releases and no part of the C "
                                  "API (--runtime names one that has it)"
                                : "");
}

// The first symbol that the linker does not find is the one that it names.
MODULE_CASE(api_functions_resolve, .clauses = {LOAD_17},
            .title = "each function of the C API that the module needs is in the runtime")
{
  const char *words = strstr(kernel_host.unresolved, "TVMFFI");
  bool is_name = words && words > kernel_host.unresolved && strchr(" '\"", words[-1]);
  expect_that(!is_name, "the functions of the C API are found", "%s", kernel_host.unresolved);
}

MODULE_CASE(runtime_takes_it, .clauses = {LOAD_2},
            .title = "ffi.ModuleLoadFromFile of the runtime loads the module")
{
  if (kernel_host.lacks_loader) case_not_applicable("the runtime loads no modules");
  expect_that(kernel_host.loaded != NULL, "a module", "%s", kernel_host.load_error);
}

KERNEL_CASE(runtime_finds_the_function, .clauses = {LOAD_2},
            .title = "ffi.ModuleGetFunction of the runtime finds the function")
{
  if (!kernel_host.loaded) case_not_applicable("the runtime has not loaded it as a module");
  TVMFFIByteArray name = bytes_of("ffi.ModuleGetFunction");
  TVMFFIObjectHandle find = NULL;
  TVMFFIAny result = any_none(), args[3] = {view_of_object(iut, kernel_host.loaded),
                                            view_of_raw_string(kernel->name), any_none()};
  // An embedded module may stand at the root, and the library among its imports.
  args[2].type_index = kTVMFFIBool;
  args[2].v_int64 = dlsym(kernel_host.module, "__tvm_ffi__library_bin") != NULL;
  require(expect_ok(iut, iut->FunctionGetGlobal(&name, &find)));
  if (!find) case_not_applicable("the runtime has no ffi.ModuleGetFunction");
  require(expect_ok(iut, iut->FunctionCall(find, args, 3, &result)));
  expect_type_index(&result, kTVMFFIFunction);
}

MODULE_CASE(loading_raises_no_error, .clauses = {LOAD_3},
            .title = "loading leaves no error raised in the loading thread")
{
  expect_that(!kernel_host.raised_by_loading, "no error raised", "an error is raised");
}

MODULE_CASE(context_slot_is_writable, .clauses = {LOAD_4},
            .title = "the variable for the module's context can be written to")
{
  if (!kernel_host.context_slot) case_not_applicable("the module has no __tvm_ffi__library_ctx");
  void *before = *kernel_host.context_slot;
  note("while the loader writes to __tvm_ffi__library_ctx");
  *(void *volatile *)kernel_host.context_slot = before;
  expect_pointer("the context", *kernel_host.context_slot, before);
}

MODULE_CASE(context_slot_begins_as_null, .clauses = {LOAD_5},
            .title = "the variable for the module's context is NULL before it is filled")
{
  if (!kernel_host.context_slot) case_not_applicable("the module has no __tvm_ffi__library_ctx");
  expect_pointer("the context of a module that was just loaded", kernel_host.context_before, NULL);
}

typedef struct StaleName {
  const char *name, *symbol;
} StaleName;

static const StaleName stale[] = {
    {"tvm_main", "__tvm_main__"},
    {"module_ctx", "__tvm_module_ctx"},
    {"dev_mblob", "__tvm_dev_mblob"},
    {"ffi_main", "__tvm_ffi_main__"},
    {"library_ctx", "__tvm_ffi_library_ctx"},
    {"library_bin", "__tvm_ffi_library_bin"},
};

CASE_ROWS(stale_name, stale, .clauses = {LOAD_10}, .about_module = true,
          .title = "a symbol that earlier loaders looked for is not exported")
{
  expect_that(!dlsym(kernel_host.module, row->symbol), "no such symbol", "%s", row->symbol);
}

// What the metadata function of a kernel returns.
static TVMFFIAny metadata_of(Iut *iut, const Kernel *kernel)
{
  TVMFFISafeCallType function = NULL;
  void *address = kernel_host_symbol("__tvm_ffi__metadata_", kernel->name);
  require(expect_not_null("the metadata function", address));
  memcpy(&function, &address, sizeof function);
  TVMFFIAny result = any_none();
  require(expect_ok(iut, function(NULL, NULL, 0, &result)));
  return result;
}

KERNEL_CASE(metadata_is_a_string, .clauses = {LOAD_11}, .needs = KERNEL_NEEDS_METADATA,
            .title = "the metadata function returns a string, or None")
{
  TVMFFIAny result = metadata_of(iut, kernel);
  char text[48];
  abi_type_index_text(result.type_index, text);
  expect_that(result.type_index == kTVMFFISmallStr || result.type_index == kTVMFFIStr ||
                  result.type_index == kTVMFFINone,
              "a string or None", "%s", text);
}

KERNEL_CASE(metadata_is_not_none, .clauses = {LOAD_18}, .needs = KERNEL_NEEDS_METADATA,
            .title = "the metadata function does not return None")
{
  TVMFFIAny result = metadata_of(iut, kernel);
  expect_that(result.type_index != kTVMFFINone, "a value that is not None", "None");
}

MODULE_CASE(process_ends, .clauses = {LOAD_14},
            .title = "a process that loaded the module exits with its own exit code")
{
  note("in a copy of the process that calls exit(7)");
  expect_int("exit code", exit_code_of_copy(7), 7);
}
