import ArgumentParser
import CampaignFormat
import Files
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ManualTests {
    private func page(_ name: String) throws -> String {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../man/\(name)")
        // mdoc writes a hyphen in a flag as \-.
        return try String(contentsOf: url, encoding: .utf8).replacing("\\-", with: "-")
    }

    /// All commands that can be run, with their flags, from the argument parser's dump.
    private func commands() throws -> [[String: Any]] {
        let root = try Self.dump.object()
        let command = try #require(root["command"] as? [String: Any])
        return try Self.acting(of: command, named: "")
    }

    private static let dump = Hubsend._dumpHelp()

    /// The full names of a command and its subcommands, without those that only group other
    /// commands.
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

    /// Whether a command or a group of commands has options besides the common ones.
    private static func hasOptions(_ command: [String: Any]) -> Bool {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        return arguments.contains {
            !["help", "version"].contains($0["valueName"] as? String)
        }
    }

    @Test("The manual describes every command and flag") func manualDescribesEveryCommandAndFlag()
        throws
    {
        let page = try page("hubsend.1")
        let commands = try commands()
        #expect(commands.count == 29)
        let sharedStart = try #require(page.range(of: ".Ss Options of every command"))
        let shared = Self.flags(in: page[sharedStart.upperBound...])
        for command in commands {
            let name = try #require(command["commandName"] as? String)
            let start = try #require(page.range(of: ".It Nm Cm \(name)"), "\(name)")
            let rest = page[start.upperBound...]
            let own = rest[
                ..<(rest.range(of: "\n.It Nm Cm ") ?? rest.range(of: "\n.Ss ") ?? start).lowerBound]
            let flags = Self.flags(in: own).union(shared)
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                for flag in argument["names"] as? [[String: Any]] ?? [] {
                    let text = try #require(flag["name"] as? String)
                    let isLong = flag["kind"] as? String == "long"
                    #expect(flags.contains(isLong ? "-" + text : text), "\(name) \(text)")
                }
            }
        }
    }

    /// The flags in a part of a page, without their first hyphen.
    private static func flags(in part: some StringProtocol) -> Set<String> {
        let lines = part.split { $0 == "\n" }.filter { $0.hasPrefix(".") && $0.contains("Fl ") }
        return Set(lines.flatMap { $0.split { $0 == " " } }.map { String($0) })
    }

    /// Flags of other programs in the source.
    private static let foreignFlags: Set = [
        "kill-after", "mark", "name-status", "no-renames", "now", "preserve-env",
    ]

    @Test("hubsend-cron(7) begins with the command to type for each exit code")
    func hubsendCron7BeginsWithTheCommandToTypeForEachExitCode() throws {
        let page = try page("hubsend-cron.7")
        let description = try #require(page.range(of: ".Sh DESCRIPTION"))
        let first = try #require(
            page[description.upperBound...].split(separator: "\n.Ss ").dropFirst().first)
        for code in ["0", "1", "2", "3", "4", "5", "70", "75", "130, 143", "137"] {
            #expect(first.contains("\n.It \(code) Ta "))
        }
        #expect(first.contains("sudo -u mkt env"))
    }

    /// The commands in messages are valid.
    @Test("Every command and flag in a message exists")
    func everyCommandAndFlagInAMessageExists() throws {
        let commands = try commands()
        let names = Set(commands.compactMap { $0["commandName"] as? String })
        let flags = Set(
            commands.flatMap { $0["arguments"] as? [[String: Any]] ?? [] }
                .flatMap { $0["names"] as? [[String: Any]] ?? [] }
                .compactMap { $0["name"] as? String })
        var found = (commands: 0, flags: 0)
        for (file, source) in try Self.sources() {
            for line in Self.lines(with: "`hubsend ", in: source) {
                for match in line.matches(of: /`hubsend ([a-z]+)( [a-z]+)?/) {
                    let isThere =
                        names.contains(String(match.1))
                        || names.contains(String(match.1 + (match.2 ?? "")))
                    #expect(isThere, "\(file): \(match.0)")
                    found.commands += 1
                }
            }
            for line in Self.lines(with: "--", in: source) {
                for match in line.matches(of: /(?:^|[ `"'(])--([a-z][a-z-]*)/) {
                    let flag = String(match.1)
                    #expect(
                        flags.contains(flag) || Self.foreignFlags.contains(flag),
                        "\(file): \(line)")
                    found.flags += 1
                }
            }
        }
        #expect(found.commands > 20)
        #expect(found.flags > 50)
    }

    /// This searches bytes, because searching characters is many times slower.
    private static func sources() throws -> [(file: String, source: [UInt8])] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources").standardizedFileURL
        let files = try #require(FileManager.default.subpaths(atPath: root.path))
        return try files.filter { $0.hasSuffix(".swift") }.map { file in
            (file, Array(try Data(contentsOf: root.appendingPathComponent(file))))
        }
    }

    /// The code lines that contain a word, without repeats.
    private static func lines(with word: String, in source: [UInt8]) -> [String] {
        let (wanted, end) = (Array(word.utf8), UInt8(ascii: "\n"))
        var lines: [String] = []
        var start = 0
        while let place = source.firstOccurrence(of: wanted, from: start) {
            let first = source[..<place].lastIndex(of: end).map { $0 + 1 } ?? 0
            let last = source[place...].firstIndex(of: end) ?? source.count
            start = last
            let line = source[first..<last].drop { $0 == UInt8(ascii: " ") }
            if !line.starts(with: "//".utf8) { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return lines
    }

    @Test("The manual describes every key of every file") func manualDescribesEveryKeyOfEveryFile()
        throws
    {
        let pages = try [
            "hubsend-campaign.5", "hubsend-config.5", "hubsend.1", "hubsend-hub.1",
        ].map(page).joined()
        for path in Set(FileShape.all.flatMap(\.paths)).sorted() {
            let key = try #require(path.split(separator: ".").last)
            #expect(pages.contains(key), "\(path)")
        }
    }

    @Test("hubsend-config(5) describes every key of the config")
    func hubsendConfig5DescribesEveryKeyOfTheConfig() throws {
        let page = try page("hubsend-config.5")
        for path in FileShape.config.paths where !path.hasPrefix("defaults.") {
            let key = try #require(path.split(separator: ".").last)
            #expect(page.contains(key), "\(path)")
        }
    }

    @Test("hubsend-schema(1) names every kind of file")
    func hubsendSchema1NamesEveryKindOfFile() throws {
        let page = try page("hubsend-schema.1")
        for file in FileShape.all { #expect(page.contains(".It Cm \(file.name)\n")) }
    }

    /// `EmptyVariableTests` checks that this message is printed.
    @Test("Every command and option has a help text") func everyCommandAndOptionHasAHelpText() {
        var commands = [(type: Hubsend.self as any ParsableCommand.Type, name: "hubsend")]
        var count = 0
        while let command = commands.popLast() {
            let help = Hubsend.helpMessage(for: command.type)
            #expect(help.contains("USAGE: \(command.name)"))
            count += 1
            commands += command.type.configuration.subcommands.map {
                ($0, "\(command.name) \($0._commandName)")
            }
        }
        #expect(count > 29)
    }
}
