package import Foundation

extension UUID {
    package static let example = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
}
