import ObservatoryKit
import PreferencesRuntime

let preferences = Preferences(store: MemoryStore())

preferences.panel.columns += 1
print(preferences.panel.title, "in", preferences.panel.columns, "columns")

preferences.wind.limit = 8
preferences.telescope.camera.gain = 200
print("wind:", preferences.wind.limit, "gain:", preferences.telescope.camera.gain)
