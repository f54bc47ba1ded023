#if canImport(Darwin)
    import Darwin
    import SQLite3

    extension SQLiteLibrary {
        /// Returns the SDK's library, which is linked. Its counterpart for other platforms throws.
        static func bound() throws(Unusable) -> SQLiteLibrary {
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
#endif
