// SPDX-License-Identifier: Apache-2.0
// What is read of images: names of kernels, sizes of arguments, and nothing that is not mapped.
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/image.h"
#include "unit/unit.h"

TEST_GROUP(image);

static ImageAnswer find(const char *text, const char *name, ImageKernel *kernel)
{
  return image_find_kernel(text, name, kernel);
}

TEST(arguments_of_ptx)
{
  ImageKernel kernel;
  static const char text[] =
      ".version 8.0\n.entry f(\n  .param .u64 .ptr .align 1 f_0,\n  .param .align 8 .b8 f_1[20],\n"
      "  .param .f32 f_2, .param .u8 f_3)\n{}\n.entry g()\n{}\n.entry h\n{}\n";
  ck_assert_int_eq(find(text, "f", &kernel), IMAGE_HAS);
  ck_assert(kernel.has_arguments);
  ck_assert_uint_eq(kernel.argument_count, 4);
  static const unsigned at[] = {0, 8, 28, 32}, size[] = {8, 20, 4, 1};
  for (unsigned i = 0; i < 4; ++i) {
    ck_assert_uint_eq(kernel.argument_at[i], at[i]);
    ck_assert_uint_eq(kernel.argument_size[i], size[i]);
  }
  ck_assert_int_eq(find(text, "g", &kernel), IMAGE_HAS);
  ck_assert(kernel.has_arguments && kernel.argument_count == 0);
  ck_assert_int_eq(find(text, "h", &kernel), IMAGE_HAS);
  ck_assert(!kernel.has_arguments);
  ck_assert_int_eq(find(text, "ff", &kernel), IMAGE_LACKS);
  ck_assert_int_eq(find("no PTX at all", "f", &kernel), IMAGE_BROKEN);
}

// A cubin with one kernel, f, that has an argument of 8 bytes and one of 4.
typedef struct Cubin {
  Elf64_Ehdr header;
  char names[48];
  unsigned char info[32];
  Elf64_Shdr sections[4];
} Cubin;

static Cubin make_cubin(void)
{
  static const char names[] = "\0.text.f\0.nv.info.f\0.shstrtab";
  static const unsigned char info[32] = {
      4, 0x17, 12, 0, 0, 0, 0, 0, 1, 0, 8, 0, 0, 0xf0, 0x11, 0,   // 1: at 8, 4 bytes
      4, 0x17, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x21, 0};  // 0: at 0, 8 bytes
  Cubin cubin = {.header = {.e_shoff = offsetof(Cubin, sections),
                            .e_shentsize = sizeof(Elf64_Shdr),
                            .e_shnum = 4,
                            .e_shstrndx = 3}};
  memcpy(cubin.header.e_ident, ELFMAG, SELFMAG);
  cubin.header.e_ident[EI_CLASS] = ELFCLASS64;
  memcpy(cubin.names, names, sizeof names);
  memcpy(cubin.info, info, sizeof info);
  cubin.sections[1] = (Elf64_Shdr){.sh_name = 1, .sh_type = SHT_PROGBITS};
  cubin.sections[2] =
      (Elf64_Shdr){.sh_name = 9, .sh_offset = offsetof(Cubin, info), .sh_size = sizeof cubin.info};
  cubin.sections[3] = (Elf64_Shdr){
      .sh_name = 20, .sh_offset = offsetof(Cubin, names), .sh_size = sizeof cubin.names};
  return cubin;
}

TEST(arguments_of_a_cubin)
{
  ImageKernel kernel;
  Cubin cubin = make_cubin();
  ck_assert_int_eq(image_find_kernel(&cubin, "f", &kernel), IMAGE_HAS);
  ck_assert(kernel.has_arguments);
  ck_assert_uint_eq(kernel.argument_count, 2);
  ck_assert_uint_eq(kernel.argument_size[0], 8);
  ck_assert_uint_eq(kernel.argument_at[1], 8);
  ck_assert_uint_eq(kernel.argument_size[1], 4);
  ck_assert_int_eq(image_find_kernel(&cubin, "g", &kernel), IMAGE_LACKS);
  ck_assert_int_eq(image_find_kernel(&cubin, "", &kernel), IMAGE_LACKS);
}

// Whatever the bytes are, and wherever they end, nothing crashes.
TEST(broken_cubins_are_no_crash)
{
  enum { ROUNDS = 3000 };
  ImageKernel kernel;
  size_t page = (size_t)sysconf(_SC_PAGESIZE), size;
  char *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(at, MAP_FAILED);
  ck_assert_int_eq(mprotect(at + page, page, PROT_NONE), 0);
  srand(1);
  for (int i = 0; i < ROUNDS; ++i) {
    Cubin cubin = make_cubin();
    unsigned char *bytes = (unsigned char *)&cubin;
    for (int n = rand() % 4; n >= 0; --n)
      bytes[(size_t)rand() % sizeof cubin] = (unsigned char)rand();
    memcpy(bytes, ELFMAG, SELFMAG);
    size_t length = (size_t)rand() % sizeof cubin + 1;
    memcpy(at + page - length, bytes, length);
    image_find_kernel(at + page - length, "f", &kernel);
    image_find_variable(at + page - length, "f", &size);
  }
}
