// SPDX-License-Identifier: Apache-2.0
// Loads a module with one payload of embedded modules after the other, each in a process of its
// own, and tells what became of it. Exit code 1 if one is loaded that is malformed or not loaded that
// is sound, or if a process crashes or takes 64 MiB more than the first.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

// What follows the size of the payload: "n NUMBER", "t TEXT", or "s TEXT" behind its length.
typedef struct Payload {
  const char *name;
  const char *what;
  int sound;
} Payload;

static const Payload payloads[] = {
    {"a sound tree", "n 3 n 0 n 1 n 1 n 1 n 1 s _lib s k s one", 1},
    {"a value without bytes", "n 3 n 0 n 1 n 1 n 1 n 1 s _lib s k n 0", 1},
    {"a count of 2^25 rows", "n 33554432 n 0 n 1", 0},
    {"a single row", "n 1 n 0 n 0", 0},
    {"a first row of 1", "n 3 n 1 n 1 n 1 n 1 n 1 s _lib s k s one", 0},
    {"rows that fall", "n 3 n 0 n 1 n 0 n 1 n 1 s _lib s k s one", 0},
    {"a module that imports itself", "n 3 n 0 n 1 n 1 n 1 n 0 s _lib s k s one", 0},
    {"a value cut short", "n 3 n 0 n 1 n 1 n 1 n 1 s _lib s k n 9 t one", 0},
};

#ifdef MODULE

__attribute__((visibility("default"))) char __tvm_ffi__library_bin[256];

static void put_number(char **end, uint64_t number)
{
  for (int i = 0; i < 8; ++i) *(*end)++ = (char)(number >> 8 * i);
}

static void put_text(char **end, const char *text)
{
  memcpy(*end, text, strlen(text));
  *end += strlen(text);
}

// Before the runtime reads it.
__attribute__((constructor)) static void write_payload(void)
{
  char pieces[128], *end = __tvm_ffi__library_bin + 8, *start = __tvm_ffi__library_bin;
  strcpy(pieces, payloads[atoi(getenv("PAYLOAD"))].what);
  for (char *kind = strtok(pieces, " "); kind; kind = strtok(NULL, " ")) {
    const char *piece = strtok(NULL, " ");
    if (*kind == 's') put_number(&end, strlen(piece));
    *kind == 'n' ? put_number(&end, strtoull(piece, NULL, 10)) : put_text(&end, piece);
  }
  put_number(&start, (uint64_t)(end - __tvm_ffi__library_bin - 8));
}

#else

static int call(const char *name, const char *argument, TVMFFIAny *result)
{
  const TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIAny path = {.type_index = kTVMFFIRawStr, .v_c_str = argument};
  TVMFFIObjectHandle function;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  if (TVMFFIFunctionGetGlobal(&text, &function) || !function) _exit(2);
  return TVMFFIFunctionCall(function, &path, 1, result);
}

// Any module will do.
static int load_k(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self, (void)args, (void)count;
  return call("ffi.SystemLib", "k", result);
}

static int load(const char *path)
{
  const TVMFFIByteArray name = {"ffi.Module.load_from_bytes.k", 28};
  TVMFFIObjectHandle loader;
  TVMFFIAny module;
  if (TVMFFIFunctionCreate(NULL, load_k, NULL, &loader)) return 2;
  if (TVMFFIFunctionSetGlobal(&name, loader, 0)) return 2;
  return call("ffi.ModuleLoadFromFile", path, &module) ? 1 : 0;
}

int main(int count, char **arguments)
{
  if (count != 2) return 2;
  int wrong = 0;
  long least = 0;
  for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; ++i) {
    char number[8];
    snprintf(number, sizeof number, "%zu", i);
    setenv("PAYLOAD", number, 1);
    const pid_t child = fork();
    if (child == 0) _exit(load(arguments[1]));
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 2;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code > 1) return 2;
    if (i == 0) least = usage.ru_maxrss;
    const long kib = usage.ru_maxrss > least ? usage.ru_maxrss - least : 0;
    const int bad = code != !payloads[i].sound || kib > 65536;
    wrong |= bad;
    printf("%-29s %-8s %7ld KiB%s\n", payloads[i].name,
           code == 0   ? "loaded"
           : code == 1 ? "refused"
                       : "crashed",
           kib, bad ? "  wrong" : "");
  }
  return wrong;
}

#endif
