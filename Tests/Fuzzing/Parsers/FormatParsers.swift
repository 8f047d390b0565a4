import CampaignCore
import Files
import Foundation

@testable import CampaignFormat

enum FormatParsers {
    /// A folder that contains no file that an input could name.
    private static let nowhere = "/nonexistent"

    static func yaml(_ bytes: [UInt8]) {
        _ = YAMLParser.parse(bytes)
    }

    static func campaign(_ bytes: [UInt8]) {
        _ = CampaignFile.read(standardInput: bytes, named: nowhere + "/campaign.yaml").diagnostics
    }

    static func config(_ bytes: [UInt8]) {
        let input = InputFile(path: nowhere + "/hubsend.yaml", bytes: bytes)
        let findings = Findings(input)
        var decoder = ConfigDecoder(findings: findings, folder: nowhere, isNamed: true)
        _ = findings.root(of: input, knownBy: .config).flatMap { decoder.decode($0) }
        _ = findings.finished()
    }

    static func devices(_ bytes: [UInt8]) {
        guard let file = InputOnDisk(bytes) else { return }
        _ = unlessRefused { try DevicesFile.read(file.path) }
    }

    static func faults(_ text: String) {
        _ = FaultsFile.read(fileOrFault: text, from: "--fault")
        _ = FaultsFile.read(text: text, from: "--fault")
    }

    static func plan(_ bytes: [UInt8]) {
        _ = unlessRefused { try PlanReader(path: "plan.json").plan(in: bytes) }
    }

    static func cron(_ text: String) {
        guard let schedule = unlessRefused({ try CronSchedule(text) }) else { return }
        precondition(
            schedule.next(from: LocalTime(seconds: 1_800_000_000)) != nil,
            "A schedule that can be read names a time.")
    }

    /// The first byte determines how the rest is read.
    static func audience(_ bytes: [UInt8]) {
        guard let way = bytes.first else { return }
        var options = AudienceFileOptions()
        let encodings: [TextEncoding] = [.utf8, .utf16, .windows1252, .utf8]
        options.encoding = encodings[Int(way >> 1 & 3)]
        options.badRows = way & 8 == 0 ? .refuse : .skip
        _ = people(
            in: Array(bytes.dropFirst()), isTable: way & 1 == 1, options: options,
            columns: ["first_name"])
    }

    /// All people in an audience file, with nil for unusable rows; nil for an unreadable file.
    static func people(
        in bytes: [UInt8], isTable: Bool, options: AudienceFileOptions, columns: [String]
    ) -> [AudienceMember?]? {
        guard let disk = InputOnDisk(bytes) else { return nil }
        let file = AudienceFile(
            path: isTable ? "people.csv" : "people.txt", shownPath: "people", number: 1,
            allowsEmpty: false, options: options, languageColumn: "language")
        guard
            var reader = unlessRefused({
                try AudienceFileReader(
                    file, opened: try OpenFile(disk.path, for: .reading), variables: columns)
            })
        else { return nil }
        var people: [AudienceMember?] = []
        while true {
            do throws(AudienceFileError) {
                guard let member = try reader.next() else { return people }
                people.append(member)
            } catch {
                _ = error.description
                people.append(nil)
            }
        }
    }
}

/// An input as a file in memory, removed with this object.
private final class InputOnDisk {
    let path: String

    init?(_ bytes: [UInt8]) {
        path = "/dev/shm/hubsend-fuzz-\(UUID())"
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            return nil
        }
    }

    deinit {
        _ = unlessRefused { try FileManager.default.removeItem(atPath: path) }
    }
}
