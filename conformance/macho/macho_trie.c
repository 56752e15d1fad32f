// SPDX-License-Identifier: Apache-2.0
// Exports, from the trie: nodes that share the beginnings of names. A node holds what is exported
// by the name that led to it, and its children with the letters that lead there. A hostile trie may
// lead back to a node, or to one by many ways; each node is looked at once, and the work is a list.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/macho_parts.h"

enum { LONGEST_NAME = 1 << 16, BLOCK_SIZE = 1 << 16 };

// What is stored of names is no more than this and so many bytes for each byte of the trie.
enum { FREE_TEXT = 1 << 20, MOST_TEXT = 256 };

// Names, one after the other.
struct MachoText {
  struct MachoText *next;
  size_t used, size;
  char data[];
};

// A node whose children are being looked at.
typedef struct Node {
  uint64_t next;    // where the next child stands
  unsigned left;    // children that are left
  uint32_t prefix;  // length of the name that led here
} Node;

typedef struct Walk {
  MachoFile *file;
  uint64_t begin, end;  // of the trie
  uint64_t base;        // the address that others count from
  unsigned char *seen;  // own; one bit for each byte of the trie
  Node *nodes;          // own
  size_t depth, room;
  char *name;  // own
  size_t name_room;
  uint64_t text_left;     // bytes of names that may still be stored
  uint64_t letters_left;  // of all children; where no two overlap, they have room in the trie
} Walk;

static bool broken(const Walk *walk, const char *what, uint64_t at)
{
  return binary_problem(walk->file->bytes.problem,
                        "%s at byte %" PRIu64 " of its export trie (build or copy it again)", what,
                        at - walk->begin);
}

// --- Names ---------------------------------------------------------------------------------------

void macho_texts_free(MachoFile *file)
{
  while (file->texts) {
    struct MachoText *next = file->texts->next;
    free(file->texts);
    file->texts = next;
  }
}

static char *keep_room(MachoFile *file, size_t size)
{
  struct MachoText *block = file->texts;
  if (!block || block->size - block->used < size) {
    size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    block = malloc(sizeof *block + room);
    if (!block) return NULL;
    *block = (struct MachoText){file->texts, 0, room};
    file->texts = block;
  }
  block->used += size;
  return block->data + block->used - size;
}

static bool keep_name(Walk *walk, size_t size, BinaryText *name)
{
  if (size == 0) return true;  // nothing led here: it is the root
  if (size > BINARY_LONGEST_TEXT) size = BINARY_LONGEST_TEXT;
  if (size > walk->text_left) {
    return binary_problem(walk->file->bytes.problem,
                          "its export trie holds more than %d bytes of names for each of its own "
                          "(build or copy it again)",
                          MOST_TEXT);
  }
  walk->text_left -= size;
  char *copy = keep_room(walk->file, size);
  if (!copy) return binary_no_memory(walk->file->bytes.problem);
  memcpy(copy, walk->name, size);
  *name = (BinaryText){copy, size};
  return true;
}

static bool append(Walk *walk, uint32_t prefix, const unsigned char *label, size_t size,
                   uint64_t at)
{
  if (size == 0) return true;
  if (prefix + size > LONGEST_NAME) return broken(walk, "a name is too long", at);
  if (prefix + size > walk->name_room) {
    size_t room = 2 * (prefix + size);
    char *grown = realloc(walk->name, room);
    if (!grown) return binary_no_memory(walk->file->bytes.problem);
    walk->name = grown;
    walk->name_room = room;
  }
  memcpy(walk->name + prefix, label, size);
  return true;
}

// --- Nodes ---------------------------------------------------------------------------------------

// What is exported by the name up to here.
static bool read_export(Walk *walk, uint64_t at, uint64_t end, uint32_t length)
{
  const BinaryBytes *bytes = &walk->file->bytes;
  uint64_t begin = at, flags, value;
  MachoExport symbol = {.name = {"", 0}};
  if (!binary_uleb128(bytes, &at, end, &flags) || !binary_uleb128(bytes, &at, end, &value)) {
    return broken(walk, "an export is cut off", begin);
  }
  symbol.flags = (uint32_t)flags;
  if (flags & MACHO_EXPORT_REEXPORT) {
    symbol.ordinal = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
  } else {
    bool absolute = (flags & MACHO_EXPORT_KIND) == MACHO_EXPORT_ABSOLUTE;
    symbol.address = absolute ? value : walk->base + value;
  }
  return keep_name(walk, length, &symbol.name) && macho_add_export(walk->file, &symbol);
}

static bool push(Walk *walk, const Node *node)
{
  if (walk->depth == walk->room) {
    size_t room = walk->room ? 2 * walk->room : 64;
    Node *grown = realloc(walk->nodes, room * sizeof *grown);
    if (!grown) return binary_no_memory(walk->file->bytes.problem);
    walk->nodes = grown;
    walk->room = room;
  }
  walk->nodes[walk->depth++] = *node;
  return true;
}

// Looks at the node `offset` bytes into the trie, which a name of `length` bytes led to.
static bool enter(Walk *walk, uint64_t offset, uint32_t length)
{
  const BinaryBytes *bytes = &walk->file->bytes;
  if (offset >= walk->end - walk->begin) return broken(walk, "a child lies outside", walk->end);
  uint64_t at = walk->begin + offset, size;
  if (walk->seen[offset / 8] & 1u << offset % 8) return broken(walk, "a loop leads to a node", at);
  walk->seen[offset / 8] |= (unsigned char)(1u << offset % 8);
  if (!binary_uleb128(bytes, &at, walk->end, &size) || size >= walk->end - at) {
    return broken(walk, "a node is cut off", walk->begin + offset);
  }
  if (size > 0 && !read_export(walk, at, at + size, length)) return false;
  at += size;
  Node node = {at + 1, (unsigned)binary_number(bytes, at, 1), length};
  return push(walk, &node);
}

// Follows the next child of the node on top.
static bool step(Walk *walk)
{
  Node *node = &walk->nodes[walk->depth - 1];
  const BinaryBytes *bytes = &walk->file->bytes;
  if (node->left == 0) {
    --walk->depth;
    return true;
  }
  --node->left;
  uint64_t at = node->next, child;
  if (at > walk->end) return broken(walk, "a node is cut off", walk->end);
  const unsigned char *label = bytes->data + at;
  uint64_t most = walk->end - at < walk->letters_left ? walk->end - at : walk->letters_left;
  const unsigned char *stop = most > 0 ? memchr(label, 0, most) : NULL;
  if (!stop) return broken(walk, "the letters of a child are cut off", at);
  size_t size = (size_t)(stop - label);
  walk->letters_left -= size + 1;
  at += size + 1;
  if (!binary_uleb128(bytes, &at, walk->end, &child)) return broken(walk, "a child is cut off", at);
  node->next = at;
  uint32_t prefix = node->prefix;
  return append(walk, prefix, label, size, at) && enter(walk, child, prefix + (uint32_t)size);
}

static uint64_t base_of(const MachoFile *file)
{
  for (size_t i = 0; i < file->segment_count; ++i) {
    const MachoSegment *segment = &file->segments[i];
    if (segment->offset == 0 && segment->file_size > 0) return segment->address;
  }
  return 0;
}

bool macho_trie_read(MachoFile *file)
{
  if (file->trie.size == 0) return true;
  Walk walk = {.file = file,
               .begin = file->trie.offset,
               .end = file->trie.offset + file->trie.size,
               .base = base_of(file),
               .seen = calloc(file->trie.size / 8 + 1, 1),
               .text_left = FREE_TEXT + MOST_TEXT * file->trie.size,
               .letters_left = file->trie.size};
  bool good = walk.seen != NULL || binary_no_memory(file->bytes.problem);
  good = good && enter(&walk, 0, 0);
  while (good && walk.depth > 0) good = step(&walk);
  free(walk.seen);
  free(walk.nodes);
  free(walk.name);
  return good;
}
