#if !canImport(Security)
    import PreferencesSystem

    extension Libsecret {
        /// Makes sure that the process can open files: GLib ends it if a call cannot open its own.
        ///
        /// - Parameter count: The number of descriptors that a call needs at most.
        func requireDescriptors(_ count: Int) throws(SecretServiceFailure) {
            let descriptors = (0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
            for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
            if descriptors.contains(-1) {
                throw SecretServiceFailure(.other, "the process has too few free file descriptors")
            }
        }

        /// Returns a text, and frees the original; an empty one if there is none.
        func text(freeing text: OwnedText?) -> String {
            defer { free(text) }
            return text.map { String(cString: $0) } ?? ""
        }

        /// Calls a function that returns an object.
        ///
        /// - Throws: ``SecretServiceFailure`` of the function's error.
        func checking(_ body: (ErrorOutput) -> Pointer?) throws(SecretServiceFailure) -> Pointer {
            var error: UnsafeMutableRawPointer?
            if let result = body(&error) { return result }
            throw SecretServiceFailure(error, self)
        }

        /// Calls a function that returns whether it succeeded.
        ///
        /// - Throws: ``SecretServiceFailure`` of the function's error.
        func requiringSuccess(_ body: (ErrorOutput) -> CInt) throws(SecretServiceFailure) {
            var error: UnsafeMutableRawPointer?
            if body(&error) == 0 { throw SecretServiceFailure(error, self) }
        }
    }

    extension Libsecret {
        /// Returns the bytes of an encrypted secret; nil if it cannot be decrypted.
        func secretBytes(decoding variant: Pointer, _ proxy: Pointer) -> [UInt8]? {
            guard let secret = decodeSecret(proxy, variant) else { return nil }
            defer { releaseSecret(secret) }
            var count: UInt = 0
            let bytes = secretBytes(secret, &count)
            return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
    }

    // MARK: - Variants

    // Variants are created with a floating reference, which the function takes that they are passed to.
    extension Libsecret {
        func tuple(_ items: [Pointer?]) -> Pointer? { makeTuple(items, UInt(items.count)) }

        /// Returns a dictionary of texts, of the type `a{ss}`.
        func dictionary(_ texts: [String: String]) -> Pointer? {
            array("{ss}", texts.map { makeEntry(makeString($0), makeString($1)) })
        }

        /// Returns a dictionary of variants, of the type `a{sv}`.
        func dictionary(of values: [String: Pointer?]) -> Pointer? {
            array("{sv}", values.map { makeEntry(makeString($0), makeVariant($1)) })
        }

        /// Returns an array of elements of a type, which may be empty.
        private func array(_ type: String, _ elements: [Pointer?]) -> Pointer? {
            makeArray(type, elements, UInt(elements.count))
        }

        /// Calls a body for each child of an array, tuple or dictionary.
        func forEachChild(of variant: Pointer?, _ body: (Pointer) -> Void) {
            for index in 0..<childCount(variant) { withChild(index, of: variant, body) }
        }

        func withChild<Result>(_ index: UInt, of variant: Pointer?, _ body: (Pointer) -> Result) -> Result? {
            guard let child = child(variant, index) else { return nil }
            defer { releaseVariant(child) }
            return body(child)
        }

        /// Returns a variant's text, path or signature; nil for another type.
        func text(of variant: Pointer?) -> String? {
            guard let type = variantType(variant).map({ String(cString: $0) }), ["s", "o", "g"].contains(type) else {
                return nil
            }
            return string(variant, nil).map { String(cString: $0) }
        }

        /// Returns the text or path of a child; nil if there is none.
        func text(at index: UInt, of variant: Pointer?) -> String? {
            guard let variant, index < childCount(variant) else { return nil }
            return withChild(index, of: variant) { text(of: $0) } ?? nil
        }

        /// Returns the texts or paths of an array.
        func texts(of variant: Pointer?) -> [String] {
            var texts: [String] = []
            forEachChild(of: variant) { child in
                if let text = text(of: child) { texts.append(text) }
            }
            return texts
        }
    }
#endif
