import Foundation

/// A system program that a test needs, such as a browser.
///
/// Without it, its tests are skipped; if `CI` is set, they run and fail, so nothing is skipped
/// unnoticed.
package enum InstalledTool {
    /// Whether tests that need these programs should run.
    package static func areThere(_ names: String...) -> Bool {
        mayNotBeLeftOut || names.allSatisfy { path(of: $0) != nil }
    }

    /// nil if it is not installed.
    package static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        // Servers are in a folder that is only in root's search path.
        return (folders + ":/usr/sbin").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Whether tests must run even if a program is missing.
    package static var mayNotBeLeftOut: Bool {
        !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }
}
