@_exported import CoreData
import Foundation

// https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/didchangeobjectsnotification
@available(macOS 10.4, iOS 3.0, tvOS 3.0, watchOS 1.0, *)
extension NSManagedObjectContext {
    @available(macOS 10.4, iOS 3.0, tvOS 3.0, watchOS 1.0, *)
    public static let didChangeObjectsNotification: Notification.Name = { fatalError() }()
}

// https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension NSManagedObjectContext {
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { fatalError() }
}
