// SPDX-License-Identifier: Apache-2.0
// What the parts of the surface library_bin share: its loaders (fuzz_library_loaders.c), what came of
// a load (fuzz_library_tree.c), verdicts (fuzz_library_verdict.c) and the runs (fuzz_library_bin.c).
// One thread has it at a time.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_STATE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_STATE_H_

#include <link.h>

#include "battery/access.h"
#include "battery/carrier.h"
#include "fuzz/fuzz_library_bin.h"
#include "fuzz/fuzz_tree.h"

enum { FUZZ_BIN_NODES_MAX = FUZZ_TREE_MODULES, FUZZ_BIN_KNOWN_MAX = 2 * FUZZ_TREE_MODULES };
enum { FUZZ_BIN_KEPT_MAX = 16, FUZZ_BIN_TOLD_MAX = 512, FUZZ_BIN_KINDS = 17 };
enum { FUZZ_BIN_NESTED = 3 };
enum { FUZZ_BIN_NAMED = 4 };  // the first so many modules have a function of their own
enum { FUZZ_BIN_AGAIN = 3 };  // the first so many kinds are registered again and again
// Each module of ours is retained so many times, so that one that is released too often is still
// there to tell.
enum { FUZZ_BIN_SPARE = 64 };

// What a loader of ours does, by its kind.
typedef struct FuzzBinKind {
  const char *name;
  int returns;
  bool gives_module, gives_thing, gives_number, keeps, loads, in_thread, laps;
} FuzzBinKind;

extern const FuzzBinKind fuzz_bin_kinds[FUZZ_BIN_KINDS];

// What is there before.
typedef struct FuzzBin {
  Iut *iut;
  TVMFFIObjectHandle load, clear, find, system;
  TVMFFIObjectHandle load_file;       // the loader of shared libraries; NULL: `load` has to find it
  TVMFFIObjectHandle remove;          // own; NULL: no name can be taken away
  TVMFFIObjectHandle extra;           // own: what errors of loaders have with them; NULL: nothing
  FuzzBinKind again[FUZZ_BIN_AGAIN];  // the same kinds, for functions that take the place of others
  bool is_again;                      // they are the ones that are registered
  const TVMFFIFieldInfo *imports;
  Carrier carrier;
  ElfW(Sym) * entry;
  void **context;  // its __tvm_ffi__library_ctx
  void **symbol;   // a variable of it that is a context symbol
  int loaders;     // functions of the kinds that are registered again, which have not ended
  TVMFFIObjectHandle functions[FUZZ_BIN_KINDS];  // own: those that are registered
  uintptr_t base;
  bool named;        // modules are found by their functions
  bool closes;       // a library that nobody has open is not mapped any more
  bool may_be_held;  // by a tree that should not have been made: nobody says what that holds
  uint8_t *window;   // where payloads are written; `shown` is the same memory, for the library
  const uint8_t *shown;
  TVMFFIObjectHandle nodes[FUZZ_BIN_NODES_MAX];  // own
  size_t node_count;
  uint64_t node_base;        // strong references to a node that nobody imports
  TVMFFIObjectHandle thing;  // own: no module
  uint64_t thing_base;
  // The library that a loader loads: its payload, what is loaded of it, and its modules.
  const char *inner_path;
  const char
      *nested_paths[FUZZ_BIN_NESTED];  // the same in other libraries, for loads within that one
  BinOracle inner;
  FuzzInput inner_input;
  TVMFFIObjectHandle inner_nodes[2];  // own
  bool closes_carrier;  // as soon as a loader is called, so that the runtime alone has it open
} FuzzBin;

extern FuzzBin fuzz_bin;

// A call of a loader: of which kind, and with what.
typedef struct FuzzBinLoaderCall {
  const FuzzBinKind *kind;
  uint64_t value;  // a digest
} FuzzBinLoaderCall;

// What a loader kept, and what it has to be.
typedef struct FuzzBinKept {
  TVMFFIAny value;      // own
  TVMFFIByteArray due;  // in the input
} FuzzBinKept;

// The load that is under way.
typedef struct FuzzBinLoad {
  const BinOracle *tree;  // NULL: the payload is no tree
  size_t calls, next;     // loaders that were called; the entry whose turn it is
  size_t node_of[FUZZ_TREE_MODULES];
  FuzzBinLoaderCall called[FUZZ_BIN_NODES_MAX];
  bool wrong;          // a loader was called for another entry than the next one
  size_t first_wrong;  // from that call on, they are noted
  bool is_inner, has_inner, inner_wrong, in_thread;
  bool failed, went_on;  // a loader failed; another was called all the same
  bool odd_call;         // not with one argument
  bool odd_value;        // with one that is not bytes
  bool context_late, symbols_late;
  bool odd_argument, odd_padding, odd_result, replaced;
  bool odd_imports;  // those of a module are no array
  FuzzBinKept kept[FUZZ_BIN_KEPT_MAX];
  size_t kept_count;
  char text[160];
} FuzzBinLoad;

extern FuzzBinLoad fuzz_bin_load;

// What the last error said, and whether that has to be text.
typedef struct FuzzBinTold {
  bool is_there;
  size_t size;
  char text[FUZZ_BIN_TOLD_MAX];
} FuzzBinTold;

extern FuzzBinTold fuzz_bin_told;

// The modules that were met, the root first.
typedef struct FuzzBinKnown {
  TVMFFIObjectHandle
      handles[FUZZ_BIN_KNOWN_MAX];  // borrowed from those that import them; the root is ours
  size_t count;
} FuzzBinKnown;

extern FuzzBinKnown fuzz_bin_known;

// --- Loaders -------------------------------------------------------------------------------------

// Own: the module of a prefix that nothing else has; NULL if it is not available.
TVMFFIObjectHandle fuzz_bin_new_node(size_t number);

// Makes sure that there are this many nodes; lets go of those that few inputs need.
bool fuzz_bin_have_nodes(size_t count);
void fuzz_bin_let_nodes_go(void);

// How many of the nodes that were given are not ours alone; and how many were released more often
// than they were given.
size_t fuzz_bin_count_held(size_t *released);

// Forgets what was loaded before: this payload comes next.
void fuzz_bin_start_load(const FuzzInput *input);

// Loads a small sound payload again and again, each time with one more request for memory refused
// (fuzz_library_memory.c).
void fuzz_bin_load_without_memory(const FuzzInput *input, FuzzRun *run);

// Whether memory remains of the threads that loaders start which load: none is left by those that have
// ended.
void fuzz_bin_end_threads(const FuzzInput *input, FuzzRun *run);

// Opens the carrier, and finds the symbol of the payload in it, which each load moves. Gives up our share
// in it: true if somebody else has one.
void fuzz_bin_open_carrier(void);
bool fuzz_bin_close_carrier(void);
// Whether somebody else has a share in it; ours is given up, and taken again.
bool fuzz_bin_is_open_elsewhere(void);

// Puts a payload where the carrier has it.
void fuzz_bin_place(const FuzzInput *input);

// Whether the library that loaders load is not loaded when nothing else is, and its payload is from the
// carrier: its symbol has more octets than the payload. The carrier has that payload then.
bool fuzz_bin_minds_room(void);

// The safe call of all loaders; `self` is the FuzzBinKind.
int fuzz_bin_call(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

// Loads a library by the loader of such, whose errors nobody comes between. What other threads load
// meanwhile is loaded when it returns.
int fuzz_bin_load_library(const char *path, TVMFFIAny *result);

// Loads another library in a loader of this kind, by itself or by another thread; for a kind that laps
// this returns when the other load has called a loader, and that load goes on in fuzz_bin_end_lap
// (fuzz_library_inner.c).
void fuzz_bin_load_inner(const FuzzBinKind *kind);
void fuzz_bin_end_lap(void);

// Loads that other library when nothing else is loaded. False if that is not right.
bool fuzz_bin_load_small(void);

// Called in loaders of the inner load: where that one laps, waits until the outer one is over; else
// loads the same library again, some loads deep.
void fuzz_bin_be_within_inner(void);

// Looks at what loaders kept; and gives it back.
void fuzz_bin_check_kept(FuzzRun *run, const char *when);
void fuzz_bin_release_kept(void);

// --- What came of a load -------------------------------------------------------------------------

// Own: the array of what a module imports, or NULL. Where they are something else, that is noted in
// fuzz_bin_load.
TVMFFIObjectHandle fuzz_bin_imports(TVMFFIObjectHandle module);
void fuzz_bin_clear_imports(TVMFFIObjectHandle module);

// Whether a module of ours that a load returned has no reference but those that were there before.
bool fuzz_bin_is_lent(TVMFFIObjectHandle root);

// Walks from the root through all imports, each module once.
void fuzz_bin_meet_all(TVMFFIObjectHandle root, FuzzRun *run);

// Checks what was loaded against the tree, entry by entry; modules that nobody imports; and that a
// name which nobody has is not found.
void fuzz_bin_check_tree(const BinOracle *tree, TVMFFIObjectHandle root, FuzzRun *run);
void fuzz_bin_check_unreached(FuzzRun *run);
void fuzz_bin_check_look_up(TVMFFIObjectHandle root, FuzzRun *run);

// Takes apart what the loads tied together: the nodes live on, and their imports with them. Those
// that the root does not lead to were not met.
void fuzz_bin_release_tree(TVMFFIObjectHandle root, FuzzRun *run);
void fuzz_bin_clear_unmet(void);

// Every node is ours alone again, and imports nothing.
void fuzz_bin_check_nodes(FuzzRun *run);

// --- Verdicts ------------------------------------------------------------------------------------

bool fuzz_bin_is_text(TVMFFIByteArray text, const char *expected);
// Of a load that failed with this code, and this in its result.
void fuzz_bin_judge_refusal(int code, const TVMFFIAny *result, FuzzRun *run);
void fuzz_bin_judge_acceptance(const TVMFFIAny *result, FuzzRun *run);

// What loaders did besides, and what of it was wrong.
void fuzz_bin_judge_loaders(FuzzRun *run);

// Whether a look-up by the context of the library finds what the library imports first.
void fuzz_bin_check_context(FuzzRun *run);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_STATE_H_
