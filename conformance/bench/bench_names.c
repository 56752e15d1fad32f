// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int do_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static bool make_names(BenchNames *names, char label)
{
  size_t total = 2 * (size_t)BENCH_NAMES_MAX;
  if (names->text) return true;
  names->text = calloc(total, sizeof *names->text);
  names->bytes = calloc(total, sizeof *names->bytes);
  if (!names->text || !names->bytes) return false;
  for (size_t i = 0; i < total; ++i) {
    int length = snprintf(names->text[i], BENCH_NAME_SIZE, "bench.%c.%s.%06zu", label,
                          i < BENCH_NAMES_MAX ? "function" : "absent", i % BENCH_NAMES_MAX);
    names->bytes[i] = (TVMFFIByteArray){names->text[i], (size_t)length};
  }
  return true;
}

bool bench_names_register(BenchNames *names, const Iut *iut, char label, size_t count)
{
  if (count > BENCH_NAMES_MAX || !make_names(names, label)) return false;
  for (; names->registered < count; ++names->registered) {
    TVMFFIObjectHandle function = NULL;
    if (iut->FunctionCreate(NULL, do_nothing, NULL, &function) != 0) return false;
    int status = iut->FunctionSetGlobal(&names->bytes[names->registered], function, 1);
    iut->ObjectDecRef(function);
    if (status != 0) return false;
  }
  return true;
}

const TVMFFIByteArray *bench_names_absent(const BenchNames *names)
{
  return names->bytes + BENCH_NAMES_MAX;
}

void bench_names_free(BenchNames *names)
{
  free(names->text);
  free(names->bytes);
  memset(names, 0, sizeof *names);
}
