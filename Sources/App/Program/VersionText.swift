import CBuild
import Foundation
import PostgreSQLClient

/// The text of `--version`, which has more details for bug reports with `--verbose`.
enum VersionText {
    /// Returns the version, with build details if the arguments contain `--verbose`.
    static func text(askedBy arguments: [String]) -> String {
        let version = "hubsend \(Hubsend.version)\n"
        guard arguments.contains(where: { ["--verbose", "-v"].contains($0) }) else {
            return version
        }
        return version
            + details(
                commit: unsafe build_commit().map { unsafe String(cString: $0) },
                compilers: [compiler, unsafe String(cString: build_compiler())],
                target: unsafe String(cString: build_target()),
                libraries: [
                    ("libyaml", unsafe String(cString: linked_libyaml())),
                    ("SQLite", unsafe String(cString: linked_sqlite())), ("libpq", libpq),
                ],
                packages: unsafe build_packages().map { unsafe Data(String(cString: $0).utf8) })
    }

    /// - Parameter packages: the content of Package.resolved at build time; nil if unknown.
    static func details(
        commit: String?, compilers: [String], target: String,
        libraries: [(name: String, version: String)], packages: Data?
    ) -> String {
        let head = [
            "Commit: \(commit ?? "unknown; it was not set in the build")",
            "Compiler: \(compilers.joined(separator: ", "))", "Target: \(target)",
            "System libraries in use:",
        ]
        let list = libraries.map { "  \($0.name) \($0.version)" }
        return (head + list + lines(of: packages)).map { $0 + "\n" }.joined()
    }

    private static func lines(of packages: Data?) -> [String] {
        let title = "Packages built in:"
        guard let packages else { return ["\(title) unknown"] }
        do {
            let pins = try JSONDecoder().decode(ResolvedPackages.self, from: packages).pins
            return [title] + pins.map { "  \($0.identity) \($0.state)" }.sorted()
        } catch {
            return ["\(title) unknown; the list cannot be read"]
        }
    }

    /// The library, which only a store on a server needs, is loaded here to read its version.
    private static var libpq: String {
        do {
            return try PostgreSQLLibrary.version
        } catch {
            return "cannot be loaded; it is only needed for a store on a server"
        }
    }

    /// Code can test only for a minimum version of Swift, but the version of Swift's own Clang is
    /// exact.
    private static var compiler: String {
        #if compiler(>=6.4)
            "Swift 6.4 or newer"
        #else
            "Swift 6.3"
        #endif
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

        /// A package that is taken from a branch has no version.
        var description: String { version ?? revision ?? "unknown version" }
    }

    let pins: [Pin]
}
