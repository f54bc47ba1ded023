/// The versions that generated files name.
package enum GeneratorVersion {
    /// The generator's own.
    package static let current = "1.0"

    /// What a runtime must declare to be used by generated files. The number rises when generated code begins to call
    /// something that earlier runtimes lack, so that the two fail to compile together instead of misbehaving.
    static let runtimeMarker = "PreferencesRuntimeForGeneratedCode1"
}
