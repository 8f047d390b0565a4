import Foundation
import Testing

/// The fixture files in the folder of this file.
enum Fixtures {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Without the extension.
    static func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name))
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// Compares output, in which fixture paths are shortened, with an expected file.
    ///
    /// With `RECORD_FIXTURES` it writes the file and fails, so that a person reviews the change.
    static func expect(
        _ output: String, is name: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let topFolder = folder.appending(path: name).deletingLastPathComponent().path + "/"
        let output = output.replacing(topFolder, with: "")
        if ProcessInfo.processInfo.environment["RECORD_FIXTURES"] != nil {
            try output.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            Issue.record("\(name) was recorded.", sourceLocation: location)
        }
        #expect(try output == text(name), sourceLocation: location)
    }
}
