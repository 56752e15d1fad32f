// SPDX-License-Identifier: Apache-2.0
// A module that attacks the machine when it is loaded: with each attack of attacks.def, each in a
// process of its own. It writes what became of each, and ends. Under the names kill_runner.so and
// stop_runner.so it does that to the process that started its own, as own_runner.so it has the kernel
// kill that; as storm.so it starts as many processes as it can, as leave.so one that goes on, with a
// timer, as fill.so it writes as much as it can, and as device.so it opens devices. With AS_RUNTIME it is taken for a runtime. What it attacks
// was made by check_attacks.py: the directory ../outside, and files beside the library that name a
// process and a port.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// System calls that headers of Debian 12 know and older ones may not; the numbers are those of all
// machines.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

// (linux/fs.h and sys/mount.h of Debian 12 don't go together.)
#ifndef FS_IOC_GETFLAGS
#define FS_IOC_GETFLAGS _IOR('f', 1, long)
#define FS_IOC_SETFLAGS _IOW('f', 2, long)
#define FS_NOATIME_FL 0x80
#endif

enum { PATH_SIZE = 4096 };
static char here[PATH_SIZE / 2];  // where the library lies
static const char *current;       // the attack
static pid_t runner;              // what started the process that the library was loaded into
static char nothing[256];

// --- What is attacked ----------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static const char *put(char path[PATH_SIZE],
                                                             const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, PATH_SIZE, format, arguments);
  va_end(arguments);
  return path;
}

static const char *beside(const char *name)
{
  static char path[PATH_SIZE];
  return put(path, "%s/%s", here, name);
}

static const char *outside(const char *name)
{
  static char path[PATH_SIZE];
  return put(path, "%s/../outside/%s", here, name);
}

static const char *target(void)
{
  return outside(current);
}

static const char *fresh(void)
{
  static char path[PATH_SIZE];
  return put(path, "%s.new", target());
}

static const char *private(const char *name)
{
  static char path[PATH_SIZE];
  const char *folder = getenv("TMPDIR");
  return put(path, "%s/%s", folder ? folder : "/tmp", name);
}

// The number in a file beside the library, or in the environment.
static int number(const char *name)
{
  int value = 0;
  const char *told = getenv(name);
  if (told) return atoi(told);
  FILE *file = fopen(beside(name), "re");
  if (!file || fscanf(file, "%d", &value) != 1) _exit(EXIT_FAILURE);
  fclose(file);
  return value;
}

static pid_t other(void)
{
  return number("pid");
}

static const char *of_process(const char *what)
{
  static char path[PATH_SIZE];
  return put(path, "/proc/%d/%s", (int)other(), what);
}

static const char *by_process(const char *what, const char *name)
{
  static char path[PATH_SIZE];
  return put(path, "%s%s", of_process(what), name);
}

static const char *by_root(const char *name)
{
  static char path[PATH_SIZE];
  return put(path, "/proc/self/root%s", name);
}

// --- Files ---------------------------------------------------------------------------------------

static bool is_secret(int file)
{
  char text[PATH_SIZE] = "";
  ssize_t size = file < 0 ? 0 : pread(file, text, sizeof text, 0);
  return size > 0 && memmem(text, (size_t)size, "secret", 6);
}

static bool reads(const char *path)
{
  char byte;
  int file = open(path, O_RDONLY);
  return file >= 0 && read(file, &byte, 1) == 1;
}

static bool lists(const char *path)
{
  DIR *directory = opendir(path);
  return directory && readdir(directory);
}

static bool finds_descriptor(void)
{
  for (int file = 0; file < 1000; ++file)
    if (is_secret(file)) return true;
  return false;
}

// One of a directory that holds the file of this attack.
static bool finds_directory(void)
{
  for (int file = 0; file < 1000; ++file)
    if (is_secret(openat(file, current, O_RDONLY))) return true;
  return false;
}

// That reading the file is no longer noted, for a moment.
static bool changes_flags(const char *path)
{
  int file = open(path, O_RDONLY), flags = 0;
  if (file < 0 || ioctl(file, FS_IOC_GETFLAGS, &flags) != 0) return false;
  int others = flags ^ FS_NOATIME_FL;
  return ioctl(file, FS_IOC_SETFLAGS, &others) == 0 && ioctl(file, FS_IOC_SETFLAGS, &flags) == 0;
}

static bool opens_by_handle(void)
{
  struct {
    struct file_handle head;
    unsigned char rest[MAX_HANDLE_SZ];
  } handle = {.head.handle_bytes = MAX_HANDLE_SZ};
  int mount_id, root = open(here, O_RDONLY | O_DIRECTORY);
  if (name_to_handle_at(AT_FDCWD, target(), &handle.head, &mount_id, 0) != 0) return false;
  return is_secret(open_by_handle_at(root, &handle.head, O_RDONLY));
}

// The exit code of a program, or 127 if it does not start.
static int start_of_program(const char *path)
{
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    execl(path, path, (char *)NULL);
    _exit(127);
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static bool keeps_posix_memory(void)
{
  int file = shm_open("/tvmffi-conform-attack", O_CREAT | O_RDWR, 0600);
  shm_unlink("/tvmffi-conform-attack");
  return file >= 0;
}

// --- Processes -----------------------------------------------------------------------------------

// (An address that is not there is reached, too: the kernel has looked for it.)
static bool reaches_memory(pid_t process, long call)
{
  char byte = 0;
  struct iovec ours = {&byte, 1}, theirs = {NULL, 1};
  return syscall(call, process, &ours, 1, &theirs, 1, 0) == 1 || errno == EFAULT;
}

static bool takes_descriptor(void)
{
  int process = (int)syscall(SYS_pidfd_open, other(), 0);
  return process >= 0 && syscall(SYS_pidfd_getfd, process, 0, 0) >= 0;
}

static bool limits_other(void)
{
  struct rlimit limit;
  return prlimit(other(), RLIMIT_CORE, NULL, &limit) == 0;
}

static bool signals_by_descriptor(void)
{
  int process = (int)syscall(SYS_pidfd_open, other(), 0);
  return process >= 0 && syscall(SYS_pidfd_send_signal, process, SIGCONT, NULL, 0) == 0;
}

// As a user who has no other processes; who can't become one changes nothing of most of their own.
static bool sets_all_priorities(void)
{
  enum { NOBODY = 1234567, LESS = 5 };
  return setpriority(PRIO_USER, 0, setresuid(NOBODY, NOBODY, NOBODY) == 0 ? LESS : 0) == 0;
}

static bool sets_processors(void)
{
  cpu_set_t set;
  return sched_getaffinity(other(), sizeof set, &set) == 0 &&
         sched_setaffinity(other(), sizeof set, &set) == 0;
}

static bool sets_scheduling(void)
{
  return sched_setscheduler(other(), SCHED_OTHER, &(struct sched_param){0}) == 0;
}

static bool signals_by_directory(void)
{
  int process = open(of_process(""), O_RDONLY | O_DIRECTORY);
  return process >= 0 && syscall(SYS_pidfd_send_signal, process, SIGCONT, NULL, 0) == 0;
}

// --- Sockets -------------------------------------------------------------------------------------

static bool connects_tcp(void)
{
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number("port"))};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to) == 0;
}

static bool listens_tcp(void)
{
  struct sockaddr_in at = {.sin_family = AF_INET};
  int end = socket(AF_INET, SOCK_STREAM, 0);
  return bind(end, (struct sockaddr *)&at, sizeof at) == 0 && listen(end, 1) == 0;
}

static bool connects_unix(bool abstract)
{
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  // A path of a socket is short: it is reached from the directory that it lies in.
  if (!abstract && chdir(outside("")) != 0) return false;
  snprintf(to.sun_path + abstract, sizeof to.sun_path - 1,
           abstract ? "tvmffi-conform-%d" : "socket", (int)other());
  size_t size = offsetof(struct sockaddr_un, sun_path) + abstract + strlen(to.sun_path + abstract);
  return connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&to, (socklen_t)size) == 0;
}

// A pair of one's own, one end of which then sends to somebody else.
static bool sends_datagram(int type)
{
  int pair[2];
  struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "datagrams"};
  return chdir(outside("")) == 0 && socketpair(AF_UNIX, type, 0, pair) == 0 &&
         sendto(pair[0], "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1;
}

// --- The kernel ----------------------------------------------------------------------------------

static bool mounts(void)
{
  const char *where = outside("mounted");
  return mount("none", where, "tmpfs", 0, NULL) == 0 && umount(where) == 0;
}

// A program for sockets: "return 0".
static bool loads_program(void)
{
  static const uint64_t program[] = {0xb7, 0x95};
  struct {
    uint32_t type, count;
    uint64_t program, license;
    unsigned char rest[96];
  } wanted = {1, 2, (uint64_t)(uintptr_t)program, (uint64_t)(uintptr_t) "GPL", {0}};
  return syscall(SYS_bpf, 5, &wanted, sizeof wanted) >= 0;
}

// Of software events, the clock: every machine has it.
static bool counts_events(void)
{
  struct {
    uint32_t type, size;
    unsigned char rest[56];
  } wanted = {1, 64, {0}};
  return syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0) >= 0;
}

static bool puts_into_terminal(void)
{
  int terminal = open("/dev/tty", O_RDWR);
  return ioctl(terminal < 0 ? 0 : terminal, TIOCSTI, "x") == 0;
}

static bool sets_host_name(void)
{
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 && sethostname(name, strlen(name)) == 0;
}

static bool keeps_shared_memory(void)
{
  int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  return id >= 0 && shmctl(id, IPC_RMID, NULL) == 0;
}

static bool keeps_queue(void)
{
  mqd_t queue = mq_open("/tvmffi-conform-attack", O_CREAT | O_RDWR, 0600, NULL);
  mq_unlink("/tvmffi-conform-attack");
  return queue != (mqd_t)-1;
}

// --- Room ----------------------------------------------------------------------------------------

static bool writes_huge(void)
{
  signal(SIGXFSZ, SIG_IGN);
  int file = open(private("tvmffi-conform-huge"), O_CREAT | O_WRONLY, 0600);
  bool done = file >= 0 && ftruncate(file, (off_t)9 << 30) == 0;
  unlink(private("tvmffi-conform-huge"));
  return done;
}

// --- All of them ---------------------------------------------------------------------------------

#define ATTACK(name, promise, expression) \
  static bool do_##name(void)             \
  {                                       \
    return expression;                    \
  }
#include "attacks.def"

static const struct {
  const char *name;
  bool (*succeeds)(void);
} attacks[] = {
#define ATTACK(name, promise, expression) {#name, do_##name},
#include "attacks.def"
};

// In a process of its own, so that what it leaves behind is gone before the next one.
static const char *attack(bool (*succeeds)(void))
{
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(succeeds() ? 42 : 43);
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return "?";
  return WEXITSTATUS(status) == 42 ? "1" : WEXITSTATUS(status) == 43 ? "0" : "?";
}

// --- What is no matter of one call ---------------------------------------------------------------

static int idle(void *nothing_at_all)
{
  (void)nothing_at_all;
  while (pause() < 0) continue;
  return 0;
}

// Processes that share our memory, so that they cost little.
static void storm(void)
{
  enum { MOST = 6000, STACK = 8192 };
  static pid_t started[MOST];
  int count = 0;
  char *stacks = mmap(NULL, (size_t)MOST * STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED) return;
  for (; count < MOST; ++count) {
    started[count] = clone(idle, stacks + (count + 1) * STACK, CLONE_VM | SIGCHLD, NULL);
    if (started[count] < 0) break;
  }
  printf("storm=%d\n", count);
  fflush(stdout);
  for (int i = 0; i < count; ++i) kill(started[i], SIGKILL);
  for (int i = 0; i < count; ++i) waitpid(started[i], NULL, 0);
}

// A process that nobody waits for, in a session of its own, that would do something in an hour.
static void leave(void)
{
  int ends[2];
  char byte;
  if (pipe(ends) != 0) return;
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    prctl(PR_SET_NAME, "tvmffi-left");
    signal(SIGHUP, SIG_IGN);
    alarm(3600);
    int file = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; ++i) dup2(file, i);
    if (write(ends[1], "", 1) == 1) idle(NULL);
  }
  if (read(ends[0], &byte, 1) == 1) printf("left=1\n");
  fflush(stdout);
}

// So many MiB have room in the private directory, of those that are asked for. (No byte of them is
// written on most systems.)
static void fill(void)
{
  enum { MOST = 1280, PART = 128 };
  int count = 0;
  for (; count < MOST; count += PART) {
    char name[32];
    snprintf(name, sizeof name, "tvmffi-conform-fill-%d", count);
    int file = open(private(name), O_CREAT | O_WRONLY, 0600);
    bool fits = file >= 0 && posix_fallocate(file, 0, (off_t)PART << 20) == 0;
    close(file);
    if (!fits) break;
  }
  printf("fill=%d\n", count);
  fflush(stdout);
  for (int i = 0; i <= count; i += PART) {
    char name[32];
    snprintf(name, sizeof name, "tvmffi-conform-fill-%d", i);
    unlink(private(name));
  }
}

// What the driver of a real device does besides: it names a thread of its own, and listens to a socket
// that has a name and no path.
static bool names_thread(void)
{
  char path[PATH_SIZE];
  FILE *name = fopen(put(path, "/proc/self/task/%d/comm", (int)getpid()), "wb");
  bool written = name && fputs("named", name) >= 0;
  return name && fclose(name) == 0 && written;
}

static bool listens_unix(int type)
{
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "tvmffi-conform-listens-%d", (int)getpid());
  int end = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  return bind(end, (struct sockaddr *)&at, sizeof at) == 0 && listen(end, 1) == 0;
}

static bool joins_unix(void)
{
  struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "/tmp/nvidia-mps/control"};
  int end = socket(AF_UNIX, SOCK_SEQPACKET, 0);
  return connect(end, (struct sockaddr *)&to, sizeof to) == 0 || errno != EPERM;
}

static void open_devices(void)
{
  static const char *const names[] = {
      "nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-caps/nvidia-cap1", "null", "kvm", "sda", "mem"};
  char path[PATH_SIZE];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    printf("%s=%d\n", names[i], open(put(path, "/dev/%s", names[i]), O_RDWR) >= 0);
  printf("thread=%d\n", names_thread());
  printf("listens=%d\n", listens_unix(SOCK_SEQPACKET));
  printf("listens/stream=%d\n", listens_unix(SOCK_STREAM));
  printf("listens/tcp=%d\n", listens_tcp());
  printf("connects=%d\n", joins_unix());
  fflush(stdout);
}

// The kernel tells the owner of a descriptor, by a signal that one chooses, when there is something to
// read.
static void have_killed(pid_t process)
{
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
  if (fcntl(pair[0], F_SETOWN, process) != 0 || fcntl(pair[0], F_SETSIG, SIGKILL) != 0) return;
  fcntl(pair[0], F_SETFL, O_ASYNC);
  if (write(pair[1], "x", 1) == 1) poll(NULL, 0, 1);
}

static void begin(void)
{
  Dl_info info;
  if (!dladdr(here, &info)) return;
  const char *slash = strrchr(info.dli_fname, '/');
  if (!slash) return;
  snprintf(here, sizeof here, "%.*s", (int)(slash - info.dli_fname), info.dli_fname);
  // In a namespace of its own it has no number: any of those outside is as good.
  runner = getppid();
  if (runner == 0 && strncmp(slash, "/attack", 7) == 0) runner = other();
  if (runner && strncmp(slash, "/kill_runner", 12) == 0) kill(runner, SIGKILL);
  if (runner && strncmp(slash, "/stop_runner", 12) == 0) kill(runner, SIGSTOP);
  if (runner && strncmp(slash, "/own_runner", 11) == 0) have_killed(runner);
  bool storms = strncmp(slash, "/storm", 6) == 0, leaves = strncmp(slash, "/leave", 6) == 0;
  bool fills = strncmp(slash, "/fill", 5) == 0;
  if (storms) storm();
  if (fills) fill();
  if (leaves) leave();
  bool opens = strncmp(slash, "/device", 7) == 0;
  if (opens) open_devices();
  if (storms || leaves || fills || opens) _exit(42);
  if (strncmp(slash, "/attack", 7) != 0) return;
  for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; ++i) {
    current = attacks[i].name;
    printf("%s=%s\n", current, attack(attacks[i].succeeds));
    fflush(stdout);
  }
  _exit(42);
}

#ifdef IN_READER
// As if the reader of files had a flaw: it is preloaded into the program, and takes over when that
// opens the file.
__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
  size_t length = strlen(path);
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (!current && (flags & O_NONBLOCK)) {
    if (length > 9 && strcmp(path + length - 9, "/crash.so") == 0) abort();
    if (length > 10 && strcmp(path + length - 10, "/attack.so") == 0) begin();
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

// The same of what reads arrays.
__attribute__((visibility("default"))) FILE *fopen(const char *path, const char *mode)
{
  size_t length = strlen(path);
  if (!current && length > 10 && strcmp(path + length - 10, "/crash.npy") == 0) abort();
  if (!current && length > 11 && strcmp(path + length - 11, "/attack.npy") == 0) begin();
  void *next = dlsym(RTLD_NEXT, "fopen");
  FILE *(*real)(const char *, const char *);
  memcpy(&real, &next, sizeof real);
  return real(path, mode);
}

// The same of what reads JSON, when that is about an attack.
__attribute__((visibility("default"))) void *json_loadb(const char *text, size_t size, size_t flags,
                                                        void *error)
{
  if (memmem(text, size, "\"crash\"", 7)) abort();
  if (!current && memmem(text, size, "\"attack\"", 8)) begin();
  void *next = dlsym(RTLD_NEXT, "json_loadb");
  void *(*load)(const char *, size_t, size_t, void *);
  memcpy(&load, &next, sizeof load);
  return load(text, size, flags, error);
}
#else
__attribute__((constructor)) static void when_loaded(void)
{
  begin();
}
#endif

#ifdef AS_RUNTIME
__attribute__((visibility("default"))) void TVMFFIGetVersion(void *version);
void TVMFFIGetVersion(void *version)
{
  memset(version, 0, 12);
}
#else
__attribute__((visibility("default"))) int __tvm_ffi_nothing(void *handle, const void *arguments,
                                                             int count, void *result);
int __tvm_ffi_nothing(void *handle, const void *arguments, int count, void *result)
{
  return !handle + !arguments + count + !result;
}
#endif
