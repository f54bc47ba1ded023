#if canImport(SwiftUI)
    import Combine
    public import SwiftUI

    extension PreferenceAccessors where Self: Sendable {
        /// A binding to a key, for controls.
        ///
        /// ```swift
        /// Toggle("Show the radar", isOn: preferences.weather.binding(\.showsRadar))
        /// ```
        ///
        /// A view that reads it is drawn again when the key changes if the ``Preferences`` were made with `isObserved`,
        /// or has a ``WatchedPreference``, whose projection is such a binding.
        ///
        /// - Parameter key: The key. A value that is refused is reported through ``Preferences/problems``, and the
        ///   control shows the old one again.
        @MainActor
        public func binding<Value: Sendable>(
            _ key: any ReferenceWritableKeyPath<Self, Value> & Sendable
        ) -> Binding<Value> {
            Binding {
                self[keyPath: key]
            } set: {
                self[keyPath: key] = $0
            }
        }
    }

    /// A key as a property of a view, which is drawn again when it changes, whoever changes it.
    ///
    /// ```swift
    /// struct StationView: View {
    ///     @WatchedPreference(\.weather.temperature) private var temperature
    ///
    ///     var body: some View { Stepper("\(temperature) °C", value: $temperature) }
    /// }
    /// ```
    ///
    /// It takes no `isObserved` of its ``Preferences``.
    @MainActor
    @propertyWrapper
    public struct WatchedPreference<Value: Sendable>: DynamicProperty {
        @StateObject private var source: WatchedPreferenceSource<Value>
        private let preferences: Preferences
        private let key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable

        /// Makes the property.
        ///
        /// - Parameters:
        ///   - key: The key, from ``Preferences`` on.
        ///   - preferences: Where it is: ``Preferences/shared``, by default.
        public init(
            _ key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable,
            in preferences: Preferences = .shared
        ) {
            self.key = key
            self.preferences = preferences
            _source = StateObject(wrappedValue: WatchedPreferenceSource(preferences, key))
        }

        /// The key's value.
        public var wrappedValue: Value {
            get { preferences[keyPath: key] }
            nonmutating set { preferences[keyPath: key] = newValue }
        }

        /// A binding to the key.
        public var projectedValue: Binding<Value> { preferences.binding(key) }
    }

    /// Tells SwiftUI of a key's changes.
    @MainActor
    private final class WatchedPreferenceSource<Value: Sendable>: ObservableObject {
        private var watcher: PreferenceWatcher?

        init(_ preferences: Preferences, _ key: any KeyPath<Preferences, Value> & Sendable) {
            watcher = preferences.watch(key) { [weak self] _ in self?.objectWillChange.send() }
        }

        deinit {
            watcher?.cancel()
        }
    }
#endif
