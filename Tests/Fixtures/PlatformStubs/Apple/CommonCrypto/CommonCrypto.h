#pragma once

@import Darwin;

// The headers have no nullability, and unnamed enumerations, whose constants Swift imports as `Int`.

// CC_crypto(3cc)
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/CC_crypto.3cc.html
enum {
    kCCSuccess = 0
};

// CCKeyDerivationPBKDF(3cc)
// https://github.com/apple-oss-distributions/CommonCrypto/blob/main/include/CommonKeyDerivation.h
enum {
    kCCPBKDF2 = 2
};
typedef uint32_t CCPBKDFAlgorithm;
enum {
    kCCPRFHmacAlgSHA256 = 3
};
typedef uint32_t CCPseudoRandomAlgorithm;
int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm, const char *, size_t, const uint8_t *, size_t, CCPseudoRandomAlgorithm, unsigned, uint8_t *,
    size_t
) __attribute__((availability(macos, introduced = 10.7))) __attribute__((availability(ios, introduced = 5.0)));
