/* Intercepts a program's file operations below a folder; preloaded with LD_PRELOAD.
 *
 * DISK_FOLDER   the folder, as an absolute path without links.
 * DISK_LOG      a file for a record of each call that changes something there, with its data, and of data sent to
 *               sockets, in order. cut.py reads it.
 * DISK_FAULT    CALL:N:WHAT, what happens to the N-th call of a kind, from 1: EIO, ENOSPC or EINTR; `short` for a write or
 *               a read of half of the bytes; `before` and `after` for SIGKILL. `+` after N includes all later calls.
 * DISK_COUNTS   a file of 4096 bytes for the number of calls of each kind, in the order of `enum kind`, as 64-bit
 *               numbers, and from byte 256 on for the path of the last call that failed.
 *
 * Only calls through the C library are seen, not memory maps: SQLite's -shm file need not survive.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, READ, WRITE, SYNC, RENAME, UNLINK, TRUNCATE, MKDIR, KINDS };
static const char *const names[KINDS] = {"open", "read", "write", "sync", "rename", "unlink", "truncate", "mkdir"};

static char folder[PATH_MAX];
static size_t folder_length;
static int log_file = -1;
static int fault_kind = -1, fault_errno, is_short, kills_before, kills_after, is_lasting;
static uint64_t fault_number;
static atomic_int has_filled;
static _Atomic uint64_t own_counts[512];
static _Atomic uint64_t *counts = own_counts;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("DISK_FOLDER");
    if (text == NULL) return;
    snprintf(folder, sizeof folder, "%s", text);
    folder_length = strlen(folder);
    if ((text = getenv("DISK_LOG")) != NULL) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        /* Far from the numbers of the program's own files. */
        log_file = fcntl(file, F_DUPFD_CLOEXEC, 500);
        close(file);
    }
    if ((text = getenv("DISK_COUNTS")) != NULL) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, text, O_RDWR | O_CLOEXEC, 0);
        void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) counts = map;
        close(file);
    }
    if ((text = getenv("DISK_FAULT")) != NULL) {
        char call[16], rest[24];
        if (sscanf(text, "%15[^:]:%lu%23s", call, &fault_number, rest) != 3) abort();
        for (int kind = 0; kind < KINDS; kind++)
            if (strcmp(call, names[kind]) == 0) fault_kind = kind;
        const char *what = rest;
        if (*what == '+') is_lasting = 1, what++;
        what++;
        if (strcmp(what, "EIO") == 0) fault_errno = EIO;
        else if (strcmp(what, "ENOSPC") == 0) fault_errno = ENOSPC;
        else if (strcmp(what, "EINTR") == 0) fault_errno = EINTR;
        else if (strcmp(what, "short") == 0) is_short = 1;
        else if (strcmp(what, "before") == 0) kills_before = 1;
        else if (strcmp(what, "after") == 0) kills_after = 1;
        else abort();
    }
}

static int is_below(const char *path) {
    return folder_length > 0 && strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

/* The path of an open file or folder; 0: it is not below the folder. */
static int path_of(int file, char path[PATH_MAX]) {
    char link[64];
    if (folder_length == 0 || file == log_file) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* An absolute path; 0: it is not below the folder. */
static int resolve(int at, const char *path, char whole[PATH_MAX]) {
    if (folder_length == 0 || path == NULL) return 0;
    if (path[0] == '/') {
        snprintf(whole, PATH_MAX, "%s", path);
    } else {
        char link[64], base[PATH_MAX];
        if (at == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
        else snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, base, PATH_MAX - 1);
        if (length <= 0) return 0;
        base[length] = 0;
        if (snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return 0;
    }
    return is_below(whole);
}

static int is_socket(int file) {
    struct stat status;
    return syscall(SYS_fstat, file, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* Counts a call; returns the error for it, or 0, or -1 for half of its bytes, or -2 for a kill after it. */
static int strike(enum kind kind, const char *path) {
    uint64_t number = atomic_fetch_add(&counts[kind], 1) + 1;
    if ((int)kind != fault_kind || number < fault_number || (number > fault_number && !is_lasting)) return 0;
    snprintf((char *)counts + 256, 1024, "%s", path);
    if (fault_errno == ENOSPC) has_filled = 1;
    if (kills_before) syscall(SYS_kill, getpid(), SIGKILL);
    return kills_after ? -2 : is_short ? -1 : fault_errno;
}

static void end(int blow) {
    if (blow == -2) syscall(SYS_kill, getpid(), SIGKILL);
}

static void lock(void) {
    if (log_file >= 0) pthread_mutex_lock(&order);
}

static void unlock(void) {
    if (log_file >= 0) pthread_mutex_unlock(&order);
}

/* A record: a letter, the file's inode, an offset or a mode, lengths, a path, a second one, data. */
static void record(char letter, int file, int64_t offset, const char *path, const char *second,
                   const struct iovec *parts, int count, size_t length) {
    if (log_file < 0) return;
    int kept = errno;
    struct stat status = {0};
    if (file >= 0) syscall(SYS_fstat, file, &status);
    struct { char letter[8]; uint64_t inode; int64_t offset; uint32_t path, second; uint64_t data; } head = {
        .inode = status.st_ino, .offset = offset, .path = (uint32_t)strlen(path),
        .second = (uint32_t)strlen(second), .data = length};
    head.letter[0] = letter;
    syscall(SYS_write, log_file, &head, sizeof head);
    syscall(SYS_write, log_file, path, head.path);
    syscall(SYS_write, log_file, second, head.second);
    for (int part = 0; part < count && length > 0; part++) {
        size_t some = parts[part].iov_len < length ? parts[part].iov_len : length;
        syscall(SYS_write, log_file, parts[part].iov_base, some);
        length -= some;
    }
    errno = kept;
}

static int fail(int number) {
    errno = number;
    return -1;
}

/* MARK: opening */

static int open_at(int at, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    if (!resolve(at, path, whole)) return (int)syscall(SYS_openat, at, path, flags, mode);
    int was_there = syscall(SYS_faccessat, at, path, F_OK) == 0;
    int blow = strike(OPEN, whole);
    /* Only new files need space. */
    if (blow > 0 && !(blow == ENOSPC && (was_there || !(flags & O_CREAT)))) return fail(blow);
    lock();
    int file = (int)syscall(SYS_openat, at, path, flags, mode);
    if (file >= 0 && !was_there && (flags & O_CREAT)) record('C', file, (int64_t)mode, whole, "", NULL, 0, 0);
    if (file >= 0 && was_there && (flags & O_TRUNC)) record('T', file, 0, whole, "", NULL, 0, 0);
    unlock();
    end(blow);
    return file;
}

#define MODE(flags, mode) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE(flags, mode) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, mode) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags, mode) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, mode) return open_at(at, path, flags, mode); }

/* MARK: reading */

static ssize_t read_at(int file, void *bytes, size_t count, off_t offset, int is_placed) {
    char path[PATH_MAX];
    int blow = path_of(file, path) ? strike(READ, path) : 0;
    if (blow > 0) return fail(blow);
    if (blow == -1 && count > 1) count /= 2;
    ssize_t got = is_placed ? syscall(SYS_pread64, file, bytes, count, offset) : syscall(SYS_read, file, bytes, count);
    end(blow);
    return got;
}

ssize_t read(int file, void *bytes, size_t count) { return read_at(file, bytes, count, 0, 0); }
ssize_t pread(int file, void *bytes, size_t count, off_t offset) { return read_at(file, bytes, count, offset, 1); }
ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return read_at(file, bytes, count, offset, 1); }

/* MARK: writing */

static ssize_t write_at(int file, const struct iovec *parts, int count, off_t offset, int is_placed) {
    char path[PATH_MAX];
    if (!path_of(file, path)) {
        int sends = log_file >= 0 && is_socket(file);
        if (sends) lock();
        ssize_t done = is_placed ? syscall(SYS_pwritev, file, parts, count, offset, 0) : syscall(SYS_writev, file, parts, count);
        if (sends) {
            if (done > 0) record('S', file, 0, "", "", parts, count, (size_t)done);
            unlock();
        }
        return done;
    }
    int blow = strike(WRITE, path);
    if (blow > 0) return fail(blow);
    struct iovec half = {parts[0].iov_base, parts[0].iov_len / 2};
    if (blow == -1 && half.iov_len > 0) parts = &half, count = 1;
    lock();
    int64_t start = offset;
    if (!is_placed && log_file >= 0) {
        int flags = fcntl(file, F_GETFL);
        start = syscall(SYS_lseek, file, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
    }
    ssize_t done = is_placed ? syscall(SYS_pwritev, file, parts, count, offset, 0) : syscall(SYS_writev, file, parts, count);
    if (done > 0) record('W', file, start, path, "", parts, count, (size_t)done);
    unlock();
    end(blow);
    return done;
}

static ssize_t write_one(int file, const void *bytes, size_t count, off_t offset, int is_placed) {
    struct iovec part = {(void *)bytes, count};
    return write_at(file, &part, 1, offset, is_placed);
}

ssize_t write(int file, const void *bytes, size_t count) { return write_one(file, bytes, count, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return write_one(file, bytes, count, offset, 1); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return write_one(file, bytes, count, offset, 1); }
ssize_t writev(int file, const struct iovec *parts, int count) { return write_at(file, parts, count, 0, 0); }
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) { return write_at(file, parts, count, offset, 1); }

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    lock();
    ssize_t done = syscall(SYS_sendmsg, file, message, flags);
    if (done > 0) record('S', file, 0, "", "", message->msg_iov, (int)message->msg_iovlen, (size_t)done);
    unlock();
    return done;
}

ssize_t sendto(int file, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length) {
    lock();
    ssize_t done = syscall(SYS_sendto, file, bytes, count, flags, to, length);
    struct iovec part = {(void *)bytes, count};
    if (done > 0) record('S', file, 0, "", "", &part, 1, (size_t)done);
    unlock();
    return done;
}

ssize_t send(int file, const void *bytes, size_t count, int flags) { return sendto(file, bytes, count, flags, NULL, 0); }

static int truncate_file(int file, off_t length) {
    char path[PATH_MAX];
    if (!path_of(file, path)) return (int)syscall(SYS_ftruncate, file, length);
    int blow = strike(TRUNCATE, path);
    if (blow > 0) return fail(blow);
    lock();
    int done = (int)syscall(SYS_ftruncate, file, length);
    if (done == 0) record('T', file, length, path, "", NULL, 0, 0);
    unlock();
    end(blow);
    return done;
}

int ftruncate(int file, off_t length) { return truncate_file(file, length); }
int ftruncate64(int file, off_t length) { return truncate_file(file, length); }

static int synchronise(int file, long call) {
    char path[PATH_MAX];
    if (!path_of(file, path)) return (int)syscall(call, file);
    int blow = strike(SYNC, path);
    if (blow > 0) return fail(blow);
    lock();
    /* Power cuts are simulated from the record, so nothing must be on this disk. */
    int done = log_file >= 0 ? 0 : (int)syscall(call, file);
    struct stat status = {0};
    syscall(SYS_fstat, file, &status);
    if (done == 0) record(S_ISDIR(status.st_mode) ? 'D' : 'F', file, 0, path, "", NULL, 0, 0);
    unlock();
    end(blow);
    return done;
}

int fsync(int file) { return synchronise(file, SYS_fsync); }
int fdatasync(int file) { return synchronise(file, SYS_fdatasync); }

/* After ENOSPC, statvfs reports no space either. */
int statvfs(const char *path, struct statvfs *status) {
    static int (*real)(const char *, struct statvfs *);
    if (real == NULL) real = (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
    int done = real(path, status);
    char whole[PATH_MAX];
    if (done == 0 && has_filled && resolve(AT_FDCWD, path, whole)) status->f_bavail = status->f_favail = 0;
    return done;
}

int statvfs64(const char *path, struct statvfs64 *status) { return statvfs(path, (struct statvfs *)status); }

/* MARK: names */

static int move(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    char whole[PATH_MAX], target[PATH_MAX];
    int is_ours = resolve(from_at, from, whole);
    is_ours = resolve(to_at, to, target) || is_ours;
    if (!is_ours) return (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    int blow = strike(RENAME, target);
    if (blow > 0) return fail(blow);
    lock();
    int done = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (done == 0) record('R', -1, 0, whole, target, NULL, 0, 0);
    unlock();
    end(blow);
    return done;
}

int rename(const char *from, const char *to) { return move(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return move(from_at, from, to_at, to, 0); }
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) { return move(from_at, from, to_at, to, flags); }

int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    char whole[PATH_MAX], target[PATH_MAX];
    int is_ours = resolve(from_at, from, whole) && resolve(to_at, to, target);
    lock();
    int done = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
    if (done == 0 && is_ours) record('L', -1, 0, whole, target, NULL, 0, 0);
    unlock();
    return done;
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlinkat(int at, const char *path, int flags) {
    char whole[PATH_MAX];
    if (!resolve(at, path, whole)) return (int)syscall(SYS_unlinkat, at, path, flags);
    int blow = strike(UNLINK, whole);
    if (blow > 0) return fail(blow);
    lock();
    int done = (int)syscall(SYS_unlinkat, at, path, flags);
    if (done == 0) record('U', -1, 0, whole, "", NULL, 0, 0);
    unlock();
    end(blow);
    return done;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int at, const char *path, mode_t mode) {
    char whole[PATH_MAX];
    if (!resolve(at, path, whole)) return (int)syscall(SYS_mkdirat, at, path, mode);
    int blow = strike(MKDIR, whole);
    if (blow > 0) return fail(blow);
    lock();
    int done = (int)syscall(SYS_mkdirat, at, path, mode);
    if (done == 0) record('M', -1, (int64_t)mode, whole, "", NULL, 0, 0);
    unlock();
    end(blow);
    return done;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
