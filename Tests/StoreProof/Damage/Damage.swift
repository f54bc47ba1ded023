import Foundation

/// What becomes of a file.
struct Damage {
    let group: String
    let name: String
    /// Whether there is nothing for a moment, before something else is there.
    var leavesGap = false
    /// Puts it in the place of the file.
    let inflict: (_ url: URL, _ good: Data) throws -> Void

    init(_ group: String, _ name: String, _ inflict: @escaping (_ url: URL, _ good: Data) throws -> Void) {
        self.group = group
        self.name = name
        self.inflict = inflict
    }

    /// Other bytes in the file.
    init(_ group: String, _ name: String, bytes: @escaping (_ good: Data) -> Data) {
        self.init(group, name) { url, good in try bytes(good).write(to: url) }
    }
}
