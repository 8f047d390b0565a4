import CampaignFormat
import Foundation
import Testing

/// The manual pages name all that there is.
@Suite struct ManualTests {
    private func page(_ name: String) throws -> String {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../man/\(name)")
        // mdoc writes a hyphen in a flag as \-.
        return try String(contentsOf: url, encoding: .utf8).replacing("\\-", with: "-")
    }

    /// All commands with their flags, as the argument parser dumps them.
    private func commands() async throws -> [[String: Any]] {
        let dump = try await Binary.run(["--experimental-dump-help"], in: Workspace())
        let root = try #require(
            JSONSerialization.jsonObject(with: Data(dump.output.utf8)) as? [String: Any])
        let command = try #require(root["command"] as? [String: Any])
        return try #require(command["subcommands"] as? [[String: Any]]).filter {
            $0["commandName"] as? String != "help"
        }
    }

    @Test func everyCommandAndFlagIsInTheManual() async throws {
        // Of the source's macro lines only, so that a word of the text does not count as a flag.
        let page = try page("hubsend.1").split(separator: "\n")
            .filter { $0.hasPrefix(".") }.map { $0 + " " }.joined(separator: "\n")
        let commands = try await commands()
        #expect(commands.count == 8)
        for command in commands {
            let name = try #require(command["commandName"] as? String)
            #expect(page.contains("Cm \(name) "), "\(name)")
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                for flag in argument["names"] as? [[String: Any]] ?? []
                where flag["kind"] as? String == "long" {
                    let long = try #require(flag["name"] as? String)
                    #expect(page.contains(" -\(long) "), "\(name) --\(long)")
                }
            }
        }
    }

    @Test func everyKeyOfACampaignIsInTheManual() throws {
        let page = try page("hubsend-campaign.5")
        for path in CampaignKeys.all {
            let key = try #require(path.split(separator: ".").last)
            #expect(page.contains(key), "\(path)")
        }
    }

    @Test func everyCommandExplainsItself() async throws {
        for command in try await commands() {
            let name = try #require(command["commandName"] as? String)
            let help = try await Binary.run([name, "--help"], in: Workspace())
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: hubsend \(name)"))
        }
    }
}
