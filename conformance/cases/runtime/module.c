// SPDX-License-Identifier: Apache-2.0
// What there is to reach modules by, loading files, and what a library says of itself.
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "battery/scratch.h"
#include "cases/runtime/module_loading.h"

CHAPTER(module);

static const struct {
  const char *name, *registered;
} documented[] = {{"load_from_file_so", "ffi.Module.load_from_file.so"},
                  {"get_function", "ffi.ModuleGetFunction"}};

CASE_ROWS(documented_functions_are_registered, documented, .clauses = {MOD_1},
          .title = "the functions that load and search modules are registered from the start")
{
  expect_that(is_registered(iut, row->registered), "a function is registered",
              "nothing stands under %s", row->registered);
}

static const struct {
  const char *name, *registered;
} functions[] = {{"load_from_file", "ffi.ModuleLoadFromFile"},
                 {"implements_function", "ffi.ModuleImplementsFunction"},
                 {"get_function_metadata", "ffi.ModuleGetFunctionMetadata"},
                 {"get_function_doc", "ffi.ModuleGetFunctionDoc"},
                 {"get_kind", "ffi.ModuleGetKind"},
                 {"get_property_mask", "ffi.ModuleGetPropertyMask"},
                 {"inspect_source", "ffi.ModuleInspectSource"},
                 {"get_write_formats", "ffi.ModuleGetWriteFormats"},
                 {"write_to_file", "ffi.ModuleWriteToFile"},
                 {"import_module", "ffi.ModuleImportModule"},
                 {"clear_imports", "ffi.ModuleClearImports"},
                 {"system_lib", "ffi.SystemLib"}};

CASE_ROWS(functions_of_modules_are_registered, functions, .clauses = {MOD_94},
          .title = "the functions by which modules are reached are registered from the start")
{
  expect_that(is_registered(iut, row->registered), "a function is registered",
              "nothing stands under %s", row->registered);
}

static const struct {
  const char *name, *registered;
} keepers[] = {{"globals_add", "ffi.ModuleGlobalsAdd"},
               {"globals_remove", "ffi.ModuleGlobalsRemove"}};

CASE_ROWS(keeping_functions_are_registered, keepers, .clauses = {MOD_2},
          .title = "the functions that keep modules are registered from the start")
{
  expect_that(is_registered(iut, row->registered), "a function is registered",
              "nothing stands under %s", row->registered);
}

static const struct {
  const char *name;
  AbiFunctionId function;
} exports[] = {{"lookup_from_imports", FN_EnvModLookupFromImports},
               {"register_context_symbol", FN_EnvModRegisterContextSymbol},
               {"register_system_lib_symbol", FN_EnvModRegisterSystemLibSymbol}};

CASE_ROWS(exports_what_generated_code_calls, exports, .clauses = {MOD_3},
          .title = "the runtime exports the functions that generated code calls")
{
  expect_that(iut_has(iut, row->function), abi_functions[row->function].symbol, "no such symbol");
}

// --- Loading -------------------------------------------------------------------------------------

// Loads node 1, twice, and wants a module with a reference each time.
static void expect_becomes_module(Iut *iut, const char *loader, TVMFFIAny *args, size_t count)
{
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny module = value_of(iut, loader, args, count);
    require(expect_type_index(&module, kTVMFFIModule));
    expect_int("type index in the header", object_type_index(iut, module.v_obj), kTVMFFIModule);
    expect_that(object_strong(iut, module.v_obj) >= 1, "a reference", "none");
    expect_function(iut, module.v_obj, "self", false, 1);
    release_any(iut, &module);
    note("after the first module was released");
  }
}

static const struct {
  const char *name, *format;
} given_formats[] = {{"by_its_loader", "so"}, {"with_an_empty_string", ""}};

CASE_ROWS(library_becomes_a_module, given_formats, .clauses = {MOD_4},
          .title = "a library becomes an object of type 73 with a reference for the caller")
{
  TVMFFIAny path = view_of_raw_string(fenced_string(library_path_of("node_1.so")));
  expect_becomes_module(
      iut, so_loader,
      VALUES(path, *row->format ? view_of_raw_string(row->format) : view_of_small_string("")));
}

CASE(extension_so_is_that_of_libraries, .clauses = {MOD_6},
     .title = "a path that ends in .so becomes the module of a library")
{
  TVMFFIAny path = view_of_raw_string(fenced_string(library_path_of("node_1.so")));
  expect_becomes_module(iut, load_from_file, VALUES(path));
}

static const struct {
  const char *name;
  bool payload, context;
} needs[] = {
    {"neither", false, false}, {"context_only", false, true}, {"payload_only", true, false}};

CASE_ROWS(library_needs_only_functions, needs, .clauses = {MOD_5},
          .title = "a library loads without context, without payload, and without both")
{
  Carrier carrier = carrier_open(NULL, 0);
  if (row->payload) {
    carrier_close(&carrier);
    carrier = carrier_open(
        "\x2c\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\4\0\0\0"
        "\0\0\0\0_lib",
        52);
  }
  if (!row->context) carrier_hide(&carrier, "__tvm_ffi__library_ctx");
  TVMFFIObjectHandle module = load_path(iut, carrier.path);
  expect_function(iut, module, "self", false, CARRIER_SELF);
  release_object(iut, module);
  carrier_close(&carrier);
}

// A loader of files that gives what it is told to, and keeps what it was told.
typedef struct FileLoader {
  Iut *iut;
  unsigned calls;
  char path[64], extension[64];
  int32_t num_args;
  const char *kind;  // of the error that it raises; NULL: none
  int returns;
  TVMFFIAny give;
} FileLoader;

static void keep_text(Iut *iut, char out[64], const TVMFFIAny *text)
{
  TVMFFIByteArray content = content_of(iut, text);
  snprintf(out, 64, "%.*s", (int)content.size, content.data);
}

static int load_file_oddly(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  FileLoader *loader = self;
  ++loader->calls;
  loader->num_args = num_args;
  if (num_args > 0) keep_text(loader->iut, loader->path, &args[0]);
  if (num_args > 1) keep_text(loader->iut, loader->extension, &args[1]);
  if (loader->kind) loader->iut->ErrorSetRaisedFromCStr(loader->kind, "the file is of clay");
  if (loader->returns == 0) *result = loader->give;
  return loader->returns;
}

static FileLoader *enter_file_loader(Iut *iut, const char *extension, FileLoader loader)
{
  static FileLoader kept;
  char name[128];
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {
      name, (size_t)snprintf(name, sizeof name, "ffi.Module.load_from_file.%s", extension)};
  kept = loader;
  kept.iut = iut;
  require(expect_ok(iut, iut->FunctionCreate(&kept, load_file_oddly, NULL, &function)));
  require(expect_ok(iut, iut->FunctionSetGlobal(&text, function, 1)));
  release_object(iut, function);
  return &kept;
}

// Own: what the loader that is chosen by the extension makes of a path.
static TVMFFIObjectHandle load_by_extension(Iut *iut, const char *path)
{
  return object_of(iut, load_from_file, VALUES(view_of_raw_string(fenced_string(path))));
}

static const struct {
  const char *name, *path, *extension;
} extensions[] = {{"plain", "kernel.conform", "conform"},
                  {"last_of_two", "kernel.so.conform", "conform"},
                  {"one_letter", "kernel.o", "o"},
                  {"in_a_folder", "/folder.with/kernel.conform", "conform"},
                  {"with_a_digit", "libkernel.so.1", "1"},
                  {"in_capitals", "kernel.SO", "SO"}};

CASE_ROWS(
    extension_chooses_the_loader, extensions, .clauses = {MOD_6},
    .title =
        "the loader of the extension after the last dot is called once with path and extension")
{
  TVMFFIObjectHandle node = load_node(iut, 2);
  FileLoader *loader =
      enter_file_loader(iut, row->extension, (FileLoader){.give = view_of_object(iut, node)});
  TVMFFIObjectHandle module = load_by_extension(iut, row->path);
  expect_pointer("the module", module, node);
  expect_int("calls", loader->calls, 1);
  expect_int("arguments", loader->num_args, 2);
  expect_text("path", bytes_of(loader->path), row->path);
  expect_text("extension", bytes_of(loader->extension), row->extension);
  release_object(iut, module);
}

static const struct {
  const char *name, *path;
} others[] = {{"dll", "kernel.dll"}, {"dylib", "kernel.dylib"}, {"dso", "kernel.dso"}};

CASE_ROWS(other_systems_have_the_extension_so, others, .clauses = {MOD_7},
          .title = "libraries of other systems are given to the loader for so, as so")
{
  TVMFFIObjectHandle node = load_node(iut, 2);
  FileLoader *loader =
      enter_file_loader(iut, "so", (FileLoader){.give = view_of_object(iut, node)});
  TVMFFIObjectHandle module = load_by_extension(iut, row->path);
  expect_pointer("the module", module, node);
  expect_int("calls", loader->calls, 1);
  expect_text("path", bytes_of(loader->path), row->path);
  expect_text("extension", bytes_of(loader->extension), "so");
  release_object(iut, module);
}

// The code of an attempt to load by the extension. Own: what the loader makes of it.
static int try_extension(Iut *iut, const char *path, TVMFFIAny *result)
{
  *result = any_none();
  return call_registered(iut, result, load_from_file,
                         VALUES(view_of_raw_string(fenced_string(path))));
}

// The path does not become a module, and that of a library does.
static void expect_no_module(Iut *iut, const char *path, const char *kind)
{
  TVMFFIAny result;
  expect_error(iut, try_extension(iut, path, &result), kind);
  TVMFFIObjectHandle module = load_by_extension(iut, library_path_of("node_1.so"));
  expect_function(iut, module, "self", false, 1);
  release_object(iut, module);
}

// The same for a library under another file name.
static void expect_no_loader(Iut *iut, const char *file, const char *kind)
{
  char folder[SCRATCH_FOLDER_MAX], path[SCRATCH_PATH_MAX];
  scratch_folder(folder);
  snprintf(path, sizeof path, "%s/%s", folder, file);
  if (symlink(library_path_of("node_1.so"), path) != 0)
    case_inconclusive("cannot give a library another name");
  expect_no_module(iut, path, kind);
  unlink(path);
  rmdir(folder);
}

static const struct {
  const char *name, *file;
} strangers[] = {{"unknown", "kernel.conform_unknown"},
                 {"capitals", "node_1.SO"},
                 {"one_capital", "node_1.So"},
                 {"versioned", "libkernel.so.1"}};

CASE_ROWS(extension_without_loader_is_refused, strangers, .clauses = {MOD_9}, .wrong_call = true,
          .title = "an extension without a registered loader raises an error")
{
  expect_no_loader(iut, row->file, NULL);
}

CASE_ROWS(extension_without_loader_is_a_runtime_error, strangers, .clauses = {MOD_95},
          .wrong_call = true,
          .title = "the error about an extension without a loader is a RuntimeError")
{
  expect_no_loader(iut, row->file, "RuntimeError");
}

static const struct {
  const char *name, *file;
} no_libraries[] = {{"missing", "there_is_no_such.so"},
                    {"folder", ""},
                    {"text", "text.so"},
                    {"empty", "empty.so"},
                    {"truncated", "truncated.so"},
                    {"other_machine", "other_machine.so"}};

// The file does not load, and a library does.
static void expect_not_loaded(Iut *iut, const char *path)
{
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, fenced_string(path), &module), NULL);
  module = load_node(iut, 1);
  expect_function(iut, module, "self", false, 1);
  release_object(iut, module);
}

CASE_ROWS(file_that_is_no_library_is_refused, no_libraries, .clauses = {MOD_10},
          .title = "a file that is not a library for this machine raises an error")
{
  expect_not_loaded(iut, library_path_of(row->file));
}

static const struct {
  const char *name, *file;
} incomplete[] = {{"variable_that_nobody_has", "unresolved.so"},
                  {"library_that_is_missing", "depending.so"}};

CASE_ROWS(library_that_lacks_something_is_refused, incomplete, .clauses = {MOD_10},
          .title = "a library with unresolved symbols raises an error")
{
  expect_not_loaded(iut, library_path_of(row->file));
}

CASE_ROWS(result_of_a_failed_load_can_be_released, no_libraries, .clauses = {MOD_100},
          .title = "a load that fails leaves a result that can be released")
{
  TVMFFIAny result = any_none();
  int code = call_registered(
      iut, &result, so_loader,
      VALUES(view_of_raw_string(library_path_of(row->file)), view_of_small_string("")));
  require(expect_that(code != 0, "a code other than 0", "%d", code));
  release_object(iut, take_error(iut));
  if (result.type_index >= kTVMFFIStaticObjectBegin) {
    require(expect_not_null("the object in the result", result.v_obj));
    require(expect_that(object_strong(iut, result.v_obj) >= 1, "a reference", "none"));
  }
  release_any(iut, &result);
  TVMFFIObjectHandle module = load_node(iut, 1);
  expect_function(iut, module, "self", false, 1);
  release_object(iut, module);
}

CASE_ROWS(message_names_the_file, no_libraries, .clauses = {MOD_11}, .wrong_call = true,
          .title = "the message about what could not be loaded contains the path")
{
  TVMFFIObjectHandle module = NULL;
  const char *path = library_path_of(row->file);
  require(expect_int("code", try_to_load(iut, path, &module), -1));
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  TVMFFIByteArray message = error_cell(iut, error)->message;
  expect_that(memmem(message.data, message.size, path, strlen(path)) != NULL,
              "a message that contains the path", "`%.*s`", (int)message.size, message.data);
  release_object(iut, error);
}

CASE(failure_of_a_file_loader_is_passed_on, .clauses = {MOD_12},
     .title = "the error that a loader of files raises reaches the caller")
{
  TVMFFIAny result;
  FileLoader *loader =
      enter_file_loader(iut, "conform", (FileLoader){.kind = "ConformError", .returns = -1});
  int code = try_extension(iut, "kernel.conform", &result);
  expect_that(code != 0, "a code other than 0", "%d", code);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  expect_text("kind", error_cell(iut, error)->kind, "ConformError");
  expect_text("message", error_cell(iut, error)->message, "the file is of clay");
  release_object(iut, error);
  expect_int("calls", loader->calls, 1);
  note("when the loader succeeds");
  enter_file_loader(iut, "conform", (FileLoader){.give = view_of_object(iut, load_node(iut, 3))});
  release_object(iut, load_by_extension(iut, "kernel.conform"));
}

static const struct {
  const char *name;
  int type_index;  // of what the loader gives
} no_modules[] = {{"none", kTVMFFINone}, {"integer", kTVMFFIInt}, {"object", kTVMFFIObject}};

CASE_ROWS(
    file_loader_has_to_give_a_module, no_modules, .clauses = {MOD_13}, .wrong_call = true,
    .title = "a loader of files that returns something other than a module raises a TypeError")
{
  TVMFFIObjectHandle object = NULL;
  TVMFFIAny give = any_none();
  give.type_index = row->type_index;
  if (row->type_index == kTVMFFIObject) {
    give.v_obj = object = new_probe_object_of(iut, kTVMFFIObject);
    iut->ObjectIncRef(object);
  }
  enter_file_loader(iut, "conform", (FileLoader){.give = give});
  expect_no_module(iut, "kernel.conform", "TypeError");
  if (object) expect_counts(iut, object, .strong = 1, .weak = 1);
}

CASE(symbols_of_a_library_stay_its_own, .clauses = {MOD_14},
     .title = "the symbols of a loaded library are not found by the rest of the program")
{
  TVMFFIObjectHandle module = load_node(iut, 3);
  expect_function(iut, module, "only_3", false, 3);
  expect_pointer("what the program finds", dlsym(RTLD_DEFAULT, "__tvm_ffi_only_3"), NULL);
  release_object(iut, module);
}

CASE(file_is_loaded_again, .clauses = {MOD_4},
     .title = "a file that is loaded again gives a module that works as the first does")
{
  TVMFFIObjectHandle first = load_node(iut, 4), second = load_node(iut, 4);
  expect_function(iut, first, "self", false, 4);
  expect_function(iut, second, "self", false, 4);
  release_object(iut, first);
  expect_function(iut, second, "only_4", false, 4);
  release_object(iut, second);
}

// --- What a library says of itself ---------------------------------------------------------------

// Own: the module of a library, or of a system library.
static TVMFFIObjectHandle some_library(Iut *iut, const char *name)
{
  if (strcmp(name, "library") == 0) return load_node(iut, 1);
  return object_of(iut, "ffi.SystemLib", VALUES(view_of_raw_string("conform_")));
}

static const struct {
  const char *name;
} libraries[] = {{"library"}, {"system_library"}};

CASE_ROWS(kind_is_library, libraries, .clauses = {MOD_17},
          .title = "the kind of a library is the string library")
{
  TVMFFIObjectHandle module = some_library(iut, row->name);
  TVMFFIAny kind = value_of(iut, "ffi.ModuleGetKind", VALUES(view_of_object(iut, module)));
  expect_small_string(&kind, "library", 7);
  release_object(iut, module);
}

CASE_ROWS(library_can_be_run, libraries, .clauses = {MOD_18},
          .title = "the mask of a library has the bit of value 2 and not that of value 4")
{
  TVMFFIObjectHandle module = some_library(iut, row->name);
  TVMFFIAny mask = value_of(iut, "ffi.ModuleGetPropertyMask", VALUES(view_of_object(iut, module)));
  require(expect_type_index(&mask, kTVMFFIInt));
  expect_int("bits of value 2 and 4", mask.v_int64 & 6, 2);
  release_object(iut, module);
}

static const struct {
  const char *name, *format;
} formats[] = {{"empty", ""}, {"so", "so"}, {"long", "a format that nobody has"}};

CASE_ROWS(library_has_no_source, formats, .clauses = {MOD_19},
          .title = "the source of a library is empty in any format")
{
  TVMFFIObjectHandle module = load_node(iut, 1);
  TVMFFIAny source = value_of(iut, "ffi.ModuleInspectSource",
                              VALUES(view_of_object(iut, module), view_of_raw_string(row->format)));
  expect_small_string(&source, "", 0);
  release_object(iut, module);
}

CASE(library_is_written_in_no_format, .clauses = {MOD_20},
     .title = "the formats in which a library can be written are an empty array")
{
  TVMFFIObjectHandle module = load_node(iut, 1);
  TVMFFIAny formats_of =
      value_of(iut, "ffi.ModuleGetWriteFormats", VALUES(view_of_object(iut, module)));
  require(expect_type_index(&formats_of, kTVMFFIArray));
  expect_int("formats", sequence_cell(iut, formats_of.v_obj)->size, 0);
  release_any(iut, &formats_of);
  release_object(iut, module);
}

static const struct {
  const char *name, *format;
} write_formats[] = {{"none", ""}, {"so", "so"}};

CASE_ROWS(library_is_not_written, write_formats, .clauses = {MOD_21}, .wrong_call = true,
          .title = "writing a library raises a RuntimeError and creates no file")
{
  char folder[SCRATCH_FOLDER_MAX], path[SCRATCH_PATH_MAX];
  scratch_folder(folder);
  snprintf(path, sizeof path, "%s/written.so", folder);
  TVMFFIObjectHandle module = load_node(iut, 1);
  expect_refused(iut, "RuntimeError", "ffi.ModuleWriteToFile",
                 VALUES(view_of_object(iut, module), view_of_raw_string(path),
                        view_of_raw_string(row->format)));
  expect_int("removing the folder, which must be empty", rmdir(folder), 0);
  if (unlink(path) == 0) rmdir(folder);
  release_object(iut, module);
}
