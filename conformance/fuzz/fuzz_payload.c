// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_payload.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4300, SMALL = 4096 };  // bytes; SMALL: of an input
static const char payload_symbol[] = "__tvm_ffi__library_bin";

static bool copy_file(const char *from, const char *to)
{
  char block[16384];
  size_t size;
  FILE *in = fopen(from, "rbe"), *out = in ? fopen(to, "wbe") : NULL;
  bool good = out != NULL;
  while (good && (size = fread(block, 1, sizeof block, in)) > 0)
    good = fwrite(block, 1, size, out) == size;
  if (in) good &= !ferror(in) && fclose(in) == 0;
  if (out) good &= fclose(out) == 0;
  return good;
}

// Moves the symbol behind which there is room to where the payload is put. `table` is .dynsym.
static bool move_symbol(Elf *elf, Elf_Scn *table, const FuzzInput *input)
{
  GElf_Shdr header, home;
  Elf_Data *symbols = elf_getdata(table, NULL);
  if (!symbols || !gelf_getshdr(table, &header) || header.sh_entsize == 0) return false;
  for (int i = 0; i < (int)(header.sh_size / header.sh_entsize); ++i) {
    GElf_Sym symbol;
    if (!gelf_getsym(symbols, i, &symbol)) return false;
    const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (!name || strcmp(name, payload_symbol) != 0) continue;
    Elf_Scn *section = elf_getscn(elf, symbol.st_shndx);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    if (!data || !gelf_getshdr(section, &home)) return false;
    size_t room = (size_t)symbol.st_size - 4096;
    size_t place = (size_t)(symbol.st_value - home.sh_addr) + room - input->size;
    if (input->size > room || place + input->size > data->d_size) return false;
    memset((char *)data->d_buf + (symbol.st_value - home.sh_addr), 0, room);
    memcpy((char *)data->d_buf + place, input->bytes, input->size);
    symbol.st_value = home.sh_addr + place;
    symbol.st_size = input->size;
    elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
    return gelf_update_sym(symbols, i, &symbol) != 0 &&
           elf_flagdata(symbols, ELF_C_SET, ELF_F_DIRTY);
  }
  return false;
}

static bool put(const char *path, const FuzzInput *input)
{
  bool done = false;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE) goto cleanup;
  Elf *elf = elf_begin(fd, ELF_C_RDWR, NULL);
  if (!elf) goto cleanup;
  elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
  for (Elf_Scn *section = NULL; !done && (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
      done = move_symbol(elf, section, input) && elf_update(elf, ELF_C_WRITE) > 0;
  }
  elf_end(elf);
cleanup:
  if (fd >= 0) close(fd);
  return done;
}

bool fuzz_payload_write(const char *libraries, const FuzzInput *input, const char *path,
                        char *error, size_t error_size)
{
  char from[PATH_SIZE];
  snprintf(from, sizeof from, "%s/fuzz_carrier_%s.so", libraries,
           input->size <= SMALL ? "small" : "large");
  bool good = copy_file(from, path) && put(path, input);
  if (!good) snprintf(error, error_size, "cannot make %s from %s: %s", path, from, strerror(errno));
  return good;
}
