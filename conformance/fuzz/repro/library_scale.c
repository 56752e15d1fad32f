// SPDX-License-Identifier: Apache-2.0
// SHAPE: 0 a chain of COUNT modules, 1 a first one that imports all others, 2 modules that nobody
// imports, 3 an import that is repeated, 4 a kind of COUNT octets, 5 a value of COUNT octets, 6 a kind of
// COUNT octets and another, loaded by two threads at the same time. With a FACTOR the same is loaded as many times as large, and must take at most BOUND times as long.
#ifndef PAYLOAD
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

static void *runtime;
#define API(name) ((__typeof__(&TVMFFI##name))dlsym(runtime, "TVMFFI" #name))

static TVMFFIObjectHandle *modules;
static size_t module_count, next_module, value_size, wrong_values;

static int load_kind(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray value = {args[0].v_bytes, args[0].small_str_len};
  (void)num_args;
  if (SHAPE == 6) {
    *result = (TVMFFIAny){.type_index = kTVMFFIModule, .v_obj = modules[self == NULL]};
    API(ObjectIncRef)(result->v_obj);
    return 0;
  }
  if (args[0].type_index == kTVMFFIBytes)
    value = *(const TVMFFIByteArray *)((const char *)args[0].v_obj + sizeof(TVMFFIObject));
  if (args[0].type_index == kTVMFFIByteArrayPtr) value = *(const TVMFFIByteArray *)args[0].v_ptr;
  wrong_values += value.size != value_size;
  for (size_t i = 0; i < value.size; ++i)
    if (value.data[i] != (char)('a' + i % 23)) {
      ++wrong_values;
      break;
    }
  if (next_module == module_count) return -1;
  *result = (TVMFFIAny){.type_index = kTVMFFIModule, .v_obj = modules[next_module++]};
  return 0;
}

static TVMFFIAny call(const char *name, TVMFFIAny *args, int count, int *code)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (API(FunctionGetGlobal)(&bytes, &function) != 0 || !function) exit(3);
  *code = API(FunctionCall)(function, args, count, &result);
  API(ObjectDecRef)(function);
  return result;
}

static void make_modules(size_t count)
{
  static size_t made;
  char prefix[32];
  int code;
  modules = calloc(count, sizeof *modules);
  for (module_count = 0; module_count < count; ++module_count) {
    snprintf(prefix, sizeof prefix, "repro_%zu_", made++);
    TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = prefix};
    modules[module_count] = call("ffi.SystemLib", &argument, 1, &code).v_obj;
  }
  next_module = 0;
}

static void enter(const char *kind, size_t size)
{
  static const char prefix[] = "ffi.Module.load_from_bytes.";
  char *name = malloc(sizeof prefix + size);
  TVMFFIObjectHandle function = NULL;
  memcpy(name, prefix, sizeof prefix - 1);
  memcpy(name + sizeof prefix - 1, kind, size);
  TVMFFIByteArray bytes = {name, sizeof prefix - 1 + size};
  if (API(FunctionCreate)(size > 1 ? &modules : NULL, load_kind, NULL, &function) != 0 ||
      API(FunctionSetGlobal)(&bytes, function, 1) != 0)
    exit(3);
}

static char *at;

static void put(unsigned long long number)
{
  memcpy(at, &number, 8);
  at += 8;
}

static void put_text(const char *text, size_t size)
{
  put(size);
  memcpy(at, text, size);
  at += size;
}

// Has the library show the payload of so many modules, imports or octets. Returns the modules.
static size_t show(void *handle, size_t count)
{
  static ElfW(Sym) * entry;
  Dl_info info;
  struct link_map *map;
  size_t count_of_modules = SHAPE == 6 || SHAPE == 3 ? 2 : SHAPE >= 4 ? 1 : count;
  size_t children = SHAPE == 2 || SHAPE >= 4 ? 0 : count - 1;
  size_t kind = SHAPE == 4 || SHAPE == 6 ? count : 1, page = (size_t)sysconf(_SC_PAGESIZE);
  value_size = SHAPE == 5 ? count : 1;
  size_t size = 8 + 8 * (count_of_modules + 2) + 8 * (children + 1) +
                count_of_modules * (17 + value_size) + kind - 1;
  size_t room = (size + page - 1) / page * page;
  char *letters = malloc(count + 1), *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!entry &&
      !dladdr1(dlsym(handle, "__tvm_ffi__library_bin"), &info, (void **)&entry, RTLD_DL_SYMENT))
    exit(3);
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || memory == MAP_FAILED || !letters) exit(3);
  for (size_t i = 0; i < count; ++i) letters[i] = (char)('a' + i % 23);
  mprotect(memory + room, page, PROT_NONE);
  at = memory + room - size;
  put(size - 8);
  put(count_of_modules + 1);
  for (size_t i = 0; i <= count_of_modules; ++i)
    put(i == 0 ? 0 : SHAPE == 0 && i < count_of_modules ? i : children);
  put(children);
  for (size_t i = 0; i < children; ++i) put(SHAPE == 3 ? 1 : i + 1);
  for (size_t i = 0; i < count_of_modules; ++i) {
    if (i == 0)
      put_text(kind > 1 ? letters : "k", kind);
    else
      put_text("k", 1);
    put_text(letters, value_size);
  }
  if (kind > 1) enter(letters, kind);
  free(letters);
  size_t start = (size_t)entry / page * page, end = (size_t)(entry + 1);
  mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC);
  entry->st_value = (size_t)(memory + room - size) - map->l_addr;
  entry->st_size = size;
  return count_of_modules;
}

// How many modules one imports; `absent` where it has no such field.
static size_t imports_of(TVMFFIAny module, size_t absent)
{
  const TVMFFITypeInfo *info = API(GetTypeInfo)(kTVMFFIModule);
  for (int i = 0; info && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo *field = &info->fields[i];
    TVMFFIAny imports = {.type_index = kTVMFFINone};
    if (field->name.size != 8 || memcmp(field->name.data, "imports_", 8) != 0) continue;
    if (field->getter((char *)module.v_obj + field->offset, &imports) != 0) return 0;
    if (imports.type_index != kTVMFFIArray) return 0;
    size_t count = (size_t)((const TVMFFISeqCell *)(imports.v_obj + 1))->size;
    API(ObjectDecRef)(imports.v_obj);
    return count;
  }
  return absent;
}

// The time of a processor that a load takes, with a look-up and the release.
static double load(void *handle, const char *path, size_t count, int *wrong)
{
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = path};
  TVMFFIAny args[3] = {{0}, {.type_index = kTVMFFIRawStr}, {.type_index = kTVMFFIBool}};
  int code, absent;
  make_modules(show(handle, count));
  clock_t start = clock();
  TVMFFIAny root = call("ffi.ModuleLoadFromFile", &argument, 1, &code);
  if (code != 0) {
    printf("it does not load\n");
    *wrong = 1;
    return 0;
  }
  args[0] = root;
  args[1].v_c_str = "a_name_that_no_module_has";
  args[2].v_int64 = 1;
  if (FACTOR == 1) call("ffi.ModuleGetFunction", args, 3, &absent);
  size_t due = SHAPE == 1 || SHAPE == 3 ? count - 1 : SHAPE == 0 && count > 1;
  size_t imported = FACTOR == 1 ? imports_of(root, due) : due;
  API(ObjectDecRef)(root.v_obj);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("%zu: %.4f s, %zu of %zu modules\n", count, seconds, next_module, module_count);
  if (next_module != module_count || wrong_values) *wrong = 1;
  if (imported != due) *wrong = 1;
  return seconds;
}

static const char *path_at_once;
static volatile int wrong_at_once;

static void *load_at_once(void *unused)
{
  for (int i = 0; i < (COUNT < 1000 ? 20000 : 2000) && !wrong_at_once; ++i) {
    TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = path_at_once};
    int code;
    TVMFFIAny root = call("ffi.ModuleLoadFromFile", &argument, 1, &code);
    if (code != 0 || root.v_obj != modules[0]) wrong_at_once = 1;
    if (code == 0) API(ObjectDecRef)(root.v_obj);
  }
  return unused;
}

// Whether a load is wrong while another thread loads, too.
static int are_wrong_at_once(void *handle, const char *path)
{
  pthread_t thread;
  path_at_once = path;
  make_modules(show(handle, COUNT));
  if (pthread_create(&thread, NULL, load_at_once, NULL) != 0) exit(3);
  load_at_once(NULL);
  pthread_join(thread, NULL);
  return wrong_at_once;
}

int main(int argc, char **argv)
{
  if (argc != 3 || !(runtime = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))) {
    fprintf(stderr, "usage: %s RUNTIME.so PAYLOAD.so\n%s\n", argv[0], argc == 3 ? dlerror() : "");
    return 3;
  }
  setvbuf(stdout, NULL, _IONBF, 0);
  // Beyond what is taken of the stack.
  size_t used = (size_t)getauxval(AT_EXECFN) - (size_t)__builtin_frame_address(0);
  setrlimit(RLIMIT_STACK, &(struct rlimit){(1 << 20) + used, (1 << 20) + used});
  setrlimit(RLIMIT_CPU, &(struct rlimit){20, 21});  // seconds; what takes longer hangs
  enter("k", 1);
  void *handle = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 3;
  int wrong = 0;
  double least = 1e9, most = 1e9;
  if (SHAPE == 6) wrong = are_wrong_at_once(handle, argv[2]);
  for (int i = 0; i < (FACTOR > 1 ? 3 : SHAPE < 6) && !wrong; ++i) {
    double seconds = load(handle, argv[2], COUNT, &wrong);
    if (seconds < least) least = seconds;
    if (FACTOR > 1 && (seconds = load(handle, argv[2], (size_t)COUNT * FACTOR, &wrong)) < most)
      most = seconds;
  }
  if (FACTOR > 1 && most > BOUND * (least > 0.0005 ? least : 0.0005)) wrong = 1;
  printf("%s\n", wrong ? "this is the finding" : "as it should be");
  return wrong;
}
#endif
