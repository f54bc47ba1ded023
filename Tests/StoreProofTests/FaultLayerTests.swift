#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import StoreProof

    @Suite("The library that makes system calls fail")
    struct FaultLayerTests {
        /// Compiles the library.
        static func buildLayer(in folder: URL) async throws -> URL {
            let layer = folder.appending(component: "fault_layer.so")
            let source = Repository.folder.appending(path: "Tests/StoreProof/FaultLayer/fault_layer.c")
            let compiler = try await CommandLineRun(
                "sh",
                [
                    "-c", #""$(command -v cc || command -v clang)" -shared -fPIC -o "$0" "$1" -ldl -lpthread"#,
                    layer.path, source.path,
                ],
                mergesErrors: true
            )
            try #require(compiler.succeeded, "\(compiler.output)")
            return layer
        }

        private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

        /// Loads the library's own functions. It does not replace those of the C library when it is loaded late.
        private static func load(_ layer: URL) throws -> (FaultLayer, SystemCall) {
            let library = try #require(dlopen(layer.path, RTLD_NOW | RTLD_GLOBAL))
            return (try FaultLayer(), unsafeBitCast(try #require(dlsym(library, "syscall")), to: SystemCall.self))
        }

        @Test("Opening a folder by the number of the system call is counted, and can fail")
        func openingByNumber() async throws {
            try await withTemporaryDirectory { folder in
                let (layer, call) = try Self.load(try await Self.buildLayer(in: folder))
                let file = folder.appending(component: "file")
                try Data((0..<8_192).map { $0 < 4_096 ? 1 : 2 }).write(to: file)
                let openat2 = 437
                func open(_ path: String) -> Int {
                    let how: [UInt64] = [UInt64(O_RDONLY | O_CLOEXEC), 0, 0]
                    return path.withCString { path in
                        how.withUnsafeBytes { how in
                            call(
                                openat2,
                                Int(AT_FDCWD),
                                Int(bitPattern: path),
                                Int(bitPattern: how.baseAddress),
                                how.count,
                                0,
                                0
                            )
                        }
                    }
                }
                layer.watch(folder)
                defer { layer.watch(URL(filePath: "/nowhere")) }
                let error = try #require(CallError.all.first { $0.name == "EACCES" })
                layer.arm(CallFault(index: 2, error: error, isLasting: false))
                let descriptor = CInt(open(file.path))
                #expect(descriptor >= 0)
                defer { close(descriptor) }
                #expect(open(folder.path) == -1)
                #expect(errno == EACCES)
                #expect(
                    try layer.journal().text.split(separator: ", ") == [
                        "open file", "open! \(folder.lastPathComponent)",
                    ]
                )

                // The call with the most arguments, the last of which is the offset of the second page.
                #if arch(x86_64)
                    let mmap = 9
                #else
                    let mmap = 222
                #endif
                let address = call(
                    mmap,
                    0,
                    4_096,
                    Int(PROT_READ),
                    Int(MAP_PRIVATE),
                    Int(descriptor),
                    4_096
                )
                let page = try #require(UnsafeMutableRawPointer(bitPattern: address))
                #expect(page.load(as: UInt8.self) == 2)
                munmap(page, 4_096)
            }
        }
    }
#endif
