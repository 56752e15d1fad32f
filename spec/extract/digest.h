// SPDX-License-Identifier: Apache-2.0
// 64-bit FNV-1a; the digest of the words of a sentence detects changes of the spec.
#ifndef TVMFFI_SPEC_EXTRACT_DIGEST_H_
#define TVMFFI_SPEC_EXTRACT_DIGEST_H_

#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t digest_byte(uint64_t digest, unsigned char byte)
{
  return (digest ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; ++i) digest = digest_byte(digest, ((const unsigned char *)bytes)[i]);
  return digest;
}

// Folds the words of `text` into `digest`, each followed by one space; line and paragraph breaks
// are ignored.
static inline uint64_t digest_words(uint64_t digest, const char *text)
{
  int in_word = 0;
  for (;; ++text) {
    int blank = *text == ' ' || *text == '\n' || *text == '\t' || *text == '\0';
    if (!blank) {
      digest = digest_byte(digest, (unsigned char)*text);
    } else if (in_word) {
      digest = digest_byte(digest, ' ');
    }
    in_word = !blank;
    if (*text == '\0') return digest;
  }
}

#endif  // TVMFFI_SPEC_EXTRACT_DIGEST_H_
