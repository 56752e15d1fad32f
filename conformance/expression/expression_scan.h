// SPDX-License-Identifier: Apache-2.0
// Takes a text apart into numbers, strings, names and symbols.
#ifndef TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_SCAN_H_
#define TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_SCAN_H_

#include "expression/expression_program.h"

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_NAME,
  TOKEN_OPERATOR,  // `operator` as it is between two values
  TOKEN_MARK,      // one of ( ) [ ] , : . = and, as 'e', an ellipsis
  TOKEN_IF,
  TOKEN_ELSE,
  TOKEN_NONE,  // the word None
  TOKEN_TRUE,
  TOKEN_FALSE,
} TokenKind;

typedef struct Token {
  TokenKind kind;
  const char *begin;  // in the text; a string is without its quotes
  size_t size;
  size_t position;
  ExpressionOperator operator;
  char mark;
  bool integer;
  long double number;
} Token;

typedef struct Scanner {
  const char *text, *at;
  ExpressionError *error;
  const char *counted;  // the beginning of the last token
  size_t position;      // and its 1-based character
} Scanner;

// The next token. False for a character that begins none, with the error.
bool scan_token(Scanner *scanner, Token *token);

// The 1-based character of the text that `at` points to.
size_t scan_position(const char *text, const char *at);

// printf-like; false.
bool scan_fail(ExpressionError *error, size_t position, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif  // TVMFFI_CONFORMANCE_EXPRESSION_EXPRESSION_SCAN_H_
