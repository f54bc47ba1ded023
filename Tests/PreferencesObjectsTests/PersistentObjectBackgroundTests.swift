import Foundation
import Testing

@testable import PreferencesObjects
@testable import PreferencesRuntime

/// Unsaved changes when the app goes to the background, or saves all objects. Each test runs in its own process.
struct PersistentObjectBackgroundTests {
    @Test("An app that moves to the background saves its objects and continues")
    func anAppThatMovesToTheBackgroundSavesItsObjectsAndContinues() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let repository = LoggedRepository(1)
            let object = PersistentObject(repository)
            let notifications = AppLifecycle.suspending + AppLifecycle.ending
            for (number, name) in notifications.enumerated() {
                object.reset(to: number + 10)
                NotificationCenter.default.post(name: .init(name), object: nil)
                #expect(repository.stored == number + 10)
                #expect(repository.log.suffix(2) == ["synchronize", "load"])
            }
            #expect(repository.stored == notifications.count + 9)
            let count = repository.log.count
            // An unchanged object is not saved.
            NotificationCenter.default.post(name: .init(notifications[0]), object: nil)
            #expect(repository.log.count == count)
            withExtendedLifetime(object) { exit(7) }
        }
    }

    @Test("All objects are saved on request")
    func allObjectsAreSavedOnRequest() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let repositories = [LoggedRepository(1), LoggedRepository(2)]
            let objects = repositories.map { PersistentObject($0) }
            for object in objects { object.reset(to: 5) }
            PersistentObjects.saveAll()
            #expect(repositories.map(\.stored) == [5, 5])
            withExtendedLifetime(objects) { exit(7) }
        }
    }
}
