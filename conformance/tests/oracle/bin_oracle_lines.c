// SPDX-License-Identifier: Apache-2.0
// Reads payloads as hexadecimal digits, one a line, and prints what the oracle finds: a rule and its
// place, or kind, value ("-" for the library's) and imports of each module. For comparisons with
// readers in other languages.
#include <stdio.h>
#include <string.h>

#include "bin_agree.h"

enum { ROOM = 1 << 16 };

static void print_hex(BinOracleBytes text)
{
  for (size_t i = 0; i < text.size; ++i) printf("%02x", text.data[i]);
}

static void print_module(const BinOracleModule *module)
{
  printf(" ");
  print_hex(module->kind);
  printf(":");
  if (module->is_library)
    printf("-");
  else
    print_hex(module->value);
  for (size_t i = 0; i < module->num_imports; ++i)
    printf(":%llu", (unsigned long long)module->imports[i]);
}

static void print_oracle(const BinOracle *oracle)
{
  BinOracleRule rule = bin_agree_first_rule(oracle);
  if (bin_oracle_is_tree(oracle)) {
    printf("tree");
    for (size_t i = 0; i < oracle->num_modules; ++i) print_module(&oracle->modules[i]);
  } else if (rule == BIN_ORACLE_CYCLE) {
    printf("cycle");
  } else {
    printf("%s %zu", bin_oracle_name(rule), oracle->offset[rule]);
  }
  printf("\n");
}

int main(void)
{
  static char line[2 * ROOM + 2];
  static uint8_t bytes[ROOM];
  while (fgets(line, sizeof line, stdin)) {
    BinOracle oracle;
    size_t size = strcspn(line, "\n") / 2;
    for (size_t i = 0; i < size; ++i) {
      unsigned byte = 0;
      if (sscanf(line + 2 * i, "%2x", &byte) != 1) return 2;
      bytes[i] = (uint8_t)byte;
    }
    if (!bin_oracle_judge(bytes, size, &oracle)) return 2;
    print_oracle(&oracle);
    bin_oracle_free(&oracle);
  }
  return 0;
}
