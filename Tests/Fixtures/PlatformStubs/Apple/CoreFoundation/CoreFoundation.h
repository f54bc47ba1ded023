#pragma once

@import Darwin;

#define CF_BRIDGED_TYPE(type) __attribute__((objc_bridge(type)))

#pragma clang assume_nonnull begin

// https://developer.apple.com/documentation/corefoundation/cftyperef
typedef const void *CF_BRIDGED_TYPE(id) CFTypeRef;

// https://developer.apple.com/documentation/corefoundation/cfallocator
typedef const struct CF_BRIDGED_TYPE(id) __CFAllocator *CFAllocatorRef;

// https://developer.apple.com/documentation/corefoundation/cfstring
typedef const struct CF_BRIDGED_TYPE(NSString) __CFString *CFStringRef;

// https://developer.apple.com/documentation/corefoundation/cfdictionary
typedef const struct CF_BRIDGED_TYPE(NSDictionary) __CFDictionary *CFDictionaryRef;

// https://developer.apple.com/documentation/corefoundation/cferror
typedef struct CF_BRIDGED_TYPE(NSError) __CFError *CFErrorRef;

#pragma clang assume_nonnull end
