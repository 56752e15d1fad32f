// SPDX-License-Identifier: Apache-2.0
// Loads of files that are no libraries, of libraries that embed modules, and by other loaders.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

#include "call.h"
#include "module_node.h"
#include "probe.h"
#include "unit/unit.h"

static void expect_works(void)
{
  TVMFFIObject *module = load("plain");
  ck_assert_int_eq(call_one(module, "add_one", view_int(1)), 2);
  TVMFFIObjectDecRef(module);
}

static void expect_unloadable(const char *path, const char *kind, const char *word)
{
  expect_refused("ffi.ModuleLoadFromFile", ARGS(view_str(path)), kind, word);
  expect_works();
}

TEST_GROUP(all, .timeout = 120, .setup = load_start);

TEST(files_that_are_no_libraries_are_refused)
{
  char folder[] = "/tmp/module_test_XXXXXX", path[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  expect_unloadable("/nowhere/at/all.so", "InternalError", "/nowhere/at/all.so");
  expect_unloadable("nowhere.so", "InternalError", "nowhere.so");
  expect_unloadable("", "RuntimeError", "no extension");
  expect_unloadable("/nowhere/plain", "RuntimeError", "no extension");
  expect_unloadable("/nowhere.d/plain", "RuntimeError", "d/plain");
  expect_unloadable("plain.SO", "RuntimeError", "SO");
  expect_unloadable("plain.so.1", "RuntimeError", "1");
  expect_unloadable("plain.", "RuntimeError", "not registered");
  expect_unloadable("/nowhere/x.dylib", "InternalError", "x.dylib");
  snprintf(path, sizeof path, "%s/folder.so", folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  expect_unloadable(path, "InternalError", "folder");
  rmdir(path);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  expect_unloadable(path, "InternalError", "no regular file");
  unlink(path);
  FILE *file = fopen(path, "w");
  fputs("this is a text\n", file);
  fclose(file);
  expect_unloadable(path, "InternalError", path);
  ck_assert_int_eq(truncate(path, 0), 0);
  expect_unloadable(path, "InternalError", path);
  unlink(path);
  rmdir(folder);
  expect_unloadable(path_of("missing_data"), "InternalError", "nobody_defines_this_data");
}

static size_t read_plain(char **bytes)
{
  FILE *file = fopen(path_of("plain"), "rb");
  struct stat status;
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fstat(fileno(file), &status), 0);
  *bytes = malloc((size_t)status.st_size);
  ck_assert_uint_eq(fread(*bytes, 1, (size_t)status.st_size, file), (size_t)status.st_size);
  fclose(file);
  return (size_t)status.st_size;
}

static void write_library(const char *path, const char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

// It is mapped beyond its end otherwise, and read there, which ends the process.
TEST(libraries_that_are_cut_short_are_refused)
{
  char path[] = "/tmp/module_test_XXXXXX.so", *bytes;
  size_t size = read_plain(&bytes);
  close(mkstemps(path, 3));
  for (int i = 0; i < 16; ++i) {
    write_library(path, bytes, size * (size_t)i / 32);
    expect_refused("ffi.ModuleLoadFromFile", ARGS(view_str(path)), "InternalError", path);
  }
  write_library(path, bytes, size);
  // That it was seen mapped must not count when it has gone.
  TVMFFIObject *one = call_object("ffi.ModuleLoadFromFile", ARGS(view_str(path)));
  TVMFFIObjectDecRef(call_object("ffi.ModuleLoadFromFile", ARGS(view_str(path))));
  TVMFFIObjectDecRef(one);
  bytes[18] = 40;  // ARM
  if (!linker_unmaps()) {
    // What is still mapped under a name is not opened again.
    unlink(path);
    path[5] = 'n';
  }
  write_library(path, bytes, size);
  expect_unloadable(path, "InternalError", "another machine");
  unlink(path);
  free(bytes);
}

TEST(what_a_library_embeds_is_loaded)
{
  TVMFFIObject *module = load("tree");
  ck_assert_int_eq(call_in(module, "embedded"), 0);
  ck_assert_int_eq(call_one(module, "call_import", view_str("embedded")), 0);
  ck_assert_int_eq(nodes_living, 1);
  TVMFFIObjectDecRef(module);
  ck_assert_int_eq(nodes_living, 0);
}

TEST(a_library_that_embeds_rubbish_leaves_nothing_behind)
{
  void *file = NULL;
  for (int is_open = 0; is_open < 2; ++is_open) {
    static const char *const names[] = {"broken", "unknown", "long_symbol"};
    static const char *const words[] = {"byte 24: indptr[1], the last, is 9", "unknown",
                                        "nbytes announces 45"};
    for (int i = 0; i < 3; ++i) {
      if (is_open) file = dlopen(path_of(names[i]), RTLD_LAZY | RTLD_LOCAL);
      expect_unloadable(path_of(names[i]), "RuntimeError", words[i]);
      expect_refused("ffi.ModuleLoadFromFile", ARGS(view_str(path_of(names[i]))), "RuntimeError",
                     names[i]);
      if (is_open) {
        ck_assert_ptr_null(*(void **)dlsym(file, "__tvm_ffi__library_ctx"));
        dlclose(file);
      }
      ck_assert(!is_mapped(names[i]) || !linker_unmaps());
      ck_assert_int_eq(nodes_living, 0);
    }
  }
}

TEST(missing_functions_are_missed_at_their_call)
{
  TVMFFIObject *module = load("unresolved");
  ck_assert_int_eq(call_one(module, "add_one", view_int(1)), 2);
  TVMFFIObjectDecRef(module);
}

static int load_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const char *what = self;
  ck_assert_int_eq(num_args, 2);
  expect_string(&args[1], "kind");
  if (strcmp(what, "silent") == 0) return -1;
  if (strcmp(what, "raise") == 0) {
    TVMFFIErrorSetRaisedFromCStr("KeyError", "from the loader");
    return -1;
  }
  if (strcmp(what, "array") == 0) *result = view_object(call_object("ffi.Array", NO_ARGS));
  if (strcmp(what, "node") == 0) *result = view_object(node_new("f", 1));
  if (strcmp(what, "loop") == 0) {
    TVMFFIObjectHandle function = NULL;
    TVMFFIAny path = args[0];
    TVMFFIFunctionGetGlobal(BYTES("ffi.ModuleLoadFromFile"), &function);
    int code = TVMFFIFunctionCall(function, &path, 1, result);
    TVMFFIObjectDecRef(function);
    return code;
  }
  return 0;
}

static void register_loader(const char *what)
{
  TVMFFIObjectHandle function = NULL;
  ck_assert_int_eq(TVMFFIFunctionCreate((void *)what, load_anything, NULL, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("ffi.Module.load_from_file.kind"), function, 1),
                   0);
  TVMFFIObjectDecRef(function);
}

TEST(other_extensions_have_other_loaders)
{
  static const char *const bad[][3] = {{"silent", "InternalError", "load_from_file.kind"},
                                       {"raise", "KeyError", "from the loader"},
                                       {"nothing", "TypeError", "must give a Module"},
                                       {"array", "TypeError", "must give a Module"},
                                       {"loop", "RuntimeError", "loaders load through loaders"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    register_loader(bad[i][0]);
    expect_unloadable("some.kind", bad[i][1], bad[i][2]);
  }
  register_loader("node");
  TVMFFIObjectDecRef(call_object("ffi.ModuleLoadFromFile", ARGS(view_str("some.kind"))));
  ck_assert_int_eq(nodes_living, 0);
}

TEST(arguments_of_other_types_are_refused)
{
  TVMFFIObject *array = call_object("ffi.Array", NO_ARGS);
  static const char *const names[] = {"ffi.ModuleGetKind",       "ffi.ModuleGetPropertyMask",
                                      "ffi.ModuleClearImports",  "ffi.ModuleGlobalsAdd",
                                      "ffi.ModuleGlobalsRemove", "ffi.ModuleGetWriteFormats"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    expect_refused(names[i], ARGS(view_object(array)), "TypeError", "ffi.Module");
    expect_refused(names[i], ARGS(view_none()), "TypeError", "ffi.Module");
    expect_refused(names[i], NO_ARGS, "TypeError", "1");
  }
  expect_refused("ffi.ModuleLoadFromFile", ARGS(view_int(1)), "TypeError", "str");
  expect_refused("ffi.SystemLib", ARGS(view_int(1)), "TypeError", "string");
  expect_refused("ffi.SystemLib", ARGS(view_str("a"), view_str("b")), "TypeError", "one argument");
  TVMFFIObjectDecRef(array);
}

// Neither a path nor the name of a symbol goes on behind a NUL: what is before it is not taken for
// the whole.
TEST(texts_with_a_nul_in_them_are_refused)
{
  char path[512];
  size_t size = (size_t)snprintf(path, sizeof path, "%s", path_of("plain")) + 1;
  memcpy(path + size, "x.so", 5);
  TVMFFIByteArray both = {path, size + 4}, prefix = {"module_\0", 8};
  TVMFFIAny text, name;
  ck_assert_int_eq(TVMFFIStringFromByteArray(&both, &text), 0);
  ck_assert_int_eq(TVMFFIStringFromByteArray(&prefix, &name), 0);
  expect_refused("ffi.ModuleLoadFromFile", ARGS(text), "InternalError", "NUL");
  expect_refused("ffi.SystemLib", ARGS(name), "ValueError", "NUL");
  drop(text);
  drop(name);
  expect_works();
}

TEST(a_load_without_memory_fails_cleanly)
{
  TVMFFIAny module = call_with_faults("ffi.Module.load_from_file.so",
                                      ARGS(view_str(path_of("tree")), view_str("so")));
  ck_assert_int_eq(nodes_living, 1);
  drop(module);
  ck_assert_int_eq(nodes_living, 0);
}
