/// The components of a path that are still to be walked; a link puts those of its target in front.
struct PathWalk {
    struct Step {
        let name: String
        /// Whether the caller chose it, not a file.
        let isTrusted: Bool
    }

    /// The next step is the last one here.
    private var pending: [Step]

    /// Begins with a prefix that the caller chose and goes on with a path from a file.
    ///
    /// - Throws: ``FileReferenceFault/absolute``.
    init(prefix: [String], path: String) throws(FileReferenceFault) {
        pending = []
        guard !path.hasPrefix("/") else { throw .absolute }
        push(path)
        pending += prefix.reversed().map { Step(name: $0, isTrusted: true) }
    }

    var isAtEnd: Bool { pending.isEmpty }

    mutating func next() -> Step? { pending.popLast() }

    /// Adds the target of a link, which is to be walked next.
    ///
    /// - Throws: ``FileReferenceFault/outside`` for an absolute one, since it does not say that it stays beneath the root.
    mutating func follow(link target: String) throws(FileReferenceFault) {
        guard !target.hasPrefix("/") else { throw .outside }
        push(target)
    }

    private mutating func push(_ path: String) {
        let steps = path.split(separator: "/").filter { $0 != "." }
        pending += steps.reversed().map { Step(name: String($0), isTrusted: false) }
    }
}
