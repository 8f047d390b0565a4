import Foundation
import TestSupport
import Testing

struct Curl {
    struct Failed: Error {
        let status: Int32
        let complaints: String
    }

    private let version: SecureHub.HTTPVersion
    private let url: String
    private let folder: TemporaryFolder
    private let program: String

    /// `authority` is in PEM format.
    init(_ version: SecureHub.HTTPVersion, to url: String, trusting authority: String) throws {
        self.version = version
        self.url = url
        program = try #require(
            InstalledTool.path(of: "curl"),
            "These tests need curl, which is not installed: apt-get install curl")
        folder = try TemporaryFolder()
        try folder.write(authority, to: "ca.pem")
    }

    /// Makes requests one after another; returns results such as `send: 201 HTTP/2`.
    func answers(to rows: [CheatSheet.Row]) async throws -> [String] {
        try folder.write(rows.map(configuration).joined(separator: "next\n"), to: "requests")
        // The first argument makes curl ignore the user's configuration.
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

    private func quoted(_ text: String) -> String {
        // This splits by scalars, because a carriage return and a line feed are one character.
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
