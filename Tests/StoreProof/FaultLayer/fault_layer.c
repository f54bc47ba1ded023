// Makes system calls fail. The library is loaded before the C library (LD_PRELOAD), counts and records the calls that
// concern files in one folder, and makes selected calls fail. `FaultLayer.swift` controls it from the same process, and
// `Tests/prove-stores` builds it. It is for Linux and the GNU C library.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

// In the order of `FaultLayer.Call`.
enum call {
    CALL_OPEN, CALL_CREATE, CALL_LIST, CALL_STAT, CALL_READLINK, CALL_READ, CALL_WRITE, CALL_SYNC, CALL_RENAME,
    CALL_LINK, CALL_UNLINK, CALL_LOCK, CALL_TRUNCATE, CALL_CHMOD, CALL_CHOWN, CALL_MKDIR, CALL_WATCH, CALL_REGION,
    CALL_EXCHANGE, CALL_LEASE, CALL_ATTRIBUTE, CALL_TIMES, CALL_MAP
};

static const char *const names[] = {
    "open", "create", "list", "stat", "readlink", "read", "write", "sync", "rename",
    "link", "unlink", "lock", "truncate", "chmod", "chown", "mkdir", "watch", "region",
    "exchange", "lease", "attribute", "times", "map"
};

// A partial read or write, which is not an error.
enum { SHORT = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096];
static uint32_t count, first;
static uint64_t kinds;
static int fault, is_lasting;
static char journal[1 << 24];
static size_t journal_length;
static int is_journal_full;
static char home[4096];
// Set by a thread whose calls neither count nor fail.
static __thread int is_exempt;

static void note(const char *format, ...) {
    va_list words;
    va_start(words, format);
    int length = vsnprintf(journal + journal_length, sizeof journal - journal_length, format, words);
    va_end(words);
    // The first line that does not fit, and all later ones, are omitted.
    is_journal_full |= length < 0 || (size_t)length >= sizeof journal - journal_length;
    if (!is_journal_full) journal_length += length;
}

// MARK: - For the program

void fault_layer_watch(const char *path) {
    pthread_mutex_lock(&lock);
    snprintf(folder, sizeof folder, "%s", path);
    count = 0;
    kinds = 0;
    journal_length = 0;
    is_journal_full = 0;
    journal[0] = 0;
    pthread_mutex_unlock(&lock);
}

void fault_layer_arm(uint32_t index, int32_t error, int32_t lasting, uint64_t calls) {
    pthread_mutex_lock(&lock);
    first = index;
    fault = error;
    is_lasting = lasting;
    kinds = calls;
    pthread_mutex_unlock(&lock);
}

void fault_layer_lift(void) {
    pthread_mutex_lock(&lock);
    kinds = 0;
    pthread_mutex_unlock(&lock);
}

void fault_layer_exempt(int32_t exempt) { is_exempt = exempt; }

void fault_layer_home(const char *path) { snprintf(home, sizeof home, "%s", path); }

void fault_layer_note(const char *words) {
    pthread_mutex_lock(&lock);
    note("%s\n", words);
    pthread_mutex_unlock(&lock);
}

// Returns a copy, because other threads continue. The caller frees it. NULL if it is incomplete.
char *fault_layer_journal(void) {
    pthread_mutex_lock(&lock);
    char *copy = is_journal_full ? NULL : strndup(journal, journal_length);
    pthread_mutex_unlock(&lock);
    return copy;
}

// MARK: - Deciding

static int concerns(const char *path) {
    size_t length = strlen(folder);
    return length > 0 && path && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

// Returns the errno with which a call must fail; 0 for none.
static int decide(enum call call, const char *path, const char *other) {
    if (is_exempt || (!concerns(path) && !concerns(other))) return 0;
    pthread_mutex_lock(&lock);
    count += 1;
    int is_hit = (kinds >> call & 1) && (is_lasting ? count >= first : count == first);
    int error = is_hit ? fault : 0;
    note("%s\t%d\t%s\t%s\n", names[call], error, path ? path : "", other ? other : "");
    pthread_mutex_unlock(&lock);
    return error;
}

// Finds the path of an open file or folder, of up to 4096 bytes; returns 0 if there is none.
static int path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4095);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static int decide_place(enum call call, int file, const char *place) {
    char path[4096];
    if (is_exempt || !folder[0] || !path_of(file, path)) return 0;
    return decide(call, path, place);
}

// Finds the path of a name in an open folder: the name itself if it is an absolute path, and the folder's for ".".
static const char *join(int directory, const char *name, char *path) {
    if (is_exempt || !folder[0] || directory == AT_FDCWD || name[0] == '/' || !path_of(directory, path)) return name;
    if (strcmp(name, ".") == 0) return path;
    size_t length = strlen(path);
    snprintf(path + length, 4096 - length, "/%s", name);
    return path;
}

static int decide_name(enum call call, int directory, const char *name) {
    char path[4096];
    return decide(call, join(directory, name, path), NULL);
}

static int decide_names(enum call call, int directory, const char *name, int other_directory, const char *other) {
    char path[4096], other_path[4096];
    return decide(call, join(directory, name, path), join(other_directory, other, other_path));
}

static int decide_file(enum call call, int file) { return decide_place(call, file, NULL); }

// The journal has the offset in place of a second path.
static int decide_offset(enum call call, int file, long long offset) {
    char place[24];
    snprintf(place, sizeof place, "%lld", offset);
    return decide_place(call, file, place);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL(error, value) do { errno = (error); return (value); } while (0)
#define FAIL_IF(decision, value) \
    do { int error = (decision); if (error) FAIL(error, value); } while (0)

// MARK: - The calls

static mode_t mode_of(int flags, va_list words) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(words, mode_t) : 0; }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list words; \
        va_start(words, flags); \
        mode_t mode = mode_of(flags, words); \
        va_end(words); \
        FAIL_IF(decide(flags & O_CREAT ? CALL_CREATE : CALL_OPEN, path, NULL), -1); \
        return REAL(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

// The C library has no function for openat2, so programs make that call by its number.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

static int decide_openat2(int directory, const char *path, const uint64_t *flags) {
    return decide_name(*flags & O_CREAT ? CALL_CREATE : CALL_OPEN, directory, path);
}

long syscall(long number, ...) {
    // Locks wait with system calls, even while the dynamic linker holds its lock. Therefore the symbol is looked up only once.
    static __typeof__(&syscall) cached;
    __typeof__(&syscall) real = __atomic_load_n(&cached, __ATOMIC_RELAXED);
    if (!real) __atomic_store_n(&cached, real = REAL(syscall), __ATOMIC_RELAXED);
    // A call has at most six arguments. Missing ones are passed on and ignored.
    long arguments[6];
    va_list words;
    va_start(words, number);
    for (int index = 0; index < 6; index++) arguments[index] = va_arg(words, long);
    va_end(words);
    if (number == SYS_openat2) {
        // The first field of `struct open_how` is the flags.
        FAIL_IF(decide_openat2((int)arguments[0], (const char *)arguments[1], (const uint64_t *)arguments[2]), -1);
    }
    return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

#define OPENAT(name) \
    int name(int directory, const char *path, int flags, ...) { \
        va_list words; \
        va_start(words, flags); \
        mode_t mode = mode_of(flags, words); \
        va_end(words); \
        FAIL_IF(decide_name(flags & O_CREAT ? CALL_CREATE : CALL_OPEN, directory, path), -1); \
        return REAL(name)(directory, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

DIR *opendir(const char *path) {
    FAIL_IF(decide(CALL_LIST, path, NULL), NULL);
    return REAL(opendir)(path);
}

DIR *fdopendir(int directory) {
    FAIL_IF(decide_file(CALL_LIST, directory), NULL);
    return REAL(fdopendir)(directory);
}

#define READDIR(name, entry) \
    struct entry *name(DIR *entries) { \
        FAIL_IF(decide_file(CALL_LIST, dirfd(entries)), NULL); \
        return REAL(name)(entries); \
    }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

#define ON_PATH(name, call, arguments, declaration) \
    int name declaration { \
        FAIL_IF(decide(call, path, NULL), -1); \
        return REAL(name) arguments; \
    }
ON_PATH(stat, CALL_STAT, (path, status), (const char *restrict path, struct stat *restrict status))
ON_PATH(stat64, CALL_STAT, (path, status), (const char *restrict path, struct stat64 *restrict status))
ON_PATH(lstat, CALL_STAT, (path, status), (const char *restrict path, struct stat *restrict status))
ON_PATH(lstat64, CALL_STAT, (path, status), (const char *restrict path, struct stat64 *restrict status))
ON_PATH(statfs, CALL_STAT, (path, status), (const char *path, struct statfs *status))
ON_PATH(access, CALL_STAT, (path, mode), (const char *path, int mode))
ON_PATH(unlink, CALL_UNLINK, (path), (const char *path))
ON_PATH(mkdir, CALL_MKDIR, (path, mode), (const char *path, mode_t mode))

#define ON_NAME(name, call, arguments, declaration) \
    int name declaration { \
        FAIL_IF(decide_name(call, directory, path), -1); \
        return REAL(name) arguments; \
    }
ON_NAME(fstatat, CALL_STAT, (directory, path, status, flags),
        (int directory, const char *restrict path, struct stat *restrict status, int flags))
ON_NAME(fstatat64, CALL_STAT, (directory, path, status, flags),
        (int directory, const char *restrict path, struct stat64 *restrict status, int flags))
ON_NAME(faccessat, CALL_STAT, (directory, path, mode, flags), (int directory, const char *path, int mode, int flags))
ON_NAME(utimensat, CALL_TIMES, (directory, path, times, flags),
        (int directory, const char *path, const struct timespec times[2], int flags))
ON_NAME(unlinkat, CALL_UNLINK, (directory, path, flags), (int directory, const char *path, int flags))
ON_NAME(mkdirat, CALL_MKDIR, (directory, path, mode), (int directory, const char *path, mode_t mode))

ssize_t readlinkat(int directory, const char *restrict path, char *restrict buffer, size_t size) {
    FAIL_IF(decide_name(CALL_READLINK, directory, path), -1);
    return REAL(readlinkat)(directory, path, buffer, size);
}

ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size) {
    FAIL_IF(decide(CALL_READLINK, path, NULL), -1);
    return REAL(readlink)(path, buffer, size);
}

#define TRANSFER(name, decision, arguments, declaration) \
    ssize_t name declaration { \
        int error = decision; \
        if (error > 0) FAIL(error, -1); \
        if (error == SHORT && size > 1) size /= 2; \
        return REAL(name) arguments; \
    }
TRANSFER(read, decide_file(CALL_READ, file), (file, buffer, size), (int file, void *buffer, size_t size))
TRANSFER(pread, decide_file(CALL_READ, file), (file, buffer, size, offset),
         (int file, void *buffer, size_t size, off_t offset))
TRANSFER(pread64, decide_file(CALL_READ, file), (file, buffer, size, offset),
         (int file, void *buffer, size_t size, off64_t offset))
TRANSFER(write, decide_file(CALL_WRITE, file), (file, buffer, size), (int file, const void *buffer, size_t size))
TRANSFER(pwrite, decide_offset(CALL_WRITE, file, offset), (file, buffer, size, offset),
         (int file, const void *buffer, size_t size, off_t offset))
TRANSFER(pwrite64, decide_offset(CALL_WRITE, file, offset), (file, buffer, size, offset),
         (int file, const void *buffer, size_t size, off64_t offset))

#define ON_FILE(name, call, arguments, declaration) \
    int name declaration { \
        FAIL_IF(decide_file(call, file), -1); \
        return REAL(name) arguments; \
    }
ON_FILE(fstat, CALL_STAT, (file, status), (int file, struct stat *status))
ON_FILE(fstat64, CALL_STAT, (file, status), (int file, struct stat64 *status))
ON_FILE(fsync, CALL_SYNC, (file), (int file))
ON_FILE(fdatasync, CALL_SYNC, (file), (int file))
ON_FILE(flock, CALL_LOCK, (file, operation), (int file, int operation))
ON_FILE(ftruncate, CALL_TRUNCATE, (file, size), (int file, off_t size))
ON_FILE(ftruncate64, CALL_TRUNCATE, (file, size), (int file, off64_t size))
ON_FILE(fchmod, CALL_CHMOD, (file, mode), (int file, mode_t mode))
ON_FILE(fchown, CALL_CHOWN, (file, user, group), (int file, uid_t user, gid_t group))
ON_FILE(fsetxattr, CALL_ATTRIBUTE, (file, name, value, size, flags),
        (int file, const char *name, const void *value, size_t size, int flags))

#define ATTRIBUTES(name, arguments, declaration) \
    ssize_t name declaration { \
        FAIL_IF(decide_file(CALL_ATTRIBUTE, file), -1); \
        return REAL(name) arguments; \
    }
ATTRIBUTES(flistxattr, (file, names, size), (int file, char *names, size_t size))
ATTRIBUTES(fgetxattr, (file, name, value, size), (int file, const char *name, void *value, size_t size))

#define MAP(name, place) \
    void *name(void *address, size_t size, int protection, int flags, int file, place offset) { \
        if (file >= 0) FAIL_IF(decide_file(CALL_MAP, file), MAP_FAILED); \
        return REAL(name)(address, size, protection, flags, file, offset); \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

// Releasing a lock does not fail.
static int is_locking(int command, const void *argument) {
    if (command != F_SETLK && command != F_SETLKW && command != F_OFD_SETLK && command != F_OFD_SETLKW) return 0;
    return ((const struct flock *)argument)->l_type != F_UNLCK;
}

static int is_leasing(int command, const void *argument) {
    return command == F_SETLEASE && (intptr_t)argument == F_WRLCK;
}

#define FCNTL(name) \
    int name(int file, int command, ...) { \
        va_list words; \
        va_start(words, command); \
        void *argument = va_arg(words, void *); \
        va_end(words); \
        if (is_locking(command, argument)) FAIL_IF(decide_file(CALL_REGION, file), -1); \
        if (is_leasing(command, argument)) FAIL_IF(decide_file(CALL_LEASE, file), -1); \
        return REAL(name)(file, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

int rename(const char *old, const char *new) {
    FAIL_IF(decide(CALL_RENAME, old, new), -1);
    return REAL(rename)(old, new);
}

int renameat(int old_directory, const char *old, int new_directory, const char *new) {
    FAIL_IF(decide_names(CALL_RENAME, old_directory, old, new_directory, new), -1);
    return REAL(renameat)(old_directory, old, new_directory, new);
}

int renameat2(int old_directory, const char *old, int new_directory, const char *new, unsigned int flags) {
    // Without a target, the call is not an exchange, and the journal has the actual call.
    if (flags & RENAME_EXCHANGE && syscall(SYS_faccessat, new_directory, new, F_OK) != 0) FAIL(ENOENT, -1);
    enum call call = flags & RENAME_EXCHANGE ? CALL_EXCHANGE : CALL_RENAME;
    FAIL_IF(decide_names(call, old_directory, old, new_directory, new), -1);
    return REAL(renameat2)(old_directory, old, new_directory, new, flags);
}

int link(const char *old, const char *new) {
    FAIL_IF(decide(CALL_LINK, old, new), -1);
    return REAL(link)(old, new);
}

int linkat(int old_directory, const char *old, int new_directory, const char *new, int flags) {
    FAIL_IF(decide_names(CALL_LINK, old_directory, old, new_directory, new), -1);
    return REAL(linkat)(old_directory, old, new_directory, new, flags);
}

int inotify_add_watch(int file, const char *path, uint32_t mask) {
    FAIL_IF(decide(CALL_WATCH, path, NULL), -1);
    return REAL(inotify_add_watch)(file, path, mask);
}

// MARK: - The system's user database

struct passwd *getpwuid(uid_t user) {
    struct passwd *entry = REAL(getpwuid)(user);
    if (entry && home[0]) entry->pw_dir = home;
    return entry;
}

int getpwuid_r(uid_t user, struct passwd *restrict entry, char *restrict buffer, size_t size,
               struct passwd **restrict result) {
    int error = REAL(getpwuid_r)(user, entry, buffer, size, result);
    if (!error && *result && home[0]) (*result)->pw_dir = home;
    return error;
}
