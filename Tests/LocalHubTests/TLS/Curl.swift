import Foundation
import TestSupport
import Testing

/// The real curl, started once for many requests.
struct Curl {
    /// It ended with an exit code of its own.
    struct Failed: Error {
        let status: Int32
        let complaints: String
    }

    private let version: SecureHub.HTTPVersion
    private let url: String
    private let folder: TemporaryFolder
    private let program: String

    /// Finds the program.
    ///
    /// - Parameters:
    ///   - version: what it is to speak.
    ///   - url: the address of the hub, without a trailing slash.
    ///   - authority: whom it trusts, as PEM.
    /// - Throws: when it is not installed.
    init(_ version: SecureHub.HTTPVersion, to url: String, trusting authority: String) throws {
        self.version = version
        self.url = url
        program = try #require(
            InstalledTool.path(of: "curl"),
            "These tests need curl, which is not installed: apt-get install curl")
        folder = try TemporaryFolder()
        try folder.write(authority, to: "ca.pem")
    }

    /// Makes requests, one after the other.
    ///
    /// - Parameter rows: the requests.
    /// - Returns: what came of each, such as `send: 201 HTTP/2`.
    /// - Throws: ``Failed`` when curl does.
    func answers(to rows: [CheatSheet.Row]) async throws -> [String] {
        try folder.write(rows.map(configuration).joined(separator: "next\n"), to: "requests")
        // The first argument keeps a configuration of the user's out.
        let result = try await ChildProcess.start(
            program, ["--disable", "--config", folder.file("requests")]
        ).result()
        guard result.status == 0 else {
            throw Failed(status: result.status, complaints: result.complaints)
        }
        return result.output.split(separator: "\n").map(String.init)
    }

    private func configuration(_ row: CheatSheet.Row) -> String {
        var lines = [
            "url = \(quoted(url + row.path))", "request = \(row.method)", "silent", "show-error",
            "max-time = 50", "globoff", "cacert = \(quoted(folder.file("ca.pem")))",
            version == .http1 ? "http1.1" : "http2",
            "header = \(quoted("Authorization: \(SecureHub.token(for: "127.0.0.1"))"))",
            "output = /dev/null",
            "write-out = \(quoted("\(row.name): %{http_code} HTTP/%{http_version}\n"))",
        ]
        lines += row.headers.map { "header = \(quoted("\($0): \($1)"))" }
        if let body = row.body { lines.append("data-raw = \(quoted(body))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A value in the form of curl's configuration files.
    private func quoted(_ text: String) -> String {
        // By scalars, since a line break of two is one character.
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\r": "\\r"
            case "\n": "\\n"
            default: "\(scalar)"
            }
        }.joined()
        return "\"\(escaped)\""
    }
}
