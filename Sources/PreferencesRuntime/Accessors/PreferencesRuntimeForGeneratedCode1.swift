/// What generated code refers to, to be compiled only by a runtime that it fits.
///
/// Each generated file has a line `private typealias RequiredRuntime = PreferencesRuntimeForGeneratedCode1`. Whoever
/// sees "cannot find type 'PreferencesRuntimeForGeneratedCode…'" has a generator that is newer than the runtime: both
/// must come from one version of the package. The number grows when generated code needs what older runtimes lack, and
/// the earlier names stay for as long as older generated code still works.
public enum PreferencesRuntimeForGeneratedCode1 {}
