// SPDX-License-Identifier: Apache-2.0
// Writes to stdout, from the table of the C API, the functions that stand between a caller and a
// runtime: each counts the call, then hands it to a hook or to the runtime. Run by the build.
//
//   tvmffi-hooks-generate observer      the functions that the observer exports, in the place of a
//                                       runtime
//   tvmffi-hooks-generate layer-header  the type of the validation layer's hooks
//   tvmffi-hooks-generate preload       the functions that bring calls to the layer where LD_AUDIT is not there
//   tvmffi-hooks-generate layer         the layer's functions: a set for each runtime of a process
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "abi/abi.h"
#include "layer/link.h"

typedef struct Row {
  const char *result, *name, *parameters;
} Row;

static const Row rows[] = {
#define ABI_FUNCTION(chapter, since, result, name, parameters) {#result, #name, #parameters},
#include "abi/functions.def"
};

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// The name of a parameter: behind "(*" where it is a pointer to a function, else the last word.
static void write_name(const char *parameter, size_t size)
{
  const char *star = NULL, *end = parameter + size;
  for (const char *c = parameter; c + 1 < end && !star; ++c)
    if (c[0] == '(' && c[1] == '*') star = c + 2;
  if (star) {
    end = star;
    while (is_word(*end)) ++end;
  } else {
    while (end > parameter && !is_word(end[-1])) --end;
    star = end;
    while (star > parameter && is_word(star[-1])) --star;
  }
  printf("%.*s", (int)(end - star), star);
}

// "a, b)" for "(int a, void (*b)(int c))".
static void write_arguments_bare(const char *parameters)
{
  const char *from = parameters + 1, *end = parameters + strlen(parameters) - 1;
  int depth = 0;
  for (const char *c = from; strcmp(parameters, "(void)") != 0 && c <= end; ++c) {
    if (c == end || (*c == ',' && depth == 0)) {
      write_name(from, (size_t)(c - from));
      if (c < end) printf(", ");
      from = c + 1;
    }
    depth += (*c == '(') - (*c == ')');
  }
  printf(")");
}

static void write_arguments(const char *parameters)
{
  printf("(");
  write_arguments_bare(parameters);
}

static bool gives(const Row *row)
{
  return strcmp(row->result, "void") != 0;
}

static bool takes_nothing(const Row *row)
{
  return strcmp(row->parameters, "(void)") == 0;
}

static void write_observer(void)
{
  printf("#include \"observe/observe.h\"\n");
  for (const Row *row = rows; row < rows + ABI_FUNCTION_COUNT; ++row) {
    printf("\n__attribute__((visibility(\"default\"))) %s TVMFFI%s%s\n{\n  observe_enter(FN_%s);\n",
           row->result, row->name, row->parameters, row->name);
    printf("  %s(observe_hooks.%s ? observe_hooks.%s : tvmffi_observer.real.%s)",
           gives(row) ? "return " : "", row->name, row->name, row->name);
    write_arguments(row->parameters);
    printf(";\n}\n");
  }
}

// "(const LayerSite *at, int a)" for "(int a)": a hook is told who called which runtime.
static void write_layer_header(void)
{
  printf("#ifndef LAYER_HOOKS_H_\n#define LAYER_HOOKS_H_\n#include \"layer/site.h\"\n\n");
  for (const Row *row = rows; row < rows + ABI_FUNCTION_COUNT; ++row)
    printf("typedef %s LayerHook_%s(const LayerSite *at%s%s;\n", row->result, row->name,
           takes_nothing(row) ? "" : ", ", takes_nothing(row) ? ")" : row->parameters + 1);
  printf("\ntypedef struct LayerHooks {\n");
  for (const Row *row = rows; row < rows + ABI_FUNCTION_COUNT; ++row)
    printf("  LayerHook_%s *%s;\n", row->name, row->name);
  printf(
      "} LayerHooks;\n\nextern const LayerHooks layer_hooks;\n\n"
      "// Those that are called: others while a recording is made.\n"
      "extern const LayerHooks *layer_hooks_now;\n\n#endif\n");
}

// Two functions: the hook is told in a frame of its own, so that the first one can end with a jump. A
// runtime that counts the frames between a function of its own and whoever called it then sees as
// many as without the layer, where nothing is hooked.
static void write_layer_function(unsigned runtime, const Row *row)
{
  const char *name = row->name, *give = gives(row) ? "return " : "";
  bool nothing = takes_nothing(row);
  printf("\n__attribute__((noinline)) static %s ffi_call_hooked_%u_%s(uintptr_t caller%s%s\n{\n",
         row->result, runtime, name, nothing ? "" : ", ", nothing ? ")" : row->parameters + 1);
  printf("  const LayerSite at = {&tvmffi_layer_link.runtimes[%u], caller, FN_%s};\n", runtime,
         name);
  printf("  layer_count(FN_%s);\n", name);
  printf("  %slayer_hooks_now->%s(&at%s", give, name, nothing ? ")" : ", ");
  if (!nothing) write_arguments_bare(row->parameters);
  printf(";\n}\n");
  printf("\n__attribute__((visibility(\"default\"))) %s " LAYER_FUNCTION_PREFIX "%u_%s%s\n{\n",
         row->result, runtime, name, row->parameters);
  printf("  uintptr_t caller = (uintptr_t)__builtin_return_address(0);\n");
  printf("  LayerRuntime *runtime = &tvmffi_layer_link.runtimes[%u];\n", runtime);
  printf("  bool crosses = site_crosses(runtime, caller);\n");
  printf("  if (crosses && layer_hooks_now->%s) {\n", name);
  printf("    %sffi_call_hooked_%u_%s(caller%s", give, runtime, name, nothing ? ")" : ", ");
  if (!nothing) write_arguments_bare(row->parameters);
  printf(";\n%s  }\n", gives(row) ? "" : "    return;\n");
  printf("  if (crosses) layer_count(FN_%s);\n", name);
  printf("  %sruntime->real.%s", give, name);
  write_arguments(row->parameters);
  printf(";\n}\n");
}

static void write_layer(void)
{
  printf("#include \"layer_hooks.h\"\n");
  for (unsigned runtime = 0; runtime < LAYER_RUNTIMES_MAX; ++runtime)
    for (const Row *row = rows; row < rows + ABI_FUNCTION_COUNT; ++row)
      write_layer_function(runtime, row);
  for (unsigned entry = 0; entry < LAYER_ENTRIES_MAX; ++entry)
    printf(
        "\n__attribute__((visibility(\"default\"))) int " LAYER_ENTRY_PREFIX
        "%u(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)\n"
        "{\n  return ffi_call_entry(%u, (uintptr_t)__builtin_return_address(0), self, args, num_args, result);\n}\n",
        entry, entry);
  for (unsigned field = 0; field < LAYER_FIELDS_MAX; ++field)
    printf(
        "\nstatic int ffi_call_get_%u(void *address, TVMFFIAny *result)\n"
        "{\n  return ffi_call_get(%u, (uintptr_t)__builtin_return_address(0), address, result);\n}\n"
        "\nstatic int ffi_call_set_%u(void *address, const TVMFFIAny *value)\n"
        "{\n  return ffi_call_set(%u, (uintptr_t)__builtin_return_address(0), address, value);\n}\n",
        field, field, field, field);
  printf("\nconst LayerField layer_fields[LAYER_FIELDS_MAX] = {\n");
  for (unsigned field = 0; field < LAYER_FIELDS_MAX; ++field)
    printf("  {ffi_call_get_%u, ffi_call_set_%u},\n", field, field);
  printf("};\n");
}

// Each ends with a jump: what it jumps to sees who called it.
static void write_preload(void)
{
  printf("#include \"audit/preload.h\"\n");
  for (const Row *row = rows; row < rows + ABI_FUNCTION_COUNT; ++row) {
    printf("\n__attribute__((visibility(\"default\"))) %s TVMFFI%s%s\n{\n", row->result, row->name,
           row->parameters);
    printf("  %s(*function)%s;\n", row->result, row->parameters);
    printf(
        "  *(void **)(void *)&function = preload_function(FN_%s, (uintptr_t)__builtin_return_address(0));\n",
        row->name);
    printf("  %sfunction", gives(row) ? "return " : "");
    write_arguments(row->parameters);
    printf(";\n}\n");
  }
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*write)(void);
  } kinds[] = {{"observer", write_observer},
               {"layer-header", write_layer_header},
               {"layer", write_layer},
               {"preload", write_preload}};
  printf("// Generated from conformance/abi/functions.def.\n");
  for (size_t i = 0; argc == 2 && i < sizeof kinds / sizeof kinds[0]; ++i) {
    if (strcmp(argv[1], kinds[i].name) != 0) continue;
    kinds[i].write();
    return ferror(stdout) != 0;
  }
  return 2;
}
