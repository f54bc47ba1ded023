#if canImport(Darwin)
    import Foundation

    /// Hears of changes of an object's properties by key-value observing, until its end.
    final class PropertyChanges: NSObject, @unchecked Sendable {  // All constant; observing is thread-safe.
        private let object: NSObject
        private let names: Set<String>
        private let handler: @Sendable (_ name: String) -> Void

        init(of object: NSObject, _ names: Set<String>, _ handler: @escaping @Sendable (_ name: String) -> Void) {
            self.object = object
            self.names = names
            self.handler = handler
            super.init()
            for name in names { object.addObserver(self, forKeyPath: name, options: [], context: nil) }
        }

        /// To be called once.
        func end() {
            for name in names { object.removeObserver(self, forKeyPath: name) }
        }

        override func observeValue(
            forKeyPath keyPath: String?,
            of object: Any?,
            change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            if let keyPath { handler(keyPath) }
        }
    }
#endif
