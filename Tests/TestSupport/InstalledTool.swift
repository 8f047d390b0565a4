import Foundation

/// A program of the system that a test drives beside hubsend: a browser, curl, Python.
///
/// Where one is missing, its tests are left out; with `CI` set they run all the same and fail, so that
/// nothing is left out there unnoticed.
package enum InstalledTool {
    /// Whether tests that need programs shall run.
    ///
    /// - Parameter names: as on the search path.
    /// - Returns: whether all are there, or nothing may be left out.
    package static func areThere(_ names: String...) -> Bool {
        mayNotBeLeftOut || names.allSatisfy { path(of: $0) != nil }
    }

    /// Where a program is; nil: it is not on the search path.
    ///
    /// - Parameter name: its name.
    /// - Returns: its path.
    package static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Whether a test has to run or fail, whatever it needs: `CI` is set.
    package static var mayNotBeLeftOut: Bool {
        !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }
}
