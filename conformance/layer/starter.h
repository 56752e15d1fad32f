// SPDX-License-Identifier: Apache-2.0
// Whether a program can be started with the layer in it. It allocates nothing and takes no lock, so that
// the layer can ask in a process that is about to execute another program.
#ifndef TVMFFI_CONFORMANCE_LAYER_STARTER_H_
#define TVMFFI_CONFORMANCE_LAYER_STARTER_H_

typedef enum StarterFit {
  STARTER_FITS,     // or is not known not to
  STARTER_MUSL,     // its loader is musl's, which does not start it with a library for glibc
  STARTER_MACHINE,  // it is for another machine, whose loader complains of the layer
  STARTER_REACH,  // the files of the layer can't be reached, by that user or from that root folder
  STARTER_COUNT
} StarterFit;

// Paths that are longer are cut.
typedef struct Starter {
  char executable[256];  // the program, or what the first line of a script names
  char loader[256];      // "": it names none
} Starter;

// Of the file at this path; never STARTER_REACH.
StarterFit starter_read(const char *path, Starter *starter);

#endif  // TVMFFI_CONFORMANCE_LAYER_STARTER_H_
