import Testing

@testable import StoreProof

@Suite("Faults of system calls")
struct CallFaultTests {
    @Test(
        "A failed call denies attributes",
        arguments: [
            ("EPERM", "attribute\t1\t/folder/file\t\n", true),
            ("EPERM", "rename\t0\t/folder/a\t/folder/b\nchown\t1\t/folder/file\t\n", true),
            ("EOPNOTSUPP", "attribute\t95\t/folder/file\t\n", true),
            ("EPERM", "rename\t1\t/folder/a\t/folder/b\nattribute\t0\t/folder/file\t\n", false),
            ("EIO", "attribute\t5\t/folder/file\t\n", false),
            ("EPERM", "", false),
        ]
    )
    func deniedAttributes(error: String, journal: String, isDenied: Bool) throws {
        let error = try #require(CallError.all.first { $0.name == error })
        let fault = CallFault(index: 1, error: error, isLasting: false)
        #expect(fault.hasDeniedAttributes(in: CallJournal(journal)) == isDenied)
    }
}
