// SPDX-License-Identifier: Apache-2.0
// How a case is declared, and how the battery is enumerated. A case is written down once, where its
// body is:
//
//   CHAPTER(any);
//
//   CASE(own_raw_string_of_seven_bytes_is_small, .clauses = {ANY_3, STR_2},
//        .title = "a raw string of 7 bytes becomes a small string, read no further than its NUL")
//   {
//     TVMFFIAny view = view_of_raw_string(fenced_string("exactly")), owned = garbage_but_none();
//     require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, &owned)));
//     expect_small_string(&owned, "exactly", 7);
//   }
//
// Its id is any.own-raw-string-of-seven-bytes-is-small. CASE_ROWS runs one body over a table whose
// rows begin with `const char *name`; each row is a case of its own:
// any.own-plain-value-keeps-all-bytes.int-min. Level, scope and versions come from the clauses.
// Nothing else has to be edited to add a case.
//
// A case about a kernel module is a MODULE_CASE. One about its functions is a KERNEL_CASE or
// KERNEL_CASE_ROWS: it runs once for each function that the module exports and that meets its
// needs, under an id of its own:
//
//   KERNEL_CASE(arity_none, .clauses = {KER_2}, .needs = KERNEL_NEEDS_ARITY,
//               .title = "a call without arguments is refused") { ... iut, kernel ... }
//
//   kernel.arity-none@add_one_cpu
#ifndef TVMFFI_CONFORMANCE_PLAN_CASE_H_
#define TVMFFI_CONFORMANCE_PLAN_CASE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clause.h"
#include "plan/kernel.h"
#include "spec_clauses.h"

enum { CASE_CLAUSES_MAX = 8, CASE_ID_MAX = 192 };

typedef struct Iut Iut;
typedef struct CaseInstance CaseInstance;

typedef struct Case {
  const char *chapter;  // "any"
  const char *ident;    // "own_raw_string_of_seven_bytes_is_small"
  const char *title;    // what has to be true, one sentence without a full stop
  const char *file;
  int line;
  ClauseId
      clauses[CASE_CLAUSES_MAX];  // what it judges, the most important first; ends with CLAUSE_NONE
  void (*body)(Iut *iut, const void *row);
  const void *rows;  // NULL: a single case
  size_t row_count, row_size;
  unsigned patience;  // the time limit is multiplied by this; 0 means 1
  bool wrong_call;  // of a SHOULD case: it makes a call that the library need not bear, such as one
                    // with wrong arguments, extreme or aliased input, or memory refused
  bool about_module;  // it looks at a module; the others look at a runtime
  bool per_kernel;    // besides: it is about one function of the module, and runs for each
  bool explores;      // of those: it makes many calls, of which most are promised by nobody
  unsigned needs;     // KERNEL_NEEDS_*: what has to be known of that function
  // The check, one of SIGNATURE_CHECKS_*, by which a signature file rules the calls of the case out.
  // Of a function whose file promises it, the case judges KER-47, too, and makes no other calls.
  unsigned promise;
  // What a case about a function finds no use for in it, where what is known of the function tells
  // without a call: such a case is not run. NULL: nothing. Reads kernel, signature and row.
  const char *(*lacks)(const CaseInstance *instance);
  // The case makes the right call first: what it lacks is told only where that is served.
  bool after_right_call;
  bool sees_right_call;    // it judges whether the right call is served
  bool unconcerned;        // what is lacking need not be there: the clauses do not concern it
  const char *unpromised;  // names of rows, each followed by a space, that no file is about: right
                           // kernels need not check so much
} Case;

// One case as it runs: a case without rows, or one of its rows; in a plan for a module, bound to
// one of its functions.
struct CaseInstance {
  const Case *test;
  const void *row;             // NULL, or the row
  const Kernel *kernel;        // borrowed; NULL: not bound to a function
  const Signature *signature;  // borrowed; what else is known of it, or NULL
  const KernelList
      *module;  // borrowed; all functions, for a case that calls others, too; else NULL
  // What it judges, the most important first: the clauses of the case; before them KER-47 if it is
  // bound to a function whose signature file rules its calls out. Ends with CLAUSE_NONE.
  ClauseId clauses[CASE_CLAUSES_MAX];
  char id[CASE_ID_MAX];  // "any.own-raw-string-of-seven-bytes-is-small"
  ClauseLevel level;     // the strongest level among its clauses
  unsigned place;        // of its chapter in the spec, to order by
  unsigned scope;        // CLAUSE_SCOPE_MODULE if it looks at a module, else the widest of its
                         // clauses; 0 if one of them does not hold there
  uint32_t since;        // first version it applies to, ABI_VERSION
  uint32_t until;        // last version it applies to
};

// The whole battery, ordered by chapter as the spec orders them and by place in the file. Stable
// for a build: an index identifies the same case in every process of it. Borrowed, lives for ever.
const CaseInstance *case_registry(size_t *count);

// The id that a case has now: `id` itself, or what cases.lock names it an alias of. Borrowed.
const char *case_current_id(const char *id);

// The case with this id or alias, or NULL. "@function" at the end of an id is ignored.
const CaseInstance *case_find(const char *id);

// `instance`, a case per kernel, bound to `kernel` (borrowed, as is `signature`, which may be NULL):
// its id ends in "@add_one_cpu". A name that leaves no room is cut, and ends in a digest of all of
// it.
CaseInstance case_bind(const CaseInstance *instance, const Kernel *kernel,
                       const Signature *signature);

// Of the promises of a case per kernel that is bound to a function, those that the function's
// signature file makes: SIGNATURE_CHECKS_*, 0 if its calls are judged by the case's own clauses alone.
unsigned case_promise(const CaseInstance *instance);

// Why the case need not be run on the function that it is bound to, as Case.lacks tells; NULL: it is run.
// `served`: the right call of the function was seen to be served.
const char *case_lack(const CaseInstance *instance, bool served);

// The function that the case which is running is about; only in a worker, and in a case per kernel.
const Kernel *kernel_under_test(void);
// What else is known of it, of which the Kernel is one call; NULL if nothing is.
const Signature *signature_under_test(void);
// Other functions of the module (borrowed), as far as they were sent; NULL behind the last.
const Kernel *kernel_beside(uint32_t index);

// Writes the id of the case that an instance belongs to, without its row and its function, and
// returns it.
char *case_base_id(const CaseInstance *instance, char id[CASE_ID_MAX]);

// A digest over ids, clauses and their sentences: two builds with the same one judge the same
// things.
uint64_t case_registry_digest(void);

// Names the chapter of the cases that follow in the file: the file stem of its text in spec/.
#define CHAPTER(name) static const char case_chapter[] = #name

// Where a linker throws away what nothing refers to, cases are kept.
#if defined __has_attribute
#if __has_attribute(retain)
#define CASE_KEPT_ used, retain, section("tvmffi_cases")
#endif
#endif
#ifndef CASE_KEPT_
#define CASE_KEPT_ used, section("tvmffi_cases")
#endif

#define CASE_DEFINE_(name, body_, ...)                             \
  static const Case case_record_##name = {.chapter = case_chapter, \
                                          .ident = #name,          \
                                          .file = __FILE__,        \
                                          .line = __LINE__,        \
                                          .body = body_,           \
                                          __VA_ARGS__};            \
  __attribute__((CASE_KEPT_)) static const Case *const case_pointer_##name = &case_record_##name

#define CASE(name, ...)                                          \
  static void case_body_##name(Iut *iut, const void *row);       \
  CASE_DEFINE_(name, case_body_##name, __VA_ARGS__);             \
  static void case_body_##name(__attribute__((unused)) Iut *iut, \
                               __attribute__((unused)) const void *row)

#define CASE_ROWS(name, table, ...)                                                             \
  static void case_row_body_##name(Iut *iut, const __typeof__((table)[0]) *row);                \
  static void case_body_##name(Iut *iut, const void *row)                                       \
  {                                                                                             \
    case_row_body_##name(iut, (const __typeof__((table)[0]) *)row);                             \
  }                                                                                             \
  CASE_DEFINE_(name, case_body_##name, .rows = (table),                                         \
               .row_count = sizeof(table) / sizeof((table)[0]), .row_size = sizeof((table)[0]), \
               __VA_ARGS__);                                                                    \
  static void case_row_body_##name(__attribute__((unused)) Iut *iut,                            \
                                   __attribute__((unused)) const __typeof__((table)[0]) *row)

#define MODULE_CASE(name, ...)                                             \
  static void case_body_##name(Iut *iut, const void *row);                 \
  CASE_DEFINE_(name, case_body_##name, .about_module = true, __VA_ARGS__); \
  static void case_body_##name(__attribute__((unused)) Iut *iut,           \
                               __attribute__((unused)) const void *row)

#define KERNEL_CASE(name, ...)                                                                 \
  static void case_kernel_body_##name(Iut *iut, const Kernel *kernel);                         \
  static void case_body_##name(Iut *iut, __attribute__((unused)) const void *row)              \
  {                                                                                            \
    case_kernel_body_##name(iut, kernel_under_test());                                         \
  }                                                                                            \
  CASE_DEFINE_(name, case_body_##name, .about_module = true, .per_kernel = true, __VA_ARGS__); \
  static void case_kernel_body_##name(__attribute__((unused)) Iut *iut,                        \
                                      __attribute__((unused)) const Kernel *kernel)

#define KERNEL_CASE_ROWS(name, table, ...)                                                        \
  static void case_kernel_body_##name(Iut *iut, const Kernel *kernel,                             \
                                      const __typeof__((table)[0]) *row);                         \
  static void case_body_##name(Iut *iut, const void *row)                                         \
  {                                                                                               \
    case_kernel_body_##name(iut, kernel_under_test(), (const __typeof__((table)[0]) *)row);       \
  }                                                                                               \
  CASE_DEFINE_(name, case_body_##name, .about_module = true, .per_kernel = true, .rows = (table), \
               .row_count = sizeof(table) / sizeof((table)[0]), .row_size = sizeof((table)[0]),   \
               __VA_ARGS__);                                                                      \
  static void case_kernel_body_##name(__attribute__((unused)) Iut *iut,                           \
                                      __attribute__((unused)) const Kernel *kernel,               \
                                      __attribute__((unused)) const __typeof__((table)[0]) *row)

#endif  // TVMFFI_CONFORMANCE_PLAN_CASE_H_
