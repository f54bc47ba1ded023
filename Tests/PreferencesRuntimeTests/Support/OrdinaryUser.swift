import Foundation
import Testing

/// Has a process of root's be one of an ordinary user from here on, whom permissions hold for. In an exit test.
func becomeOrdinaryUser() throws {
    if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
}
