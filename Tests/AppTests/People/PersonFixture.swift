import CampaignCore
import Crypto
import Delivery
import Files
import Foundation
import LocalHub
import Logging
import TestSupport

@testable import App

/// A folder with two campaigns for a person, and everything that hubsend writes in a subfolder.
struct PersonFixture {
    static let person = Username(checked: "Carol.M@example-1")
    static let address = "192.0.2.77"
    private static let street = "Ottakringer-7741"
    private static let handle = "c0ffee00aa11bb22cc33dd44ee55ff6677889900c0ffee00aa11bb22cc33dd44"
    private static let state = "state"

    /// The store keeps this hash instead of the handle.
    static var digest: HandleDigest {
        HandleDigest(bytes: Array(SHA256.hash(data: Data(handle.utf8))))
    }

    /// The name, the rendered texts, the address and the device handle, in all encodings.
    private static let traces: [Data] =
        [person.text, street, handle, address].flatMap(spellings) + [Data(digest.bytes)]

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            store: state/store.sqlite
            reports: state/reports
            metrics: state/hubsend.prom

            """, to: "hubsend.yaml", mode: 0o600)
        try folder.write("", to: "state/reports/keep")
        try folder.write(
            "username,street\nalice,Main-1\n\(Self.person),\(Self.street)\n", to: "people.csv")
        try folder.write(
            """
            campaign: statement
            kind: secure
            platforms: [apns, fcm]
            audience: { files: [people.csv] }
            payload: { text: "A parcel for {{street}}.", expires_after: 7d }

            """, to: "statement.yaml")
        try folder.write(
            """
            campaign: notice
            kind: alert
            platforms: [apns]
            audience: { files: [people.csv] }
            payload: { message: Hello }

            """, to: "notice.yaml")
    }

    func settings(hub: String? = nil) throws -> EffectiveSettings {
        try EffectiveSettings.load(
            SettingFlags(config: folder.file("hubsend.yaml")),
            campaigns: [folder.file("notice.yaml")],
            invocation: Invocation(hub.map { ["HUBSEND_HUB_CONNECTION_STRING": $0] } ?? [:]))
    }

    /// Sends both campaigns to a local hub that knows the person's device; returns the key used.
    func send(refusesPerson: Bool = false, logger: Logger) async throws -> String {
        var configuration = LocalHubConfiguration()
        configuration.devices = [
            LocalHubDevice(user: Self.person.text, platform: .apns, handle: Self.handle)
        ]
        configuration.fault = { send in
            refusesPerson && send.tags?.contains(Self.person.text) == true
                ? .answer(status: 400) : nil
        }
        return try await withLocalHub(configuration: configuration, logger: logger) { address, _ in
            let string = address.connectionString(.developmentFull)
            let settings = try settings(hub: string)
            let connection = try HubConnection(string, named: address.hubName)
            _ = try await RunCall(settings, .quiet(logger: logger) { _ in })
                .run(["statement.yaml", "notice.yaml"].map(folder.file), at: connection)
            return string.split(separator: "SharedAccessKey=").last.map(String.init) ?? string
        }
    }

    /// The files written by hubsend that contain a trace of the person.
    func traced() throws -> [String] {
        let state = folder.file(Self.state)
        return try FileManager.default.subpathsOfDirectory(atPath: state).sorted().filter { name in
            let path = state + "/" + name
            guard try FileStatus(of: path).kind == .regular else { return false }
            return Self.isTraced(try Data(contentsOf: URL(filePath: path)))
        }
    }

    static func isTraced(_ bytes: Data) -> Bool {
        traces.contains { bytes.range(of: $0) != nil }
    }

    private static func spellings(_ text: String) -> [Data] {
        var spellings = [text, text.lowercased(), text.uppercased()].flatMap { text in
            [text, percentEncoded(text, besides: "-._~"), percentEncoded(text, besides: "")]
        }
        let isPlain: (Unicode.Scalar) -> Bool = { CharacterSet.alphanumerics.contains($0) }
        spellings.append(text.unicodeScalars.map { isPlain($0) ? "\($0)" : escaped($0) }.joined())
        spellings.append(text.unicodeScalars.map(escaped).joined())
        // In Base64, neighbouring bytes affect the characters at both ends of a text.
        for shift in 0..<3 {
            let whole = Data((String(repeating: " ", count: shift) + text).utf8)
                .base64EncodedString()
            spellings.append(String(whole.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(4)))
        }
        spellings.append(
            text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
        return spellings.map { Data($0.utf8) } + [
            Data(text.utf8.flatMap { [$0, 0] }), Data(text.utf8.flatMap { [0, $0] }),
        ]
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func percentEncoded(_ text: String, besides plain: String) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: plain))
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
    }
}
