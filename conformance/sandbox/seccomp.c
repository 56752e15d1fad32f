// SPDX-License-Identifier: Apache-2.0
#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Not in every header: without it, some kernels slow down all that has a program.
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
#ifndef F_SETOWN_EX
#define F_SETOWN_EX 15
#endif
#ifndef FIOSETOWN
#define FIOSETOWN 0x8901
#define SIOCSPGRP 0x8902
#endif
// Not in any header of the C library: of which processes ioprio_set speaks.
#define IOPRIO_WHO_USER 3

int seccomp_offered(void)
{
  // It is asked whether an action is known; nothing is loaded.
  const uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 0 : errno;
}

int seccomp_program_load(const void *program, size_t size)
{
  struct sock_fprog loaded = {
      .len = (unsigned short)(size / sizeof(struct sock_filter)),
      .filter = (struct sock_filter *)(uintptr_t)program,
  };
  unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &loaded) == 0) return 0;
  if (errno == EINVAL && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &loaded) == 0) return 0;
  return errno;
}

#ifndef HAVE_LIBSECCOMP
void *seccomp_program_make(const SeccompDuties *duties, size_t *size, const char **why)
{
  (void)duties;
  *size = 0;
  *why = "not built in: libseccomp was missing";
  return NULL;
}
#else
#include <seccomp.h>

typedef enum Duty { ALWAYS, sockets, attributes, truncation, memory, signals } Duty;

static const struct {
  Duty duty;
  const char *name;
} denied[] = {
#define DENIED(duty, name) {duty, name},
#include "sandbox/seccomp_denied.def"
};

static bool has_duty(const SeccompDuties *duties, Duty duty)
{
  return duty == ALWAYS || (duty == sockets && duties->sockets) ||
         (duty == attributes && duties->attributes) || (duty == truncation && duties->truncation) ||
         (duty == memory && duties->memory) || (duty == signals && duties->signals);
}

// A call that this machine, or this version of libseccomp, does not know can't be denied. Its
// number, or a negative one.
static int number_of(const char *name)
{
  int number = seccomp_syscall_resolve_name(name);
  return number == __NR_SCMP_ERROR ? -1 : number;
}

static void deny(scmp_filter_ctx filter, const char *name, int error)
{
  int number = number_of(name);
  if (number != -1) seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), number, 0);
}

static void deny_where(scmp_filter_ctx filter, const char *name, struct scmp_arg_cmp where)
{
  int number = number_of(name);
  if (number != -1) seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &where);
}

static struct scmp_arg_cmp has_bits(unsigned argument, uint64_t bits)
{
  return (struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, bits, bits};
}

// An int: what is in the other half of the register says nothing.
static struct scmp_arg_cmp is_int(unsigned argument, int value)
{
  return (struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint32_t)value};
}

static struct scmp_arg_cmp is_not(unsigned argument, uint64_t value)
{
  return (struct scmp_arg_cmp){argument, SCMP_CMP_NE, value, 0};
}

static void deny_namespaces(scmp_filter_ctx filter)
{
  static const uint64_t flags[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                   CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
#ifdef __s390__
  const unsigned flags_of_clone = 1;
#else
  const unsigned flags_of_clone = 0;
#endif
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
    deny_where(filter, "unshare", has_bits(0, flags[i]));
    deny_where(filter, "clone", has_bits(flags_of_clone, flags[i]));
  }
  deny_where(filter, "unshare", has_bits(0, CLONE_NEWTIME));
  // Its flags are in memory, where they can't be looked at; the C library does without it.
  deny(filter, "clone3", ENOSYS);
}

// Of those that have threads, programs set the processors of each, by its number: so these are denied
// only where others have numbers.
static void deny_scheduling(scmp_filter_ctx filter)
{
  static const char *const calls[] = {"sched_setaffinity", "sched_setscheduler", "sched_setparam",
                                      "sched_setattr"};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i)
    deny_where(filter, calls[i], is_not(0, 0));
}

// What acts upon another process that an argument names.
static void deny_others(scmp_filter_ctx filter)
{
  deny_where(filter, "prlimit64", is_not(0, 0));
  deny_where(filter, "setpriority", is_not(1, 0));
  deny_where(filter, "setpriority", is_int(0, PRIO_USER));
  deny_where(filter, "ioprio_set", is_not(1, 0));
  deny_where(filter, "ioprio_set", is_int(0, IOPRIO_WHO_USER));
}

static void deny_signals(scmp_filter_ctx filter, const SeccompDuties *duties)
{
  static const char *const calls[] = {
      "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open"};
  static const int owners[] = {F_SETOWN, F_SETOWN_EX}, of_devices[] = {FIOSETOWN, SIOCSPGRP};
  const int ours[] = {duties->runner, duties->parent, -1, -getpgrp()};
  for (size_t i = 0; i < sizeof ours / sizeof ours[0]; ++i)
    for (size_t j = 0; j < sizeof calls / sizeof calls[0]; ++j)
      deny_where(filter, calls[j], is_int(0, ours[i]));
  // Who is told when a descriptor has something to read.
  for (size_t i = 0; i < 2; ++i) {
    deny_where(filter, "fcntl", is_int(1, owners[i]));
    deny_where(filter, "fcntl64", is_int(1, owners[i]));
    deny_where(filter, "ioctl", is_int(1, of_devices[i]));
  }
}

static struct scmp_arg_cmp is_type(int type)
{
  enum { TYPE = 0xf };  // without SOCK_CLOEXEC and SOCK_NONBLOCK
  return (struct scmp_arg_cmp){1, SCMP_CMP_MASKED_EQ, TYPE, (uint64_t)type};
}

// A pair of sockets without a connection can send to any socket that has a path.
static void deny_sockets(scmp_filter_ctx filter, const SeccompDuties *duties)
{
  static const int unconnected[] = {SOCK_DGRAM, SOCK_RAW};
  static const int others[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM};
  deny_where(filter, "socketpair", is_not(0, AF_UNIX));
  for (size_t i = 0; i < sizeof unconnected / sizeof unconnected[0]; ++i)
    deny_where(filter, "socketpair", is_type(unconnected[i]));
  deny_where(filter, "sendto", is_not(4, 0));
  if (duties->sockets) return;
  // Such a socket sends nothing before it has a connection, which it can't ask for.
  deny_where(filter, "socket", is_not(0, AF_UNIX));
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    deny_where(filter, "socket", is_type(others[i]));
}

// What is set of a file that can be read by who owns it.
static void deny_flags(scmp_filter_ctx filter)
{
  static const unsigned long flags[] = {FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_SETVERSION,
                                        FS_IOC32_SETVERSION, FS_IOC_FSSETXATTR};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i)
    deny_where(filter, "ioctl", is_int(1, (int)flags[i]));
}

// All but the scheduling of others.
static void deny_all(scmp_filter_ctx filter, const SeccompDuties *duties)
{
  static const int terminal[] = {TIOCSTI, TIOCLINUX, TIOCSCTTY, TIOCCONS};
  for (size_t i = 0; i < sizeof denied / sizeof denied[0]; ++i)
    if (has_duty(duties, denied[i].duty)) deny(filter, denied[i].name, EPERM);
  for (size_t i = 0; i < sizeof terminal / sizeof terminal[0]; ++i)
    deny_where(filter, "ioctl", is_int(1, terminal[i]));
  deny_sockets(filter, duties);
  deny_flags(filter);
  deny_namespaces(filter);
  deny_others(filter);
  if (duties->signals) deny_signals(filter, duties);
}

typedef struct Program {
  void *bytes;  // own; NULL if it could not be made
  size_t size;
} Program;

// What libseccomp writes to a descriptor, in memory.
static Program take_program(scmp_filter_ctx filter)
{
  struct stat status;
  Program program = {NULL, 0};
  int file = memfd_create("seccomp", MFD_CLOEXEC);
  if (file < 0) return program;
  if (seccomp_export_bpf(filter, file) == 0 && fstat(file, &status) == 0 && status.st_size > 0) {
    program.size = (size_t)status.st_size;
    program.bytes = malloc(program.size);
    if (program.bytes && pread(file, program.bytes, program.size, 0) != (ssize_t)program.size) {
      free(program.bytes);
      program.bytes = NULL;
    }
  }
  close(file);
  return program;
}

// Makes the program of these duties without the scheduling of others, and the one with it.
static void make(const SeccompDuties *duties, Program programs[2])
{
  programs[false] = programs[true] = (Program){NULL, 0};
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return;
  // Calls of another machine's kind (int 0x80 in a program of 64 bits) are not there.
  seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  deny_all(filter, duties);
  programs[false] = take_program(filter);
  deny_scheduling(filter);
  programs[true] = take_program(filter);
  seccomp_release(filter);
}

static bool are_same(const SeccompDuties *a, const SeccompDuties *b)
{
  return a->sockets == b->sockets && a->attributes == b->attributes &&
         a->truncation == b->truncation && a->memory == b->memory && a->signals == b->signals &&
         a->runner == b->runner && a->parent == b->parent;
}

void *seccomp_program_make(const SeccompDuties *duties, size_t *size, const char **why)
{
  // To make the rules takes most of a millisecond. A run needs them with the scheduling of others for
  // what reads files, and without it for its workers.
  static struct {
    SeccompDuties duties;
    Program programs[2];  // own, until the end
  } last;
  *why = "out of memory";
  *size = 0;
  if (!last.programs[duties->scheduling].bytes || !are_same(&last.duties, duties)) {
    free(last.programs[false].bytes);
    free(last.programs[true].bytes);
    make(duties, last.programs);
    last.duties = *duties;
  }
  const Program *program = &last.programs[duties->scheduling];
  void *copy = program->bytes ? malloc(program->size) : NULL;
  if (!copy) return NULL;
  memcpy(copy, program->bytes, program->size);
  *size = program->size;
  return copy;
}
#endif
