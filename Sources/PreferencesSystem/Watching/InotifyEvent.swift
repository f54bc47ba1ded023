#if !canImport(Darwin)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// One of the events that inotify tells.
    struct InotifyEvent {
        /// The watch that it is of.
        let watch: CInt
        /// Of the folder's entry that it is about; nil where it is about what is watched itself.
        let entryName: String?
        private let mask: UInt32

        func has(_ flag: CInt) -> Bool {
            mask & UInt32(flag) != 0
        }

        /// Those that one reading gave.
        static func events(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
            var events: [InotifyEvent] = []
            var rest = bytes
            // A name follows the event's own bytes, and is filled up with zeros.
            while rest.count >= MemoryLayout<inotify_event>.size {
                let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
                rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
                let name =
                    event.len == 0
                    ? nil : String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
                events.append(InotifyEvent(watch: event.wd, entryName: name, mask: event.mask))
                rest = rest.dropFirst(Int(event.len))
            }
            return events
        }
    }
#endif
