import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct AuditLineTests {
    @Test("Each audit entry becomes one line of JSON") func eachAuditEntryBecomesOneLineOfJSON() {
        var generator = SystemRandomNumberGenerator()
        let entries = (0..<3_000).map { _ in Self.entry(&generator) }
        var lines: [UInt8] = []
        for entry in entries { entry.append(to: &lines) }
        // No line contains a line break.
        let found = lines.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(found.count == entries.count)
        let wrong = zip(found, entries).first { $0 != Self.expected($1) }
        #expect(wrong == nil)
    }

    private static func entry(_ generator: inout some RandomNumberGenerator) -> AuditEntry {
        let actions: [AuditEntry.Action] = [
            .register, .unregister, .fetch, .list, .read, .send, .show, .request, .refusals,
        ]
        return AuditEntry(
            time: Date(timeIntervalSince1970: .random(in: -1e9...4e9, using: &generator)),
            user: text(&generator).map(Username.init(checked:)),
            claimed: text(&generator).map(Username.init(checked:)),
            action: actions.randomElement(using: &generator) ?? .show, what: text(&generator),
            address: text(&generator), outcome: text(&generator) ?? "ok",
            count: [nil, 0, 1, 990, .max].randomElement(using: &generator) ?? nil,
            reason: text(&generator, longest: 600))
    }

    private static let plain = Array("abcxyzABC0189 _-.:@{}[],".unicodeScalars)
    private static let odd =
        (0...0x20).compactMap(Unicode.Scalar.init)
        + "\"\"\\\\/\u{7F}\u{80}\u{A0}é\u{301}ß€漢\u{2028}\u{FEFF}\u{FFFD}👩\u{200D}🇩🇪".unicodeScalars

    /// Half of the text is plain; the other half has control characters, quotes and non-ASCII
    /// characters.
    private static func text(
        _ generator: inout some RandomNumberGenerator, longest: Int = 40
    ) -> String? {
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return nil }
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...longest, using: &generator) {
            let scalars = Bool.random(using: &generator) ? plain : odd
            text.append(contentsOf: scalars.randomElement(using: &generator).map { [$0] } ?? [])
        }
        return String(text)
    }

    private static func expected(_ entry: AuditEntry) -> String {
        let members = [
            ("time", json(UTCTime.preciseText(entry.time))), ("user", json(entry.user?.text)),
            entry.claimed.map { ("claimed", json($0.text)) },
            ("action", json(entry.action.rawValue)), ("what", json(entry.what)),
            ("from", json(entry.address)), ("outcome", json(entry.outcome)),
            entry.count.map { ("count", String($0)) },
            entry.reason.map { ("reason", json(String($0.prefix(400)))) },
        ]
        let texts = members.compactMap { $0.map { "\"\($0.0)\":\($0.1)" } }
        return "{" + texts.joined(separator: ",") + "}"
    }

    private static func json(_ text: String?) -> String {
        guard let text else { return "null" }
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": json.unicodeScalars.append(contentsOf: ["\\", scalar])
            case "\n": json += "\\n"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}

extension AuditEntry {
    var line: [UInt8] {
        var line: [UInt8] = []
        append(to: &line)
        return line
    }
}
