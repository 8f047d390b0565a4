import Foundation
import Glibc
import TestSupport
import Testing

/// A folder for one test with campaign files, a store and reports; it is deleted with this object.
final class Workspace: Sendable {
    private let folder: TemporaryFolder

    var path: String { folder.path }

    /// Creates a folder with a config for an embedded hub.
    ///
    /// - Parameters:
    ///   - files: texts by relative path; they add to or replace the standard ones.
    ///   - isInMemory: whether the folder may be in memory, where a sync costs nothing.
    init(_ files: [String: String] = [:], isInMemory: Bool = true) throws {
        folder = try TemporaryFolder(isInMemory: isInMemory)
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

    func write(_ text: String, to name: String) throws {
        try folder.write(text, to: name, mode: 0o600)
    }

    func write(_ data: Data, to name: String) throws {
        try folder.write(Array(data), to: name, mode: 0o600)
    }

    func file(_ name: String) -> String { folder.file(name) }

    /// The target is stored as it is written.
    func link(_ name: String, to target: String) throws { try folder.link(name, to: target) }

    func setMode(_ mode: Int, of name: String) throws { try folder.setMode(mode, of: name) }

    /// Changes the owner of files; nil means all files and the folder itself.
    func give(_ names: [String]? = nil, to user: UInt32, _ group: UInt32 = 1) throws {
        for name in try names ?? [""] + listing() {
            let isGiven = unsafe chown(file(name), user, group) == 0
            #expect(isGiven)
        }
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }

    /// All files and folders below, including hidden ones, by relative path.
    func listing() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    }

    /// The rows of a campaign's only report, without the header.
    func reportRows(of campaign: String) throws -> [String] {
        let reports = try FileManager.default.contentsOfDirectory(atPath: file(".hubsend/reports"))
            .filter { $0.hasSuffix("-\(campaign).csv") }
        guard reports.count == 1 else { throw WorkspaceError.reports(reports) }
        return try text(".hubsend/reports/" + reports[0]).split(separator: "\n").dropFirst()
            .map(String.init)
    }
}

/// The error if a workspace does not contain what a test expects.
enum WorkspaceError: Error {
    case reports([String])
}
