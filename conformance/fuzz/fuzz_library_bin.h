// SPDX-License-Identifier: Apache-2.0
// The surface library_bin in parts: its oracle, and how its findings are told.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_BIN_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_BIN_H_

#include "fuzz/fuzz.h"
#include "oracle/bin_oracle.h"

typedef enum FuzzBinPhase {
  FUZZ_BIN_LOADING,
  FUZZ_BIN_READING,
  FUZZ_BIN_LOOKING_UP,
  FUZZ_BIN_RELEASING,
  FUZZ_BIN_USING,
  FUZZ_BIN_SEARCHING,
  FUZZ_BIN_TELLING,
  FUZZ_BIN_KEEPING,
  FUZZ_BIN_WITHOUT_MEMORY,
  FUZZ_BIN_PHASES
} FuzzBinPhase;

// X(constant, name, clause, due, sized, what): what payloads are about. Sound ones come first, those
// first that have less that is special.
#define FUZZ_BIN_ASPECT_LIST(X)                                                                    \
  X(SINGLE, "single-module", BIN_1, ACCEPT, false, "nothing but the library")                      \
  X(WHOLE, "whole", BIN_9, ACCEPT, false, "a sound tree")                                          \
  X(LIBRARY_BEHIND, "library-behind", BIN_3, ACCEPT, false,                                        \
    "a sound tree whose first entry is not the library")                                           \
  X(NO_LIBRARY, "no-library", BIN_3, ACCEPT, false,                                                \
    "a sound tree without an entry of the library")                                                \
  X(ANY_ORDER, "any-order", BIN_11, ACCEPT, false,                                                 \
    "a sound tree with a module that stands before one that imports it")                           \
  X(UNREACHED, "unreached", BIN_12, ACCEPT, false,                                                 \
    "a sound tree with modules that are not imported")                                             \
  X(LONG_VALUE, "long-value", BIN_5, ACCEPT, false,                                                \
    "a sound tree with a value of more than 8 octets")                                             \
  X(MANY, "many-modules", BIN_47, ACCEPT, false,                                                   \
    "a sound tree of more than 8 modules, or with more than 8 imports of one")                     \
  X(PATHS, "many-paths", MOD_42, ACCEPT, false,                                                    \
    "a sound tree with more than 4096 ways from the root to its modules")                          \
  X(KEEPS, "loader-keeps", BIN_46, ACCEPT, false, "a sound tree, a loader of which keeps a value") \
  X(NESTS, "loader-loads", BIN_15, ACCEPT, false,                                                  \
    "a sound tree, a loader of which loads another library")                                       \
  X(THREADS, "two-threads", MOD_77, ACCEPT, false,                                                 \
    "a sound tree, during whose load another thread loads another library")                        \
  X(ODD_KIND, "odd-kind", BIN_7, ACCEPT, false,                                                    \
    "a sound tree with a kind that is long, or begins like another one")                           \
  X(EMPTY_VALUE, "empty-value", BIN_6, ACCEPT, false,                                              \
    "a sound tree in which a value has length 0")                                                  \
  X(COUNT_CUT, "count-cut", BIN_22, REFUSE, false, "the number of rows or children is cut short")  \
  X(COUNT_TOO_LARGE, "count-too-large", BIN_23, REFUSE, true,                                      \
    "more rows or children are announced than there is room for")                                  \
  X(NO_ROWS, "no-rows", BIN_25, REFUSE, false, "the table of imports has a single row, or none")   \
  X(FIRST_ROW, "first-row", BIN_26, REFUSE, false, "the first row is not 0")                       \
  X(ROW_FALLS, "row-falls", BIN_27, REFUSE, false, "a row is less than the one before it")         \
  X(ROW_BEYOND, "row-beyond", BIN_28, REFUSE, false,                                               \
    "the last row is more than there are children")                                                \
  X(ROW_SHORT, "row-short", BIN_28, REFUSE, false,                                                 \
    "the last row is less than the number of children")                                            \
  X(CHILD_RANGE, "child-range", BIN_29, REFUSE, false, "a child is none of the modules")           \
  X(CYCLE, "cycle", BIN_30, REFUSE, false, "a module imports itself, at once or through others")   \
  X(KIND_CUT, "kind-cut", BIN_22, REFUSE, false, "the length of a kind is cut short")              \
  X(KIND_TOO_LARGE, "kind-too-large", BIN_31, REFUSE, true, "a kind is cut short")                 \
  X(VALUE_CUT, "value-cut", BIN_22, REFUSE, false, "the length of a value is cut short")           \
  X(VALUE_TOO_LARGE, "value-too-large", BIN_32, REFUSE, true, "a value is cut short")              \
  X(TWICE, "library-twice", BIN_35, EITHER, false, "there are two entries of kind _lib")           \
  X(TRAILING, "trailing", BIN_33, REFUSE, false, "bytes stand behind the last entry")              \
  X(STRANGER, "unknown-kind", BIN_16, REFUSE, false, "no loader is registered for a kind")         \
  X(NEAR_KIND, "near-kind", BIN_7, REFUSE, false,                                                  \
    "no loader is registered for a kind that begins or ends like another one")                     \
  X(NO_KIND, "empty-kind", BIN_36, EITHER, false, "a kind has length 0, and no loader")            \
  X(MIXED, "mixed", BIN_6, EITHER, false, "a value has length 0, and the loader of a kind fails")  \
  X(FAILS, "loader-fails", BIN_18, REFUSE, false, "the loader of a kind fails")                    \
  X(NO_MODULE, "loader-gives-none", BIN_19, REFUSE, false, "the loader of a kind gives no module") \
  X(ROOT, "root", BIN_1, EITHER, false, "what is loaded is not the module of the first entry")     \
  X(ROOT_LENT, "root-lent", MOD_4, EITHER, false,                                                  \
    "the caller of a load has no reference to the module that it returns")                         \
  X(CALLS, "calls", BIN_4, EITHER, false, "other loaders are called than those of the entries")    \
  X(KIND_CALLS, "calls-of-odd-kinds", BIN_7, EITHER, false,                                        \
    "other loaders are called where a kind is long, or begins like another one")                   \
  X(IMPORTS, "imports", BIN_9, EITHER, false, "a module imports others than its rows say")         \
  X(IMPORTS_KIND, "kind-of-imports", TYPE_61, EITHER, false,                                       \
    "the imports of a module are not an array")                                                    \
  X(MADE_AGAIN, "library-made-again", BIN_10, EITHER, false,                                       \
    "a library that is imported twice is two modules")                                             \
  X(BEYOND, "beyond", BIN_21, EITHER, false, "memory behind a sound payload is read")              \
  X(ROOMY, "roomy-symbol", BIN_21, EITHER, false,                                                  \
    "a sound tree is not loaded where the symbol is larger than the payload")                      \
  X(WRITTEN, "result-written", MOD_90, EITHER, false, "a load that fails writes to its result")    \
  X(VALUES, "values", BIN_5, EITHER, false, "a loader is given other bytes than the value")        \
  X(LOADERS, "loaders", BIN_8, EITHER, false, "loaders are called in another order")               \
  X(ORDER, "order", BIN_45, EITHER, false, "imports have another order than the children")         \
  X(REPEATED, "repeated-import", BIN_45, EITHER, false,                                            \
    "a module that is imported several times by one is among its imports less often")              \
  X(ARGUMENT, "argument", ANY_2, EITHER, false,                                                    \
    "unused bytes of a loader's argument are not zero")                                            \
  X(PADDING, "argument-padding", ANY_1, EITHER, false,                                             \
    "the padding of a loader's argument is not zero")                                              \
  X(RESULT, "result", FUN_46, EITHER, false, "a loader does not find None in its result")          \
  X(REPLACED, "replaced", BIN_4, EITHER, false,                                                    \
    "a loader is called that another has taken the place of")                                      \
  X(LATER, "loader-later", MOD_81, EITHER, false,                                                  \
    "a load was refused for want of a loader that is there now")                                   \
  X(SLOT, "error-raised", MOD_81, EITHER, false,                                                   \
    "a sound tree is refused while the error of a load before is in the slot")                     \
  X(SLOT_LOST, "error-lost", ERR_12, EITHER, false,                                                \
    "a load that succeeds takes an error out of the slot")                                         \
  X(CONTEXT_LATE, "context-late", BIN_14, EITHER, false,                                           \
    "the context is NULL for a loader behind the library")                                         \
  X(CONTEXT_NONE, "no-context", MOD_44, EITHER, false,                                             \
    "the context is NULL when a tree with the library was loaded")                                 \
  X(SYMBOLS_LATE, "symbols-late", MOD_55, EITHER, false,                                           \
    "a variable that is a context symbol is NULL for a loader")                                    \
  X(SYMBOLS_NONE, "no-symbols", MOD_54, EITHER, false,                                             \
    "a variable that is a context symbol has not the address that was registered")                 \
  X(CONTEXT_OTHER, "other-context", BIN_13, EITHER, false,                                         \
    "a look-up by the context does not search the imports of the library")                         \
  X(EARLY, "released-early", MOD_41, EITHER, false,                                                \
    "a module of a tree that is loaded is released more often than it was given")                  \
  X(LOADER_HELD, "loader-held", MOD_92, EITHER, false,                                             \
    "loaders are held that others have taken the place of")                                        \
  X(LOADER_LEFT, "loader-left", BIN_49, EITHER, false,                                             \
    "loaders that failed are held when others have taken their place")                             \
  X(LOADER_OVER, "loader-released", MOD_81, EITHER, false,                                         \
    "a loader is released more often than it was taken by a load that fails")                      \
  X(LOADER_EARLY, "loader-released-early", BIN_4, EITHER, false,                                   \
    "a loader is released more often than it was taken")                                           \
  X(GOES_ON, "goes-on", BIN_43, EITHER, false, "a loader is called after one failed")              \
  X(UNREACHED_HELD, "unreached-held", BIN_42, EITHER, false,                                       \
    "a module that nobody imports is held when the load returns")                                  \
  X(CLOSED, "closed-early", MOD_72, EITHER, false,                                                 \
    "the library is used when the runtime alone has it open")                                      \
  X(CLOSED_OFTEN, "closed-too-often", MOD_81, EITHER, false,                                       \
    "a load that fails closes the library more often than it opened it")                           \
  X(CHANGED, "value-changes", BIN_46, EITHER, false,                                               \
    "a value that a loader kept is used when the library is closed")                               \
  X(SHORT, "without-memory", MEM_1, EITHER, false,                                                 \
    "a sound tree is loaded while one request for memory is refused")                              \
  X(SHORT_KIND, "without-memory-kind", MEM_8, EITHER, false,                                       \
    "the error of a load that is refused memory is no InternalError")                              \
  X(SHORT_LEFT, "without-memory-left", MEM_4, EITHER, false,                                       \
    "something remains of a load that failed as it was refused memory")                            \
  X(TOLD, "message", BIN_50, EITHER, false,                                                        \
    "the message of an error is not the same for an equal load, or no text")                       \
  X(ERROR_KIND, "kind-of-error", BIN_41, EITHER, false,                                            \
    "the error about a kind without a loader is of another kind")                                  \
  X(NEAR_ERROR, "near-kind-error", BIN_7, EITHER, false,                                           \
    "the error is of another kind only where a kind begins or ends like another one")              \
  X(NAMELESS, "kind-untold", BIN_17, EITHER, false,                                                \
    "the error about a kind without a loader does not name it")                                    \
  X(WORDLESS, "wordless-error", BIN_51, EITHER, false,                                             \
    "the error of a refusal has no kind or no message")                                            \
  X(OVER, "modules-released", MOD_80, EITHER, false,                                               \
    "a module of a load that failed is released more often than it was given")                     \
  X(STATEFUL, "after-others", MOD_81, EITHER, false, "a payload that comes after others")          \
  X(LEFT_MEMORY, "memory-left", BIN_49, EITHER, false,                                             \
    "memory remains of a load that was refused")                                                   \
  X(LEFT_MODULES, "modules-left", MOD_80, EITHER, false,                                           \
    "modules remain of a sound payload that is refused")                                           \
  X(IN_PART, "in-part", BIN_34, EITHER, false,                                                     \
    "loaders are called for a payload that is refused afterwards")                                 \
  X(CONTEXT, "context", BIN_20, EITHER, false,                                                     \
    "the library of a payload that is refused has a context afterwards")                           \
  X(LEFT_OPEN, "left-open", MOD_80, EITHER, false,                                                 \
    "the library of a sound payload that is refused stays open")                                   \
  X(BROKEN_OPEN, "broken-left-open", BIN_34, EITHER, false,                                        \
    "the library or a module of a broken payload that is refused stays")                           \
  X(KEPT_OPEN, "kept-open", MOD_73, EITHER, false,                                                 \
    "a library stays open though all its modules were released")

typedef enum FuzzBinAspect {
#define X(constant, name, clause, due, sized, what) FUZZ_BIN_##constant,
  FUZZ_BIN_ASPECT_LIST(X)
#undef X
      FUZZ_BIN_ASPECTS
} FuzzBinAspect;

// From here on they are what is seen of a payload of another aspect, and no payload is about them.
enum { FUZZ_BIN_OF_PAYLOADS = FUZZ_BIN_ROOT };

extern const FuzzAspect fuzz_bin_aspects[FUZZ_BIN_ASPECTS];

// FuzzSurface.repair: nbytes is the number of bytes that follow. What is shorter than nbytes itself
// can't be told from memory that belongs to others.
bool fuzz_bin_repair(FuzzInput *input);

// What the oracle says of a payload; NULL for want of memory. Borrowed, until the next payload.
const BinOracle *fuzz_bin_judge(const FuzzInput *input);

// FuzzSurface.aspect, by the oracle.
unsigned fuzz_bin_aspect(const FuzzInput *input);

// Whether an entry of a sound tree makes the load fail for another reason than this one. Which of them is told
// depends on the order in which loaders are called.
bool fuzz_bin_fails_otherwise(const BinOracle *tree, unsigned aspect);

// Whether an entry is the library, or its kind one of those that loaders of ours are registered for.
bool fuzz_bin_has_loader(const BinOracleModule *entry);

// Whether a kind begins or ends like the library, or like one of a loader that gives a module.
bool fuzz_bin_is_near(const BinOracleBytes *kind);

// FuzzSurface.is_at_once: all entries that are whole have loaders, and there is one.
bool fuzz_bin_is_at_once(const FuzzInput *input);

// Whether a payload is refused for its own sake, whatever its loaders do.
bool fuzz_bin_is_broken(unsigned aspect);

// FuzzSurface.neighbour. Of an error about a kind: the tree with kinds that load. Of a crash: that,
// with a module of ours in the place of the library, which is still there when it is released too often;
// of one with a broken payload a sound one.
bool fuzz_bin_neighbour(const FuzzInput *input, FuzzClass class, FuzzInput *out, FuzzClass *shows);

// FuzzSurface.plain: the tree with loaders that load nothing themselves.
bool fuzz_bin_plain(const FuzzInput *input, FuzzInput *out);

// FuzzSurface.other_fault: it announces more rows than there is room for, or none.
bool fuzz_bin_other_fault(const FuzzInput *input, FuzzInput *out);

// FuzzSurface.describe and .program (fuzz_library_bin_emit.c).
void fuzz_bin_describe(const FuzzInput *input, unsigned aspect, FILE *out);
void fuzz_bin_program(const FuzzSurface *surface, const FuzzInput *input, const FuzzReport *report,
                      FILE *out);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_BIN_H_
