// SPDX-License-Identifier: Apache-2.0
// The system calls of the audit library, which has no C library.
#ifndef TVMFFI_CONFORMANCE_AUDIT_KERNEL_H_
#define TVMFFI_CONFORMANCE_AUDIT_KERNEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#if defined __x86_64__
static inline long kernel_call(long number, uintptr_t a, uintptr_t b, uintptr_t c)
{
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined __aarch64__
static inline long kernel_call(long number, uintptr_t a, uintptr_t b, uintptr_t c)
{
  register long x8 __asm__("x8") = number;
  register uintptr_t x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return (long)x0;
}
#else
#error "the audit library is written for x86-64 and aarch64"
#endif

// The size of pages is not asked for: what is too small for this machine is refused by it.
static const uintptr_t kernel_page_sizes[] = {4096, 16384, 65536};
enum { KERNEL_PAGE_SIZES = 3 };

static inline bool kernel_protect(uintptr_t start, size_t size, int protection)
{
  for (int i = 0; i < KERNEL_PAGE_SIZES; ++i) {
    uintptr_t page = start & -kernel_page_sizes[i];
    if (kernel_call(SYS_mprotect, page, start + size - page, (uintptr_t)protection) == 0)
      return true;
  }
  return false;
}

static inline bool kernel_is_mapped(uintptr_t address)
{
  unsigned char resident;
  for (int i = 0; i < KERNEL_PAGE_SIZES; ++i)
    if (kernel_call(SYS_mincore, address & -kernel_page_sizes[i], 1, (uintptr_t)&resident) == 0)
      return true;
  return false;
}

#endif  // TVMFFI_CONFORMANCE_AUDIT_KERNEL_H_
