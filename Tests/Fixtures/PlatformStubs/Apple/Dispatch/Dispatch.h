#pragma once

@import Darwin;
@import ObjectiveC;

#define OS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define OS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define OS_SWIFT_UNAVAILABLE __attribute__((availability(swift, unavailable, message = "Unavailable in Swift")))

#pragma clang assume_nonnull begin

// https://developer.apple.com/documentation/dispatch/dispatchobject
@interface OS_object : NSObject
- (instancetype)init OS_SWIFT_UNAVAILABLE;
@end
OS_SWIFT_NAME(DispatchObject)
@interface OS_dispatch_object : OS_object
- (instancetype)init OS_SWIFT_UNAVAILABLE;
@end

// https://developer.apple.com/documentation/dispatch/dispatchqueue
OS_SWIFT_NAME(DispatchQueue)
OS_SWIFT_SENDABLE
@interface OS_dispatch_queue : OS_dispatch_object
- (instancetype)init OS_SWIFT_UNAVAILABLE;
@end

// https://developer.apple.com/documentation/dispatch/dispatchgroup
OS_SWIFT_NAME(DispatchGroup)
OS_SWIFT_SENDABLE
@interface OS_dispatch_group : OS_dispatch_object
- (instancetype)init OS_SWIFT_UNAVAILABLE;
@end
OS_dispatch_group *dispatch_group_create(void) OS_SWIFT_NAME(DispatchGroup.init());
void dispatch_group_enter(OS_dispatch_group *group) OS_SWIFT_NAME(DispatchGroup.enter(self:));
void dispatch_group_leave(OS_dispatch_group *group) OS_SWIFT_NAME(DispatchGroup.leave(self:));

// https://developer.apple.com/documentation/dispatch/dispatchsemaphore
OS_SWIFT_NAME(DispatchSemaphore)
OS_SWIFT_SENDABLE
@interface OS_dispatch_semaphore : OS_dispatch_object
- (instancetype)init OS_SWIFT_UNAVAILABLE;
@end
OS_dispatch_semaphore *dispatch_semaphore_create(long value) OS_SWIFT_NAME(DispatchSemaphore.init(value:));

// https://developer.apple.com/documentation/dispatch/dispatchsourceprotocol
OS_SWIFT_NAME(DispatchSourceProtocol)
@protocol OS_dispatch_source <NSObject>
@end

// https://developer.apple.com/documentation/dispatch/dispatchsourcefilesystemobject
OS_SWIFT_NAME(DispatchSourceFileSystemObject)
@protocol OS_dispatch_source_vnode <OS_dispatch_source>
@end

// https://developer.apple.com/documentation/dispatch/dispatchsourcesignal
OS_SWIFT_NAME(DispatchSourceSignal)
@protocol OS_dispatch_source_signal <OS_dispatch_source>
@end

// https://developer.apple.com/documentation/dispatch/dispatchsource
OS_SWIFT_NAME(DispatchSource)
OS_SWIFT_SENDABLE
@interface OS_dispatch_source : OS_dispatch_object <OS_dispatch_source>
- (instancetype)init OS_SWIFT_UNAVAILABLE;
@end
@interface OS_dispatch_source (FileSystemObject) <OS_dispatch_source_vnode>
@end
@interface OS_dispatch_source (Signal) <OS_dispatch_source_signal>
@end

#pragma clang assume_nonnull end
