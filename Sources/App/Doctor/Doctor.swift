import CampaignCore
import CampaignFormat
import Files
import Foundation
import Logging

/// Checks whether a run could be sent from here, without changing files or anything at the hub.
struct Doctor: Sendable {
    let invocation: Invocation
    let settings: Result<EffectiveSettings, any Error>
    let isMemoryPrivate: Bool
    let logger: Logger
    /// The folders to search for the time zone database, in order; nil means the usual folders.
    var zones: [String]?
    var now: @Sendable () -> Date = { Date() }

    /// Runs every check, always in the same order.
    func examine() async -> [HealthCheck] {
        var checks = [config(), environment()]
        if case .success(let settings) = settings {
            checks += await hub(settings)
            checks += await store(settings)
            checks += [reports(settings), audiences(settings)]
            checks += await watchers(settings)
        }
        let database = InstalledTimeZones.find(
            among: zones ?? InstalledTimeZones.places(invocation))
        return checks + [
            database.map { HealthCheck("time zones", .ok, $0.description) }
                ?? HealthCheck(
                    "time zones", .warn,
                    "No time zone database was found. Install the system package tzdata."),
            isMemoryPrivate
                ? HealthCheck("memory", .ok, "Core dumps, which could contain keys, are disabled.")
                : HealthCheck(
                    "memory", .warn,
                    "hubsend could not disable core dumps, which could contain keys."),
        ]
    }

    func failed(_ check: String, _ error: any Error) -> HealthCheck {
        let refused = Refused(for: error)
        let words = [refused.sentence, refused.details].filter { !$0.isEmpty }
        return HealthCheck(check, .fail, words.joined(separator: " "))
    }

    // MARK: Settings

    private func config() -> HealthCheck {
        switch settings {
        case .failure(let faults as ConfigErrors):
            return HealthCheck("config", .fail, sentence(faults.findings))
        case .failure(let error): return failed("config", error)
        case .success(let settings):
            guard let path = settings.configPath else {
                return HealthCheck(
                    "config", .ok,
                    "There is no hubsend.yaml in this folder or above it, so defaults apply.")
            }
            let warnings = settings.configWarnings
            guard warnings.isEmpty else { return HealthCheck("config", .warn, sentence(warnings)) }
            return HealthCheck(
                "config", .ok, VisibleText.path(settings.invocation.absolute(path)))
        }
    }

    /// The first finding on one line, followed by the number of other findings.
    private func sentence(_ findings: [Diagnostic]) -> String {
        guard let first = findings.sorted().first else { return "The config cannot be used." }
        let place = "\(first.file):\(first.range.line):\(first.range.column)"
        let masks = invocation.masksPeople
        let message = first.message.shown(maskingAudience: masks)
        let help = first.help.map { " " + $0.shown(maskingAudience: masks) } ?? ""
        let more = findings.count - 1
        let rest = more > 0 ? " (and \(Figures.count(more)) more)" : ""
        return "\(place): \(message)\(help)\(rest)"
    }

    private func environment() -> HealthCheck {
        do {
            try invocation.refuseEmptyVariables()
            try invocation.refuseMisspelledVariables()
        } catch {
            return failed("environment", error)
        }
        let unknown = invocation.unknownVariables
        guard unknown.isEmpty else {
            return HealthCheck(
                "environment", .warn,
                "hubsend ignores variables that it does not know: \(unknown.joined(separator: ", ")). hubsend(1) lists the valid ones."
            )
        }
        let names = invocation.ownVariables
        guard !names.isEmpty else {
            return HealthCheck("environment", .ok, "No hubsend variable is set.")
        }
        // NAME takes precedence over NAME_FILE, which takes precedence over NAME_COMMAND.
        let beaten = names.filter { name in
            let stem = ["_FILE", "_COMMAND"].first(where: name.hasSuffix).map {
                String(name.dropLast($0.count))
            }
            guard let stem else { return false }
            return names.contains(stem)
                || name.hasSuffix("_COMMAND") && names.contains(stem + "_FILE")
        }
        guard beaten.isEmpty else {
            return HealthCheck(
                "environment", .warn,
                "Ignored: \(beaten.joined(separator: ", ")). Another variable for the same setting takes precedence; unset one of them."
            )
        }
        return HealthCheck("environment", .ok, "Set: \(names.joined(separator: ", ")).")
    }
}

struct InstalledTimeZones: CustomStringConvertible {
    private static let file = "tzdata.zi"
    private static let mark = "# version "

    let folder: String
    let version: String?

    var description: String {
        "\(version.map { "Version \($0)" } ?? "An unknown version") in \(VisibleText.path(folder))."
    }

    static func places(_ invocation: Invocation) -> [String] {
        [invocation["TZDIR"]].compactMap(\.self)
            + ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]
    }

    static func find(among places: [String]) -> InstalledTimeZones? {
        for folder in places {
            do throws(SystemError) {
                guard try FileStatus.find(Path.file("UTC", in: folder)) != nil else { continue }
                return InstalledTimeZones(folder: folder, version: try version(in: folder))
            } catch {
                continue
            }
        }
        return nil
    }

    private static func version(in folder: String) throws(SystemError) -> String? {
        let path = Path.file(file, in: folder)
        guard try FileStatus.find(path) != nil else { return nil }
        let head = try OpenFile(path, for: .reading).beginning(64)
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
    }
}
