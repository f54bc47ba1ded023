#pragma once

@import CoreFoundation;

#define SEC_AVAILABLE(mac, phone)                                                                                      \
    __attribute__((availability(macos, introduced = mac))) __attribute__((availability(ios, introduced = phone)))

#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin

// MARK: - Items

// https://developer.apple.com/documentation/security/keychain-items
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef *_Nullable __attribute__((cf_returns_retained)) result)
SEC_AVAILABLE(10.6, 2.0);
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef *_Nullable __attribute__((cf_returns_retained)) result)
SEC_AVAILABLE(10.6, 2.0);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate) SEC_AVAILABLE(10.6, 2.0);
OSStatus SecItemDelete(CFDictionaryRef query) SEC_AVAILABLE(10.6, 2.0);

// https://developer.apple.com/documentation/security/seccopyerrormessagestring(_:_:)
CFStringRef _Nullable SecCopyErrorMessageString(OSStatus status, void *_Nullable reserved) SEC_AVAILABLE(10.3, 11.3);

// https://developer.apple.com/documentation/security/item-class-keys-and-values
extern const CFStringRef kSecClass SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecClassGenericPassword SEC_AVAILABLE(10.7, 2.0);

// https://developer.apple.com/documentation/security/item-attribute-keys-and-values
extern const CFStringRef kSecAttrAccessible SEC_AVAILABLE(10.9, 4.0);
extern const CFStringRef kSecAttrAccessControl SEC_AVAILABLE(10.10, 8.0);
extern const CFStringRef kSecAttrAccessGroup SEC_AVAILABLE(10.9, 3.0);
extern const CFStringRef kSecAttrSynchronizable SEC_AVAILABLE(10.9, 7.0);
extern const CFStringRef kSecAttrComment SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecAttrLabel SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecAttrAccount SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecAttrService SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecAttrGeneric SEC_AVAILABLE(10.6, 2.0);

// https://developer.apple.com/documentation/security/item-search-matching-keys
extern const CFStringRef kSecMatchLimit SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecMatchLimitOne SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecMatchLimitAll SEC_AVAILABLE(10.6, 2.0);

// https://developer.apple.com/documentation/security/item-return-result-keys
extern const CFStringRef kSecReturnData SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecReturnAttributes SEC_AVAILABLE(10.6, 2.0);
extern const CFStringRef kSecValueData SEC_AVAILABLE(10.6, 2.0);

// https://developer.apple.com/documentation/security/ksecuseauthenticationcontext
// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
extern const CFStringRef kSecUseAuthenticationContext SEC_AVAILABLE(10.11, 9.0);
extern const CFStringRef kSecUseDataProtectionKeychain SEC_AVAILABLE(10.15, 13.0)
__attribute__((availability(tvos, introduced = 13.0))) __attribute__((availability(watchos, introduced = 6.0)));

// MARK: - Protection

// https://developer.apple.com/documentation/security/restricting-keychain-item-accessibility
extern const CFStringRef kSecAttrAccessibleWhenUnlocked SEC_AVAILABLE(10.9, 4.0);
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlock SEC_AVAILABLE(10.9, 4.0);
extern const CFStringRef kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly SEC_AVAILABLE(10.10, 8.0);
extern const CFStringRef kSecAttrAccessibleWhenUnlockedThisDeviceOnly SEC_AVAILABLE(10.9, 4.0);
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly SEC_AVAILABLE(10.9, 4.0);

// https://developer.apple.com/documentation/security/secaccesscontrolcreateflags
// Its raw type is CFOptionFlags.
typedef enum __attribute__((flag_enum, enum_extensibility(open))) : unsigned long {
    kSecAccessControlUserPresence = 1u << 0,
    kSecAccessControlBiometryAny SEC_AVAILABLE(10.13.4, 11.3) = 1u << 1,
    kSecAccessControlBiometryCurrentSet SEC_AVAILABLE(10.13.4, 11.3) = 1u << 3,
    kSecAccessControlDevicePasscode SEC_AVAILABLE(10.11, 9.0) = 1u << 4
} SecAccessControlCreateFlags SEC_AVAILABLE(10.10, 8.0);

// https://developer.apple.com/documentation/security/secaccesscontrol
typedef struct __attribute__((objc_bridge(id))) __SecAccessControl *SecAccessControlRef;

// https://developer.apple.com/documentation/security/secaccesscontrolcreatewithflags(_:_:_:_:)
SecAccessControlRef _Nullable SecAccessControlCreateWithFlags(
    CFAllocatorRef _Nullable allocator, CFTypeRef protection, SecAccessControlCreateFlags flags, CFErrorRef *error
) SEC_AVAILABLE(10.10, 8.0);

#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
