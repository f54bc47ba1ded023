import PreferencesRuntime
import Testing

struct RegistryConcurrencyTests {
    @Test("Threads that create preferences of one name at the same time get the same object")
    func threadsGetTheSamePreferences() async {
        let all = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<50 {
                group.addTask { ObjectIdentifier(Preferences.named("registry-threads") { .inMemory() }) }
            }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        Preferences.register(nil, named: "registry-threads")
    }
}
