/// An edge of a graph, and the place in a schema that declares it.
struct Link<Node: Hashable> {
    var target: Node
    var place: Place
}

/// A path that leads back to its start.
struct Cycle<Node: Hashable> {
    /// The place of the link that closes the cycle.
    var place: Place
    /// The nodes from the first one back to itself. Nil stands for the elided middle of a very long path.
    var path: [Node?]

    /// The maximum number of nodes in a description.
    private static var maximumDescribedLength: Int { 20 }

    /// Returns one cycle for every link to a node on the current path. Without those links, the graph has no cycles.
    ///
    /// Visits each node once, and without recursion, which long paths would drive too deep.
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
                    let path = shortened(steps[depth...].lazy.map(\.node))
                    cycles.append(Cycle(place: link.place, path: path + [link.target]))
                case .some(nil):
                    break
                }
            }
        }
        return cycles
    }

    private static func shortened(_ path: some BidirectionalCollection<Node>) -> [Node?] {
        guard path.count > maximumDescribedLength else { return Array(path) }
        return Array(path.prefix(maximumDescribedLength / 2)) + [nil] + Array(path.suffix(maximumDescribedLength / 2))
    }

    /// Returns the path as text.
    ///
    /// - Parameter name: Returns the name of a node.
    func description(_ name: (Node) -> String) -> String {
        path.map { node in node.map { "'\(name($0))'" } ?? "…" }.joined(separator: " → ")
    }
}
