#if canImport(SwiftUI)
    import Combine
    public import SwiftUI

    extension PreferenceAccessors where Self: Sendable {
        /// Returns a SwiftUI binding to a key.
        ///
        /// ```swift
        /// Toggle("Show the radar", isOn: preferences.weather.binding(\.showsRadar))
        /// ```
        ///
        /// A view that reads the binding is updated when the key changes if the ``Preferences`` were created with
        /// `isObserved`. Otherwise use ``WatchedPreference``, whose projected value is such a binding.
        ///
        /// - Parameter key: The key. A refused value is reported through ``Preferences/problems``, and the control
        ///   shows the old value again.
        /// - Returns: The binding.
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

    /// A property of a view that reads and sets a key. The view is updated when the key changes, including external
    /// changes.
    ///
    /// ```swift
    /// struct StationView: View {
    ///     @WatchedPreference(\.weather.temperature) private var temperature
    ///
    ///     var body: some View { Stepper("\(temperature) °C", value: $temperature) }
    /// }
    /// ```
    ///
    /// The ``Preferences`` need not be created with `isObserved`.
    @MainActor
    @propertyWrapper
    public struct WatchedPreference<Value: Sendable>: DynamicProperty {
        @StateObject private var source: WatchedPreferenceSource<Value>
        private let preferences: Preferences
        private let key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable

        /// Creates the property.
        ///
        /// - Parameters:
        ///   - key: The key path of the key, starting at ``Preferences``.
        ///   - preferences: The preferences of the key; by default ``Preferences/shared``.
        public init(
            _ key: any ReferenceWritableKeyPath<Preferences, Value> & Sendable,
            in preferences: Preferences = .shared
        ) {
            self.key = key
            self.preferences = preferences
            _source = StateObject(wrappedValue: WatchedPreferenceSource(preferences, key))
        }

        /// The value of the key.
        public var wrappedValue: Value {
            get { preferences[keyPath: key] }
            nonmutating set { preferences[keyPath: key] = newValue }
        }

        /// A binding to the key.
        public var projectedValue: Binding<Value> { preferences.binding(key) }
    }

    /// Notifies SwiftUI of the changes of a key.
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
