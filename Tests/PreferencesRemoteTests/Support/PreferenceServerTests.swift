import Foundation
import TestSupport
import Testing

struct PreferenceServerTests {
    private struct Failure: Error {}

    @Test("The server's process ends with the test")
    func serverEndsWithTheTest() async throws {
        let identifier = try await PreferenceServer.run { server in
            try server.serve(.init("{}"))
            #expect(kill(server.processIdentifier, 0) == 0)
            return server.processIdentifier
        }
        #expect(kill(identifier, 0) == -1)
        #expect(errno == ESRCH)
    }

    @Test("The server's process ends after a test that throws")
    func serverEndsAfterAnError() async throws {
        var identifier: Int32 = 0
        await #expect(throws: Failure.self) {
            try await PreferenceServer.run { server in
                identifier = server.processIdentifier
                throw Failure()
            }
        }
        #expect(kill(identifier, 0) == -1)
    }
}
