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
        try push(path)
        pending += prefix.reversed().map { Step(name: $0, isTrusted: true) }
    }

    var isAtEnd: Bool { pending.isEmpty }

    mutating func next() -> Step? { pending.popLast() }

    /// Adds a path that is to be walked next, such as a link's target.
    ///
    /// - Throws: ``FileReferenceFault/absolute``.
    mutating func push(_ path: String) throws(FileReferenceFault) {
        guard !path.hasPrefix("/") else { throw .absolute }
        let steps = path.split(separator: "/").filter { $0 != "." }
        pending += steps.reversed().map { Step(name: String($0), isTrusted: false) }
    }
}
