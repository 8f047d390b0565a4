package import FoundationEssentials

/// What `--version --verbose` says of the program, for whoever reports a bug or has to say what is installed.
package struct BuildText: Sendable {
    /// A library of the system, by the version that the program has found as it runs.
    package struct Library: Sendable {
        let name: String
        let version: String

        package init(_ name: String, _ version: String) {
            (self.name, self.version) = (name, version)
        }
    }

    /// The lines, each with its line feed.
    package let text: String

    /// - Parameters:
    ///   - version: the program's name and version.
    ///   - commit: what it was built of; nil: nobody has said.
    ///   - compilers: what it was built by.
    ///   - target: what it was built for.
    ///   - libraries: the system's that it is linked with.
    ///   - packages: what Package.resolved held when it was built; nil: it is not known.
    package init(
        version: String, commit: String?, compilers: [String], target: String,
        libraries: [Library], packages: Data?
    ) {
        let head = [
            version, "Commit: \(commit ?? Self.unknown)",
            "Compiler: \(compilers.joined(separator: ", "))", "Target: \(target)",
            "Libraries of the system, as they are now:",
        ]
        let list = libraries.map { "  \($0.name) \($0.version)" }
        text = (head + list + Self.lines(of: packages)).map { $0 + "\n" }.joined()
    }

    private static let unknown = "unknown; the build was not told"

    private static func lines(of packages: Data?) -> [String] {
        let title = "Packages that were built in:"
        guard let packages else { return ["\(title) unknown"] }
        do {
            let pins = try JSONDecoder().decode(ResolvedPackages.self, from: packages).pins
            return [title] + pins.map { "  \($0.identity) \($0.state)" }.sorted()
        } catch {
            return ["\(title) unknown; the list of them cannot be read"]
        }
    }
}

/// What Package.resolved says, as far as it is told.
private struct ResolvedPackages: Decodable {
    struct Pin: Decodable {
        let identity: String
        let state: State
    }

    struct State: Decodable, CustomStringConvertible {
        let version: String?
        let revision: String?

        /// A package of a branch has no version.
        var description: String { version ?? revision ?? "of an unknown version" }
    }

    let pins: [Pin]
}
