import CBuild
import Foundation
import PostgreSQLClient

enum VersionText {
    /// With `--verbose` anywhere in the arguments, build details too.
    static func text(askedBy arguments: [String]) -> String {
        let version = "hubsend \(Hubsend.version)"
        guard arguments.contains(where: { ["--verbose", "-v"].contains($0) }) else {
            return version + "\n"
        }
        return BuildText(
            version: version, commit: unsafe build_commit().map { unsafe String(cString: $0) },
            compilers: [compiler, unsafe String(cString: build_compiler())],
            target: unsafe String(cString: build_target()),
            libraries: [
                BuildText.Library("libyaml", unsafe String(cString: linked_libyaml())),
                BuildText.Library("SQLite", unsafe String(cString: linked_sqlite())),
                BuildText.Library("libpq", libpq),
            ],
            packages: unsafe build_packages().map { unsafe Data(String(cString: $0).utf8) }
        ).text
    }

    /// Loaded only for this; nothing but a store on a server needs it otherwise.
    private static var libpq: String {
        do {
            return try PostgreSQLLibrary.version
        } catch {
            return "cannot be loaded; only a store on a server needs it"
        }
    }

    /// The language reveals no more than this; Clang's own version, which comes with it, is exact.
    private static var compiler: String {
        #if compiler(>=6.4)
            "Swift 6.4 or newer"
        #else
            "Swift 6.3"
        #endif
    }
}
