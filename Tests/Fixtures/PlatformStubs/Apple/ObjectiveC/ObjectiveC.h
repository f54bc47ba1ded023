#pragma once

#pragma clang assume_nonnull begin

@class NSString;

// https://developer.apple.com/documentation/objectivec/bool
#if __OBJC_BOOL_IS_BOOL
typedef _Bool BOOL;
#else
typedef signed char BOOL;
#endif

// https://developer.apple.com/documentation/objectivec/nsinteger
typedef long NSInteger;

// https://developer.apple.com/documentation/objectivec/nsuinteger
typedef unsigned long NSUInteger;

// https://developer.apple.com/documentation/objectivec/sel
typedef struct objc_selector *SEL;

// https://developer.apple.com/documentation/foundation/nszone
typedef struct _NSZone NSZone;

// https://developer.apple.com/documentation/objectivec/nsobjectprotocol
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
- (BOOL)respondsToSelector:(null_unspecified SEL)aSelector;
@property (readonly, copy) NSString *description;
@end

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
@end

// https://developer.apple.com/documentation/objectivec/objective-c-runtime
typedef struct objc_property *objc_property_t;
Class _Nullable class_getSuperclass(Class _Nullable cls);
objc_property_t _Nonnull *_Nullable class_copyPropertyList(Class _Nullable cls, unsigned int *_Nullable outCount);
const char *property_getName(objc_property_t property);
const char *_Nullable property_getAttributes(objc_property_t property);

#pragma clang assume_nonnull end
