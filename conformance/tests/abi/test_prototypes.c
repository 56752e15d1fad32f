// SPDX-License-Identifier: Apache-2.0
// Prototypes, and who owns what: the table of ownership has a row for each pointer that a function
// takes or returns, and no others.
#include "abi/prototypes.h"

#include <ctype.h>
#include <string.h>

#include "unit/unit.h"

TEST(prototypes_are_written_as_in_c)
{
  char text[ABI_PROTOTYPE_MAX];
  ck_assert_str_eq(abi_prototype(FN_ObjectIncRef, text),
                   "int TVMFFIObjectIncRef(TVMFFIObjectHandle obj)");
  ck_assert_str_eq(abi_prototype(FN_GetVersion, text),
                   "void TVMFFIGetVersion(TVMFFIVersion *out_version)");
  ck_assert_str_eq(abi_prototype(FN_GetTypeInfo, text),
                   "const TVMFFITypeInfo *TVMFFIGetTypeInfo(int32_t type_index)");
  ck_assert_str_eq(abi_prototype(FN_EnvCheckSignals, text), "int TVMFFIEnvCheckSignals(void)");
}

// One parameter, or the result with its blanks: "const char *name", "int (*f)(void *)".
typedef struct Part {
  const char *text;
  size_t length;
} Part;

static bool part_has(Part part, const char *word)
{
  return memmem(part.text, part.length, word, strlen(word)) != NULL;
}

static bool is_pointer(Part part)
{
  return part_has(part, "*") || part_has(part, "Handle") || part_has(part, "TVMFFISafeCallType") ||
         part_has(part, "DLPackManagedTensorAllocator") || part_has(part, "TVMFFIByteArray");
}

// The next parameter from `*rest` on, which is then behind its comma or at the closing parenthesis.
static Part next_parameter(const char **rest)
{
  Part part = {*rest, 0};
  for (int depth = 0; depth > 0 || (**rest != ',' && **rest != ')'); ++*rest)
    depth += (**rest == '(') - (**rest == ')');
  part.length = (size_t)(*rest - part.text);
  if (**rest == ',') *rest += 2;
  return part;
}

// The name stands last, or behind the star in parentheses of a pointer to a function.
static Part name_of(Part parameter)
{
  const char *star = memmem(parameter.text, parameter.length, "(*", 2);
  const char *end = star ? strchr(star, ')') : parameter.text + parameter.length;
  const char *start = end;
  while (start > parameter.text && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) --start;
  return (Part){start, (size_t)(end - start)};
}

static size_t row;

static void expect_row(AbiFunctionId function, Part name)
{
  ck_assert_msg(row < abi_ownership_count && abi_ownership[row].function == function &&
                    strlen(abi_ownership[row].parameter) == name.length &&
                    memcmp(abi_ownership[row].parameter, name.text, name.length) == 0,
                "ownership.def: the next row has to be that of %.*s of %s", (int)name.length,
                name.text, abi_functions[function].symbol);
  ++row;
}

TEST(every_pointer_has_an_owner)
{
  row = 0;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    const char *rest = strchr(abi_functions[i].signature, '(');
    Part result = {abi_functions[i].signature, (size_t)(rest - abi_functions[i].signature)};
    for (++rest; *rest != ')';) {
      Part parameter = next_parameter(&rest);
      if (is_pointer(parameter)) expect_row((AbiFunctionId)i, name_of(parameter));
    }
    if (is_pointer(result)) expect_row((AbiFunctionId)i, (Part){"returns", 7});
  }
  ck_assert_uint_eq(row, abi_ownership_count);
}
