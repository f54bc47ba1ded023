import ObservatoryKit
import PreferencesCatalogue
import PreferencesRuntime

let preferences = Preferences(store: MemoryStore())

preferences.panel.columns += 1
print(preferences.panel.title, "in", preferences.panel.columns, "columns")

preferences.wind.limit = 8
preferences.telescope.camera.gain = 200
print("wind:", preferences.wind.limit, "gain:", preferences.telescope.camera.gain)

let unusable = Preferences(store: MemoryStore(["panel:columns": "two", "panel:title": "Today"]))
print("keys:", PreferenceCatalogue.dashboard.map(\.keyPath))
for problem in unusable.validate() { print("problem:", problem) }
print(unusable.explain())

#if !canImport(Darwin)
    let stored = Preferences(store: .file(path: "/nonexistent/values.json"))
    // Received, so that the problem of reading the old value is not written to standard error.
    let problems = stored.problems
    do {
        try PreferenceReference("token", default: "", [.secret], in: stored).set("hunter2")
    } catch {
        print("secrets:", error.message)
    }
    withExtendedLifetime(problems) {}
#endif
