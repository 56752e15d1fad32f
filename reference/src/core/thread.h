// SPDX-License-Identifier: Apache-2.0
// What a thread keeps until it ends: the error it raised, the text of its last backtrace, the
// memory of its table of streams, and that of functions that ended in it.
#ifndef REFERENCE_SRC_CORE_THREAD_H_
#define REFERENCE_SRC_CORE_THREAD_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// Puts an error into the slot of this thread in place of what is there.
// error: own; NULL empties the slot.
void thread_raise(TVMFFIObject *error);

// Empties the slot of this thread. Returns own; NULL if it was empty.
TVMFFIObject *thread_take_raised(void);

// Returns the thread's buffer for text, at least `size` bytes; NULL if there is no memory for it.
// Borrow: until the thread asks again or ends.
char *thread_text(size_t size);

// Returns the byte array that stands for the thread's text. Borrow: until the thread ends.
TVMFFIByteArray *thread_text_view(void);

// Returns the memory of the thread's table of streams, NULL at first. Borrow: until it is replaced.
void *thread_streams(void);

// Replaces that memory.
// streams: own, to be freed when the thread ends.
void thread_keep_streams(void *streams);

// All of this memory has one size, which is taken and kept without asking the C library for it.
// AddressSanitizer gets it back at once, so that it sees who uses what has ended.
enum { THREAD_SPARE_SIZE = 64, THREAD_SPARES = 16 };
#if defined(__has_feature)
#if !__has_feature(address_sanitizer)
#define THREAD_KEEPS_SPARES
#endif
#elif !defined(__SANITIZE_ADDRESS__)
#define THREAD_KEEPS_SPARES
#endif

// Returns THREAD_SPARE_SIZE bytes with any content, own; NULL if the thread keeps none.
void *thread_take_spare(void);

// Keeps such memory for the next that the thread takes, or frees it.
// memory: own; from malloc.
void thread_keep_spare(void *memory);

#endif  // REFERENCE_SRC_CORE_THREAD_H_
