#pragma once

@import Foundation;

#pragma clang assume_nonnull begin

// https://developer.apple.com/documentation/localauthentication/lacontext
__attribute__((availability(macos, introduced = 10.10))) __attribute__((availability(ios, introduced = 8.0)))
__attribute__((availability(watchos, introduced = 3.0))) __attribute__((availability(tvos, unavailable)))
@interface LAContext : NSObject
@property(nonatomic, copy) NSString *localizedReason __attribute__((availability(macos, introduced = 10.13)))
__attribute__((availability(ios, introduced = 11.0))) __attribute__((availability(watchos, unavailable)))
__attribute__((availability(tvos, unavailable)));
@end

#pragma clang assume_nonnull end
