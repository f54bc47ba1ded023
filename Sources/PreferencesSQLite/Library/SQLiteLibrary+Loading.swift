import PreferencesSystem

#if !canImport(Darwin)
    import PreferencesRuntime

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    extension SQLiteLibrary {
        /// The library that is installed.
        static func bound() throws(Unusable) -> SQLiteLibrary {
            // Never closed: connections may last as long as the process.
            guard let handle = dlopen("libsqlite3.so.0", RTLD_NOW) else {
                let reason = LoadingFailure.last(of: "libsqlite3.so.0")
                throw Unusable(description: reason.map { "SQLite cannot be loaded: \($0)" } ?? missing)
            }

            func function<Function>(_ name: String) throws(Unusable) -> Function {
                guard let symbol = dlsym(handle, "sqlite3_\(name)") else {
                    throw Unusable(description: "the system's SQLite has no sqlite3_\(name)")
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

        private static let missing =
            "SQLite is not installed; install the package libsqlite3-0 (Debian, Ubuntu), sqlite-libs (Fedora) or sqlite, "
            + "and link the program dynamically: a static one cannot load it"
    }
#endif
