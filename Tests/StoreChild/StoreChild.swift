import Foundation
import PreferencesObjects
import PreferencesRemote
import PreferencesRuntime
import PreferencesSQLite
import PreferencesSecrets
import PreferencesSystem
import Synchronization
import TestSupport

/// A process that uses a store's file, for tests: a ``FileStore``, or for the extension `.sqlite` a ``SQLiteStore``, for
/// `.encrypted` an ``EncryptedStore`` whose key is all zeros, for `.keyed` one whose key is in the file with `.key` after
/// that, for `.suite` the suite of user defaults of that name, for `.defaults` the standard user defaults, and for
/// `SERVICE.keyring` a ``SecretServiceStore``: with `SERVICE.session.keyring` in the collection of the session, and with
/// `SERVICE.SECONDS.keyring` with that timeout, by default 120 seconds.
@main
enum StoreChild {
    private static let usage = """
        usage: StoreChild set FILE NAME INT          sets a name
               StoreChild increment FILE count COUNT increments the key COUNT times
               StoreChild transact FILE count COUNT  increments the key and sets other keys in COUNT transactions, and prints
                                                     each number after its commit
               StoreChild fill FILE NAME COUNT       sets the name to 1, 2, … and other names to 1,000 bytes of text, and
                                                     prints each number after its set; ends with the first problem
               StoreChild fork FILE NAME INT         sets a name, and prints the problems of a forked process
               StoreChild object FILE END INT        saves an object named 'object', resets it to the next number, and ends
                                                     without saving it: END is 'return', 'exit', or 'wait', which prints the
                                                     number and waits to be killed; 'opt-in' saves on termination, too
               StoreChild watch FILE count COUNT     sets the key COUNT times to values that no other process sets, and fails
                                                     unless a watcher is notified of each value once, and of changes only
               StoreChild follow FILE NAME INT       reads the name until it is at least INT; it must never decrease
               StoreChild report FILE NAME COUNT     reports COUNT problems of the name on standard error, where a closed pipe
                                                     ends an unprepared process, and prints 'done'
               StoreChild secrets FILE NAME INT      uses the file for secrets: reads a name as a number, sets another name,
                                                     flushes and reloads; prints the errors
               StoreChild default-secrets FILE NAME INT
                                                     reads and sets a secret of preferences over the file, and prints the
                                                     values and the error
               StoreChild policy FOLDER NAME USER    as that user: reads the name with the policy FOLDER/weather, tries to change
                                                     the policy, and to make one in FOLDER/home; prints the results
               StoreChild managed APP NAME INT       prints the name with the policy of the app, over a store that has the number
               StoreChild watch-as FOLDER count USER as that user: prints the key's values with the policy FOLDER/weather, and in the
                                                     file FOLDER/weather/own.json, and their problems, until it is killed
               StoreChild keys FILE NAME COUNT       reads a line, then reads COUNT keys for encryption, of which it creates those
                                                     that are missing, and prints them
               StoreChild hold FILE NAME INT         sets the name in an update that prints 'held' and waits for a line
               StoreChild soak FILE NAME COUNT       sets and reads the name COUNT times, and creates, observes and releases a
                                                     fifth as many stores; before and after each, prints the numbers of its
                                                     descriptors and threads, and its kilobytes of memory
               StoreChild connect URL etcd COUNT     creates COUNT stores in etcd, and exits while they connect
               StoreChild queue URL CACHE INT        sets the key 'count' in etcd to the number, and to the next ones until it
                                                     is killed, also while etcd is away; prints each number after its set
               StoreChild close FILE NAME COUNT      closes the standard streams, and sets a name to 1, 2, … COUNT while
                                                     another thread writes to standard error

        """

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let number = arguments.last.flatMap({ Int64($0) }) else { exitWithUsage() }
        let words = Array(arguments)
        let url = URL(filePath: words[1])
        let store = try makeStore(url)
        switch words[0] {
        case "set": try store.commit([words[2]: .set(.int(number))])
        case "keys":
            _ = readLine()
            for index in 0..<number {
                let key = try EncryptionKey(in: store, named: "\(words[2])-\(index)")
                write(key.data.base64EncodedString())
            }
        case "hold":
            try store.commit { _ in
                write("held")
                _ = readLine()
                return [words[2]: .set(.int(number))]
            }
        case "soak": try soak(words[2], Int(number)) { try makeStore(url) }
        case "increment" where words[2] == "count":
            let preferences = Preferences(store: store)
            for _ in 0..<number { try preferences.update(\.count) { $0 += 1 } }
        case "transact" where words[2] == "count":
            let preferences = Preferences(store: store)
            for _ in 0..<number {
                try preferences.transaction { preferences in
                    preferences.count += 1
                    for name in ["a", "b", "c"] { preferences.set(named: name, to: preferences.count) }
                }
                write("\(preferences.count)")
            }
        case "watch" where words[2] == "count": watch(setting: Int(number), in: Preferences(store: store))
        case "fill": fill(words[2], upTo: number, in: store)
        case "fork":
            try store.commit([words[2]: .set(.int(number))])
            let child = try ForkedProcess {
                say { _ = try store.value(for: words[2]) }
                say { try store.commit([words[2]: .remove]) }
            }
            guard child.waitForEnd() == 0 else { fatalError("the forked process has failed") }
        case "object": try endWithUnsavedObject(in: store, by: words[2], after: Int(number))
        case "report":
            unblock(SIGPIPE)
            try store.commit([words[2]: .set("text")])
            for _ in 0..<number { _ = Preferences(store: store).get(named: words[2], default: 0) }
            write("done")
        case "secrets": useSecrets(in: store, words[2], number)
        case "default-secrets": useDefaultSecrets(of: store, words[2], Int(number))
        case "connect" where words[2] == "etcd":
            let stores = (0..<number).compactMap { _ in
                URL(string: words[1]).map { EtcdStore(endpoints: [$0], prefix: "weather") }
            }
            // Returns when the first attempt has failed.
            _ = try? stores.first?.names()
        case "queue":
            let cache = URL(filePath: words[2])
            guard let endpoint = URL(string: words[1]) else { exitWithUsage() }
            let store = EtcdStore(endpoints: [endpoint], prefix: "weather", cache: cache, offlineWrites: .queued)
            for number in number... {
                try store.apply(["count": .set(.int(number))])
                write("\(number)")
            }
        case "close": try setWhileClosed(words[2], upTo: number, in: FileStore(url: url, durability: .immediate))
        case "policy": try evadePolicy(in: words[1], of: words[2], as: uid_t(number))
        case "managed": printManaged(words[2], ofApp: words[1], over: number)
        case "watch-as" where words[2] == "count": watch(folder: words[1], as: uid_t(number))
        case "follow": try follow(words[2], until: number, in: store)
        default: exitWithUsage()
        }
    }

    private static func makeStore(_ url: URL) throws -> any PreferenceStore {
        switch url.pathExtension {
        case "sqlite": SQLiteStore(url: url)
        case "suite": UserDefaultsStore(suite: url.deletingPathExtension().lastPathComponent)
        case "defaults": UserDefaultsStore.standard
        case "encrypted": EncryptedStore(FileStore(url: url), key: try EncryptionKey(data: Data(count: 32)))
        case "keyed": EncryptedStore(FileStore(url: url), keyIn: FileStore(url: url.appendingPathExtension("key")))
        #if !canImport(Security)
            case "keyring": makeKeyring(url.deletingPathExtension().lastPathComponent)
        #endif
        default: FileStore(url: url)
        }
    }

    #if !canImport(Security)
        private static func makeKeyring(_ name: String) -> SecretServiceStore {
            let words = name.split(separator: ".").map(String.init)
            let options = SecretServiceOptions(
                collection: words.contains("session") ? .session : .default,
                unlocking: .fail,
                timeout: .seconds(words.last.flatMap { Int($0) } ?? 120)
            )
            return SecretServiceStore(service: words[0], options: options)
        }
    #endif

    /// Uses a store for secrets, without a stream of problems, so that problems go to standard error.
    private static func useSecrets(in store: any PreferenceStore, _ name: String, _ number: Int64) {
        let preferences = Preferences(store: MemoryStore(), secrets: store)
        let secret = PreferenceReference(name, default: 0, [.secret], in: preferences)
        _ = secret.value
        PreferenceReference("another", default: 0, [.secret], in: preferences).value = Int(number)
        say { try preferences.flush() }
        say { try preferences.reload() }
        say { try preferences.resetAll() }
    }

    private static func useDefaultSecrets(of store: any PreferenceStore, _ name: String, _ number: Int) {
        let secret = PreferenceReference(name, default: 0, [.secret], in: Preferences(store: store))
        write("\(secret.value)")
        say { try secret.set(number) }
        write("\(secret.value)")
    }

    private static func printManaged(_ name: String, ofApp app: String, over number: Int64) {
        let store = LayeredStore([MemoryStore([name: .int(number)]), ManagedStore(forApp: app)])
        let reference = PreferenceReference(name, default: 0, [.managed], in: Preferences(store: store))
        write("\(reference.value), \(store.managedValue(of: name).map { "fixed by \($0.policy)" } ?? "free")")
    }

    private static func evadePolicy(in folder: String, of name: String, as user: uid_t) throws {
        become(user)
        func use(_ place: String, _ note: String = "") {
            let store = LayeredStore([ManagedStore(folder: "\(folder)/\(place)"), MemoryStore([name: 1])])
            let preferences = Preferences(store: store)
            let reference = PreferenceReference(name, default: 0, [.managed], in: preferences)
            write("\(place)\(note): \(reference.value), \(reference.isManaged ? "fixed" : "free")")
            if reference.isManaged { say { try reference.set(2) } }
        }
        func attempt(_ action: String, _ call: () -> CInt) {
            let isDone = call() >= 0
            write(isDone ? "can \(action)" : "cannot \(action): \(String(cString: strerror(errno)))")
        }
        use("weather")
        attempt("write weather/managed.json") { open("\(folder)/weather/managed.json", O_WRONLY) }
        attempt("remove weather/managed.json") { unlink("\(folder)/weather/managed.json") }
        attempt("rename weather") { rename("\(folder)/weather", "\(folder)/home/weather") }
        attempt("create weather/locks") { mkdir("\(folder)/weather/locks", 0o755) }
        let own = "\(folder)/home/managed.json"
        try Data("{\"\(name)\": 9}".utf8).write(to: URL(filePath: own))
        attempt("give home/managed.json to root") { chown(own, 0, 0) }
        use("home")
        unlink(own)
        guard symlink("\(folder)/weather/managed.json", own) == 0 else { fatalError("no link") }
        use("home", " with a link to weather/managed.json")
    }

    private static func become(_ user: uid_t) {
        guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { fatalError("not the superuser") }
    }

    private static func watch(folder: String, as user: uid_t) -> Never {
        become(user)
        let policy = Preferences(store: .layered(.managed(folder: "\(folder)/weather"), .memory([:])))
        let file = Preferences(store: FileStore(url: URL(filePath: "\(folder)/weather/own.json")))
        for (place, preferences) in [("policy", policy), ("file", file)] {
            let problems = preferences.problems
            Task.detached { for await problem in problems { write("\(place): \(problem.code)") } }
            preferences.watch(\.manageableCount, options: .initial) { write("\(place): \($0.new)") }
        }
        return withExtendedLifetime([policy, file]) { while true { pause() } }
    }

    private static func setWhileClosed(_ name: String, upTo end: Int64, in store: FileStore) throws {
        for stream in 0...2 as ClosedRange<CInt> { close(stream) }
        let isDone = Atomic(false)
        let writer = Thread { while !isDone.load(ordering: .relaxed) { StandardError.writeLine("closed") } }
        writer.start()
        for number in 1...end { try store.apply([name: .set(.int(number))]) }
        isDone.store(true, ordering: .relaxed)
    }

    private static func soak(_ name: String, _ count: Int, _ open: () throws -> any PreferenceStore) throws {
        let store = try open()
        func use(_ store: any PreferenceStore, times: Int) throws {
            for index in 0..<times {
                let text = PreferenceValue.string("\(index)" + String(repeating: "x", count: 20_000))
                try store.commit([name: .set(text)])
                guard try store.value(for: name) == text else { fatalError("\(name) is another text") }
            }
        }
        func recreate(times: Int) throws {
            for _ in 0..<times {
                let store = try open()
                let observation = store.observe { _ in }
                try use(store, times: 1)
                observation.cancel()
            }
        }
        // What is created once, such as the connection, does not count.
        try use(store, times: count / 5)
        try recreate(times: count / 25)
        try writeUsage()
        try use(store, times: count)
        try writeUsage()
        try recreate(times: count / 5)
        try writeUsage()
    }

    private static func writeUsage() throws {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        let fields = ["Threads:", "VmRSS:"].map { field in
            status.first { $0.hasPrefix(field) }?.filter(\.isNumber) ?? ""
        }
        write("\(descriptors) \(fields.joined(separator: " "))")
    }

    private static func follow(_ name: String, until end: Int64, in store: any PreferenceStore) throws {
        var last: Int64 = 0
        while last < end {
            try store.reload()
            let next = try number(store.value(for: name))
            guard next >= last else { fatalError("\(name) was \(last), and is \(next)") }
            last = next
        }
    }

    private static func watch(setting count: Int, in preferences: Preferences) {
        let changes = Mutex<[PreferenceChange<Int>]>([])
        preferences.watch(\.count, options: .old) { change in changes.withLock { $0.append(change) } }
        let values = (1...count).map { Int(getpid()) * 1_000_000 + $0 }
        for value in values { preferences.count = value }
        // Watchers run before the setter returns.
        let seen = changes.withLock { $0 }
        let own = seen.map(\.new).filter { values.contains($0) }
        if own != values { fatalError("of \(values.count) commits, \(own.count) were notified") }
        if let change = seen.first(where: { $0.old == $0.new }) { fatalError("this is no change: \(change)") }
        for (change, next) in zip(seen, seen.dropFirst()) where change.new != next.old {
            fatalError("\(next) does not follow \(change)")
        }
    }

    private static func endWithUnsavedObject(in store: any PreferenceStore, by end: String, after number: Int) throws {
        let object = PersistentObject<Int>(named: "object", in: store)
        // The end of the program must save the object, not its release.
        _ = Unmanaged.passRetained(object)
        object.reset(to: number)
        try object.save()
        object.reset(to: number + 1)
        switch end {
        case "return": return
        case "exit": exit(0)
        case "opt-in", "wait":
            unblock(SIGTERM)
            if end == "opt-in" { PersistentObjects.saveOnTermination() }
            write("\(number)")
            while true { pause() }
        default: exitWithUsage()
        }
    }

    /// Restores a signal's default action, because processes inherit blocked and ignored signals from the tests.
    private static func unblock(_ number: Int32) {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func fill(_ name: String, upTo end: Int64, in store: any PreferenceStore) {
        let text = PreferenceValue.string(String(repeating: "x", count: 1_000))
        for number in 1...end {
            let isDone = say { try store.commit([name: .set(.int(number)), "filling-\(number)": .set(text)]) }
            guard isDone else { return }
            write("\(number)")
        }
    }

    /// Calls a closure, and prints the problem that it throws.
    ///
    /// - Returns: Whether it did not throw.
    @discardableResult
    private static func say(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch let problem as PreferenceProblem {
            write("\(problem.code): \(problem.message)")
        } catch {
            write("\(error)")
        }
        return false
    }

    private static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func number(_ value: PreferenceValue?) throws -> Int64 {
        switch value {
        case nil: 0
        case .int(let number): number
        case let value?: fatalError("this is no number: \(value)")
        }
    }

    private static func exitWithUsage() -> Never {
        FileHandle.standardError.write(Data(usage.utf8))
        exit(2)
    }
}

extension Preferences {
    fileprivate var count: Int {
        get { get("count", default: 0) }
        set { set("count", to: newValue) }
    }

    fileprivate var manageableCount: Int { self.get("count", default: 0, [.managed]) }
}
