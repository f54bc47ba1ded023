#pragma once

@import Foundation;

#define CD_AVAILABLE(mac, phone) \
    __attribute__((availability(macos, introduced = mac))) __attribute__((availability(ios, introduced = phone)))
#define CD_AVAILABLE_EVERYWHERE(mac, phone, tv, watch) \
    CD_AVAILABLE(mac, phone) __attribute__((availability(tvos, introduced = tv))) \
    __attribute__((availability(watchos, introduced = watch)))
#define CD_DEPRECATED(mac, macEnd, phone, phoneEnd, text) \
    __attribute__((availability(macos, introduced = mac, deprecated = macEnd, message = text))) \
    __attribute__((availability(ios, introduced = phone, deprecated = phoneEnd, message = text)))
#define CD_SENDABLE __attribute__((swift_attr("@Sendable")))
#define CD_NAME(name) __attribute__((swift_name(#name)))
#define CD_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type

#pragma clang assume_nonnull begin

@class NSAttributeDescription, NSEntityDescription, NSManagedObjectContext;

// MARK: Models

// https://developer.apple.com/documentation/coredata/nsattributetype
typedef CD_ENUM(NSUInteger, NSAttributeType) {
    NSUndefinedAttributeType CD_NAME(undefinedAttributeType) = 0,
    NSInteger16AttributeType CD_NAME(integer16AttributeType) = 100,
};

// https://developer.apple.com/documentation/coredata/nspropertydescription
CD_AVAILABLE(10.4, 3.0)
@interface NSPropertyDescription : NSObject
@property (getter=isOptional) BOOL optional;
@end

// https://developer.apple.com/documentation/coredata/nsattributedescription
CD_AVAILABLE(10.4, 3.0)
@interface NSAttributeDescription : NSPropertyDescription
@property NSAttributeType attributeType;
@property (nullable, copy) NSString *attributeValueClassName;
@end

// https://developer.apple.com/documentation/coredata/nsderivedattributedescription
CD_AVAILABLE_EVERYWHERE(10.15, 13.0, 13.0, 6.0)
@interface NSDerivedAttributeDescription : NSAttributeDescription
@end

// https://developer.apple.com/documentation/coredata/nsentitydescription
CD_AVAILABLE(10.4, 3.0)
@interface NSEntityDescription : NSObject
@property (nullable, copy) NSString *name;
@property (readonly, copy) NSDictionary<NSString *, NSAttributeDescription *> *attributesByName;
@end

// MARK: Objects

// https://developer.apple.com/documentation/coredata/nsmanagedobjectid
CD_AVAILABLE(10.4, 3.0) CD_SENDABLE
@interface NSManagedObjectID : NSObject
@property (readonly, strong) NSEntityDescription *entity;
@property (readonly, getter=isTemporaryID) BOOL temporaryID;
@end

// https://developer.apple.com/documentation/coredata/nsmanagedobject
CD_AVAILABLE(10.4, 3.0)
@interface NSManagedObject : NSObject
@property (nullable, nonatomic, readonly, assign) NSManagedObjectContext *managedObjectContext;
@property (nonatomic, readonly, strong) NSEntityDescription *entity;
@property (nonatomic, readonly, strong) NSManagedObjectID *objectID;
@property (nonatomic, getter=isInserted, readonly) BOOL inserted;
@property (nonatomic, getter=isDeleted, readonly) BOOL deleted;
- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;
- (NSDictionary<NSString *, id> *)changedValuesForCurrentEvent CD_AVAILABLE(10.7, 5.0);
- (BOOL)validateForInsert:(NSError **)error;
- (BOOL)validateForUpdate:(NSError **)error;
@end

// MARK: Contexts

// https://developer.apple.com/documentation/coredata/nsmanagedobjectcontextconcurrencytype
typedef CD_ENUM(NSUInteger, NSManagedObjectContextConcurrencyType) {
    NSConfinementConcurrencyType
        CD_DEPRECATED(10.4, 10.11, 3.0, 9.0, "Use another NSManagedObjectContextConcurrencyType") = 0x00,
    NSPrivateQueueConcurrencyType = 0x01,
    NSMainQueueConcurrencyType = 0x02
} CD_AVAILABLE(10.7, 5.0);

// https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext
CD_AVAILABLE(10.4, 3.0)
@interface NSManagedObjectContext : NSObject
- (void)performBlockAndWait:(void (__attribute__((noescape)) ^)(void))block
    CD_NAME(performAndWait(_:)) CD_AVAILABLE(10.7, 5.0);
@property (nonatomic, readonly) BOOL hasChanges;
@property (readonly) NSManagedObjectContextConcurrencyType concurrencyType CD_AVAILABLE(10.7, 5.0);
- (void)refreshObject:(NSManagedObject *)object mergeChanges:(BOOL)flag CD_NAME(refresh(_:mergeChanges:));
- (void)processPendingChanges;
- (BOOL)save:(NSError **)error;
@property NSTimeInterval stalenessInterval;
@end

// https://developer.apple.com/documentation/coredata/nsinsertedobjectskey
extern NSString *const NSInsertedObjectsKey CD_AVAILABLE(10.4, 3.0);
extern NSString *const NSUpdatedObjectsKey CD_AVAILABLE(10.4, 3.0);
extern NSString *const NSDeletedObjectsKey CD_AVAILABLE(10.4, 3.0);
extern NSString *const NSRefreshedObjectsKey CD_AVAILABLE(10.5, 3.0);
extern NSString *const NSInvalidatedObjectsKey CD_AVAILABLE(10.5, 3.0);
extern NSString *const NSInvalidatedAllObjectsKey CD_AVAILABLE(10.5, 3.0);

// https://developer.apple.com/documentation/coredata/nsdetailederrorskey
extern NSString *const NSDetailedErrorsKey CD_AVAILABLE(10.4, 3.0);
extern NSString *const NSValidationKeyErrorKey CD_AVAILABLE(10.4, 3.0);

#pragma clang assume_nonnull end
