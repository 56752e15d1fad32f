// SPDX-License-Identifier: Apache-2.0
// Embedded modules are made by these loaders: `k` and the long kind give a module, `fails` fails,
// `none` gives none, `thing` a function; `keeps` keeps its value, and `keepf` fails then; `loads` loads
// another payload before it gives its module, `thread` has another thread do so, and `laps` has one begin
// and wait in its first loader until the load is over; `fail1` fails, and returns 1; `number` gives an integer. No loader is registered for other kinds but `_libx`, `_LIB`, `_k`,
// `k \xe6` and one of 300 letters.
#ifndef PAYLOAD
#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

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

// By the loader of shared libraries, if it has a name.
static TVMFFIAny load_file(const char *path, int *code)
{
  static const char loader[] = "ffi.Module.load_from_file.so";
  TVMFFIByteArray name = {loader, sizeof loader - 1};
  TVMFFIObjectHandle found = NULL;
  TVMFFIAny args[] = {{.type_index = kTVMFFIRawStr, .v_c_str = path},
                      {.type_index = kTVMFFISmallStr}};
  if (API(FunctionGetGlobal)(&name, &found) != 0 || !found)
    return call("ffi.ModuleLoadFromFile", args, 1, code);
  API(ObjectDecRef)(found);
  return call(loader, args, 2, code);
}

static int odd, late, replaced;  // a call is not as it has to be, or comes too early; loaders that
                                 // others have taken the place of
static int failed, went_on, alive;  // a loader failed; another was called then; loaders there are
typedef struct Kind {
  const char *name, *what;
} Kind;
static TVMFFIObjectHandle extra;  // what the errors of loaders have with them
enum { ROUNDS = 100 };
static int modules, made, calls, quiet, nested, nested_wrong, kept_count;
static TVMFFIAny kept[16];
static unsigned long long kept_digest[16];
static TVMFFIObject *given[64];  // each retained 8 times
static unsigned given_with[64];
static int given_count;
static const char *payload_path;
static void *handle;

// The entry of the payload in the symbol table, which can be written to from here on.
static ElfW(Sym) * payload_entry(void)
{
  static ElfW(Sym) * entry;
  Dl_info info;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (!entry &&
      !dladdr1(dlsym(handle, "__tvm_ffi__library_bin"), &info, (void **)&entry, RTLD_DL_SYMENT))
    exit(3);
  size_t start = (size_t)entry / page * page, end = (size_t)(entry + 1);
  mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC);
  return entry;
}

// A copy of these bytes, the last of them the last of a page; those that were shown last are there already.
static char *page_end_of(const unsigned char *bytes, size_t size)
{
  static struct {
    const unsigned char *bytes;
    char *end;
  } last[2];
  for (int i = 0; i < 2; ++i)
    if (last[i].bytes == bytes) return last[i].end;
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
  char *copy = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) exit(3);
  mprotect(copy + room, page, PROT_NONE);
  memcpy(copy + room - size, bytes, size);
  last[1] = last[0];
  last[0].bytes = bytes;
  return last[0].end = copy + room;
}

// Has the library have these bytes behind its symbol.
static void show(const unsigned char *bytes, size_t size)
{
  ElfW(Sym) *entry = payload_entry();
  struct link_map *map;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) exit(3);
  entry->st_value = (size_t)(page_end_of(bytes, size) - size) - map->l_addr;
  entry->st_size = size;
}

static int is_object(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIBytes || value->type_index == kTVMFFIStr;
}

static unsigned long long digest_of(const TVMFFIAny *value)
{
  TVMFFIByteArray bytes = {value->v_bytes, value->small_str_len};
  if (is_object(value))
    bytes = *(const TVMFFIByteArray *)((const char *)value->v_obj + sizeof(TVMFFIObject));
  if (value->type_index == kTVMFFIByteArrayPtr) bytes = *(const TVMFFIByteArray *)value->v_ptr;
  unsigned long long digest = bytes.size;
  for (size_t i = 0; i < bytes.size; ++i) digest = digest * 31 + (unsigned char)bytes.data[i];
  return digest;
}

// Of an object with some references more, so that it is there when it is released too often.
static void keep(const TVMFFIAny *value)
{
  if (kept_count == 16 || API(AnyViewToOwnedAny)(value, &kept[kept_count]) != 0) return;
  for (int i = 0; is_object(&kept[kept_count]) && i < 3; ++i)
    API(ObjectIncRef)(kept[kept_count].v_obj);
  kept_digest[kept_count++] = digest_of(value);
}

// Whether references to what is kept are not there any more.
static int kept_is_released(void)
{
  for (int i = 0; i < kept_count; ++i)
    if (is_object(&kept[i]) && (unsigned)kept[i].v_obj->combined_ref_count < 4) return 1;
  return 0;
}

static const unsigned char payload_within[] = {
    0x72, 0,   0,   0,   0,   0,   0,   0,   3,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,    0,   0,   0,   0,   0,   1,   0,   0,   0,   0,   0,   0,   0,   1,   0,   0,   0,
    0,    0,   0,   0,   1,   0,   0,   0,   0,   0,   0,   0,   1,   0,   0,   0,   0,   0,
    0,    0,   1,   0,   0,   0,   0,   0,   0,   0,   'k', 16,  0,   0,   0,   0,   0,   0,
    0,    't', 'h', 'e', ' ', 'o', 'u', 't', 'e', 'r', ' ', 'o', 'f', ' ', 't', 'w', 'o', 1,
    0,    0,   0,   0,   0,   0,   0,   'k', 16,  0,   0,   0,   0,   0,   0,   0,   't', 'h',
    'e',  ' ', 'i', 'n', 'n', 'e', 'r', ' ', 'o', 'f', ' ', 't', 'w', 'o'};

// How many loads stand in each other; whether no loader of the innermost ran yet.
static int deep, is_first;

// Loads another payload of the same library, and has the one before stand there again.
static void *load_within(void *unused)
{
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = payload_path};
  int code, before = modules;
  show(payload_within, sizeof payload_within);
  TVMFFIAny module = call("ffi.ModuleLoadFromFile", &argument, 1, &code);
  if (code != 0 || modules != before + 2) nested_wrong = 1;
  if (code == 0 && module.type_index >= kTVMFFIStaticObjectBegin) API(ObjectDecRef)(module.v_obj);
  if (deep > 1)
    show(payload_within, sizeof payload_within);
  else
    show(bytes_of_payload, sizeof bytes_of_payload);
  modules = before;
  return unused;
}

static void load_deeper(void)
{
  ++deep;
  is_first = 1;
  load_within(NULL);
  is_first = 0;
  --deep;
}

// The load of the other thread that waits: how many modules there were when it began.
static struct {
  int waits, is_in_turn, modules;
  pthread_t thread;
  sem_t outer, inner;
} lap;

static void *lap_within(void *unused)
{
  load_within(unused);
  lap.is_in_turn = 0;
  sem_post(&lap.outer);
  return unused;
}

static void begin_lap(void)
{
  if (lap.waits || sem_init(&lap.outer, 0, 0) || sem_init(&lap.inner, 0, 0)) return;
  lap.modules = modules;
  lap.is_in_turn = 1;
  if (pthread_create(&lap.thread, NULL, lap_within, NULL) != 0) exit(3);
  sem_wait(&lap.outer);
  if (!lap.waits) pthread_join(lap.thread, NULL);
  show(bytes_of_payload, sizeof bytes_of_payload);
}

static void wait_for_the_other(void)
{
  if (!lap.is_in_turn || lap.waits) return;
  lap.waits = 1;
  lap.is_in_turn = 0;
  --nested;
  sem_post(&lap.outer);
  sem_wait(&lap.inner);
  ++nested;
}

static void end_lap(void)
{
  if (!lap.waits) return;
  int outer = modules;
  modules = lap.modules;
  lap.is_in_turn = 1;
  show(payload_within, sizeof payload_within);
  sem_post(&lap.inner);
  ++nested;
  pthread_join(lap.thread, NULL);
  --nested;
  lap.waits = lap.is_in_turn = 0;
  modules = outer;
}

static void fail(void)
{
  TVMFFIByteArray kind = {"FuzzError", 9}, message = {"the loader had to fail", 22}, none = {0};
  TVMFFIObjectHandle error = NULL;
  if (!extra ||
      API(ErrorCreateWithCauseAndExtraContext)(&kind, &message, &none, NULL, extra, &error) != 0) {
    API(ErrorSetRaisedFromCStr)(kind.data, message.data);
    return;
  }
  API(ErrorSetRaised)(error);
  API(ObjectDecRef)(error);
}

// The unused bytes of a loader's argument are zero, and its result is None.
static int is_odd(const TVMFFIAny *args, int32_t num_args, const TVMFFIAny *result)
{
  if (num_args != 1 || result->type_index != kTVMFFINone) return 1;
  if (args[0].type_index != kTVMFFISmallBytes) return args[0].zero_padding != 0;
  for (size_t i = args[0].small_str_len; i < 8; ++i)
    if (args[0].v_bytes[i]) return 1;
  return 0;
}

// Own: the n-th of the modules that loaders give. It lives on when nobody has it.
static TVMFFIAny module_of(int n, int *code)
{
  char prefix[32];
  snprintf(prefix, sizeof prefix, "repro_%d_", n);
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = prefix};
  return call("ffi.SystemLib", &argument, 1, code);
}

static int do_load_kind(void *self_, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int code = 0, place = -1;
  pthread_t thread;
  const char *self = ((Kind *)self_)->what;  // what the loader does
  odd |= is_odd(args, num_args, result) || (replaced && strcmp(self, "module") == 0);
  went_on |= failed;
  failed |= strncmp(self, "fail", 4) == 0 || strcmp(self, "keepf") == 0;
  if (nested == 0 && called < CALLS_MAX) {
    place = called++;
    called_kind[place] = ((Kind *)self_)->name;
    called_value[place] = digest_of(&args[0]);
    late |= (LIBRARY >= 0 && place >= LIBRARY && !*context) || (symbol && !*symbol);
  }
  ++calls;
  if (strncmp(self, "keep", 4) == 0 || strncmp(self, "fail", 4) == 0) keep(&args[0]);
  if (strcmp(self, "fails") == 0 || strcmp(self, "keepf") == 0) {
    fail();
    return -1;
  }
  if (strcmp(self, "fail1") == 0) {
    fail();
    return 1;
  }
  if (strcmp(self, "none") == 0) return 0;
  if (strcmp(self, "thing") == 0) {
    TVMFFIByteArray name = {"ffi.SystemLib", 13};
    if (API(FunctionGetGlobal)(&name, (TVMFFIObjectHandle *)&result->v_obj) != 0) exit(3);
    result->type_index = kTVMFFIFunction;
    return 0;
  }
  if (strcmp(self, "number") == 0) *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 73};
  if (strcmp(self, "number") == 0) return 0;
  unsigned long long value = digest_of(&args[0]);
  int goes_deeper = is_first && deep < 4;
  is_first = 0;
  if (nested++ == 0 && strcmp(self, "loads") == 0) load_deeper();
  if (goes_deeper) load_deeper();
  if (nested == 1 && strcmp(self, "thread") == 0 &&
      pthread_create(&thread, NULL, load_within, NULL) == 0)
    pthread_join(thread, NULL);
  if (nested == 1 && strcmp(self, "laps") == 0) begin_lap();
  if (nested > 1) wait_for_the_other();
  if (digest_of(&args[0]) != value) nested_wrong = 1;
  --nested;
  ++modules;
  *result = module_of(made++, &code);
  if (place >= 0) called_gave[place] = result->v_obj;
  for (int i = 0; COUNTS && code == 0 && given_count < 64 && i < 8; ++i)
    API(ObjectIncRef)(result->v_obj);
  if (COUNTS && code == 0 && given_count < 64) {
    given_with[given_count] = (unsigned)result->v_obj->combined_ref_count;
    given[given_count++] = result->v_obj;
  }
  return code;
}

// Loaders have all memory.
static int load_kind(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
#if SHORT
  int refuse = memory.refuse;
  memory.refuse = 0;
#endif
  int code = do_load_kind(self, args, num_args, result);
#if SHORT
  memory.refuse = refuse;
#endif
  return code;
}

static void end_loader(void *self)
{
  free(self);
  --alive;
}

static void enter(const char *kind, const char *what)
{
  char name[640];
  Kind *self = malloc(sizeof *self);
  *self = (Kind){strdup(kind), what};
  ++alive;
  snprintf(name, sizeof name, "ffi.Module.load_from_bytes.%s", kind);
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (API(FunctionCreate)(self, load_kind, end_loader, &function) != 0 ||
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

// Whether a message is the same as the one before, but for digits; and ASCII.
static int is_as_before(TVMFFIByteArray message)
{
  static char before[4096];
  static int known;
  char words[sizeof before] = "";
  size_t count = 0;
  for (size_t i = 0; i < message.size && count + 1 < sizeof words; ++i) {
    if (message.data[i] & 0x80) return 0;
    if (!isxdigit((unsigned char)message.data[i])) words[count++] = message.data[i];
  }
  int same = !known++ || strcmp(before, words) == 0;
  strcpy(before, words);
  return same;
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
  if (TOLD && !is_as_before(cell->message)) whole = 0;
  if (DUE_KIND[0])
    whole = whole && cell->kind.size == strlen(DUE_KIND) &&
            memcmp(cell->kind.data, DUE_KIND, cell->kind.size) == 0;
  if (!memmem(cell->message.data, cell->message.size, NAMED, strlen(NAMED))) whole = 0;
  if (extra && strcmp(DUE_KIND, "FuzzError") == 0 && cell->extra_context != extra) whole = 0;
  API(ObjectDecRef)(error);
  return whole;
}

// A function of the library that is found from the root gives its number.
static int use(TVMFFIAny module)
{
  TVMFFIAny args[3] = {module, {.type_index = kTVMFFIRawStr}, {.type_index = kTVMFFIBool}};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int code;
  args[1].v_c_str = "self";
  args[2].v_int64 = 1;
  TVMFFIAny found = call("ffi.ModuleGetFunction", args, 3, &code);
  if (code != 0 || found.type_index != kTVMFFIFunction) return 0;
  code = API(FunctionCall)(found.v_obj, NULL, 0, &result);
  API(ObjectDecRef)(found.v_obj);
  return code == 0 && result.v_int64 == 100;
}

static TVMFFIAny look_up(TVMFFIAny module)
{
  TVMFFIAny args[3] = {module, {.type_index = kTVMFFIRawStr}, {.type_index = kTVMFFIBool}};
  int code;
  args[1].v_c_str = "a_name_that_no_module_has";
  args[2].v_int64 = 1;
  return call("ffi.ModuleGetFunction", args, 3, &code);
}

// A sound tree is loaded as its payload says.
static int is_due(TVMFFIAny module)
{
  const char *wrong = NULL;
  if (module.type_index != kTVMFFIModule)
    wrong = "it is not a module";
  else if (!calls_are_due())
    wrong = "loaders are called for other entries, kinds or values";
  else if (late)
    wrong = "a variable of the library is NULL when a loader is called";
  else if (!tree_is_due(module.v_obj))
    wrong = "the root or the imports are others";
  else if (LIBRARY >= 0 && !context_is_due())
    wrong = "the context is that of another module";
  else if (symbol && *symbol != &alive)
    wrong = "the context symbol is not filled";
  for (int i = 0, next = 0; !wrong && i < ENTRIES; next += !entries[i++].is_library)
    if (APART && entries[i].is_apart && next < given_count &&
        (unsigned)given[next]->combined_ref_count >= given_with[next])
      wrong = "a module that nobody imports is held";
  if (wrong) printf("%s\n", wrong);
  return !wrong;
}

// 1: loaded, 0: refused, -1: refused without a good error, or loaded in a wrong way.
#if SHORT
static int refused, was_refused;  // the request of a load that is, and whether there was one
#endif

static int load(const char *path)
{
  int code, good = 1;
  *context = NULL;
  if (symbol) *symbol = NULL;
  called = failed = went_on = late = 0;
#if SHORT
  memory.refuse = refused;
#endif
  TVMFFIAny module = load_file(path, &code);
#if SHORT
  was_refused = memory.refuse == 0;
  memory.refuse = 0;
#endif
  end_lap();
  if (code != 0 && (module.type_index != kTVMFFINone || went_on)) good = 0;
  if (code != 0 && code != -1 && !failed) good = 0;
  if (code != 0) return take_error() && good ? 0 : -1;
  if (!quiet) printf("loaded, with %d embedded modules\n", modules);
  if (ENTRIES && !quiet && !is_due(module)) good = 0;
  if (DUE_LOAD) look_up(module);
  if (CLOSED && dlclose(handle) == 0) {
    int gives = use(module);
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!gives) {
      printf("a function of the library is not found, or gives something else\n");
      return -1;
    }
  }
  if (module.type_index >= kTVMFFIStaticObjectBegin) API(ObjectDecRef)(module.v_obj);
  return good ? 1 : -1;
}

// Others take the place of the loaders, again and again. More that are there each time are held.
static int holds_loaders(const char *path)
{
  for (int i = 0, before = 1 << 30; i < 6; ++i) {
    load(path);
    enter("k", "module");
    enter("conform_module_of_a_long_kind", "module");
    enter("fails", "fails");
    if (alive <= before && i) return 0;
    before = alive;
  }
  printf("%d loaders are there\n", alive);
  return 1;
}

// Whether modules that were given are held, or released too often, once they import nothing.
static int counts_are_wrong(void)
{
  int wrong = 0;
  for (int i = 0; i < given_count; ++i) {
    TVMFFIAny module = {.type_index = kTVMFFIModule, .v_obj = given[i]};
    int code;
    call("ffi.ModuleClearImports", &module, 1, &code);
  }
  for (int i = 0; i < given_count; ++i) {
    unsigned left = (unsigned)given[i]->combined_ref_count + 1, due = given_with[i];
    if (left < due) printf("a module is released more often than it was given\n");
    if (left > due) printf("a module is still held\n");
    wrong |= left != due;
  }
  return wrong;
}

static void take_apart(int first)
{
  for (int code, k = first; k < made; ++k) {
    TVMFFIAny module = module_of(k, &code);
    call("ffi.ModuleClearImports", &module, 1, &code);
    API(ObjectDecRef)(module.v_obj);
  }
}

// Loads it again and again, with modules that are there already, and takes these apart each time.
static void load_again_and_again(const char *path)
{
  for (int i = 0; i < ROUNDS; ++i) {
    int first = made;
    modules = 0;
    load(path);
    take_apart(first);
  }
}

#if SHORT
// The same modules each time.
static int load_without_memory(const char *path)
{
  int first = made;
  modules = given_count = 0;
  int came = load(path);
  take_apart(first);
  made = first;
  return counts_are_wrong() ? -1 : came;
}

// Each request is refused once, until there are no more. 0: a load is not as it has to be.
static int bears_refusals(const char *path)
{
  int good = 1;
  refused = 0;
  do {
    ++refused;
    int came = load_without_memory(path), had = modules, more = was_refused;
    if (came < 0 || (came > 0 && had != DUE_MODULES)) {
      printf("request %d is refused, and the load is not as it must be\n", refused);
      good = 0;
    }
    quiet = 1;
    size_t held = mallinfo2().uordblks;
    for (int i = 0; REPEAT && more && came <= 0 && i < ROUNDS; ++i) load_without_memory(path);
    if (REPEAT && mallinfo2().uordblks >= held + 16 * ROUNDS) {
      printf("request %d is refused, and memory remains\n", refused);
      good = 0;
    }
    quiet = 0;
    was_refused = more;
  } while (was_refused && refused < 400);
  refused = given_count = 0;
  return good;
}
#endif

// Makes the modules of so many such rounds, of which each takes as many as the last one did.
static void make_modules(int each)
{
  for (int i = 0; i < ROUNDS * each; ++i) {
    int code;
    TVMFFIAny module = module_of(made + i, &code);
    if (code == 0) API(ObjectDecRef)(module.v_obj);
  }
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
  enter("k \xe6", "module");
  enter("fails", "fails");
  enter("fail1", "fail1");
  enter("none", "none");
  enter("number", "number");
  enter("thing", "thing");
  enter("keeps", "keeps");
  enter("keepf", "keepf");
  enter("loads", "loads");
  enter("thread", "thread");
  enter("laps", "laps");
  enter("_libx", "module");
  enter("_LIB", "module");
  enter("_k", "module");
  char longer[301] = "";
  for (int i = 0; i < 30; ++i) strcat(longer, "a_long_one");
  enter(longer, "module");
  if (API(ErrorCreateWithCauseAndExtraContext) &&
      API(FunctionCreate)(NULL, load_kind, NULL, &extra) != 0)
    return 3;
  payload_path = argv[2];
  handle = fence(argv[2]);
  context = dlsym(handle, "__tvm_ffi__library_ctx");
  symbol = dlsym(handle, "__conform_first");
  Register *fill = (Register *)dlsym(runtime, "TVMFFIEnvModRegisterContextSymbol");
  if (fill("__conform_first", &alive) != 0) return 3;
  setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2});  // seconds; what takes longer hangs
#if MEMORY
  setrlimit(RLIMIT_AS, &(struct rlimit){1 << 30, 1 << 30});
  memset(&memory, 0, sizeof memory);
#endif
  quiet = 1;
  for (size_t i = 0; i < sizeof before / sizeof before[0] - 1; ++i) {
    show(before[i].bytes, before[i].size);
    for (int times = before[i].times; times; --times) load(argv[2]);
  }
  if (before[0].size) show(bytes_of_payload, sizeof bytes_of_payload);
  quiet = modules = calls = kept_count = given_count = 0;
  name_modules(made);
  if (ROOMY) payload_entry()->st_size += 64;
#if SHORT
  int first = made;
#endif
  int came = load(argv[2]);
#if SHORT
  take_apart(first);
  made = first;
  if (!bears_refusals(argv[2])) came = -1;
#endif
  if (SLOT) {
    modules = 0;
    API(ErrorSetRaisedFromCStr)("FuzzError", "left by a load before");
    came = load(argv[2]);
    quiet = 1;
    if (came > 0 && !take_error()) came = -1;
    quiet = 0;
  }
  if (TOLD) came = load(argv[2]) < 0 ? -1 : came;
  if (REPLACED) {
    replaced = 1;
    enter("k", "another module");
    enter("conform_module_of_a_long_kind", "another module");
    modules = 0;
    came = load(argv[2]);
  }
  int wrong = odd;
  if (HELD) wrong |= holds_loaders(argv[2]);
  if (LATER) {
    enter("stranger", "module");
    wrong |= load(argv[2]) <= 0;
  }
  wrong |= DUE_EITHER ? came < 0 : came != DUE_LOAD;
  if (came > 0 && DUE_LOAD && modules != DUE_MODULES) wrong = 1;
  if (came <= 0) printf("%d calls of loaders; the context is %p\n", calls, *context);
  if (came > 0 && nested_wrong) wrong = 1;
  wrong |= counts_are_wrong();
  if (CONTEXT && came <= 0 && *context) wrong = 1;
  if (IN_PART && came <= 0 && calls) wrong = 1;
  quiet = REPEAT;
  int before = made;
  for (int i = 0; REPEAT && i < 3; ++i) {
    before = made;
    load(argv[2]);
  }
  if (REPEAT) make_modules(made - before);
  long pages = pages_mapped();
  size_t held = mallinfo2().uordblks;
  if (REPEAT) load_again_and_again(argv[2]);
  if (REPEAT)
    printf("%zd bytes more are held, %ld pages more are mapped\n",
           (ssize_t)(mallinfo2().uordblks - held), pages_mapped() - pages);
  if (REPEAT &&
      (mallinfo2().uordblks >= held + 16 * ROUNDS + SPARE || pages_mapped() >= pages + 100))
    wrong = 1;
  if (OPEN && dlclose(handle) == 0 && dlopen(argv[2], RTLD_NOW | RTLD_NOLOAD)) {
    printf("the library is still open\n");
    wrong = 1;
  }
  if (KEPT && COUNTS && kept_is_released()) {
    printf("a value that a loader kept is released more often than it was given\n");
    return 1;
  }
  if (KEPT) dlclose(handle);
  for (int i = 0; KEPT && i < kept_count; ++i)
    if (digest_of(&kept[i]) != kept_digest[i]) wrong = 1;
#if MEMORY
  printf("%zu bytes were asked for at once, %ld were held\n", memory.largest, memory.most);
  wrong |= memory.largest > MEMORY || memory.most > MEMORY;
#endif
  printf("%s\n", wrong ? "this is the finding" : "as it should be");
  return wrong;
}
#else
void *__conform_first;
// What the library gives when it is used.
int __tvm_ffi_self(void *self, const void *args, int num_args, void *result)
{
  (void)self, (void)args, (void)num_args;
  *(int *)result = 1;  // an integer
  ((long long *)result)[1] = 100;
  return 0;
}
#endif
