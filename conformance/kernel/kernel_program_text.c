// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_program_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// --- Text ----------------------------------------------------------------------------------------

void program_say(ProgramText *text, const char *format, ...)
{
  size_t room = sizeof text->bytes - text->size;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text->bytes + text->size, room, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= room)
    text->full = true;
  else
    text->size += (size_t)length;
}

void program_say_comment(ProgramText *text, const char *words)
{
  for (; *words; ++words) {
    unsigned char c = (unsigned char)*words;
    // A backslash may continue the line, or two question marks stand for one.
    program_say(text, "%c", c < 0x20 || c > 0x7e || c == '\\' || c == '?' ? '_' : c);
  }
}

void program_say_string(ProgramText *text, const char *bytes, size_t size)
{
  program_say(text, "\"");
  for (size_t i = 0; i < size; ++i) {
    unsigned char c = (unsigned char)bytes[i];
    bool plain = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\' && c != '?';
    program_say(text, plain ? "%c" : "\\%03o", c);
  }
  program_say(text, "\"");
}

void program_say_numbers(ProgramText *text, const int64_t *numbers, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (numbers[i] == INT64_MIN)
      program_say(text, "%sINT64_MIN", i ? ", " : "");
    else
      program_say(text, "%s%" PRId64, i ? ", " : "", numbers[i]);
}

void program_say_bytes(ProgramText *text, const unsigned char *bytes, size_t size)
{
  for (size_t i = 0; i < size; ++i) program_say(text, "%s0x%02x", i ? ", " : "", bytes[i]);
}

// --- What every program begins with --------------------------------------------------------------

static const char head[] =
    "#define _GNU_SOURCE\n"
    "#include <dlfcn.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <string.h>\n"
    "#include <sys/mman.h>\n"
    "#include <tvm/ffi/c_api.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "#define HELPER __attribute__((unused)) static\n"
    "static void *runtime;\n"
    "#define RUNTIME(name) ((__typeof__(name) *)dlsym(runtime, #name))\n"
    "\n"
    "// Address space that any access to ends the process, as memory of a device would.\n"
    "HELPER char *nowhere(size_t size)\n"
    "{\n"
    "  return mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
    "}\n"
    "\n"
    "// A copy of `size` bytes (NULL: of bytes 0xA5) between two unmapped pages, ending at the "
    "second.\n"
    "HELPER void *guarded(const void *from, size_t size)\n"
    "{\n"
    "  size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;\n"
    "  char *at = nowhere(inner + 2 * page) + page;\n"
    "  mprotect(at, inner, PROT_READ | PROT_WRITE);\n"
    "  memset(at, 0xA5, inner);\n"
    "  at += inner - size;\n"
    "  return from ? memcpy(at, from, size) : at;\n"
    "}\n"
    "\n"
    "// The same memory, read-only from here on.\n"
    "HELPER void *lock(void *at, size_t size)\n"
    "{\n"
    "  size_t before = (uintptr_t)at %% (size_t)sysconf(_SC_PAGESIZE);\n"
    "  mprotect((char *)at - before, before + size, PROT_READ);\n"
    "  return at;\n"
    "}\n"
    "\n"
    "HELPER void *fenced(const void *from, size_t size)\n"
    "{\n"
    "  return lock(guarded(from, size), size);\n"
    "}\n"
    "\n"
    "// Where element `i` of a tensor is, counted in elements from the first.\n"
    "HELPER int64_t place(int64_t i, int rank, const int64_t *shape, const int64_t *strides)\n"
    "{\n"
    "  int64_t at = 0;\n"
    "  for (; rank-- > 0; i /= shape[rank]) at += i %% shape[rank] * strides[rank];\n"
    "  return at;\n"
    "}\n"
    "\n"
    "HELPER void keep(void *self, int flags)\n"
    "{\n"
    "  (void)self;\n"
    "  (void)flags;\n"
    "}\n"
    "\n"
    "// An object of this type index with one reference, that nobody made but this program.\n"
    "HELPER void *object(int32_t type_index, const void *body, size_t size)\n"
    "{\n"
    "  static struct {\n"
    "    TVMFFIObject header;\n"
    "    char body[64];\n"
    "  } objects[64];\n"
    "  static int count;\n"
    "  TVMFFIObject *made = &objects[count].header;\n"
    "  made->type_index = type_index;\n"
    "  made->deleter = keep;\n"
    "%s"
    "  memset(objects[count].body, 0x5A, 64);\n"
    "  memcpy(objects[count++].body, body, size);\n"
    "  return made;\n"
    "}\n"
    "\n"
    "HELPER void forget(DLManagedTensor *managed)\n"
    "{\n"
    "  (void)managed;\n"
    "}\n"
    "\n"
    "HELPER int callee(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)\n"
    "{\n"
    "  (void)self, (void)args, (void)count, (void)result;\n"
    "  return 0;\n"
    "}\n"
    "\n";

void program_say_head(ProgramText *text, bool generation_2025_09)
{
  if (generation_2025_09) program_say(text, "#define TVM_FFI_GENERATION_2025_09\n");
  program_say(text, head,
              generation_2025_09 ? "  made->strong_ref_count = made->weak_ref_count = 1;\n"
                                 : "  made->combined_ref_count = 1 | (uint64_t)1 << 32;\n");
}

// --- Memory and elements -------------------------------------------------------------------------

bool program_read(void *to, const void *from, size_t size)
{
  struct iovec local = {to, size}, remote;
  memcpy(&remote.iov_base, &from, sizeof from);
  remote.iov_len = size;
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

const char *program_element_type(DLDataType dtype)
{
  static const struct {
    uint8_t code, bits;
    const char *name;
  } types[] = {
      {kDLFloat, 32, "float"},   {kDLFloat, 64, "double"},  {kDLInt, 8, "int8_t"},
      {kDLInt, 16, "int16_t"},   {kDLInt, 32, "int32_t"},   {kDLInt, 64, "int64_t"},
      {kDLUInt, 8, "uint8_t"},   {kDLUInt, 16, "uint16_t"}, {kDLUInt, 32, "uint32_t"},
      {kDLUInt, 64, "uint64_t"}, {kDLBool, 8, "uint8_t"},
  };
  for (size_t i = 0; dtype.lanes == 1 && i < sizeof types / sizeof *types; ++i)
    if (types[i].code == dtype.code && types[i].bits == dtype.bits) return types[i].name;
  return NULL;
}
