// SPDX-License-Identifier: Apache-2.0
#include "inspect/elfmachine.h"

#include <link.h>
#include <stdio.h>

// The ELF header of the object that this code is part of; defined by the linker.
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const struct {
  unsigned machine, class, order;  // class and order: 0 for any
  const char *name;
} machines[] = {
    {EM_X86_64, ELFCLASS32, 0, "x32"},
    {EM_X86_64, 0, 0, "x86-64"},
    {EM_386, 0, 0, "i386"},
    {EM_AARCH64, 0, ELFDATA2MSB, "aarch64_be"},
    {EM_AARCH64, 0, 0, "aarch64"},
    {EM_ARM, 0, ELFDATA2MSB, "armeb"},
    {EM_ARM, 0, 0, "arm"},
    {EM_RISCV, ELFCLASS32, 0, "riscv32"},
    {EM_RISCV, 0, 0, "riscv64"},
    {EM_PPC64, 0, ELFDATA2LSB, "ppc64le"},
    {EM_PPC64, 0, 0, "ppc64"},
    {EM_PPC, 0, 0, "ppc"},
    {EM_S390, ELFCLASS32, 0, "s390"},
    {EM_S390, 0, 0, "s390x"},
    {EM_MIPS, ELFCLASS32, ELFDATA2LSB, "mipsel"},
    {EM_MIPS, ELFCLASS32, 0, "mips"},
    {EM_MIPS, 0, ELFDATA2LSB, "mips64el"},
    {EM_MIPS, 0, 0, "mips64"},
    {258, ELFCLASS32, 0, "loongarch32"},  // EM_LOONGARCH; not in every elf.h
    {258, 0, 0, "loongarch64"},
    {EM_SPARCV9, 0, 0, "sparc64"},
    {EM_SPARC, 0, 0, "sparc"},
    {EM_SPARC32PLUS, 0, 0, "sparc"},
    {EM_ALPHA, 0, 0, "alpha"},
    {0x9026, 0, 0, "alpha"},  // what Linux really writes for Alpha
    {EM_68K, 0, 0, "m68k"},
    {EM_PARISC, 0, 0, "hppa"},
    {EM_SH, 0, 0, "sh"},
    {EM_IA_64, 0, 0, "ia64"},
    {164, 0, 0, "hexagon"},  // EM_QDSP6
    {EM_CUDA, 0, 0, "cuda"},
    {EM_AMDGPU, 0, 0, "amdgpu"},
    {EM_BPF, 0, 0, "bpf"},
};

static void name_of(unsigned machine, unsigned class, unsigned order, char *out, size_t capacity)
{
  for (size_t i = 0; i < sizeof machines / sizeof machines[0]; ++i) {
    if (machines[i].machine != machine) continue;
    if (machines[i].class && machines[i].class != class) continue;
    if (machines[i].order && machines[i].order != order) continue;
    snprintf(out, capacity, "%s", machines[i].name);
    return;
  }
  snprintf(out, capacity, "machine %u", machine);
}

void elfmachine_name(const GElf_Ehdr *header, char *out, size_t capacity)
{
  name_of(header->e_machine, header->e_ident[EI_CLASS], header->e_ident[EI_DATA], out, capacity);
}

void elfmachine_own_name(char *out, size_t capacity)
{
  const ElfW(Ehdr) *own = &__ehdr_start;
  name_of(own->e_machine, own->e_ident[EI_CLASS], own->e_ident[EI_DATA], out, capacity);
}

bool elfmachine_is_own(const GElf_Ehdr *header)
{
  const ElfW(Ehdr) *own = &__ehdr_start;
  unsigned char system = header->e_ident[EI_OSABI];
  return header->e_machine == own->e_machine &&
         header->e_ident[EI_CLASS] == own->e_ident[EI_CLASS] &&
         header->e_ident[EI_DATA] == own->e_ident[EI_DATA] &&
         (system == ELFOSABI_NONE || system == ELFOSABI_GNU || system == own->e_ident[EI_OSABI]);
}
