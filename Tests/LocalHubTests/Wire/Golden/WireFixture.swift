import Foundation

@testable import LocalHub

/// A file of exchanges with a hub: requests as they are sent, and complete responses.
///
/// ```
/// # What this is about.
/// device apns AB12 username:alice
///
/// >>> a title
/// GET /hubsend/registrations HTTP/1.1
/// Host: {{host}}
/// Authorization: {{sas:full}}
///
/// <<<
/// HTTP/1.1 200 OK
/// TrackingId: {{guid}}
/// ```
///
/// All lines of a request, including its body, end with a carriage return and a line feed when
/// sent, except the last. `WireRequest` lists the placeholders of requests, and `WireMatcher` those
/// of responses.
struct WireFixture {
    let devices: [LocalHubDevice]
    let exchanges: [WireExchange]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appending(path: folder).path
        ).filter { $0.hasSuffix(".http") }.sorted().map { "\(folder)/\($0)" }
    }

    init(named name: String) throws {
        try self.init(String(contentsOf: Self.folder.appending(path: name), encoding: .utf8))
    }

    init(_ text: String) throws {
        var devices: [LocalHubDevice] = []
        var exchanges: [WireExchange] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix(">>> ") {
                exchanges.append(WireExchange(title: String(line.dropFirst(4)), line: index + 1))
            } else if !exchanges.isEmpty {
                try exchanges[exchanges.count - 1].append(String(line))
            } else if line.hasPrefix("device ") {
                devices.append(try Self.device(line))
            } else if !line.isEmpty, !line.hasPrefix("#") {
                throw WireFixtureError("line \(index + 1) is neither a comment nor a device")
            }
        }
        guard !exchanges.isEmpty, exchanges.allSatisfy(\.isComplete) else {
            throw WireFixtureError("a request or an answer is missing")
        }
        self.devices = devices
        self.exchanges = exchanges
    }

    private static func device(_ line: Substring) throws -> LocalHubDevice {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 2, let platform = LocalHubPlatform(name: words[1]) else {
            throw WireFixtureError("'\(line)' is not: device PLATFORM HANDLE TAG…")
        }
        return LocalHubDevice(platform: platform, handle: words[2], tags: Set(words.dropFirst(3)))
    }
}
