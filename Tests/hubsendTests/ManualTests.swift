import ArgumentParser
import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import hubsend

/// The manual pages name all that there is.
@Suite(.bounded) struct ManualTests {
    private func page(_ name: String) throws -> String {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../man/\(name)")
        // mdoc writes a hyphen in a flag as \-.
        return try String(contentsOf: url, encoding: .utf8).replacing("\\-", with: "-")
    }

    /// All commands that do something, with their flags, as the argument parser dumps them.
    private func commands() throws -> [[String: Any]] {
        let root = try #require(
            JSONSerialization.jsonObject(with: Data(Self.dump.utf8)) as? [String: Any])
        let command = try #require(root["command"] as? [String: Any])
        return try Self.acting(of: command, named: "")
    }

    private static let dump = Hubsend._dumpHelp()

    /// A command and those below it, as far as they do something themselves, with their names in full.
    private static func acting(
        of command: [String: Any], named path: String
    ) throws -> [[String: Any]] {
        let children = command["subcommands"] as? [[String: Any]] ?? []
        let own = command.merging(["commandName": path]) { $1 }
        let isActing = children.isEmpty || hasOptions(command)
        return try (isActing ? [own] : [])
            + children.flatMap { child -> [[String: Any]] in
                let name = try #require(child["commandName"] as? String)
                if name == "help" { return [] }
                return try acting(of: child, named: path.isEmpty ? name : "\(path) \(name)")
            }
    }

    /// Whether a command has more options than every command, also one that only has others below it.
    private static func hasOptions(_ command: [String: Any]) -> Bool {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        return arguments.contains {
            !["help", "version"].contains($0["valueName"] as? String)
        }
    }

    @Test func everyCommandAndFlagIsInTheManual() throws {
        let page = try page("hubsend.1")
        let commands = try commands()
        #expect(commands.count == 29)
        let shared = try #require(page.range(of: ".Ss Options of every command"))
        for command in commands {
            let name = try #require(command["commandName"] as? String)
            let start = try #require(page.range(of: ".It Nm Cm \(name)"), "\(name)")
            let rest = page[start.upperBound...]
            let own = rest[
                ..<(rest.range(of: "\n.It Nm Cm ") ?? rest.range(of: "\n.Ss ") ?? start).lowerBound]
            let flags = Self.flags(in: own + page[shared.upperBound...])
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                for flag in argument["names"] as? [[String: Any]] ?? [] {
                    let text = try #require(flag["name"] as? String)
                    let isLong = flag["kind"] as? String == "long"
                    #expect(flags.contains(isLong ? "-" + text : text), "\(name) \(text)")
                }
            }
        }
    }

    /// The flags that the macros of a part of a page name, without their first hyphen.
    private static func flags(in part: some StringProtocol) -> Set<String> {
        let lines = part.split { $0 == "\n" }.filter { $0.hasPrefix(".") && $0.contains("Fl ") }
        return Set(lines.flatMap { $0.split { $0 == " " } }.map { String($0) })
    }

    /// Flags of other programs that the source names.
    private static let foreignFlags: Set = ["kill-after", "now"]

    /// What a message recommends can be typed.
    @Test func everyCommandAndFlagThatAMessageNamesIsThere() throws {
        let commands = try commands()
        let names = Set(commands.compactMap { $0["commandName"] as? String })
        let flags = Set(
            commands.flatMap { $0["arguments"] as? [[String: Any]] ?? [] }
                .flatMap { $0["names"] as? [[String: Any]] ?? [] }
                .compactMap { $0["name"] as? String })
        var found = (commands: 0, flags: 0)
        for (place, line) in try Self.sourceLines() where Self.mayNameOne(line) {
            for match in line.matches(of: /`hubsend ([a-z]+)( [a-z]+)?/) {
                let isThere =
                    names.contains(String(match.1))
                    || names.contains(String(match.1 + (match.2 ?? "")))
                #expect(isThere, "\(place): \(match.0)")
                found.commands += 1
            }
            for match in line.matches(of: /(?:^|[ `"'(])--([a-z][a-z-]*)/) {
                let flag = String(match.1)
                #expect(
                    flags.contains(flag) || Self.foreignFlags.contains(flag), "\(place): \(flag)")
                found.flags += 1
            }
        }
        #expect(found.commands > 20)
        #expect(found.flags > 50)
    }

    /// Whether a line has a backtick or two hyphens, which is told faster than what stands behind them.
    private static func mayNameOne(_ line: String) -> Bool {
        let bytes = Array(line.utf8)
        return bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "`")
                || bytes[index] == UInt8(ascii: "-") && index + 1 < bytes.count
                    && bytes[index + 1] == UInt8(ascii: "-")
        }
    }

    /// The lines of the source that are no comments, each with its place.
    private static func sourceLines() throws -> [(place: String, line: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources").standardizedFileURL
        let files = try #require(FileManager.default.subpaths(atPath: root.path))
        return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
            let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.element.drop { $0 == " " }.hasPrefix("//") }
                .map { ("\(file):\($0.offset + 1)", String($0.element)) }
        }
    }

    @Test func everyKeyOfEveryFileIsInTheManual() throws {
        let pages = try [
            "hubsend-campaign.5", "hubsend-config.5", "hubsend.1", "hubsend-hub.1",
        ].map(page).joined()
        for path in Set(FileShape.all.flatMap(\.paths)).sorted() {
            let key = try #require(path.split(separator: ".").last)
            #expect(pages.contains(key), "\(path)")
        }
    }

    @Test func everyKeyOfTheConfigIsOnItsPage() throws {
        let page = try page("hubsend-config.5")
        for path in FileShape.config.paths where !path.hasPrefix("defaults.") {
            let key = try #require(path.split(separator: ".").last)
            #expect(page.contains(key), "\(path)")
        }
    }

    @Test func everyKindOfFileWithASchemaIsInItsManual() throws {
        let page = try page("hubsend-schema.1")
        for file in FileShape.all { #expect(page.contains(".It Cm \(file.name)\n")) }
    }

    /// That the program prints it, `EmptyVariableTests.helpIsGivenAllTheSame` proves.
    @Test func everyCommandExplainsItself() async throws {
        for command in try commands() {
            let name = try #require(command["commandName"] as? String)
            var help = try await Hubsend.asyncParseAsRoot(
                name.split(separator: " ").map(String.init) + ["--help"])
            let end = try #require(throws: (any Error).self) { try help.run() }
            #expect(Hubsend.exitCode(for: end) == .success)
            #expect(Hubsend.fullMessage(for: end).contains("USAGE: hubsend \(name)"))
        }
    }
}
