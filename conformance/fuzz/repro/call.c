// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

static void *runtime;
#define API(name) ((__typeof__(&TVMFFI##name))dlsym(runtime, "TVMFFI" #name))

static int wrong, quiet;

static void expect(int promise, const char *words)
{
  if (promise) return;
  if (!quiet) printf("not so: %s\n", words);
  wrong = 1;
}

// The bytes, read-only, at the end of a page; the next one can't be touched.
static const void *fenced(const void *bytes, size_t size)
{
  enum { PLACES = 512 };
  static char *places[PLACES];
  static unsigned next;
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page) / page * page;
  char **place = &places[next++ % PLACES];
  if (*place) munmap(*place, 0x20000);
  *place = mmap(NULL, 0x20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(*place + room - size, bytes, size);
  mprotect(*place, room, PROT_READ);
  mprotect(*place + room, 0x20000 - room, PROT_NONE);
  return *place + room - size;
}

static const void *body_of(TVMFFIObjectHandle object)
{
  return (const char *)object + sizeof(TVMFFIObject);
}

// The low half of the counter is that of strong references, the high one that of weak ones.
static unsigned strong_count(TVMFFIObjectHandle object)
{
  uint32_t count;
  memcpy(&count, object, sizeof count);
  return count;
}

static int same_text(TVMFFIByteArray text, const char *data, size_t size)
{
  return text.size == size && (size == 0 || memcmp(text.data, data, size) == 0) &&
         text.data[size] == 0;
}

// Whether a value is the string (or the bytes) with this content, in the form that its size asks
// for; `object` wants an object at any size.
static int is_content(const TVMFFIAny *value, int bytes, int object, const char *data, size_t size)
{
  char due[8] = {0};
  if (size > 7 || object)
    return value->type_index == kTVMFFIStr + bytes && value->zero_padding == 0 &&
           strong_count(value->v_obj) == 1 &&
           same_text(*(const TVMFFIByteArray *)body_of(value->v_obj), data, size);
  memcpy(due, data, size);
  return value->type_index == kTVMFFISmallStr + bytes && value->small_str_len == size &&
         memcmp(value->v_bytes, due, 8) == 0;
}

static void release(TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj)
    API(ObjectDecRef)(value->v_obj);
  value->type_index = kTVMFFINone;
}

// Whether a call was refused (code) as it should be: 1, or accepted: 0. An error has to have a kind
// (`due`, if that is not NULL) and a message.
static int refused(int code, const char *due)
{
  TVMFFIObjectHandle error = NULL;
  if (code == 0) return 0;
  API(ErrorMoveFromRaised)(&error);
  expect(error != NULL, "a refusal raises an error");
  if (!error) return 1;
  const TVMFFIErrorCell *cell = body_of(error);
  if (!quiet)
    printf("refused: %.*s: %.*s\n", (int)cell->kind.size, cell->kind.data,
           (int)(cell->message.size < 200 ? cell->message.size : 200), cell->message.data);
  expect(cell->kind.size && cell->message.size, "the error has a kind and a message");
  if (due) expect(same_text(cell->kind, due, strlen(due)), "the error is of the kind that is due");
  API(ObjectDecRef)(error);
  return 1;
}

// Whether a tensor is the one that was given, and has these strides (NULL: any).
static int same_tensor(const DLTensor *tensor, const DLTensor *given, const int64_t *strides)
{
  size_t size = (size_t)given->ndim * sizeof(int64_t);
  return tensor->data == given->data && tensor->ndim == given->ndim &&
         tensor->device.device_type == given->device.device_type &&
         tensor->device.device_id == given->device.device_id &&
         memcmp(&tensor->dtype, &given->dtype, sizeof given->dtype) == 0 &&
         tensor->byte_offset == given->byte_offset &&
         (size == 0 || (tensor->strides && memcmp(tensor->shape, given->shape, size) == 0 &&
                        (!strides || memcmp(tensor->strides, strides, size) == 0)));
}

static int deletions;

static void count_deletion(void *self)
{
  (void)self;
  ++deletions;
}

static TVMFFIAny garbage(void)
{
  TVMFFIAny value;
  memset(&value, 0xa5, sizeof value);
  value.type_index = kTVMFFINone;
  return value;
}

// The custom data types that are known: asked for by name, and by code.
static int custom_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray name = {args[0].v_bytes, args[0].small_str_len};
  unsigned sum = 0;
  (void)self, (void)num_args;
  if (args[0].type_index == kTVMFFIRawStr)
    name = (TVMFFIByteArray){args[0].v_c_str, strlen(args[0].v_c_str)};
  if (args[0].type_index == kTVMFFIStr) name = *(const TVMFFIByteArray *)body_of(args[0].v_obj);
  if (name.size >= 4 && memcmp(name.data, "fail", 4) == 0) {
    API(ErrorSetRaisedFromCStr)("FuzzError", "the function had to fail");
    return -1;
  }
  for (size_t i = 0; i < name.size; ++i) sum = 31 * sum + (unsigned char)name.data[i];
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  result->v_int64 = 129 + sum % 127;
  return 0;
}

static int custom_name(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)num_args;
  if (args[0].v_int64 == 255) {
    API(ErrorSetRaisedFromCStr)("FuzzError", "the function had to fail");
    return -1;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 2};
  result->v_bytes[0] = 'n';
  result->v_bytes[1] = (char)('a' + args[0].v_int64 % 26);
  return 0;
}

static void enter(const char *name, TVMFFISafeCallType function)
{
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle handle = NULL;
  if (API(FunctionCreate)(NULL, function, NULL, &handle) != 0 ||
      API(FunctionSetGlobal)(&bytes, handle, 1) != 0)
    exit(3);
  API(ObjectDecRef)(handle);
}

static void before(void);
static void check(void);

int main(int argc, char **argv)
{
  if (argc < 2 || !(runtime = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))) {
    fprintf(stderr, "usage: %s RUNTIME.so\n%s\n", argv[0], argc >= 2 ? dlerror() : "");
    return 3;
  }
  setvbuf(stdout, NULL, _IONBF, 0);
  enter("dtype.get_custom_type_code", custom_code);
  enter("dtype.get_custom_type_name", custom_name);
  alarm(20);  // what takes longer hangs
  setrlimit(RLIMIT_AS, &(struct rlimit){1 << 30, 1 << 30});
#if MEMORY
  memset(&memory, 0, sizeof memory);
#endif
  // What comes of the inputs before is not what is looked at.
  quiet = 1;
  before();
  quiet = wrong = 0;
  check();
  quiet = REPEAT;
  for (int i = 0; REPEAT && i < 100; ++i) check();
  size_t held = mallinfo2().uordblks;
  for (int i = 0; REPEAT && i < 100; ++i) check();
  if (REPEAT) printf("%zd bytes more are held\n", (ssize_t)(mallinfo2().uordblks - held));
  if (REPEAT && mallinfo2().uordblks >= held + 1600) wrong = 1;
#if MEMORY
  printf("%zu bytes were asked for at once, %ld were held\n", memory.largest, memory.most);
  wrong |= memory.largest > MEMORY || memory.most > MEMORY;
#endif
  printf("%s\n", wrong ? "this is the finding" : "as it should be");
  return wrong;
}
