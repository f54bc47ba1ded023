#pragma once

// Most of these functions have no nullability, so that Swift imports their pointers as implicitly unwrapped optionals.

#define DARWIN_UNAVAILABLE_FROM_ASYNC(text) \
    __attribute__((swift_attr("@_unavailableFromAsync(message: \"" text "\")")))

// MARK: - Types

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/read.2.html
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned int u_int32_t;
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;

// https://developer.apple.com/documentation/security/security-framework-result-codes
typedef signed int SInt32;
typedef SInt32 OSStatus;

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef int32_t dev_t;
typedef uint32_t gid_t;
typedef uint64_t ino_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int64_t off_t;
typedef int32_t pid_t;
typedef int32_t suseconds_t;
typedef long time_t;
typedef uint32_t uid_t;

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/uuid.3.html
typedef unsigned char uuid_t[16];

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/nanosleep.2.html
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/gettimeofday.2.html
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

// MARK: - Errors

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define ERANGE 34
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ETIMEDOUT 60
#define ELOOP 62
#define EDQUOT 69
#define ENOLCK 77
#define ENOSYS 78
#define ECANCELED 89
#define EILSEQ 92

// MARK: - Files

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_EVTONLY 0x00008000
#define O_DIRECTORY 0x00100000
#define O_SYMLINK 0x00200000
#define O_CLOEXEC 0x01000000
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/fcntl.h
#define O_NOFOLLOW_ANY 0x20000000
#define O_EXEC 0x40000000
#define O_SEARCH (O_EXEC | O_DIRECTORY)
int open(const char *, int, ...);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
#define F_FULLFSYNC 51
#define F_SETNOSIGPIPE 73
#define F_GETNOSIGPIPE 74
#define F_SETFD 2
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1
int fcntl(int, int, ...);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/pipe.2.html
int pipe(int[2]);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/dup2.2.html
int dup2(int, int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/poll.2.html
#define POLLOUT 0x0004
typedef unsigned int nfds_t;
struct pollfd {
    int fd;
    short events;
    short revents;
};
int poll(struct pollfd *, nfds_t, int);

// The record locks of `fcntl`. Swift imports the type under the name of the function `flock`.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
struct flock {
    off_t l_start;
    off_t l_len;
    pid_t l_pid;
    short l_type;
    short l_whence;
};

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int, int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/access.2.html
#define AT_FDCWD -2
#define AT_EACCESS 0x0010
#define AT_SYMLINK_NOFOLLOW 0x0020
#define W_OK (1 << 1)
#define R_OK (1 << 2)
#define X_OK (1 << 0)
int faccessat(int, const char *, int, int) __attribute__((availability(macos, introduced = 10.10)))
__attribute__((availability(ios, introduced = 8.0)));

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/read.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/write.2.html
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
int fsync(int);
int usleep(unsigned int);
int ftruncate(int, off_t);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/link.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/readlink.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/rename.2.html
#define PATH_MAX 1024
int link(const char *, const char *);
int unlink(const char *);
ssize_t readlink(const char *restrict, char *restrict, size_t);
int rename(const char *, const char *);

// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/man/man2/rename.2
#define RENAME_SWAP 0x00000002
#define RENAME_EXCL 0x00000004
int renamex_np(const char *, const char *, unsigned int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    uint32_t st_flags;
    uint32_t st_gen;
    int32_t st_lspare;
    int64_t st_qspare[2];
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);

// The calls that take a name in an open folder.
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/man/man2/open.2
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/man/man2/stat.2
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/man/man2/link.2
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/man/man2/mkdir.2
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/man/man2/rename.2
int fstatat(int, const char *, struct stat *, int)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
int linkat(int, const char *, int, const char *, int)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
int mkdirat(int, const char *, mode_t)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
ssize_t readlinkat(int, const char *, char *, size_t)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
int renameat(int, const char *, int, const char *)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
int unlinkat(int, const char *, int)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
int renameatx_np(int, const char *, int, const char *, unsigned int)
__attribute__((availability(macos, introduced = 10.12))) __attribute__((availability(ios, introduced = 10.0)))
__attribute__((availability(tvos, introduced = 10.0))) __attribute__((availability(watchos, introduced = 3.0)));

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/chmod.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/chown.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mkdir.2.html
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int fchmodat(int, const char *, mode_t, int)
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)));
int fchown(int, uid_t, gid_t);
int mkdir(const char *, mode_t);

// utimensat(2)
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/utimes.2.html
int utimensat(int, const char *, const struct timespec[2], int)
__attribute__((availability(macos, introduced = 10.13))) __attribute__((availability(ios, introduced = 11.0)))
__attribute__((availability(tvos, introduced = 11.0))) __attribute__((availability(watchos, introduced = 4.0)));

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/listxattr.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getxattr.2.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/setxattr.2.html
ssize_t flistxattr(int, char *, size_t, int);
ssize_t fgetxattr(int, const char *, void *, size_t, u_int32_t, int);
int fsetxattr(int, const char *, const void *, size_t, u_int32_t, int);

// MARK: - Threads

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread.3.html
struct __darwin_pthread_handler_rec {
    void (*__routine)(void *);
    void *__arg;
    struct __darwin_pthread_handler_rec *__next;
};
struct _opaque_pthread_t {
    long __sig;
    struct __darwin_pthread_handler_rec *__cleanup_stack;
    char __opaque[8176];
};
struct _opaque_pthread_mutex_t {
    long __sig;
    char __opaque[56];
};
struct _opaque_pthread_mutexattr_t {
    long __sig;
    char __opaque[8];
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef unsigned long pthread_key_t;

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread.3.html
#pragma clang assume_nonnull begin
pthread_t pthread_self(void);
int pthread_atfork(void (*_Nullable)(void), void (*_Nullable)(void), void (*_Nullable)(void));
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
void *_Nullable pthread_getspecific(pthread_key_t) DARWIN_UNAVAILABLE_FROM_ASYNC("Use Task Local Values instead");
int pthread_setspecific(pthread_key_t, const void *_Nullable)
DARWIN_UNAVAILABLE_FROM_ASYNC("Use Task Local Values instead");
int pthread_mutex_init(pthread_mutex_t *restrict, const pthread_mutexattr_t *_Nullable restrict);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *)
DARWIN_UNAVAILABLE_FROM_ASYNC(
    "Use OSAllocatedUnfairLock's withLock or NSLock for async-safe scoped locking"
);
int pthread_mutex_trylock(pthread_mutex_t *)
DARWIN_UNAVAILABLE_FROM_ASYNC(
    "Use OSAllocatedUnfairLock's withLockIfAvailable or NSLock for async-safe scoped locking"
);
int pthread_mutex_unlock(pthread_mutex_t *)
DARWIN_UNAVAILABLE_FROM_ASYNC(
    "Use OSAllocatedUnfairLock's withLock or NSLock for async-safe scoped locking"
);
#pragma clang assume_nonnull end

// MARK: - Folders

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man5/dir.5.html
struct dirent {
    uint64_t d_ino;
    uint64_t d_seekoff;
    uint16_t d_reclen;
    uint16_t d_namlen;
    uint8_t d_type;
    char d_name[1024];
};

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/directory.3.html
struct _telldir;
typedef struct {
    int __dd_fd;
    long __dd_loc;
    long __dd_size;
    char *__dd_buf;
    int __dd_len;
    long __dd_seek;
    long __padding;
    int __dd_flags;
    pthread_mutex_t __dd_lock;
    struct _telldir *__dd_td;
} DIR;
DIR *opendir(const char *);
DIR *fdopendir(int);
struct dirent *readdir(DIR *);
int closedir(DIR *);

// MARK: - Processes

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getpid.2.html
pid_t getpid(void);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/geteuid.2.html
uid_t geteuid(void);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kill.2.html
int kill(pid_t, int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/wait.2.html
pid_t waitpid(pid_t, int *, int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/_exit.2.html
void _exit(int) __attribute__((noreturn));

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/exit.3.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/atexit.3.html
void exit(int) __attribute__((noreturn));
int atexit(void (*_Nonnull)(void));

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getenv.3.html
char *_Nullable getenv(const char *_Nonnull);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/signal.3.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sigsetops.3.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/sigprocmask.2.html
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTSTP 18
#define SIGCONT 19
#define SIGTTOU 22
#define SIGXFSZ 25
#define SIGTERM 15
#define SIG_UNBLOCK 2
typedef uint32_t sigset_t;
typedef void (*sig_t)(int);
void (*signal(int, void (*)(int)))(int);
int raise(int);
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getrusage.2.html
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
    long ru_ixrss;
    long ru_idrss;
    long ru_isrss;
    long ru_minflt;
    long ru_majflt;
    long ru_nswap;
    long ru_inblock;
    long ru_oublock;
    long ru_msgsnd;
    long ru_msgrcv;
    long ru_nsignals;
    long ru_nvcsw;
    long ru_nivcsw;
};

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/wait.2.html
pid_t wait4(pid_t, int *, int, struct rusage *);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/posix_spawn.2.html
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
int posix_spawnp(
    pid_t *restrict, const char *restrict, const posix_spawn_file_actions_t *, const posix_spawnattr_t *restrict,
    char *const[restrict], char *const[restrict]
) __attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *) __attribute__((availability(macos, introduced = 10.5)))
__attribute__((availability(ios, introduced = 2.0))) __attribute__((availability(watchos, unavailable)))
__attribute__((availability(tvos, unavailable)));
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
int posix_spawnattr_init(posix_spawnattr_t *)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawnattr_destroy(posix_spawnattr_t *)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawnattr_setflags(posix_spawnattr_t *, short)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawnattr_setsigmask(posix_spawnattr_t *restrict, const sigset_t *restrict)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawnattr_setsigdefault(posix_spawnattr_t *restrict, const sigset_t *restrict)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *restrict)
__attribute__((availability(macos, introduced = 10.15))) __attribute__((availability(ios, unavailable)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict, int, const char *restrict, int, mode_t)
__attribute__((availability(macos, introduced = 10.5))) __attribute__((availability(ios, introduced = 2.0)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));

// MARK: - Memory and text

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/malloc.3.html
void free(void *);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/lseek.2.html
#define SEEK_CUR 1
off_t lseek(int, off_t, int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/isatty.3.html
int isatty(int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man4/termios.4.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/tcsetattr.3.html
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
struct termios {
    tcflag_t c_iflag;
    tcflag_t c_oflag;
    tcflag_t c_cflag;
    tcflag_t c_lflag;
    cc_t c_cc[20];
    speed_t c_ispeed;
    speed_t c_ospeed;
};
#define ECHO 0x00000008
#define TCSANOW 0
#define TCSAFLUSH 2
#define TCIFLUSH 1
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
int tcflush(int, int);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/system.3.html
int system(const char *) __attribute__((availability(ios, unavailable)))
__attribute__((availability(watchos, unavailable))) __attribute__((availability(tvos, unavailable)));

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getpwuid.3.html
struct passwd {
    char *pw_name;
    char *pw_passwd;
    uid_t pw_uid;
};
struct passwd *getpwuid(uid_t);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/statvfs.3.html
struct statvfs {
    unsigned long f_bsize;
    unsigned long f_frsize;
    unsigned int f_blocks;
    unsigned int f_bfree;
    unsigned int f_bavail;
    unsigned int f_files;
    unsigned int f_ffree;
    unsigned int f_favail;
};
int statvfs(const char *, struct statvfs *);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getenv.3.html
int setenv(const char *, const char *, int);
int unsetenv(const char *);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/string.3.html
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
char *strdup(const char *);
size_t strlen(const char *);
char *strerror(int);

// MARK: - Streams

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/stdio.3.html
typedef int64_t fpos_t;
struct __sbuf {
    unsigned char *_base;
    int _size;
};
struct __sFILEX;
typedef struct __sFILE {
    unsigned char *_p;
    int _r;
    int _w;
    short _flags;
    short _file;
    struct __sbuf _bf;
    int _lbfsize;
    void *_cookie;
    int (*_Nullable _close)(void *);
    int (*_Nullable _read)(void *, char *, int);
    fpos_t (*_Nullable _seek)(void *, fpos_t, int);
    int (*_Nullable _write)(void *, const char *, int);
    struct __sbuf _ub;
    struct __sFILEX *_extra;
    int _ur;
    unsigned char _ubuf[3];
    unsigned char _nbuf[1];
    struct __sbuf _lb;
    int _blksize;
    fpos_t _offset;
} FILE;
int fflush(FILE *);

// MARK: - Time

// clock_gettime(3)
// https://github.com/apple-oss-distributions/Libc/blob/main/include/time.h
// Darwin's API notes give the constants the names that C knows as macros.
typedef enum {
    _CLOCK_REALTIME __attribute__((swift_name("CLOCK_REALTIME"))) = 0,
    _CLOCK_MONOTONIC __attribute__((swift_name("CLOCK_MONOTONIC"))) = 6,
    _CLOCK_PROCESS_CPUTIME_ID __attribute__((swift_name("CLOCK_PROCESS_CPUTIME_ID"))) = 12,
    _CLOCK_THREAD_CPUTIME_ID __attribute__((swift_name("CLOCK_THREAD_CPUTIME_ID"))) = 16
} clockid_t;

// clock_gettime(3)
// https://github.com/apple-oss-distributions/Libc/blob/main/include/time.h
int clock_gettime(clockid_t, struct timespec *) __attribute__((availability(macos, introduced = 10.12)))
__attribute__((availability(ios, introduced = 10.0))) __attribute__((availability(tvos, introduced = 10.0)))
__attribute__((availability(watchos, introduced = 3.0)));

// MARK: - Libraries

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/dlopen.3.html
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/dlsym.3.html
#define RTLD_NOW 0x2
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
