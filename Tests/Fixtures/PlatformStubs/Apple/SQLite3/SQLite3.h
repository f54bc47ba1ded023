#pragma once

// SQLite's header has no nullability, so that Swift imports its pointers as implicitly unwrapped optionals.

// https://www.sqlite.org/c3ref/int64.html
typedef long long int sqlite_int64;
typedef unsigned long long int sqlite_uint64;
typedef sqlite_int64 sqlite3_int64;
typedef sqlite_uint64 sqlite3_uint64;

// https://www.sqlite.org/c3ref/sqlite3.html
// https://www.sqlite.org/c3ref/stmt.html
// https://www.sqlite.org/c3ref/value.html
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_value sqlite3_value;

// https://www.sqlite.org/c3ref/libversion.html
// https://www.sqlite.org/c3ref/threadsafe.html
int sqlite3_libversion_number(void);
int sqlite3_threadsafe(void);

// MARK: - Connections

// https://www.sqlite.org/c3ref/open.html
// https://www.sqlite.org/c3ref/close.html
int sqlite3_open_v2(const char *, sqlite3 **, int, const char *);
int sqlite3_close_v2(sqlite3 *);

// https://www.sqlite.org/c3ref/exec.html
int sqlite3_exec(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);

// https://www.sqlite.org/c3ref/busy_timeout.html
// https://www.sqlite.org/c3ref/file_control.html
// https://www.sqlite.org/c3ref/get_autocommit.html
// https://www.sqlite.org/c3ref/changes.html
int sqlite3_busy_timeout(sqlite3 *, int);
int sqlite3_file_control(sqlite3 *, const char *, int, void *);
int sqlite3_get_autocommit(sqlite3 *);
int sqlite3_changes(sqlite3 *);

// https://www.sqlite.org/c3ref/errcode.html
// https://www.sqlite.org/c3ref/system_errno.html
int sqlite3_extended_errcode(sqlite3 *);
int sqlite3_system_errno(sqlite3 *);
const char *sqlite3_errmsg(sqlite3 *);
const char *sqlite3_errstr(int);

// https://www.sqlite.org/c3ref/free.html
void *sqlite3_malloc64(sqlite3_uint64);

// MARK: - Statements

// https://www.sqlite.org/c3ref/prepare.html
// https://www.sqlite.org/c3ref/finalize.html
// https://www.sqlite.org/c3ref/step.html
// https://www.sqlite.org/c3ref/reset.html
// https://www.sqlite.org/c3ref/clear_bindings.html
int sqlite3_prepare_v2(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int sqlite3_finalize(sqlite3_stmt *);
int sqlite3_step(sqlite3_stmt *);
int sqlite3_reset(sqlite3_stmt *);
int sqlite3_clear_bindings(sqlite3_stmt *);

// https://www.sqlite.org/c3ref/bind_blob.html
int sqlite3_bind_null(sqlite3_stmt *, int);
int sqlite3_bind_int64(sqlite3_stmt *, int, sqlite3_int64);
int sqlite3_bind_double(sqlite3_stmt *, int, double);
int sqlite3_bind_text64(sqlite3_stmt *, int, const char *, sqlite3_uint64, void (*)(void *), unsigned char);
int sqlite3_bind_blob64(sqlite3_stmt *, int, const void *, sqlite3_uint64, void (*)(void *));
int sqlite3_bind_zeroblob(sqlite3_stmt *, int, int);
int sqlite3_bind_value(sqlite3_stmt *, int, const sqlite3_value *);

// https://www.sqlite.org/c3ref/column_blob.html
const void *sqlite3_column_blob(sqlite3_stmt *, int);
double sqlite3_column_double(sqlite3_stmt *, int);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *, int);
const unsigned char *sqlite3_column_text(sqlite3_stmt *, int);
sqlite3_value *sqlite3_column_value(sqlite3_stmt *, int);
int sqlite3_column_bytes(sqlite3_stmt *, int);
int sqlite3_column_type(sqlite3_stmt *, int);
