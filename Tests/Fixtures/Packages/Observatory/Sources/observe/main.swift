import Almanac
import ObservatoryKit
import PreferencesRuntime

let preferences = Preferences(store: MemoryStore())

print("observer:", preferences.observer ?? "nobody")
preferences.observer = "Caroline"
print("observer:", preferences.observer ?? "nobody")

let controller = TelescopeController(preferences: preferences)
print("aperture:", controller.upgrade(), "then", preferences.telescope.aperture)

preferences.telescope.mount = .altazimuth
preferences.telescope.camera.filters.append("red")
print("mount:", preferences.telescope.mount, "filters:", preferences.telescope.camera.filters)

preferences.dome.isOpen = true
print("dome:", preferences.dome.isOpen, preferences.dome.azimuth)

print("weather:", preferences.station, preferences.wind.limit)
print("forecast:", preferences.horizon, preferences.rain.threshold)
print("planets:", planets)

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
