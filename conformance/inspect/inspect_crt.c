// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_crt.h"

#include <string.h>
#include <strings.h>

static bool begins(BinaryText name, const char *with)
{
  return name.size >= strlen(with) && strncasecmp(name.data, with, strlen(with)) == 0;
}

// The length of the number behind the first `at` bytes: "120" of "msvcr120.dll".
static size_t digits(BinaryText name, size_t at)
{
  size_t count = 0;
  while (at + count < name.size && name.data[at + count] >= '0' && name.data[at + count] <= '9') {
    ++count;
  }
  return count;
}

// "vcruntime140d.dll", "msvcp140_1d.dll": a d before the dot.
static bool is_debug(BinaryText name)
{
  const char *dot = binary_text_find(name, '.');
  if (!dot || dot == name.data) return false;
  if (dot[-1] != 'd' && dot[-1] != 'D') return false;
  if (begins(name, "ucrtbased.")) return true;
  return (begins(name, "vcruntime") && digits(name, 9) > 0) ||
         (begins(name, "msvcp") && digits(name, 5) > 0) ||
         (begins(name, "msvcr") && (digits(name, 5) > 0 || begins(name, "msvcrtd.")));
}

static void note(BinaryText *where, BinaryText name)
{
  if (where->size == 0) *where = name;
}

static void note_library(BinaryText name, InspectCrt *crt)
{
  if (is_debug(name)) note(&crt->debug, name);
  if (begins(name, "vcruntime")) {
    note(&crt->compiler, name);
  } else if (begins(name, "msvcp") || begins(name, "libstdc++") || begins(name, "libc++")) {
    note(&crt->cxx, name);
  } else if (begins(name, "ucrtbase") || begins(name, "api-ms-win-crt-")) {
    note(&crt->universal, name);
  } else if (begins(name, "msvcrt.") || begins(name, "msvcrtd.") ||
             (begins(name, "msvcr") && digits(name, 5) > 0)) {
    note(&crt->old, name);
  }
}

void inspect_crt_read(const PeFile *pe, InspectCrt *crt)
{
  *crt = (InspectCrt){.compiler = {"", 0}};
  for (size_t i = 0; i < pe->library_count; ++i) note_library(pe->libraries[i].name, crt);
}

bool inspect_crt_is_static(const InspectCrt *crt)
{
  return crt->compiler.size == 0 && crt->universal.size == 0 && crt->old.size == 0;
}
