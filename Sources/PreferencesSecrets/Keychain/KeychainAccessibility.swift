/// When the keychain gives a value: the `kSecAttrAccessible…` constants of Apple's Security framework.
///
/// Values with `ThisDeviceOnly` are in no backup that another device could use, and in no iCloud Keychain.
public enum KeychainAccessibility: Sendable, Hashable, CaseIterable {
    /// While the device is unlocked: `kSecAttrAccessibleWhenUnlocked`.
    case whenUnlocked
    /// While the device is unlocked, on this device: `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.
    case whenUnlockedThisDeviceOnly
    /// Once the device was unlocked since it was started, so that programs in the background have it:
    /// `kSecAttrAccessibleAfterFirstUnlock`.
    case afterFirstUnlock
    /// The same, on this device: `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
    case afterFirstUnlockThisDeviceOnly
    /// While the device is unlocked and has a passcode, on this device; gone when the passcode is removed:
    /// `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly`.
    case whenPasscodeSetThisDeviceOnly
}
