// SPDX-License-Identifier: Apache-2.0
// A program that treats itself badly, and lives without the layer.
//
//   trace_hostile RUNTIME.so NAME
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/abi.h"

enum { PAGE = 4096 };

static AbiApi api;

static void load(const char *path)
{
  void *runtime = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!runtime) exit(70);
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&api)[i] = dlsym(runtime, abi_functions[i].symbol);
}

static int take_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

// All functions have the same deleter and the same data, whatever thread ends them.
static void end_of_function(void *self)
{
  if (self) abort();
}

static TVMFFIObject *make(TVMFFISafeCallType code)
{
  TVMFFIObjectHandle function = NULL;
  if (api.FunctionCreate(NULL, code, end_of_function, &function) != 0) exit(71);
  return function;
}

static int call(TVMFFIObject *function, TVMFFIAny *args, int32_t num_args)
{
  TVMFFIAny result = {0};
  return api.FunctionCall(function, args, num_args, &result);
}

// A mistake, so that there is something to report after whatever has happened.
__attribute__((noinline)) static void make_mistake(void)
{
  TVMFFIObject *function = make(take_anything);
  TVMFFIAny argument = {.type_index = kTVMFFIInt, .zero_padding = 1};
  call(function, &argument, 1);
  api.ObjectDecRef(function);
}

// --- Memory --------------------------------------------------------------------------------------

static void keep(void *self, int flags)
{
  (void)self, (void)flags;
}

static void *new_page(void)
{
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) exit(72);
  return page;
}

// An object at the end of a page, of which no byte more is there.
static TVMFFIObject *object_in(char *page)
{
  TVMFFIObject *object = (TVMFFIObject *)(void *)(page + PAGE - sizeof(TVMFFIObject));
  *object = (TVMFFIObject){
      .combined_ref_count = UINT64_C(0x100000001), .type_index = kTVMFFIFunction, .deleter = keep};
  return object;
}

static void memory(void)
{
  TVMFFIObject *function = make(take_anything);
  char *pages[4];
  for (int i = 0; i < 4; ++i) {
    pages[i] = new_page();
    TVMFFIAny argument = {.type_index = i < 2 ? kTVMFFIObject : kTVMFFIFunction,
                          .v_obj = object_in(pages[i])};
    if (i < 2) argument.v_obj->type_index = kTVMFFIObject;
    if (i == 1) mprotect(pages[i], PAGE, PROT_READ);
    call(function, &argument, 1);
    if (i == 2) mprotect(pages[i], PAGE, PROT_NONE);
    if (i != 2) munmap(pages[i], PAGE);
    call(function, &argument, 1);
    api.ObjectIncRef(NULL);
  }
  api.ObjectDecRef(function);
}

static void values(void)
{
  TVMFFIObject *function = make(take_anything);
  for (int32_t type = -3; type < 140; ++type)
    for (uint64_t payload = 0; payload < 5; ++payload) {
      static const uint64_t payloads[] = {0, 1, 0x1001, UINT64_MAX, UINT64_MAX - 7};
      TVMFFIAny argument = {.type_index = type, .zero_padding = 99, .v_uint64 = payloads[payload]};
      call(function, &argument, 1);
    }
  // More arguments than there are, in all the memory behind.
  char *page = new_page();
  call(function, (TVMFFIAny *)(void *)(page + PAGE - sizeof(TVMFFIAny)), 1 << 30);
  DLTensor tensor = {.data = page,
                     .ndim = INT32_MAX,
                     .shape = (int64_t *)(void *)page,
                     .dtype = {200, 255, UINT16_MAX}};
  TVMFFIAny argument = {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &tensor};
  call(function, &argument, 1);
  api.ObjectDecRef(function);
}

// --- Ways out of a call --------------------------------------------------------------------------

static jmp_buf back;
static TVMFFIObject *within;

static int jump(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  longjmp(back, 1);
}

static int jump_from_within(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return call(within, NULL, 0);
}

static void jumps(void)
{
  within = make(jump);
  TVMFFIObject *outer = make(jump_from_within);
  for (volatile int i = 0; i < 300; ++i)
    if (setjmp(back) == 0) call(outer, NULL, 0);
  make_mistake();
}

static int end_thread(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  pthread_exit(NULL);
}

static void *call_it(void *function)
{
  call(function, NULL, 0);
  return NULL;
}

static void threads(void)
{
  TVMFFIObject *ends = make(end_thread), *returns = make(take_anything);
  for (int i = 0; i < 100; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_it, i % 2 ? ends : returns) != 0) exit(73);
    pthread_join(thread, NULL);
  }
}

// More threads than have a place of their own, all at once.
enum { CROWD = 40, CROWD_CALLS = 100 };
static pthread_barrier_t everybody;

static void *call_often(void *function)
{
  pthread_barrier_wait(&everybody);
  for (int i = 0; i < CROWD_CALLS; ++i) call(function, NULL, 0);
  pthread_barrier_wait(&everybody);
  return NULL;
}

static void crowd(void)
{
  TVMFFIObject *function = make(take_anything);
  pthread_t threads_of_it[CROWD];
  pthread_barrier_init(&everybody, NULL, CROWD);
  for (int i = 0; i < CROWD; ++i)
    if (pthread_create(&threads_of_it[i], NULL, call_often, function) != 0) exit(73);
  for (int i = 0; i < CROWD; ++i) pthread_join(threads_of_it[i], NULL);
  api.ObjectDecRef(function);
}

// So many that some threads have no place of their own while all are inside of calls.
enum { THRONG = 150 };

static int meet(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  pthread_barrier_wait(&everybody);
  make_mistake();
  pthread_barrier_wait(&everybody);
  return 0;
}

static void throng(void)
{
  TVMFFIObject *function = make(meet);
  pthread_t threads_of_it[THRONG];
  pthread_barrier_init(&everybody, NULL, THRONG);
  for (int i = 0; i < THRONG; ++i)
    if (pthread_create(&threads_of_it[i], NULL, call_it, function) != 0) exit(73);
  for (int i = 0; i < THRONG; ++i) pthread_join(threads_of_it[i], NULL);
  api.ObjectDecRef(function);
}

static int raise_it(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return raise(SIGUSR1);
}

static void on_signal(int number)
{
  (void)number;
  make_mistake();
}

static void signals(void)
{
  signal(SIGUSR1, on_signal);
  TVMFFIObject *function = make(raise_it);
  call(function, NULL, 0);
  api.ObjectDecRef(function);
}

// --- Processes -----------------------------------------------------------------------------------

static int fork_it(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  if (fork() == 0) {
    make_mistake();
    _exit(0);
  }
  return 0;
}

static void processes(void)
{
  TVMFFIObject *function = make(fork_it);
  for (int i = 0; i < 5; ++i) call(function, NULL, 0);
  while (wait(NULL) > 0) continue;
  api.ObjectDecRef(function);
}

static void libraries(const char *path, int times)
{
  for (int i = 0; i < times; ++i) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) dlclose(library);
  }
}

// Objects come and go in some threads, while others of them load libraries and start processes.
enum { STORM = 6, STORM_ROUNDS = 60 };
static TVMFFIObject *shared, *fork_it_function;

static int fail(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  api.ErrorSetRaisedFromCStr("ValueError", "as planned");
  return -1;
}

static void churn(int round)
{
  TVMFFIObject *own = make(round % 2 ? fail : take_anything);
  TVMFFIAny args[] = {{.type_index = kTVMFFIFunction, .v_obj = shared},
                      {.type_index = kTVMFFIFunction, .v_obj = own}};
  TVMFFIObjectHandle error = NULL;
  TVMFFIAny text = {.type_index = kTVMFFINone};
  TVMFFIByteArray letters = {"more than seven letters", 23};
  char name[16];
  TVMFFIByteArray key = {name, (size_t)snprintf(name, sizeof name, "storm.%d", round % 5)};
  call(shared, args, 2);
  api.ObjectIncRef(shared);
  if (call(own, args, 1) != 0) api.ErrorMoveFromRaised(&error);
  if (error) api.ObjectDecRef(error);
  if (api.StringFromByteArray(&letters, &text) == 0) {
    call(shared, &text, 1);
    api.ObjectDecRef(text.v_obj);
  }
  api.FunctionSetGlobal(&key, own, 1);
  api.ObjectDecRef(shared);
  api.ObjectDecRef(own);
}

static void *storm_of(void *number)
{
  intptr_t mine = (intptr_t)number;
  pthread_barrier_wait(&everybody);
  for (int round = 0; round < STORM_ROUNDS; ++round) {
    churn(round);
    if (mine == 0 && round % 4 == 0) libraries(TRACE_MODULE, 1);
    if (mine == 1 && round % 16 == 0) call(fork_it_function, NULL, 0);
  }
  return NULL;
}

static void storm(void)
{
  pthread_t threads_of_it[STORM];
  shared = make(take_anything);
  fork_it_function = make(fork_it);
  pthread_barrier_init(&everybody, NULL, STORM);
  for (intptr_t i = 0; i < STORM; ++i)
    if (pthread_create(&threads_of_it[i], NULL, storm_of, (void *)i) != 0) exit(73);
  for (int i = 0; i < STORM; ++i) pthread_join(threads_of_it[i], NULL);
  while (wait(NULL) > 0) continue;
}

// --- Ends ----------------------------------------------------------------------------------------

static int leave(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  _exit(7);
}

__attribute__((noinline)) static int overflow(void *self, const TVMFFIAny *args, int32_t num_args,
                                              TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  volatile char room[1000];
  room[0] = 1;
  return call(within, NULL, 0) + room[0];
}

// --- Traces --------------------------------------------------------------------------------------

// As a traceback of an error has them.
static void print_frames(void *self)
{
  (void)self;
  const TVMFFIByteArray *frames = api.Backtrace(NULL, 0, NULL, 1);
  printf("%.*s--\n", (int)frames->size, frames->data);
}

static int tell_frames(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args, (void)result;
  print_frames(self);
  return 0;
}

static int call_in_place(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self;
  int code = ((TVMFFIFunctionCell *)(within + 1))->safe_call(within, args, num_args, result);
  print_frames(NULL);
  return code;
}

// What was called, in each of the ways to be called.
static void frames(void)
{
  TVMFFIObject *outer = make(call_in_place);
  TVMFFIObjectHandle dying = NULL;
  within = make(tell_frames);
  call(within, NULL, 0);
  call(outer, NULL, 0);
  if (api.FunctionCreate(NULL, take_anything, print_frames, &dying) != 0) exit(71);
  api.ObjectDecRef(dying);
  api.ObjectDecRef(outer);
  api.ObjectDecRef(within);
}

__attribute__((noinline)) static void leak(int times)
{
  TVMFFIObjectHandle leaked;
  for (int i = 0; i < times; ++i) api.FunctionCreate(NULL, take_anything, NULL, &leaked);
}

int main(int argc, char **argv)
{
  if (argc < 3) return 64;
  load(argv[1]);
  const char *name = argv[2];
  if (strcmp(name, "throng") == 0) {
    throng();
    return 0;
  }
  if (strcmp(name, "leaks") == 0) {
    api.ObjectDecRef(make(fail));
    leak(5);
    return 0;
  }
  if (strcmp(name, "frames") == 0) {
    frames();
    return 0;
  }
  if (strcmp(name, "crowd") == 0 || strcmp(name, "storm") == 0) {
    (name[0] == 'c' ? crowd : storm)();
    return 0;
  }
  if (strcmp(name, "lives") == 0) {
    memory();
    values();
    jumps();
    threads();
    signals();
    processes();
    libraries(TRACE_MODULE, 20);
    libraries(TRACE_RUNTIME, 20);
    puts("end");
    fflush(stdout);
    for (int i = 0; i < 1024; ++i) close(i);
    make_mistake();
    return 5;
  }
  if (strcmp(name, "exits") == 0) {
    load(TRACE_RUNTIME);
    api.GetTypeInfo(1 << 20);
  }
  make_mistake();
  within = make(strcmp(name, "leaves") == 0 ? leave : overflow);
  call(within, NULL, 0);
  return 0;
}
