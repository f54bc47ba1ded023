#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite("Desktop sessions")
    struct DesktopSessionTests {
        @Test("A secret is there until its collection is locked, and when it is unlocked again")
        func locking() async throws {
            try await DesktopSession.run { session in
                try await session.store("sunny")
                #expect(try await session.isLocked() == false)
                #expect(try await session.lookup() == "sunny")
                try await session.lock()
                #expect(try await session.isLocked())
                #expect(try await session.lookup() == nil)
                await #expect(throws: DesktopSession.Failure.self) { try await session.unlock(password: "wrong") }
                #expect(try await session.isLocked())
                try await session.unlock()
                #expect(try await session.lookup() == "sunny")
            }
        }

        @Test("A killed daemon has no secrets, and the next one has those of its files")
        func killedDaemon() async throws {
            try await DesktopSession.run { session in
                try await session.store("rain")
                try await session.killDaemon()
                let lookup = try await session.secretTool(["lookup", "place", "Oslo"])
                #expect(lookup.status == 1)
                #expect(lookup.errors.contains("org.freedesktop.secrets"))
                try await session.startDaemon()
                #expect(try await session.lookup() == "rain")
                try await session.killDaemon()
                try await session.startDaemon(unlocked: false)
                #expect(try await session.isLocked())
                try await session.unlock()
                #expect(try await session.lookup() == "rain")
            }
        }

        @Test("A killed bus ends its clients, and another one is at its address")
        func killedBus() async throws {
            try await DesktopSession.run { session in
                try await session.store("wind")
                try await session.killBus()
                let lookup = try await session.secretTool(["lookup", "place", "Oslo"])
                #expect(lookup.status == 1)
                #expect(!lookup.errors.isEmpty)
                try await session.startBus()
                try await session.startDaemon()
                #expect(try await session.lookup() == "wind")
            }
        }

        @Test("A suspended daemon answers after it is resumed")
        func suspendedDaemon() async throws {
            try await DesktopSession.run { session in
                try await session.store("snow")
                try await session.suspendDaemon()
                let lookup = OwnThread {
                    try ChildProcess("secret-tool", ["lookup", "place", "Oslo"], environment: session.environment)
                        .waitForEnd()
                }
                let daemon = try await session.processIdentifiers[2]
                #expect(processState(daemon) == "T")
                try await session.resumeDaemon()
                #expect(try await lookup.result == .status(0))
                // The session ends with a suspended daemon, too.
                try await session.suspendDaemon()
            }
        }

        @Test("A session begins without a daemon")
        func missingDaemon() async throws {
            try await DesktopSession.run(startsDaemon: false) { session in
                #expect(try await session.lookup() == nil)
                await #expect(throws: DesktopSession.Failure.self) { try await session.lock() }
                try await session.startDaemon()
                try await session.store("fog")
                #expect(try await session.lookup() == "fog")
            }
        }

        @Test("Another collection is locked and unlocked alone")
        func otherCollection() async throws {
            try await DesktopSession.run { session in
                let collection = try await session.createCollection(label: "Weather", password: "umbrella")
                #expect(collection == "/org/freedesktop/secrets/collection/Weather")
                try await session.lock(collection)
                #expect(try await session.isLocked(collection))
                #expect(try await session.isLocked() == false)
                try await session.unlock(collection, password: "umbrella")
                #expect(try await session.isLocked(collection) == false)
            }
        }

        @Test("A prompt is answered with a password")
        func answeredPrompt() async throws {
            try await DesktopSession.run { session in
                try await session.store("sunny")
                try await session.lock()
                try await session.withPrompter(answers: [.password(DesktopSession.password)]) { prompts async throws in
                    #expect(try await session.lookup() == "sunny")
                    #expect(try await prompts.texts().count == 1)
                }
                #expect(try await session.isLocked() == false)
            }
        }

        @Test("Prompts are answered in their order, and further ones cancelled")
        func wrongAndCancelled() async throws {
            try await DesktopSession.run { session in
                try await session.store("sunny")
                try await session.lock()
                try await session.withPrompter(answers: [.cancel, .password("wrong")]) { prompts async throws in
                    #expect(try await session.lookup() == nil)
                    #expect(try await prompts.texts().count == 1)
                    // The daemon asks again after a wrong password.
                    #expect(try await session.lookup() == nil)
                    #expect(try await prompts.texts().count == 3)
                }
                #expect(try await session.isLocked())
                // A further prompter follows.
                try await session.withPrompter(answers: [.password(DesktopSession.password)]) { _ async throws in
                    #expect(try await session.lookup() == "sunny")
                }
            }
        }

        @Test("A held answer leaves the prompt open until it is released")
        func heldAnswer() async throws {
            try await DesktopSession.run { session in
                try await session.store("sunny")
                try await session.lock()
                let answers: [DesktopSession.Answer] = [.held(.password(DesktopSession.password))]
                try await session.withPrompter(answers: answers) { prompts async throws in
                    let lookup = OwnThread {
                        try ChildProcess("secret-tool", ["lookup", "place", "Oslo"], environment: session.environment)
                            .waitForEnd()
                    }
                    #expect(try await prompts.texts(atLeast: 1).count == 1)
                    #expect(try await prompts.openCount == 1)
                    #expect(try await session.isLocked())
                    try await prompts.release()
                    #expect(try await lookup.result == .status(0))
                    #expect(try await prompts.openCount == 0)
                    #expect(try await session.isLocked() == false)
                }
            }
        }

        @Test("The processes of a session end with it, and with the process that controls them")
        func processesEnd() async throws {
            var ended: [Int32] = []
            try await DesktopSession.run { ended = try await $0.processIdentifiers }
            #expect(ended.count == 3)
            #expect(ended.allSatisfy { processState($0) == nil })

            try await DesktopSession.run { session in
                let identifiers = try await session.processIdentifiers
                kill(identifiers[0], SIGKILL)
                while identifiers.contains(where: { processState($0) != nil }) { await Task.yield() }
                #expect(identifiers.count == 3)
            }
        }
    }

    /// Returns the state of a process, such as `S` while it sleeps; nil if it has ended.
    private func processState(_ identifier: Int32) -> Substring? {
        // The state follows the name, which is in parentheses. A process that has ended remains as a zombie until its parent
        // removes it.
        let state = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8))?
            .split(separator: ") ").last?.prefix(1)
        return state == "Z" ? nil : state
    }

    extension DesktopSession {
        fileprivate func store(_ secret: String) async throws {
            let run = try await secretTool(["store", "--label=Weather", "place", "Oslo"], input: secret)
            try #require(run.succeeded, "\(run.errors)")
        }

        /// Returns the stored secret, if it is not locked.
        fileprivate func lookup() async throws -> String? {
            let run = try await secretTool(["lookup", "place", "Oslo"])
            return run.succeeded ? run.output : nil
        }
    }
#endif
