/// What leads from one thing to another, and where a schema says so.
struct Link<Node: Hashable> {
    var target: Node
    var place: Place
}

/// A way that leads back to where it began.
struct Cycle<Node: Hashable> {
    /// The link that closes it.
    var place: Place
    /// From the first thing to itself; nil stands for the middle of a very long way.
    var way: [Node?]

    /// Longer than anybody reads.
    private static var longestWay: Int { 20 }

    /// Every link that leads back to a thing on the way to it: without them there is no cycle.
    ///
    /// Each thing is looked at once, and none by recursion, which a long way would drive too deep.
    static func all(from roots: [Node], links: (Node) -> [Link<Node>]) -> [Cycle] {
        var depths: [Node: Int?] = [:]
        var cycles: [Cycle] = []
        for root in roots where depths[root] == nil {
            var steps = [(node: root, links: links(root), next: 0)]
            depths[root] = 0
            while let step = steps.last {
                guard step.next < step.links.count else {
                    depths[step.node] = .some(nil)
                    steps.removeLast()
                    continue
                }
                steps[steps.count - 1].next += 1
                let link = step.links[step.next]
                switch depths[link.target] {
                case nil:
                    depths[link.target] = steps.count
                    steps.append((link.target, links(link.target), 0))
                case .some(let depth?):
                    let way = shortened(steps[depth...].lazy.map(\.node))
                    cycles.append(Cycle(place: link.place, way: way + [link.target]))
                case .some(nil):
                    break
                }
            }
        }
        return cycles
    }

    private static func shortened(_ way: some BidirectionalCollection<Node>) -> [Node?] {
        guard way.count > longestWay else { return Array(way) }
        return Array(way.prefix(longestWay / 2)) + [nil] + Array(way.suffix(longestWay / 2))
    }

    /// The way as text, where everything on it has a name.
    func description(_ name: (Node) -> String) -> String {
        way.map { node in node.map { "'\(name($0))'" } ?? "…" }.joined(separator: " → ")
    }
}
