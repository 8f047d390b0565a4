import Foundation

/// A system program that a test needs, such as a browser.
///
/// Without it, its tests are skipped; with `CI` set they run and fail, so that nothing is skipped
/// unnoticed.
package enum InstalledTool {
    /// Whether tests that need these programs shall run.
    package static func areThere(_ names: String...) -> Bool {
        mayNotBeLeftOut || names.allSatisfy { path(of: $0) != nil }
    }

    /// nil: not on the search path.
    package static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        // Servers are in a folder that only root's search path has.
        return (folders + ":/usr/sbin").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Whether tests must run, whatever they need.
    package static var mayNotBeLeftOut: Bool {
        !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }
}
