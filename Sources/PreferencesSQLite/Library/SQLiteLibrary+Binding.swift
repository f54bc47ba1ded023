import PreferencesRuntime
import PreferencesSystem

#if canImport(Darwin)
    import SQLite3
#endif

#if canImport(Darwin)
    extension SQLiteLibrary {
        /// Returns the functions of the linked library.
        static func bound() throws(SQLiteUnavailableError) -> SQLiteLibrary {
            SQLiteLibrary(
                version: sqlite3_libversion_number,
                isThreadSafe: sqlite3_threadsafe,
                open: sqlite3_open_v2,
                close: sqlite3_close_v2,
                execute: sqlite3_exec,
                setBusyTimeout: sqlite3_busy_timeout,
                control: sqlite3_file_control,
                isOutsideTransaction: sqlite3_get_autocommit,
                changeCount: sqlite3_changes,
                extendedCode: sqlite3_extended_errcode,
                systemCode: sqlite3_system_errno,
                message: sqlite3_errmsg,
                codeMessage: sqlite3_errstr,
                allocate: sqlite3_malloc64,
                // Not every system's has it.
                deserialize: dlsym(dlopen(nil, RTLD_NOW), "sqlite3_deserialize").map {
                    unsafeBitCast($0, to: Deserialize.self)
                },
                prepare: sqlite3_prepare_v2,
                finalize: sqlite3_finalize,
                step: sqlite3_step,
                reset: sqlite3_reset,
                clearBindings: sqlite3_clear_bindings,
                bindNull: sqlite3_bind_null,
                bindInteger: sqlite3_bind_int64,
                bindReal: sqlite3_bind_double,
                bindText: sqlite3_bind_text64,
                bindBlob: sqlite3_bind_blob64,
                bindZeros: sqlite3_bind_zeroblob,
                bindValue: sqlite3_bind_value,
                columnValue: sqlite3_column_value,
                columnType: sqlite3_column_type,
                columnInteger: sqlite3_column_int64,
                columnReal: sqlite3_column_double,
                columnText: sqlite3_column_text,
                columnBlob: sqlite3_column_blob,
                columnLength: sqlite3_column_bytes
            )
        }
    }
#else
    extension SQLiteLibrary {
        /// Loads the installed library and looks up its functions.
        static func bound() throws(SQLiteUnavailableError) -> SQLiteLibrary {
            // Never closed: connections may last as long as the process.
            guard let handle = dlopen("libsqlite3.so.0", RTLD_NOW) else {
                let reason = LoadingFailure.last(of: "libsqlite3.so.0")
                throw reason.map { SQLiteUnavailableError("SQLite cannot be loaded: \($0)") } ?? missing
            }

            func function<Function>(_ name: String) throws(SQLiteUnavailableError) -> Function {
                guard let symbol = dlsym(handle, "sqlite3_\(name)") else {
                    throw SQLiteUnavailableError("the system's SQLite has no sqlite3_\(name)")
                }
                return unsafeBitCast(symbol, to: Function.self)
            }
            return SQLiteLibrary(
                version: try function("libversion_number"),
                isThreadSafe: try function("threadsafe"),
                open: try function("open_v2"),
                close: try function("close_v2"),
                execute: try function("exec"),
                setBusyTimeout: try function("busy_timeout"),
                control: try function("file_control"),
                isOutsideTransaction: try function("get_autocommit"),
                changeCount: try function("changes"),
                extendedCode: try function("extended_errcode"),
                systemCode: try function("system_errno"),
                message: try function("errmsg"),
                codeMessage: try function("errstr"),
                allocate: try function("malloc64"),
                deserialize: try? function("deserialize"),
                prepare: try function("prepare_v2"),
                finalize: try function("finalize"),
                step: try function("step"),
                reset: try function("reset"),
                clearBindings: try function("clear_bindings"),
                bindNull: try function("bind_null"),
                bindInteger: try function("bind_int64"),
                bindReal: try function("bind_double"),
                bindText: try function("bind_text64"),
                bindBlob: try function("bind_blob64"),
                bindZeros: try function("bind_zeroblob"),
                bindValue: try function("bind_value"),
                columnValue: try function("column_value"),
                columnType: try function("column_type"),
                columnInteger: try function("column_int64"),
                columnReal: try function("column_double"),
                columnText: try function("column_text"),
                columnBlob: try function("column_blob"),
                columnLength: try function("column_bytes")
            )
        }

        private static let missing = SQLiteUnavailableError(
            "SQLite is not installed",
            advice: "install the package libsqlite3-0 (Debian, Ubuntu), sqlite-libs (Fedora) or sqlite, and link the "
                + "program dynamically: a static one cannot load it"
        )
    }
#endif
