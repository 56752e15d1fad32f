// SPDX-License-Identifier: Apache-2.0
// What the words of an error suggest about the call that was refused with it.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_REFUSAL_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_REFUSAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// The same for one and for several: "face 1: no vertex 4" names `faces`.
bool refusal_names(const char *message, const char *word);

// Whether two words are the same, but for the "s" of several.
bool refusal_same_word(const char *one, const char *other);
bool refusal_is_about(const char *message, RefusalTopic topic);
// Whether it says that something is too small, or too few.
bool refusal_asks_for_more(const char *message);

// The dimension that the message names: 1 in "x.size(1) is wrong"; -1 if it names none.
int refusal_dimension(const char *message);

// The same of a tensor of this rank, where the message may say "columns" or "rows" instead.
int refusal_axis(const char *message, int rank);

// Whether it tells of a product ('*'), or of a sum ('+').
bool refusal_reckons(const char *message, char sign);

// The numbers in the message that are no part of a word, and "two" to "eight"; returns how many.
size_t refusal_numbers(const char *message, double numbers[REFUSAL_NUMBERS_MAX]);

// The extents of the list of numbers between brackets that is number `which` in the message: "[2, 3]",
// "(4,)", "(2 x 3)". Returns how many, -1 if there is no such list; no more than `most` are written.
int refusal_list(const char *message, unsigned which, int64_t *extents, int most);

// Whether it names -1, which often stands for none.
bool refusal_names_none(const char *message);

// Takes out of a message the condition that headers put in front of what the author wrote: of
// "ValueError: Check failed: (a == b) is false: x is wrong" stays "ValueError: x is wrong".
void refusal_shorten(char *message);

// Writes the message without what may be another in each call: numbers as '#', but for those that
// name something ("w1", "dimension 1"), data types as 'T'.
void refusal_form(const char *message, char *form, size_t capacity);

// The word that a message is about: "x" in "ValueError: x must have 2 dimensions"; "" if none of the
// first ones is likely to be a name.
void refusal_subject(const char *message, char subject[REFUSAL_WORD_MAX]);

// Words that may be what a string has to be: those in quotes, and those of an enumeration. Returns
// how many.
size_t refusal_words(const char *message, char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX]);
// Those that are quoted alone.
size_t refusal_quoted(const char *message, char words[REFUSAL_WORDS_MAX][REFUSAL_WORD_MAX]);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_REFUSAL_H_
