import LighthouseKit
import PreferencesRuntime

let preferences = Preferences(store: MemoryStore())

print("rotations:", LampController(preferences: preferences).light(), "lit:", preferences.lamp.isLit)
print(logbook(preferences))
