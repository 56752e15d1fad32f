// SPDX-License-Identifier: Apache-2.0
// What the words of an error suggest about the call that was refused with it.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_REFUSAL_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_REFUSAL_H_

#include <stdbool.h>
#include <stddef.h>

enum { REFUSAL_NUMBERS_MAX = 8, REFUSAL_WORDS_MAX = 16, REFUSAL_WORD_MAX = 32 };

typedef enum RefusalTopic {
  REFUSAL_RANK,
  REFUSAL_DTYPE,
  REFUSAL_EXTENT,
  REFUSAL_VALUE,
  REFUSAL_COUNT
} RefusalTopic;

// Whether one of these words, the last of which is NULL, is part of the message.
bool refusal_has_any(const char *message, const char *const *words);
// Whether the message has the word, as a whole; it has no word "".
bool refusal_has_word(const char *message, const char *word);
bool refusal_is_about(const char *message, RefusalTopic topic);

// The numbers in the message that are no part of a word; returns how many.
size_t refusal_numbers(const char *message, double numbers[REFUSAL_NUMBERS_MAX]);

// The word that a message is about: "x" in "ValueError: x must have 2 dimensions".
void refusal_subject(const char *message, char subject[REFUSAL_WORD_MAX]);

// Words that may be what a string has to be: those in quotes, and those of an enumeration. Returns
// how many.
size_t refusal_words(const char *message, char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX]);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_REFUSAL_H_
