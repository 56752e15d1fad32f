// SPDX-License-Identifier: Apache-2.0
// Payloads, and the trees that loaders must make of them.
//
// A tree of at most 16 modules is a text: "L:12 1:3 2:3 3". Entries stand in their order; L is the
// library, a hexadecimal digit is the node that a loader of ours makes, and behind the colon stand
// the entries that it imports.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_LIBRARY_BIN_TREE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_LIBRARY_BIN_TREE_H_

#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases/runtime/module_loading.h"
#include "library_bin.h"

// --- Payloads ------------------------------------------------------------------------------------

enum { TREE_MODULES = 16, TREE_CHILDREN = 64 };

typedef struct Payload {
  unsigned char *bytes;
  size_t size;
  size_t modules, children;
} Payload;

static const char node_kind[] = "conform_node";

static const char tree_digits[] = "0123456789abcdef";

static inline bool is_digit(char character)
{
  return memchr(tree_digits, character, sizeof tree_digits - 1) != NULL;
}

static inline size_t digit_of(char digit)
{
  if (!is_digit(digit)) case_inconclusive("`%c` is not a digit of a tree", digit);
  return (size_t)(strchr(tree_digits, digit) - tree_digits);
}

// The payload of a tree. It is kept until the case ends.
static inline Payload payload_of_tree(const LibraryBin *tree)
{
  Payload payload = {
      .size = library_bin_size(tree), .modules = tree->num_modules, .children = tree->num_children};
  payload.bytes = malloc(payload.size);
  if (!payload.bytes) case_inconclusive("no memory for a payload");
  library_bin_write(tree, payload.bytes);
  return payload;
}

static inline Payload payload_of(const char *text)
{
  uint64_t rows[TREE_MODULES + 1] = {0}, children[TREE_CHILDREN];
  LibraryBinEntry entries[TREE_MODULES];
  LibraryBin tree = {0, 0, rows, children, entries};
  while (*text) {
    LibraryBinEntry *entry = &entries[tree.num_modules++];
    *entry = (LibraryBinEntry){.is_library = *text == 'L'};
    if (*text != 'L') {
      entry->kind = (LibraryBinBytes){node_kind, sizeof node_kind - 1};
      entry->value = (LibraryBinBytes){&tree_digits[digit_of(*text)], 1};
    }
    if (*++text == ':')
      while (*++text && *text != ' ') children[tree.num_children++] = digit_of(*text);
    rows[tree.num_modules] = tree.num_children;
    if (*text == ' ') ++text;
  }
  return payload_of_tree(&tree);
}

// Where the numbers of a payload are. Behind the children come the entries.
enum { AT_NBYTES = 0, AT_ROW_COUNT = 8, AT_ROWS = 16 };

static inline size_t at_row(size_t row)
{
  return AT_ROWS + 8 * row;
}

static inline size_t at_child_count(const Payload *payload)
{
  return AT_ROWS + 8 * (payload->modules + 1);
}

static inline size_t at_child(const Payload *payload, size_t child)
{
  return at_child_count(payload) + 8 + 8 * child;
}

static inline uint64_t number_at(const Payload *payload, size_t at)
{
  uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number |= (uint64_t)payload->bytes[at + (size_t)i] << 8 * i;
  return number;
}

// Where the kind of an entry begins, with its length.
static inline size_t at_kind(const Payload *payload, size_t entry)
{
  size_t at = at_child(payload, payload->children);
  while (entry--) {
    size_t kind = number_at(payload, at);
    bool library = kind == 4 && memcmp(payload->bytes + at + 8, "_lib", 4) == 0;
    at += 8 + kind;
    if (!library) at += 8 + number_at(payload, at);
  }
  return at;
}

// Where the value of an entry that is not the library begins, with its length.
static inline size_t at_value(const Payload *payload, size_t entry)
{
  size_t at = at_kind(payload, entry);
  return at + 8 + number_at(payload, at);
}

static inline void put_number(const Payload *payload, size_t at, uint64_t number)
{
  for (int i = 0; i < 8; ++i) payload->bytes[at + (size_t)i] = (unsigned char)(number >> 8 * i);
}

// A payload that differs in one number, with as many bytes.
static inline Payload with_number(Payload payload, size_t at, uint64_t number)
{
  unsigned char *bytes = malloc(payload.size);
  if (!bytes) case_inconclusive("no memory for a payload");
  memcpy(bytes, payload.bytes, payload.size);
  payload.bytes = bytes;
  put_number(&payload, at, number);
  return payload;
}

// Puts a payload where the other one is, if it has the same size: a loader may know it by that.
static inline void replace_payload(const Carrier *carrier, const Payload *old,
                                   const Payload *payload)
{
  char *placed = carrier_symbol(carrier, "__tvm_ffi__library_bin");
  size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)placed % page;
  if (old->size != payload->size ||
      mprotect(placed - before, before + old->size, PROT_READ | PROT_WRITE) != 0) {
    carrier_place(carrier, payload->bytes, payload->size);
    return;
  }
  memcpy(placed, payload->bytes, payload->size);
  mprotect(placed - before, before + old->size, PROT_READ);
}

// Letters that are no digits of any number, nor parts of an address.
static inline size_t words_of(TVMFFIByteArray text, char *words, size_t room)
{
  size_t count = 0;
  for (size_t i = 0; i < text.size && count < room; ++i)
    if (!isxdigit((unsigned char)text.data[i])) words[count++] = text.data[i];
  return count;
}

// --- A loader of ours ----------------------------------------------------------------------------

// What the loader of the kind conform_node was asked for. It makes of the value "3" a module of
// node 3.
typedef struct NodeLoads {
  Iut *iut;
  atomic_uint calls;
  char values[64];                 // one letter for each of the first calls
  TVMFFIObjectHandle modules[64];  // weak references to what it gave them
  void **context;                  // a variable whose content at each call is kept
  void *contexts[64];
} NodeLoads;

// Borrow: the content of the argument of a loader, in whatever form of bytes it comes.
static inline TVMFFIByteArray bytes_in(Iut *iut, const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFIByteArrayPtr) return *(const TVMFFIByteArray *)value->v_ptr;
  return content_of(iut, value);
}

static inline int load_node_from_bytes(void *self, const TVMFFIAny *args, int32_t num_args,
                                       TVMFFIAny *result)
{
  NodeLoads *loads = self;
  TVMFFIByteArray value = {NULL, 0};
  if (num_args == 1) value = bytes_in(loads->iut, args);
  if (value.size != 1 || !is_digit(*value.data)) {
    loads->iut->ErrorSetRaisedFromCStr("ValueError", "no node has such a value");
    return -1;
  }
  unsigned call = atomic_fetch_add(&loads->calls, 1);
  TVMFFIObjectHandle module = load_node(loads->iut, (int)digit_of(*value.data));
  if (call < 64) {
    loads->values[call] = *value.data;
    loads->modules[call] = module;
    object_take_weak(loads->iut, module);
    if (loads->context) loads->contexts[call] = *loads->context;
  }
  *result = view_of_object(loads->iut, module);
  return 0;
}

// Enters a function under a name. It stays there.
static inline void enter_function(Iut *iut, const char *name, void *self, TVMFFISafeCallType call)
{
  TVMFFIByteArray text = bytes_of(name);
  TVMFFIObjectHandle function = new_function(iut, self, call, NULL);
  require(expect_ok(iut, iut->FunctionSetGlobal(&text, function, 1)));
  release_object(iut, function);
}

// What the loader of the nodes notes. It lives as long as the case.
static inline NodeLoads *node_loads(void)
{
  static NodeLoads loads;
  return &loads;
}

// Enters the loader of the nodes.
static inline NodeLoads *serve_nodes(Iut *iut)
{
  NodeLoads *loads = node_loads();
  loads->iut = iut;
  enter_function(iut, "ffi.Module.load_from_bytes.conform_node", loads, load_node_from_bytes);
  return loads;
}

// Forgets the modules that the loader gave.
static inline void forget_loads(Iut *iut, NodeLoads *loads)
{
  for (unsigned i = 0; i < loads->calls && i < 64; ++i) object_release_weak(iut, loads->modules[i]);
  loads->calls = 0;
}

// Wants that nobody has any of the modules that the loader gave, and forgets them.
#define expect_loads_released(...) expect_loads_released_(EXPECT_HERE_, __VA_ARGS__)
static inline void expect_loads_released_(const char *at, Iut *iut, NodeLoads *loads)
{
  for (unsigned i = 0; i < loads->calls && i < 64; ++i)
    expect_counts_(at, iut, loads->modules[i], (ExpectedCounts){.strong = 0, .weak = 1});
  forget_loads(iut, loads);
}

// --- Trees that were loaded ----------------------------------------------------------------------

// Own: the root that the runtime makes of a payload.
#define load_payload(...) load_payload_(EXPECT_HERE_, __VA_ARGS__)
static inline TVMFFIObjectHandle load_payload_(const char *at, Iut *iut, Payload payload)
{
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle root = load_path_(at, iut, carrier.path);
  carrier_close(&carrier);
  return root;
}

// The text of a tree, taken apart.
typedef struct TreeText {
  size_t modules;
  const char *entries[TREE_MODULES];
} TreeText;

static inline TreeText tree_text(const char *text)
{
  TreeText tree = {0, {NULL}};
  while (*text) {
    tree.entries[tree.modules++] = text;
    text += strcspn(text, " ");
    text += *text == ' ';
  }
  return tree;
}

// The digits of the entries that an entry imports, up to a blank or the end.
static inline const char *imports_in_text(const char *entry)
{
  return entry[1] == ':' ? entry + 2 : "";
}

// Adds the entries that can be reached from this one, itself among them.
static inline void reach(const TreeText *tree, size_t entry, bool reached[TREE_MODULES])
{
  if (reached[entry]) return;
  reached[entry] = true;
  for (const char *at = imports_in_text(tree->entries[entry]); *at && *at != ' '; ++at)
    reach(tree, digit_of(*at), reached);
}

// The module of an entry has the functions of this entry, and finds the functions of exactly those
// nodes that the text says can be reached from it.
static inline bool expect_reach(const char *at, Iut *iut, const TreeText *tree, size_t entry,
                                TVMFFIObjectHandle module)
{
  bool reached[TREE_MODULES] = {false}, found[TREE_MODULES] = {false}, holds = true;
  char letter = *tree->entries[entry], name[16];
  if (!expect_function_(at, iut, module, "self", false,
                        letter == 'L' ? CARRIER_SELF : (int64_t)digit_of(letter)))
    return false;
  reach(tree, entry, reached);
  for (size_t i = 0; i < tree->modules; ++i)
    if (*tree->entries[i] != 'L' && reached[i]) found[digit_of(*tree->entries[i])] = true;
  for (size_t node = 0; node < TREE_MODULES; ++node) {
    snprintf(name, sizeof name, "only_%zu", node);
    if (found[node])
      holds &= expect_function_(at, iut, module, name, true, (int64_t)node);
    else
      holds &= expect_no_function_(at, iut, module, view_of_raw_string(name), true);
  }
  return holds;
}

// The entry of a node that the text has once; TREE_MODULES for other nodes.
static inline size_t entry_of_node(const TreeText *tree, char letter)
{
  size_t entry = TREE_MODULES;
  for (size_t i = 0; i < tree->modules; ++i) {
    if (*tree->entries[i] != letter) continue;
    if (entry != TREE_MODULES) return TREE_MODULES;
    entry = i;
  }
  return entry;
}

// The root and the modules that the loader of the nodes gave find the functions that the text says.
#define expect_tree(...) expect_tree_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_tree_(const char *at, Iut *iut, TVMFFIObjectHandle root, const char *text)
{
  const TreeText tree = tree_text(text);
  const NodeLoads *loads = node_loads();
  bool holds = expect_reach(at, iut, &tree, 0, root), reached[TREE_MODULES] = {false};
  reach(&tree, 0, reached);
  for (unsigned i = 0; i < loads->calls && i < 64; ++i) {
    size_t entry = entry_of_node(&tree, loads->values[i]);
    if (entry == TREE_MODULES || !reached[entry]) continue;
    if (!expect_that_(at, object_strong(iut, loads->modules[i]) > 0, "a module that is kept",
                      "nobody keeps the module of entry %zu", entry))
      return false;
    holds &= expect_reach(at, iut, &tree, entry, loads->modules[i]);
  }
  return holds;
}

// The fields of the modules that can be reached from the module of an entry hold the imports that
// the text says, in their order, and one object for each entry.
static inline bool expect_imports(const char *at, Iut *iut, const TreeText *tree,
                                  TVMFFIObjectHandle seen[TREE_MODULES], size_t entry,
                                  TVMFFIObjectHandle module)
{
  const char *imports = imports_in_text(tree->entries[entry]);
  if (seen[entry])
    return expect_pointer_(at, "the module of an entry that was seen before", module, seen[entry]);
  for (size_t i = 0; i < TREE_MODULES; ++i)
    if (!expect_that_(at, seen[i] != module, "an object for each entry",
                      "entries %zu and %zu are the same object", i, entry))
      return false;
  seen[entry] = module;
  if (!expect_int_(at, "number of imports", number_of_imports(iut, module),
                   (int64_t)strcspn(imports, " ")))
    return false;
  for (int64_t i = 0; imports[i] && imports[i] != ' '; ++i)
    if (!expect_imports(at, iut, tree, seen, digit_of(imports[i]), import_at(iut, module, i)))
      return false;
  return true;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_LIBRARY_BIN_TREE_H_
