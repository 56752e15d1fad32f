// SPDX-License-Identifier: Apache-2.0
// Modules: loading, looking up, calling. The libraries stay mapped by us, so that what is measured
// is the runtime's work and not that of the dynamic linker.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/carrier.h"
#include "bench/bench_operations.h"
#include "library_bin.h"

static const char load_from_file[] = "ffi.ModuleLoadFromFile";

// The path of a library that the suite brings, which is mapped from now on; NULL if it can't be.
static const char *keep_mapped(const char *file)
{
  const char *path = library_path_of(file);
  return dlopen(path, RTLD_LAZY | RTLD_LOCAL) ? path : NULL;
}

// Lets the operation load this file.
static bool prepare_loading(BenchSubject *subject, const char *path)
{
  if (!path) return false;
  subject->args[0] = view_of_raw_string(path);
  subject->arg_count = 1;
  subject->function = bench_function_of(&subject->iut, load_from_file);
  return subject->function != NULL;
}

static bool prepare_plain(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_loading(subject, keep_mapped("node_1.so"));
}

// --- Trees ---------------------------------------------------------------------------------------

// ffi.Module.load_from_bytes.bench_new: loads the library of a node.
static int load_new(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  static const char *path;
  BenchSubject *subject = self;
  if (!path) path = keep_mapped("node_2.so");
  TVMFFIAny file = view_of_raw_string(path);
  (void)args, (void)num_args;
  *result = bench_call_once(&subject->iut, load_from_file, &file, 1);
  return 0;
}

// ffi.Module.load_from_bytes.bench_ready: gives the module that the subject has.
static int load_ready(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  BenchSubject *subject = self;
  (void)args, (void)num_args;
  subject->iut.ObjectIncRef(subject->object);
  *result = view_of_object(&subject->iut, subject->object);
  return 0;
}

// Enters a function under a name. It stays there.
static bool enter(BenchSubject *subject, const char *name, TVMFFISafeCallType call)
{
  TVMFFIByteArray bytes = bytes_of(name);
  TVMFFIObjectHandle function = NULL;
  if (subject->iut.FunctionCreate(subject, call, NULL, &function) != 0) return false;
  int code = subject->iut.FunctionSetGlobal(&bytes, function, 1);
  subject->iut.ObjectDecRef(function);
  return code == 0;
}

// Puts a payload into the carrier, which is mapped from now on.
static bool carry(BenchSubject *subject, const LibraryBin *tree)
{
  size_t size = library_bin_size(tree);
  void *bytes = malloc(size);
  if (!bytes) return false;
  library_bin_write(tree, bytes);
  Carrier carrier = carrier_open(bytes, size);
  free(bytes);
  return enter(subject, "ffi.Module.load_from_bytes.bench_new", load_new) &&
         enter(subject, "ffi.Module.load_from_bytes.bench_ready", load_ready) &&
         prepare_loading(subject, carrier.path);
}

static LibraryBinEntry entry_of(const char *kind)
{
  return (LibraryBinEntry){.kind = {kind, strlen(kind)}, .value = {"x", 1}};
}

// The library imports two modules, and both of them import the fourth.
static bool prepare_tree(BenchSubject *subject, const BenchOperation *operation)
{
  static const uint64_t rows[] = {0, 2, 3, 4, 4}, children[] = {1, 2, 3, 3};
  LibraryBinEntry entries[4] = {{.is_library = true}};
  for (size_t i = 1; i < operation->size; ++i) entries[i] = entry_of("bench_new");
  return carry(subject, &(LibraryBin){operation->size, 4, rows, children, entries});
}

// Does something with the payload of a library that imports all others of `modules` modules, and no
// more than that.
static bool with_wide_tree(BenchSubject *subject, size_t modules,
                           bool (*use)(BenchSubject *subject, const LibraryBin *tree))
{
  uint64_t *rows = calloc(modules + 1, sizeof *rows), *children = calloc(modules, sizeof *children);
  LibraryBinEntry *entries = calloc(modules, sizeof *entries);
  bool done = rows && children && entries;
  if (done) {
    entries[0].is_library = true;
    for (size_t i = 1; i < modules; ++i) {
      children[i - 1] = i;
      entries[i] = entry_of("bench_ready");
      rows[i] = modules - 1;
    }
    rows[modules] = modules - 1;
    done = use(subject, &(LibraryBin){modules, modules - 1, rows, children, entries});
  }
  free(rows);
  free(children);
  free(entries);
  return done;
}

// All others are one module, so that little but the payload is left to work on.
static bool prepare_wide_tree(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny file = view_of_raw_string(keep_mapped("node_3.so"));
  TVMFFIAny ready = bench_call_once(&subject->iut, load_from_file, &file, 1);
  if (ready.type_index != kTVMFFIModule) return false;
  subject->object = ready.v_obj;
  return with_wide_tree(subject, operation->size, carry);
}

// The payload that is only read, which needs no runtime.
static void *wide_bytes;
static size_t wide_size;

static bool keep_bytes(BenchSubject *subject, const LibraryBin *tree)
{
  (void)subject;
  wide_size = library_bin_size(tree);
  wide_bytes = malloc(wide_size);
  if (wide_bytes) library_bin_write(tree, wide_bytes);
  return wide_bytes != NULL;
}

static bool prepare_reading(BenchSubject *subject, const BenchOperation *operation)
{
  return wide_bytes || with_wide_tree(subject, operation->size, keep_bytes);
}

static int run_reading(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)subject, (void)thread;
  int status = 0;
  for (; times; --times) {
    LibraryBin tree;
    LibraryBinProblem problem;
    if (!library_bin_read(wide_bytes, wide_size, &tree, &problem)) return 1;
    status |= tree.num_children + 1 != tree.num_modules;
    library_bin_free(&tree);
  }
  return status;
}

// --- Functions -----------------------------------------------------------------------------------

static bool prepare_look_up(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  TVMFFIAny file = view_of_raw_string(keep_mapped("node_1.so"));
  TVMFFIAny module = bench_call_once(&subject->iut, load_from_file, &file, 1);
  if (module.type_index != kTVMFFIModule) return false;
  subject->object = module.v_obj;
  subject->args[0] = module;
  subject->args[1] = view_of_raw_string("self");
  subject->args[2] = (TVMFFIAny){.type_index = kTVMFFIBool};
  subject->arg_count = 3;
  subject->function = bench_function_of(&subject->iut, "ffi.ModuleGetFunction");
  return subject->function != NULL;
}

static bool prepare_look_up_in_vain(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_look_up(subject, operation)) return false;
  subject->args[1] = view_of_raw_string("no function of the module");
  return true;
}

static int run_look_up_and_call(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const Iut *iut = &subject->iut;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny found = {.type_index = kTVMFFINone}, number = found;
    status |= iut->FunctionCall(subject->function, subject->args, subject->arg_count, &found);
    if (found.type_index != kTVMFFIFunction) return 1;
    status |= iut->FunctionCall(found.v_obj, NULL, 0, &number);
    status |= number.v_int64 != 1;
    status |= iut->ObjectDecRef(found.v_obj);
  }
  return status;
}

// --- The table -----------------------------------------------------------------------------------

#define USE (NEED(FunctionGetGlobal) | NEED(FunctionCall) | NEED(ObjectDecRef))
#define LOADERS (USE | NEED(FunctionCreate) | NEED(FunctionSetGlobal) | NEED(ObjectIncRef))

static const BenchOperation operations[] = {
    {"load a module, and release", USE, 1, 0, prepare_plain, bench_call_and_drop},
    {"load a payload of 4 modules, and release", LOADERS, 1, 4, prepare_tree, bench_call_and_drop},
    {"load a payload of 100,000 modules, and release", LOADERS, 1, 100000, prepare_wide_tree,
     bench_call_and_drop},
    {"read such a payload with the reference's reader", 0, 1, 100000, prepare_reading, run_reading},
    {"look up a function of a module, and release", USE, 1, 0, prepare_look_up,
     bench_call_and_drop},
    {"look up what a module does not have", USE, 1, 0, prepare_look_up_in_vain,
     bench_call_and_drop},
    {"look up a function of a module, and call it", USE, 1, 0, prepare_look_up,
     run_look_up_and_call},
};
const BenchGroup bench_modules_group = {operations, sizeof operations / sizeof *operations};
