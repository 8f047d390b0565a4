import Foundation
import TestSupport
import Testing

/// Text from files, names or arguments cannot control a terminal, hide itself or imitate hubsend's
/// output.
@Suite(.bounded) struct VisibleOutputTests {
    /// Old and short control sequences, a line break, text directions and zero-width characters.
    private static let nasty =
        "a\u{1B}[31m\u{9B}2J\u{7F}\u{85}\r\n::error::b\u{202E}\u{2066}\u{200B}\u{200D}\u{FEFF}\u{AD}\u{2028}\u{E0041}##[group]c"

    private func expectVisible(
        _ result: ChildProcess.Result, _ arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let said = result.output + result.complaints
        let hidden = said.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A, 0x09: false
            case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
                0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE0FFF:
                true
            default: false
            }
        }
        let numbers = hidden.map { String($0.value, radix: 16) }
        #expect(numbers.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
        // Log readers recognise the new form only after blanks, and the old form everywhere.
        let commands = said.split(separator: "\n").filter { line in
            line.drop { $0 == " " || $0 == "\t" }.hasPrefix("::") || line.contains("##[")
        }
        #expect(commands.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
        #expect(!said.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
    }

    @Test(
        "Control characters in arguments are escaped",
        arguments: [
            [nasty], ["--" + nasty], ["run", "--bogus=" + nasty], ["runs", "--limit", nasty],
            ["runs", "--format", nasty], ["validate", nasty], ["validate", "--config", nasty],
            ["preview", nasty + ".yaml"], ["run", nasty, "--to", nasty],
            ["runs", "--store", nasty + "/x"], ["report", nasty], ["payload", "show", nasty],
            ["device", "--user", nasty, "--platform", "apns"], ["hub", "--fault", nasty],
            ["hub", "--faults", nasty], ["hub", "exec", "--", nasty], ["serve", "--listen", nasty],
        ])
    func controlCharactersInArgumentsAreEscaped(arguments: [String]) async throws {
        let result = try await Binary.run(arguments, in: Workspace())
        #expect(result.status != 0)
        expectVisible(result, arguments)
    }

    @Test("Control characters in file names are escaped")
    func controlCharactersInFileNamesAreEscaped() async throws {
        let name = Self.nasty + ".yaml"
        let command = "::error::x.yaml"
        let faulty = "campaign: Bad Name\nkind: [\(Self.nasty.count)\n"
        let workspace = try Workspace([name: faulty, command: faulty])
        for arguments in [
            ["validate"], ["validate", "--format", "json"], ["preview", name, command],
            ["run", name], ["run", "--json", name], ["runs", "--config", name],
        ] {
            let result = try await Binary.run(arguments, in: workspace)
            expectVisible(result, arguments)
        }
    }

    @Test("A preview escapes control characters, but its JSON keeps the value")
    func previewEscapesControlCharactersButItsJSONKeepsTheValue() async throws {
        let workspace = try Workspace([
            "notice.yaml": """
            campaign: notice
            kind: alert
            platforms: [apns, fcm, wns]
            audience: { usernames: [alice] }
            payload:
              message: "Hi \\x9B2J\\u202E\\u200B\\x7F\\u2028 \\U0001F469\\n::add-mask::b\\n##[error]c"
            """
        ])
        let text = try await Binary.run(["preview", "notice.yaml"], in: workspace, status: 0)
        expectVisible(text, ["preview"])
        #expect(text.output.contains(#"\u{9B}2J\u{202E}\u{200B}"#), "\(text.output)")
        #expect(text.output.contains("👩"))
        #expect(text.output.contains("  | ::add-mask::b\n"), "\(text.output)")
        let json = try await Binary.run(
            ["preview", "--format", "json", "notice.yaml"], in: workspace)
        expectVisible(json, ["preview", "--format", "json"])
        let document = try json.output.object()
        let platforms = try #require(document["platforms"] as? [[String: Any]])
        for platform in platforms {
            let body = try #require(platform["body"] as? String)
            #expect(body.contains("\u{9B}2J\u{202E}\u{200B}"))
            #expect(body.contains("##[error]c"))
            #expect(platform["bytes"] as? Int == body.utf8.count)
        }
    }

    @Test("A run escapes control characters in its paths")
    func runEscapesControlCharactersInItsPaths() async throws {
        let folder = Self.nasty
        let workspace = try Workspace([
            folder + "/hubsend.yaml": "hub: { local: devices.yaml }\n",
            folder + "/devices.yaml": "devices: [{ user: alice, platform: apns }]\n",
            folder + "/notice.yaml": Campaigns.secure(to: ["alice"]),
        ])
        let config = ["--config", folder + "/hubsend.yaml"]
        for arguments in [
            ["run", "--json"] + config + [folder + "/notice.yaml"],
            ["runs"] + config,
            ["runs", "--format", "json"] + config, ["report"] + config,
            ["report", "--format", "text", "-o", "-"] + config,
        ] {
            let result = try await Binary.run(arguments, in: workspace, status: 0)
            expectVisible(result, arguments)
        }
    }
}
