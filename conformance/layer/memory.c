// SPDX-License-Identifier: Apache-2.0
#include "layer/memory.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "layer/layer.h"
#include "layer/threads.h"

enum { PAGE = 4096 };

// The loader's, of the main thread.
extern void *__libc_stack_end;

atomic_uint memory_epoch_now = 1;

void memory_changed(void)
{
  atomic_fetch_add(&memory_epoch_now, 1);
}

// --- Reading -------------------------------------------------------------------------------------

// Between here, on a stack, and the end of that stack.
static inline bool is_on_stack(uintptr_t here, uintptr_t end, uintptr_t first, uintptr_t last)
{
  enum { STACK_MAX = 8 << 20 };
  return here < end && end - here < STACK_MAX && first >= here && last < end;
}

static bool is_word_readable(uintptr_t address);

// Stacks of threads that are known to be one piece from `low` to `end`, by a hash of `end`.
enum { STACKS = 64 };
static struct {
  _Atomic uintptr_t end, low;
} stacks[STACKS];

static inline bool is_known_piece(uintptr_t here, uintptr_t end)
{
  uint64_t hash = threads_hash();
  return atomic_load_explicit(&stacks[hash % STACKS].end, memory_order_acquire) == end &&
         atomic_load_explicit(&stacks[hash % STACKS].low, memory_order_relaxed) <= here;
}

// A function that runs on a stack of its own may be somewhere else below its thread's data.
static bool is_one_piece(uintptr_t here, uintptr_t end)
{
  uint64_t hash = threads_hash();
  for (uintptr_t page = here & -(uintptr_t)PAGE; page < end; page += PAGE)
    if (!is_word_readable(page < here ? here : page)) return false;
  atomic_store(&stacks[hash % STACKS].end, 0);
  atomic_store(&stacks[hash % STACKS].low, here);
  atomic_store(&stacks[hash % STACKS].end, end);
  return true;
}

// The kernel reads the word as a set of signals before it refuses to do anything with it.
static bool is_word_readable(uintptr_t address)
{
  enum { NO_SUCH_ACTION = -1, WORD = 8 };
  int saved = errno;
  bool readable =
      syscall(SYS_rt_sigprocmask, NO_SUCH_ACTION, address & -(uintptr_t)WORD, NULL, WORD) == 0 ||
      errno != EFAULT;
  errno = saved;
  return readable;
}

// Apart from memory_is_readable, which is called for every call and most often is done at once.
__attribute__((noinline)) static bool is_readable_elsewhere(uintptr_t here, uintptr_t first,
                                                            uintptr_t last)
{
  uintptr_t end = threads_pointer();
  if (is_on_stack(here, end, first, last) && is_one_piece(here, end)) return true;
  for (uintptr_t page = first & -(uintptr_t)PAGE; page <= last; page += PAGE) {
    if (!is_word_readable(page < first ? first : page)) return false;
    if (page > UINTPTR_MAX - PAGE) break;
  }
  return true;
}

// The main thread's stack is one piece from here to its end, and nothing else is mapped as near to it. The
// C library keeps the data of another thread at the end of its stack.
bool memory_is_readable(const void *start, size_t size)
{
  uintptr_t first = (uintptr_t)start, last = first + size - 1;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (first < PAGE || last < first) return false;
  if (LIKELY(is_on_stack(here, (uintptr_t)__libc_stack_end, first, last))) return true;
  if (is_on_stack(here, threads_pointer(), first, last) && is_known_piece(here, threads_pointer()))
    return true;
  return is_readable_elsewhere(here, first, last);
}

// --- Writing -------------------------------------------------------------------------------------

// Pages that could be written in this epoch: number of the page, and epoch.
enum { KNOWN = 1024, EPOCH_BITS = 20 };
static _Atomic uint64_t known[KNOWN];

// The kernel adds 0 to the word, atomically.
static bool can_add_nothing(void *word)
{
  static uint32_t nobody_waits;
  int saved = errno;
  long woken = syscall(SYS_futex, &nobody_waits, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, NULL, word,
                       FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0));
  errno = saved;
  return woken >= 0;
}

bool memory_is_writable(void *word)
{
  uint64_t page = (uintptr_t)word / PAGE;
  uint64_t mark = page << EPOCH_BITS | (memory_epoch() & ((1U << EPOCH_BITS) - 1));
  _Atomic uint64_t *place = &known[page % KNOWN];
  if (LIKELY(atomic_load_explicit(place, memory_order_relaxed) == mark)) return true;
  if (!can_add_nothing(word)) return false;
  atomic_store_explicit(place, mark, memory_order_relaxed);
  return true;
}

// --- What changes memory -------------------------------------------------------------------------

// The program's calls of these come here, since the layer is loaded before the C library.
#define EXPORTED __attribute__((visibility("default")))

EXPORTED int munmap(void *start, size_t size)
{
  memory_changed();
  return (int)syscall(SYS_munmap, start, size);
}

EXPORTED int mprotect(void *start, size_t size, int protection)
{
  memory_changed();
  return (int)syscall(SYS_mprotect, start, size, protection);
}

EXPORTED void *mremap(void *start, size_t size, size_t new_size, int flags, ...)
{
  va_list arguments;
  va_start(arguments, flags);
  void *place = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
  va_end(arguments);
  memory_changed();
  return (void *)syscall(SYS_mremap, start, size, new_size, flags, place);
}
