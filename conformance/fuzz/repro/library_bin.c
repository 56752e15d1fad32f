// SPDX-License-Identifier: Apache-2.0
// Embedded modules are made by these loaders: `k` and the long kind give a module, `fails` fails,
// `none` gives none. No loader is registered for other kinds.
#ifndef PAYLOAD
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

static void *runtime;
#define API(name) ((__typeof__(&TVMFFI##name))dlsym(runtime, "TVMFFI" #name))

static TVMFFIAny call(const char *name, TVMFFIAny *args, int count, int *code)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (API(FunctionGetGlobal)(&bytes, &function) != 0 || !function) {
    fprintf(stderr, "%s is not registered\n", name);
    exit(3);
  }
  *code = API(FunctionCall)(function, args, count, &result);
  API(ObjectDecRef)(function);
  return result;
}

static int modules, calls, quiet;

// self: what the loader does.
static int load_kind(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  char prefix[32];
  int code = 0;
  (void)args, (void)num_args;
  ++calls;
  if (strcmp(self, "fails") == 0) {
    API(ErrorSetRaisedFromCStr)("FuzzError", "the loader had to fail");
    return -1;
  }
  if (strcmp(self, "none") == 0) return 0;
  snprintf(prefix, sizeof prefix, "repro_%d_", modules++);
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = prefix};
  *result = call("ffi.SystemLib", &argument, 1, &code);
  return code;
}

static void enter(const char *kind, const char *what)
{
  char name[96];
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", kind);
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (API(FunctionCreate)((void *)what, load_kind, NULL, &function) != 0 ||
      API(FunctionSetGlobal)(&bytes, function, 1) != 0)
    exit(3);
  API(ObjectDecRef)(function);
}

// The payload ends where a page ends; the next one can't be touched from here on.
static void *fence(const char *path)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  char *payload = handle ? dlsym(handle, "__tvm_ffi__library_bin") : NULL;
  if (!payload) {
    fprintf(stderr, "%s\n", dlerror());
    exit(3);
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE), end = (size_t)payload + sizeof bytes_of_payload;
  if (end % page == 0) mprotect((void *)end, page, PROT_NONE);
  return handle;
}

// Says what was raised, and whether that has a kind and a message.
static int take_error(void)
{
  TVMFFIObjectHandle error = NULL;
  API(ErrorMoveFromRaised)(&error);
  if (!error) {
    if (!quiet) printf("refused, but no error is raised\n");
    return 0;
  }
  const TVMFFIErrorCell *cell = (const void *)((const char *)error + sizeof(TVMFFIObject));
  int whole = cell->kind.size && cell->message.size;
  if (!quiet)
    printf("refused: %.*s: %.*s\n", (int)cell->kind.size, cell->kind.data,
           (int)(cell->message.size < 200 ? cell->message.size : 200), cell->message.data);
  if (DUE_KIND[0])
    whole = whole && cell->kind.size == strlen(DUE_KIND) &&
            memcmp(cell->kind.data, DUE_KIND, cell->kind.size) == 0;
  API(ObjectDecRef)(error);
  return whole;
}

static TVMFFIAny look_up(TVMFFIAny module)
{
  TVMFFIAny args[3] = {module, {.type_index = kTVMFFIRawStr}, {.type_index = kTVMFFIBool}};
  int code;
  args[1].v_c_str = "a_name_that_no_module_has";
  args[2].v_int64 = 1;
  return call("ffi.ModuleGetFunction", args, 3, &code);
}

// 1: loaded, 0: refused, -1: refused without a good error.
static int load(const char *path)
{
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = path};
  int code;
  TVMFFIAny module = call("ffi.ModuleLoadFromFile", &argument, 1, &code);
  if (code != 0) return take_error() ? 0 : -1;
  if (!quiet) printf("loaded, with %d embedded modules\n", modules);
  if (DUE_LOAD) look_up(module);
  if (module.type_index >= kTVMFFIStaticObjectBegin) API(ObjectDecRef)(module.v_obj);
  return 1;
}

static long pages_mapped(void)
{
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  if (!statm || fscanf(statm, "%ld", &pages) != 1) exit(3);
  fclose(statm);
  return pages;
}

int main(int argc, char **argv)
{
  if (argc != 3 || !(runtime = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))) {
    fprintf(stderr, "usage: %s RUNTIME.so PAYLOAD.so\n%s\n", argv[0], argc == 3 ? dlerror() : "");
    return 3;
  }
  setvbuf(stdout, NULL, _IONBF, 0);
  enter("k", "module");
  enter("conform_module_of_a_long_kind", "module");
  enter("fails", "fails");
  enter("none", "none");
  void *handle = fence(argv[2]), **context = dlsym(handle, "__tvm_ffi__library_ctx");
  setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2});  // seconds; what takes longer hangs
#if MEMORY
  setrlimit(RLIMIT_AS, &(struct rlimit){1 << 30, 1 << 30});
  memset(&memory, 0, sizeof memory);
#endif
  int came = load(argv[2]);
  int wrong = DUE_EITHER ? came < 0 : came != DUE_LOAD;
  if (came > 0 && DUE_LOAD && modules != DUE_MODULES) wrong = 1;
  if (came <= 0) printf("%d calls of loaders; the context is %p\n", calls, *context);
  if (CONTEXT && came <= 0 && *context) wrong = 1;
  if (IN_PART && came <= 0 && calls) wrong = 1;
  quiet = REPEAT;
  long pages = pages_mapped();
  size_t held = mallinfo2().uordblks;
  for (int i = 0; REPEAT && i < 100; ++i) {
    modules = 0;
    load(argv[2]);
  }
  if (REPEAT)
    printf("%zd bytes more are held, %ld pages more are mapped\n",
           (ssize_t)(mallinfo2().uordblks - held), pages_mapped() - pages);
  if (REPEAT && (mallinfo2().uordblks >= held + 1600 || pages_mapped() >= pages + 100)) wrong = 1;
  if (OPEN && dlclose(handle) == 0 && dlopen(argv[2], RTLD_NOW | RTLD_NOLOAD)) {
    printf("the library is still open\n");
    wrong = 1;
  }
#if MEMORY
  printf("%zu bytes were asked for at once, %ld were held\n", memory.largest, memory.most);
  wrong |= memory.largest > MEMORY || memory.most > MEMORY;
#endif
  printf("%s\n", wrong ? "this is the finding" : "as it should be");
  return wrong;
}
#endif
