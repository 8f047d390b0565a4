import FoundationEssentials

/// The text of `--version --verbose`, for bug reports and inventories.
struct BuildText: Sendable {
    /// A system library, with its version at run time.
    struct Library: Sendable {
        let name: String
        let version: String

        init(_ name: String, _ version: String) {
            (self.name, self.version) = (name, version)
        }
    }

    let text: String

    /// - Parameters:
    ///   - commit: nil: not recorded.
    ///   - packages: the content of Package.resolved at build time; nil: unknown.
    init(
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

private struct ResolvedPackages: Decodable {
    struct Pin: Decodable {
        let identity: String
        let state: State
    }

    struct State: Decodable, CustomStringConvertible {
        let version: String?
        let revision: String?

        /// A package from a branch has no version.
        var description: String { version ?? revision ?? "of an unknown version" }
    }

    let pins: [Pin]
}
