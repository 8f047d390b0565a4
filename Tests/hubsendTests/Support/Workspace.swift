import Foundation

/// A folder of its own for one test, gone with it: campaign files, store and reports.
final class Workspace: Sendable {
    let path: String

    /// Makes a folder with a config for an embedded hub.
    ///
    /// - Parameter files: texts by path relative to the folder; added to and replacing the standard ones.
    /// - Throws: when the folder cannot be made.
    init(_ files: [String: String] = [:]) throws {
        path = NSTemporaryDirectory() + "hubsend-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let standard = [
            "hubsend.yaml": "hub: { local: devices.yaml }\n",
            "devices.yaml": """
            devices:
              - { user: alice, platform: apns }
              - { user: bob, platform: fcm }

            """,
        ]
        for (name, text) in standard.merging(files, uniquingKeysWith: { $1 }) {
            try write(text, to: name)
        }
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path): \(error)")
        }
    }

    /// Writes a text into a file of the folder; the folders above it are made.
    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// Writes bytes into a file of the folder; the folders above it are made.
    func write(_ data: Data, to name: String) throws {
        let file = self.file(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    /// The path of a file of the folder.
    func file(_ name: String) -> String { path + "/" + name }

    /// The text of a file of the folder.
    func text(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }

    /// All files and folders below, hidden ones too, by path relative to the folder.
    func listing() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }

    /// The rows of the only report of a campaign, without its header.
    func reportRows(of campaign: String) throws -> [String] {
        let reports = try FileManager.default.contentsOfDirectory(atPath: file(".hubsend/reports"))
            .filter { $0.hasSuffix("-\(campaign).csv") }
        guard reports.count == 1 else { throw WorkspaceError.reports(reports) }
        return try text(".hubsend/reports/" + reports[0]).split(separator: "\n").dropFirst()
            .map(String.init)
    }
}

/// A workspace does not hold what a test expects.
enum WorkspaceError: Error {
    case reports([String])
}
