#pragma once

// Availability is declared where a platform lacks the declaration. The package's minimum systems have all else.

@import CoreFoundation;
@import Darwin;
@import Dispatch;
@import ObjectiveC;

#define NS_ENUM(type, name) \
    enum __attribute__((enum_extensibility(open))) name : type name; \
    enum name : type
#define NS_OPTIONS(type, name) \
    enum __attribute__((flag_enum)) __attribute__((enum_extensibility(open))) name : type name; \
    enum name : type
#define NS_TYPED_ENUM __attribute__((swift_newtype(enum)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_newtype(struct)))
#define NS_SWIFT_BRIDGED(name) __attribute__((swift_bridge(name)))
#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_UNAVAILABLE_FROM_ASYNC(text) \
    __attribute__((swift_attr("@_unavailableFromAsync(message: \"" text "\")")))
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define NS_MACOS_ONLY \
    __attribute__((availability(ios, unavailable))) \
    __attribute__((availability(tvos, unavailable))) \
    __attribute__((availability(watchos, unavailable))) \
    __attribute__((availability(visionos, unavailable)))

#pragma clang assume_nonnull begin

// Foundation's headers are audited: what is not marked as sendable is not sendable.
#pragma clang attribute push(__attribute__((swift_attr("@_nonSendable(_assumed)"))), \
                             apply_to = any(objc_interface, record, enum))

@class NSArray<__covariant ObjectType>;
@class NSDictionary<__covariant KeyType, __covariant ObjectType>;
@class NSSet<__covariant ObjectType>;
@class NSCoder, NSData, NSDate, NSError, NSNotification, NSNumber, NSOperationQueue, NSString, NSURL, NSURLRequest,
    NSURLSession;

// MARK: - Types

// https://developer.apple.com/documentation/foundation/timeinterval
typedef double NSTimeInterval NS_SWIFT_NAME(TimeInterval);

// https://developer.apple.com/documentation/foundation/nsstringfromclass(_:)
NSString *NSStringFromClass(Class aClass);

// https://developer.apple.com/documentation/foundation/nsselectorfromstring(_:)
SEL NSSelectorFromString(NSString *aSelectorName);

// https://developer.apple.com/documentation/foundation/nscopying
@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end

// https://developer.apple.com/documentation/foundation/nscoding
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

// https://developer.apple.com/documentation/foundation/nssecurecoding
@protocol NSSecureCoding <NSCoding>
@property (class, readonly) BOOL supportsSecureCoding;
@end

// MARK: - Strings, numbers and dates

// https://developer.apple.com/documentation/foundation/nsstring
NS_SWIFT_BRIDGED("Swift.String")
@interface NSString : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithString:(NSString *)aString;
@end

// https://developer.apple.com/documentation/foundation/nsvalue
@interface NSValue : NSObject <NSCopying, NSSecureCoding>
@property (readonly) const char *objCType;
@end

// https://developer.apple.com/documentation/foundation/nsnumber
NS_SWIFT_SENDABLE
@interface NSNumber : NSValue
- (NSNumber *)initWithBool:(BOOL)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithInt:(int)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedInt:(unsigned int)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithLongLong:(long long)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedLongLong:(unsigned long long)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithInteger:(NSInteger)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedInteger:(NSUInteger)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithFloat:(float)value NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithDouble:(double)value NS_SWIFT_NAME(init(value:));
@property (readonly) BOOL boolValue;
@property (readonly) double doubleValue;
@property (readonly) long long longLongValue NS_SWIFT_NAME(int64Value);
@property (readonly) unsigned long long unsignedLongLongValue NS_SWIFT_NAME(uint64Value);
@property (readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property (readonly, copy) NSString *stringValue;
@end

// https://developer.apple.com/documentation/foundation/decimal
typedef struct NS_SWIFT_SENDABLE {
    signed int _exponent : 8;
    unsigned int _length : 4;
    unsigned int _isNegative : 1;
    unsigned int _isCompact : 1;
    unsigned int _reserved : 18;
    unsigned short _mantissa[8];
} NSDecimal NS_SWIFT_NAME(Decimal);

// https://developer.apple.com/documentation/foundation/nsdecimalnumber
NS_SWIFT_SENDABLE
@interface NSDecimalNumber : NSNumber
- (instancetype)initWithDecimal:(NSDecimal)dcm NS_DESIGNATED_INITIALIZER;
@property (readonly) double doubleValue;
@end

// https://developer.apple.com/documentation/foundation/nsdate
NS_SWIFT_BRIDGED("Date")
NS_SWIFT_SENDABLE
@interface NSDate : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithTimeIntervalSinceReferenceDate:(NSTimeInterval)ti NS_DESIGNATED_INITIALIZER;
@end

// https://developer.apple.com/documentation/foundation/nsdata/readingoptions
typedef NS_OPTIONS(NSUInteger, NSDataReadingOptions) {
    NSDataReadingMappedIfSafe = 1,
    NSDataReadingUncached = 2,
    NSDataReadingMappedAlways NS_SWIFT_NAME(alwaysMapped) = 8,
} NS_SWIFT_NAME(NSData.ReadingOptions);

// https://developer.apple.com/documentation/foundation/nsdata/writingoptions
typedef NS_OPTIONS(NSUInteger, NSDataWritingOptions) {
    NSDataWritingAtomic = 1,
    NSDataWritingWithoutOverwriting = 2,
} NS_SWIFT_NAME(NSData.WritingOptions);

// https://developer.apple.com/documentation/foundation/nsdata/base64encodingoptions
typedef NS_OPTIONS(NSUInteger, NSDataBase64EncodingOptions) {
    NSDataBase64Encoding64CharacterLineLength NS_SWIFT_NAME(lineLength64Characters) = 1,
    NSDataBase64Encoding76CharacterLineLength NS_SWIFT_NAME(lineLength76Characters) = 2,
} NS_SWIFT_NAME(NSData.Base64EncodingOptions);

// https://developer.apple.com/documentation/foundation/nsdata/base64decodingoptions
typedef NS_OPTIONS(NSUInteger, NSDataBase64DecodingOptions) {
    NSDataBase64DecodingIgnoreUnknownCharacters = 1,
} NS_SWIFT_NAME(NSData.Base64DecodingOptions);

// https://developer.apple.com/documentation/foundation/nsdata
NS_SWIFT_BRIDGED("Data")
@interface NSData : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithData:(NSData *)data;
@end

// https://developer.apple.com/documentation/foundation/urlresourcekey
typedef NSString *NSURLResourceKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(URLResourceKey);
extern NSURLResourceKey const NSURLIsDirectoryKey;
extern NSURLResourceKey const NSURLIsRegularFileKey;
extern NSURLResourceKey const NSURLVolumeIsLocalKey;
extern NSURLResourceKey const NSURLVolumeTypeNameKey
    __attribute__((availability(macos, introduced = 13.3))) __attribute__((availability(ios, introduced = 16.4)))
    __attribute__((availability(tvos, introduced = 16.4))) __attribute__((availability(watchos, introduced = 9.4)));

// https://developer.apple.com/documentation/foundation/nsurl
NS_SWIFT_BRIDGED("URL")
NS_SWIFT_SENDABLE
@interface NSURL : NSObject <NSCopying, NSSecureCoding>
@end

// https://developer.apple.com/documentation/foundation/nsuuid
NS_SWIFT_BRIDGED("UUID")
NS_SWIFT_SENDABLE
@interface NSUUID : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithUUIDBytes:(const uuid_t _Nullable)bytes;
@property (readonly, copy) NSString *UUIDString;
@end

// MARK: - Collections

// https://developer.apple.com/documentation/foundation/nsarray
NS_SWIFT_BRIDGED("Swift.Array")
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithArray:(NSArray<ObjectType> *)array;
@end

// https://developer.apple.com/documentation/foundation/nsdictionary
NS_SWIFT_BRIDGED("Swift.Dictionary")
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithDictionary:(NSDictionary<KeyType, ObjectType> *)otherDictionary;
@end

// https://developer.apple.com/documentation/foundation/nsset
NS_SWIFT_BRIDGED("Swift.Set")
@interface NSSet<__covariant ObjectType> : NSObject <NSCopying, NSSecureCoding>
@end

// https://developer.apple.com/documentation/foundation/nsnull
@interface NSNull : NSObject <NSCopying, NSSecureCoding>
@end

// https://developer.apple.com/documentation/foundation/nscache
@interface NSCache<KeyType, ObjectType> : NSObject
- (nullable ObjectType)objectForKey:(KeyType)key;
- (void)setObject:(ObjectType)obj forKey:(KeyType)key;
- (void)removeObjectForKey:(KeyType)key;
@property NSUInteger countLimit;
@end

// MARK: - Errors

// https://developer.apple.com/documentation/foundation/nserrordomain
typedef NSString *NSErrorDomain;

// https://developer.apple.com/documentation/foundation/nserroruserinfokey
typedef NSString *NSErrorUserInfoKey;

// https://developer.apple.com/documentation/foundation/nserror
NS_SWIFT_BRIDGED("Swift.Error")
NS_SWIFT_SENDABLE
@interface NSError : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)dict NS_DESIGNATED_INITIALIZER;
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
@end

// https://developer.apple.com/documentation/foundation/nsdebugdescriptionerrorkey
extern NSErrorUserInfoKey const NSDebugDescriptionErrorKey;

// https://developer.apple.com/documentation/foundation/nsfilepatherrorkey
extern NSErrorUserInfoKey const NSFilePathErrorKey;

// https://developer.apple.com/documentation/foundation/nslocalizeddescriptionkey
extern NSErrorUserInfoKey const NSLocalizedDescriptionKey;

// https://developer.apple.com/documentation/foundation/nsunderlyingerrorkey
extern NSErrorUserInfoKey const NSUnderlyingErrorKey;

// MARK: - Key-value coding and observing

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
@interface NSObject (NSKeyValueCoding)
- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;
@end

// https://developer.apple.com/documentation/foundation/nskeyvalueobservingoptions
typedef NS_OPTIONS(NSUInteger, NSKeyValueObservingOptions) {
    NSKeyValueObservingOptionNew = 0x01,
    NSKeyValueObservingOptionOld = 0x02,
    NSKeyValueObservingOptionInitial = 0x04,
    NSKeyValueObservingOptionPrior = 0x08,
};

// https://developer.apple.com/documentation/foundation/nskeyvaluechangekey
typedef NSString *NSKeyValueChangeKey NS_TYPED_ENUM;

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
@interface NSObject (NSKeyValueObserving)
- (void)observeValueForKeyPath:(nullable NSString *)keyPath
                      ofObject:(nullable id)object
                        change:(nullable NSDictionary<NSKeyValueChangeKey, id> *)change
                       context:(nullable void *)context;
- (void)addObserver:(NSObject *)observer
         forKeyPath:(NSString *)keyPath
            options:(NSKeyValueObservingOptions)options
            context:(nullable void *)context;
- (void)removeObserver:(NSObject *)observer forKeyPath:(NSString *)keyPath;
@end

// MARK: - Notifications

// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct
typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);

// https://developer.apple.com/documentation/foundation/nsnotification
NS_SWIFT_BRIDGED("Notification")
@interface NSNotification : NSObject <NSCopying, NSCoding>
@end

// https://developer.apple.com/documentation/foundation/notificationcenter
NS_SWIFT_NAME(NotificationCenter)
NS_SWIFT_SENDABLE
@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)postNotificationName:(NSNotificationName)aName
                      object:(nullable id)anObject
                    userInfo:(nullable NSDictionary *)aUserInfo NS_SWIFT_NAME(post(name:object:userInfo:));
- (void)removeObserver:(id)observer;
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)obj
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void(NS_SWIFT_SENDABLE ^)(NSNotification *notification))block;
@end

// https://developer.apple.com/documentation/foundation/operationqueue
NS_SWIFT_NAME(OperationQueue)
NS_SWIFT_SENDABLE
@interface NSOperationQueue : NSObject
- (void)addOperationWithBlock:(void(NS_SWIFT_SENDABLE ^)(void))block;
@end

// MARK: - Preferences

// https://developer.apple.com/documentation/foundation/userdefaults
NS_SWIFT_NAME(UserDefaults)
@interface NSUserDefaults : NSObject
@property (class, readonly, strong) NSUserDefaults *standardUserDefaults;
- (nullable instancetype)initWithSuiteName:(nullable NSString *)suitename NS_DESIGNATED_INITIALIZER;
- (nullable id)objectForKey:(NSString *)defaultName;
- (void)setObject:(nullable id)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)removeObjectForKey:(NSString *)defaultName;
- (nullable NSString *)stringForKey:(NSString *)defaultName;
- (NSInteger)integerForKey:(NSString *)defaultName;
- (void)setInteger:(NSInteger)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)setFloat:(float)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)setDouble:(double)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)setBool:(BOOL)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)setURL:(nullable NSURL *)url forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (nullable NSDictionary<NSString *, id> *)persistentDomainForName:(NSString *)domainName;
- (void)setPersistentDomain:(NSDictionary<NSString *, id> *)domain forName:(NSString *)domainName;
- (void)removePersistentDomainForName:(NSString *)domainName;
- (BOOL)synchronize;
- (BOOL)objectIsForcedForKey:(NSString *)key;
@end
extern NSNotificationName const NSUserDefaultsDidChangeNotification
    NS_SWIFT_NAME(UserDefaults.didChangeNotification);

// https://developer.apple.com/documentation/foundation/nsubiquitouskeyvaluestore
@interface NSUbiquitousKeyValueStore : NSObject
@property (class, readonly, strong) NSUbiquitousKeyValueStore *defaultStore;
- (nullable id)objectForKey:(NSString *)aKey;
- (void)setObject:(nullable id)anObject forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)removeObjectForKey:(NSString *)aKey;
- (void)setString:(nullable NSString *)aString forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)setData:(nullable NSData *)aData forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)setArray:(nullable NSArray *)anArray forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)setDictionary:(nullable NSDictionary<NSString *, id> *)aDictionary
               forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)setLongLong:(long long)value forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)setDouble:(double)value forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
- (void)setBool:(BOOL)value forKey:(NSString *)aKey NS_SWIFT_NAME(set(_:forKey:));
@property (readonly, copy) NSDictionary<NSString *, id> *dictionaryRepresentation;
- (BOOL)synchronize;
@end
extern NSNotificationName const NSUbiquitousKeyValueStoreDidChangeExternallyNotification
    NS_SWIFT_NAME(NSUbiquitousKeyValueStore.didChangeExternallyNotification);
extern NSString *const NSUbiquitousKeyValueStoreChangeReasonKey;
extern NSString *const NSUbiquitousKeyValueStoreChangedKeysKey;

// https://developer.apple.com/documentation/foundation/nsvaluetransformername
typedef NSString *NSValueTransformerName NS_TYPED_EXTENSIBLE_ENUM;

// https://developer.apple.com/documentation/foundation/valuetransformer
NS_SWIFT_NAME(ValueTransformer)
@interface NSValueTransformer : NSObject
+ (nullable NSValueTransformer *)valueTransformerForName:(NSValueTransformerName)name;
+ (BOOL)allowsReverseTransformation;
- (nullable id)transformedValue:(nullable id)value;
- (nullable id)reverseTransformedValue:(nullable id)value;
@end

// MARK: - Archives and serialization

// https://developer.apple.com/documentation/foundation/nscoder/decodingfailurepolicy-swift.enum
typedef NS_ENUM(NSInteger, NSDecodingFailurePolicy) {
    NSDecodingFailurePolicyRaiseException,
    NSDecodingFailurePolicySetErrorAndReturn,
} NS_SWIFT_NAME(NSCoder.DecodingFailurePolicy);

// https://developer.apple.com/documentation/foundation/nscoder
@interface NSCoder : NSObject
@property (readonly) BOOL allowsKeyedCoding;
- (void)encodeObject:(nullable id)object forKey:(NSString *)key;
- (BOOL)containsValueForKey:(NSString *)key;
@property (readonly) NSDecodingFailurePolicy decodingFailurePolicy;
@property (nullable, readonly, copy) NSError *error;
@end

// https://developer.apple.com/documentation/foundation/nskeyedarchiver
@interface NSKeyedArchiver : NSCoder
+ (nullable NSData *)archivedDataWithRootObject:(id)object
                          requiringSecureCoding:(BOOL)requiresSecureCoding
                                          error:(NSError **)error;
@end

// https://developer.apple.com/documentation/foundation/nskeyedunarchiver
@interface NSKeyedUnarchiver : NSCoder
@property (readwrite) NSDecodingFailurePolicy decodingFailurePolicy;
@end

// https://developer.apple.com/documentation/foundation/propertylistserialization/mutabilityoptions
typedef NS_OPTIONS(NSUInteger, NSPropertyListMutabilityOptions) {
    NSPropertyListImmutable = 0,
    NSPropertyListMutableContainers = 1,
    NSPropertyListMutableContainersAndLeaves = 2,
} NS_SWIFT_NAME(PropertyListSerialization.MutabilityOptions);

// https://developer.apple.com/documentation/foundation/propertylistserialization/propertylistformat
typedef NS_ENUM(NSUInteger, NSPropertyListFormat) {
    NSPropertyListOpenStepFormat NS_SWIFT_NAME(openStep) = 1,
    NSPropertyListXMLFormat_v1_0 NS_SWIFT_NAME(xml) = 100,
    NSPropertyListBinaryFormat_v1_0 NS_SWIFT_NAME(binary) = 200,
} NS_SWIFT_NAME(PropertyListSerialization.PropertyListFormat);

// https://developer.apple.com/documentation/foundation/propertylistserialization/readoptions
typedef NSPropertyListMutabilityOptions NSPropertyListReadOptions
    NS_SWIFT_NAME(PropertyListSerialization.ReadOptions);

// https://developer.apple.com/documentation/foundation/propertylistserialization/writeoptions
typedef NSUInteger NSPropertyListWriteOptions NS_SWIFT_NAME(PropertyListSerialization.WriteOptions);

// https://developer.apple.com/documentation/foundation/propertylistserialization
NS_SWIFT_NAME(PropertyListSerialization)
@interface NSPropertyListSerialization : NSObject
+ (nullable NSData *)dataWithPropertyList:(id)plist
                                   format:(NSPropertyListFormat)format
                                  options:(NSPropertyListWriteOptions)opt
                                    error:(NSError **)error NS_SWIFT_NAME(data(fromPropertyList:format:options:));
+ (nullable id)propertyListWithData:(NSData *)data
                            options:(NSPropertyListReadOptions)opt
                             format:(nullable NSPropertyListFormat *)format
                              error:(NSError **)error NS_SWIFT_NAME(propertyList(from:options:format:));
@end

// https://developer.apple.com/documentation/foundation/jsonserialization/readingoptions
typedef NS_OPTIONS(NSUInteger, NSJSONReadingOptions) {
    NSJSONReadingMutableContainers = 1,
    NSJSONReadingMutableLeaves = 2,
    NSJSONReadingFragmentsAllowed = 4,
} NS_SWIFT_NAME(JSONSerialization.ReadingOptions);

// https://developer.apple.com/documentation/foundation/jsonserialization
NS_SWIFT_NAME(JSONSerialization)
@interface NSJSONSerialization : NSObject
+ (nullable id)JSONObjectWithData:(NSData *)data
                          options:(NSJSONReadingOptions)opt
                            error:(NSError **)error NS_SWIFT_NAME(jsonObject(with:options:));
@end

// https://developer.apple.com/documentation/foundation/xmlparser
@protocol NSXMLParserDelegate;
NS_SWIFT_NAME(XMLParser)
@interface NSXMLParser : NSObject
- (instancetype)initWithData:(NSData *)data NS_DESIGNATED_INITIALIZER;
@property (nullable, assign) id<NSXMLParserDelegate> delegate;
@property BOOL shouldResolveExternalEntities;
- (BOOL)parse;
- (void)abortParsing;
@property (readonly) NSInteger lineNumber;
@end

// https://developer.apple.com/documentation/foundation/xmlparserdelegate
NS_SWIFT_NAME(XMLParserDelegate)
@protocol NSXMLParserDelegate <NSObject>
@optional
- (void)parser:(NSXMLParser *)parser
    didStartElement:(NSString *)elementName
       namespaceURI:(nullable NSString *)namespaceURI
      qualifiedName:(nullable NSString *)qName
         attributes:(NSDictionary<NSString *, NSString *> *)attributeDict;
- (void)parser:(NSXMLParser *)parser
    didEndElement:(NSString *)elementName
     namespaceURI:(nullable NSString *)namespaceURI
    qualifiedName:(nullable NSString *)qName;
- (void)parser:(NSXMLParser *)parser foundCharacters:(NSString *)string;
- (void)parser:(NSXMLParser *)parser foundCDATA:(NSData *)CDATABlock;
- (void)parser:(NSXMLParser *)parser parseErrorOccurred:(NSError *)parseError;
@end

// MARK: - Files and processes

// https://developer.apple.com/documentation/foundation/fileattributekey
typedef NSString *NSFileAttributeKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(FileAttributeKey);
extern NSFileAttributeKey const NSFilePosixPermissions;
extern NSFileAttributeKey const NSFileType;
extern NSFileAttributeKey const NSFileModificationDate;
extern NSFileAttributeKey const NSFileSystemFileNumber;

// https://developer.apple.com/documentation/foundation/fileattributetype
typedef NSString *NSFileAttributeType NS_TYPED_ENUM NS_SWIFT_NAME(FileAttributeType);
extern NSFileAttributeType const NSFileTypeDirectory NS_SWIFT_NAME(typeDirectory);
extern NSFileAttributeType const NSFileTypeRegular NS_SWIFT_NAME(typeRegular);

// https://developer.apple.com/documentation/foundation/nshomedirectory()
extern NSString *NSHomeDirectory(void);

// https://developer.apple.com/documentation/foundation/filemanager
NS_SWIFT_NAME(FileManager)
@interface NSFileManager : NSObject
@property (class, readonly, strong) NSFileManager *defaultManager;
- (BOOL)createDirectoryAtURL:(NSURL *)url
    withIntermediateDirectories:(BOOL)createIntermediates
                     attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
                          error:(NSError **)error;
- (BOOL)createDirectoryAtPath:(NSString *)path
    withIntermediateDirectories:(BOOL)createIntermediates
                     attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
                          error:(NSError **)error;
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes
         ofItemAtPath:(NSString *)path
                error:(NSError **)error;
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSArray<NSString *> *)subpathsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)copyItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)copyItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)removeItemAtURL:(NSURL *)URL error:(NSError **)error;
- (BOOL)moveItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)linkItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)createSymbolicLinkAtPath:(NSString *)path
             withDestinationPath:(NSString *)destPath
                           error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
- (BOOL)fileExistsAtPath:(NSString *)path isDirectory:(nullable BOOL *)isDirectory;
- (BOOL)isExecutableFileAtPath:(NSString *)path;
- (nullable NSString *)destinationOfSymbolicLinkAtPath:(NSString *)path error:(NSError **)error;
@property (readonly, copy) NSString *currentDirectoryPath;
- (BOOL)createFileAtPath:(NSString *)path
                contents:(nullable NSData *)data
              attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attr;
@property (readonly, copy) NSURL *homeDirectoryForCurrentUser NS_MACOS_ONLY;
@property (readonly, copy) NSURL *temporaryDirectory;
@end

// https://developer.apple.com/documentation/foundation/filehandle
NS_SWIFT_NAME(FileHandle)
NS_SWIFT_SENDABLE
@interface NSFileHandle : NSObject <NSSecureCoding>
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NS_SWIFT_NAME(standardError);
@property (class, readonly, strong) NSFileHandle *fileHandleWithNullDevice NS_SWIFT_NAME(nullDevice);
@property (readonly) int fileDescriptor;
- (instancetype)initWithFileDescriptor:(int)fd closeOnDealloc:(BOOL)closeopt NS_DESIGNATED_INITIALIZER;
+ (nullable instancetype)fileHandleForReadingAtPath:(NSString *)path;
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(NSError **)error;
+ (nullable instancetype)fileHandleForWritingToURL:(NSURL *)url error:(NSError **)error;
- (NSData *)readDataToEndOfFile;
- (void)writeData:(NSData *)data;
- (BOOL)closeAndReturnError:(NSError **)error;
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NS_SWIFT_NAME(standardOutput);
@property (readonly, copy) NSData *availableData;
@end

// https://developer.apple.com/documentation/foundation/pipe
NS_SWIFT_NAME(Pipe)
NS_SWIFT_SENDABLE
@interface NSPipe : NSObject
@property (readonly, retain) NSFileHandle *fileHandleForReading;
@property (readonly, retain) NSFileHandle *fileHandleForWriting;
@end

// https://developer.apple.com/documentation/foundation/process/terminationreason-swift.enum
typedef NS_ENUM(NSInteger, NSTaskTerminationReason) {
    NSTaskTerminationReasonExit = 1,
    NSTaskTerminationReasonUncaughtSignal = 2,
} NS_SWIFT_NAME(Process.TerminationReason);

// https://developer.apple.com/documentation/foundation/process
NS_MACOS_ONLY
NS_SWIFT_NAME(Process)
NS_SWIFT_SENDABLE
@interface NSTask : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property (nullable, copy) NSURL *executableURL;
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, copy) NSURL *currentDirectoryURL;
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
@property (readonly) int processIdentifier;
@property (readonly) int terminationStatus;
@property (readonly) NSTaskTerminationReason terminationReason;
@property (nullable, copy) void (NS_SWIFT_SENDABLE ^terminationHandler)(NSTask *);
- (BOOL)launchAndReturnError:(NSError **_Nullable)error NS_SWIFT_NAME(run());
@property (readonly, getter=isRunning) BOOL running;
@end
@interface NSTask (NSTaskConveniences)
- (void)waitUntilExit;
@end

// https://developer.apple.com/documentation/foundation/processinfo
NS_SWIFT_NAME(ProcessInfo)
@interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (copy) NSString *processName;
@end

// https://developer.apple.com/documentation/foundation/bundle
NS_SWIFT_NAME(Bundle)
NS_SWIFT_SENDABLE
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle;
+ (NSBundle *)bundleForClass:(Class)aClass;
@property (readonly, copy) NSURL *bundleURL;
@property (readonly, copy) NSString *bundlePath;
@property (nullable, readonly, copy) NSString *bundleIdentifier;
@property (nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@property (nullable, readonly, copy) NSDictionary<NSString *, id> *localizedInfoDictionary;
- (nullable NSURL *)URLForResource:(nullable NSString *)name withExtension:(nullable NSString *)ext;
@end

// MARK: - Threads and locks

// https://developer.apple.com/documentation/foundation/thread
NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread NS_SWIFT_UNAVAILABLE_FROM_ASYNC(
    "Thread.current cannot be used from async contexts."
);
@property (class, readonly) BOOL isMainThread NS_SWIFT_UNAVAILABLE_FROM_ASYNC(
    "Work intended for the main actor should be marked with @MainActor"
);
@property NSUInteger stackSize;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithBlock:(void(NS_SWIFT_SENDABLE ^)(void))block;
- (void)start;
@property (nullable, copy) NSString *name;
@end

// https://developer.apple.com/documentation/foundation/nslocking
@protocol NSLocking
- (void)lock NS_SWIFT_UNAVAILABLE_FROM_ASYNC("Use async-safe scoped locking instead");
- (void)unlock NS_SWIFT_UNAVAILABLE_FROM_ASYNC("Use async-safe scoped locking instead");
@end

// https://developer.apple.com/documentation/foundation/nslock
NS_SWIFT_SENDABLE
@interface NSLock : NSObject <NSLocking>
@end

// https://developer.apple.com/documentation/foundation/nsrecursivelock
NS_SWIFT_SENDABLE
@interface NSRecursiveLock : NSObject <NSLocking>
@end

// MARK: - HTTP

// https://developer.apple.com/documentation/foundation/inputstream
NS_SWIFT_NAME(InputStream)
@interface NSInputStream : NSObject
@end

// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy-swift.enum
typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0,
    NSURLRequestReloadIgnoringLocalCacheData = 1,
    NSURLRequestReloadIgnoringLocalAndRemoteCacheData = 4,
    NSURLRequestReloadIgnoringCacheData = NSURLRequestReloadIgnoringLocalCacheData,
    NSURLRequestReturnCacheDataElseLoad = 2,
    NSURLRequestReturnCacheDataDontLoad = 3,
    NSURLRequestReloadRevalidatingCacheData = 5,
} NS_SWIFT_NAME(NSURLRequest.CachePolicy);

// https://developer.apple.com/documentation/foundation/nsurlrequest
NS_SWIFT_BRIDGED("URLRequest")
@interface NSURLRequest : NSObject <NSSecureCoding, NSCopying>
@end

// https://developer.apple.com/documentation/foundation/urlresponse
NS_SWIFT_NAME(URLResponse)
NS_SWIFT_SENDABLE
@interface NSURLResponse : NSObject <NSSecureCoding, NSCopying>
@property (nullable, readonly, copy) NSString *MIMEType;
@property (readonly) long long expectedContentLength;
@end

// https://developer.apple.com/documentation/foundation/httpurlresponse
NS_SWIFT_NAME(HTTPURLResponse)
NS_SWIFT_SENDABLE
@interface NSHTTPURLResponse : NSURLResponse
@property (readonly) NSInteger statusCode;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field;
@end

// https://developer.apple.com/documentation/foundation/urlcache
NS_SWIFT_NAME(URLCache)
NS_SWIFT_SENDABLE
@interface NSURLCache : NSObject
@end

// https://developer.apple.com/documentation/foundation/urlcredential
NS_SWIFT_NAME(URLCredential)
NS_SWIFT_SENDABLE
@interface NSURLCredential : NSObject <NSSecureCoding, NSCopying>
@end

// https://developer.apple.com/documentation/foundation/urlprotectionspace
extern NSString * const NSURLAuthenticationMethodClientCertificate;
extern NSString * const NSURLAuthenticationMethodNTLM;
extern NSString * const NSURLAuthenticationMethodNegotiate;
extern NSString * const NSURLAuthenticationMethodServerTrust;
NS_SWIFT_NAME(URLProtectionSpace)
NS_SWIFT_SENDABLE
@interface NSURLProtectionSpace : NSObject <NSSecureCoding, NSCopying>
@property (readonly, copy) NSString *authenticationMethod;
@end

// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
NS_SWIFT_NAME(URLAuthenticationChallenge)
NS_SWIFT_SENDABLE
@interface NSURLAuthenticationChallenge : NSObject <NSSecureCoding>
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (readonly) NSInteger previousFailureCount;
@property (nullable, readonly, copy) NSURLResponse *failureResponse;
@end

// https://developer.apple.com/documentation/foundation/urlsessiontask
NS_SWIFT_NAME(URLSessionTask)
NS_SWIFT_SENDABLE
@interface NSURLSessionTask : NSObject <NSCopying>
@property (nullable, readonly, copy) NSURLResponse *response;
- (void)cancel;
- (void)resume;
@property (readonly) NSUInteger taskIdentifier;
@end

// https://developer.apple.com/documentation/foundation/urlsessiondatatask
NS_SWIFT_NAME(URLSessionDataTask)
NS_SWIFT_SENDABLE
@interface NSURLSessionDataTask : NSURLSessionTask
@end

// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
NS_SWIFT_NAME(URLSessionConfiguration)
NS_SWIFT_SENDABLE
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property (nullable, retain) NSURLCache *URLCache;
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@end

// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
typedef NS_ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential = 0,
    NSURLSessionAuthChallengePerformDefaultHandling = 1,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
    NSURLSessionAuthChallengeRejectProtectionSpace = 3,
} NS_SWIFT_NAME(NSURLSession.AuthChallengeDisposition);

// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
typedef NS_ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel = 0,
    NSURLSessionResponseAllow = 1,
    NSURLSessionResponseBecomeDownload = 2,
    NSURLSessionResponseBecomeStream = 3,
} NS_SWIFT_NAME(NSURLSession.ResponseDisposition);

// https://developer.apple.com/documentation/foundation/urlsessiondelegate
NS_SWIFT_NAME(URLSessionDelegate)
NS_SWIFT_SENDABLE
@protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(void(NS_SWIFT_SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition,
                                                   NSURLCredential *_Nullable credential))completionHandler;
@end

// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
NS_SWIFT_NAME(URLSessionTaskDelegate)
NS_SWIFT_SENDABLE
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(void(NS_SWIFT_SENDABLE ^)(NSURLRequest *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session
                   task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(void(NS_SWIFT_SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition,
                                                   NSURLCredential *_Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session
                    task:(NSURLSessionTask *)task
    didCompleteWithError:(nullable NSError *)error;
@end

// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
NS_SWIFT_NAME(URLSessionDataDelegate)
NS_SWIFT_SENDABLE
@protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
              dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
     completionHandler:(void(NS_SWIFT_SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
@end

// https://developer.apple.com/documentation/foundation/urlsession
NS_SWIFT_NAME(URLSession)
NS_SWIFT_SENDABLE
@interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue;
@property (readonly, retain) NSOperationQueue *delegateQueue;
@property (nullable, readonly, retain) id<NSURLSessionDelegate> delegate;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSData * _Nullable data, NSURLResponse * _Nullable response, NSError * _Nullable error))completionHandler;
@end

// https://developer.apple.com/documentation/foundation/httpcookiepropertykey
typedef NSString *NSHTTPCookiePropertyKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(HTTPCookiePropertyKey);
extern NSHTTPCookiePropertyKey const NSHTTPCookieDomain NS_SWIFT_NAME(domain);
extern NSHTTPCookiePropertyKey const NSHTTPCookieExpires NS_SWIFT_NAME(expires);
extern NSHTTPCookiePropertyKey const NSHTTPCookieName NS_SWIFT_NAME(name);
extern NSHTTPCookiePropertyKey const NSHTTPCookiePath NS_SWIFT_NAME(path);
extern NSHTTPCookiePropertyKey const NSHTTPCookieSecure NS_SWIFT_NAME(secure);
extern NSHTTPCookiePropertyKey const NSHTTPCookieValue NS_SWIFT_NAME(value);

// https://developer.apple.com/documentation/foundation/httpcookie
NS_SWIFT_NAME(HTTPCookie)
NS_SWIFT_SENDABLE
@interface NSHTTPCookie : NSObject
- (nullable instancetype)initWithProperties:(NSDictionary<NSHTTPCookiePropertyKey, id> *)properties;
@property (readonly, copy) NSString *name;
@property (readonly, copy) NSString *value;
@property (readonly, copy) NSString *domain;
@property (readonly, copy) NSString *path;
@end

// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy
typedef NS_ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) {
    NSHTTPCookieAcceptPolicyAlways,
    NSHTTPCookieAcceptPolicyNever,
    NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain,
} NS_SWIFT_NAME(HTTPCookie.AcceptPolicy);

// https://developer.apple.com/documentation/foundation/httpcookiestorage
NS_SWIFT_NAME(HTTPCookieStorage)
NS_SWIFT_SENDABLE
@interface NSHTTPCookieStorage : NSObject
@property (class, readonly, strong) NSHTTPCookieStorage *sharedHTTPCookieStorage;
- (void)setCookie:(NSHTTPCookie *)cookie NS_SWIFT_NAME(setCookie(_:));
- (void)deleteCookie:(NSHTTPCookie *)cookie NS_SWIFT_NAME(deleteCookie(_:));
- (nullable NSArray<NSHTTPCookie *> *)cookiesForURL:(NSURL *)URL;
@property NSHTTPCookieAcceptPolicy cookieAcceptPolicy;
@end

#pragma clang attribute pop
#pragma clang assume_nonnull end
