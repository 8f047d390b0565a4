import ArgumentParser
import CampaignCore
import CampaignFormat
import Foundation

extension RunID {
    static func argument(_ text: String) throws -> RunID {
        guard let id = RunID(text) else {
            throw ValidationError(
                "\"\(text)\" is not the id of a run, such as 20261201T090000Z-k3v7qa; `hubsend runs` lists them."
            )
        }
        return id
    }
}

extension RunReference {
    static func argument(_ text: String) throws -> RunReference {
        guard let reference = RunReference(text) else {
            let isFile = text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
            throw ValidationError(
                "\"\(text)\" is neither the id of a run, such as 20261201T090000Z-k3v7qa, nor the name of a campaign"
                    + "\(isFile ? ": write the name after `campaign:` in the file" : ""); "
                    + "`hubsend runs` lists both.")
        }
        return reference
    }
}

extension Username {
    static func argument(_ text: String) throws -> Username {
        do {
            return try Username(text)
        } catch {
            let hint =
                text.contains(",")
                ? " --to takes several names with spaces between them: \(text.split { ", ".contains($0) }.joined(separator: " "))"
                : text.hasSuffix(".yaml") || text.hasSuffix(".yml") || text.contains("/")
                    ? " Name campaigns before --to, which takes all that follows it as usernames."
                    : ""
            throw ValidationError("The username \"\(text)\" \(error).\(hint)")
        }
    }
}

extension Occurrence {
    static func argument(_ text: String) throws -> Occurrence {
        guard let occurrence = Occurrence(key: text) else {
            throw ValidationError(
                "\"\(text)\" cannot be an occurrence; use 1 to 64 letters, digits and . _ : + -")
        }
        guard occurrence.fallbackOf == nil else {
            throw ValidationError(
                "\"\(text)\" is a fallback, which only `hubsend run --due` begins; take another key"
            )
        }
        return occurrence
    }
}

extension NotificationID {
    static func argument(_ text: String) throws -> NotificationID {
        guard let id = NotificationID(text) else {
            throw ValidationError(
                "\"\(text)\" is no payload's id, 26 of a-z and 2-7; `hubsend payload list` lists them."
            )
        }
        return id
    }
}

extension WrittenTime {
    static func past(_ text: String) throws -> WrittenTime {
        try argument(text, .back, "a duration before now such as 7d")
    }

    static func future(_ text: String) throws -> WrittenTime {
        try argument(text, .ahead, "a duration from now such as 7d")
    }

    private static func argument(
        _ text: String, _ direction: Direction, _ duration: String
    ) throws -> WrittenTime {
        guard let time = WrittenTime(text, from: Date(), leading: direction) else {
            throw ValidationError(
                "\"\(text)\" is not a time. Write a date such as 2026-12-01, a day such as today or monday, \(duration), "
                    + "or an instant such as 2026-12-01T09:00:00Z.")
        }
        return time
    }
}

extension HostAndPort {
    static func argument(_ text: String) throws -> HostAndPort {
        guard let address = HostAndPort(text) else { throw ValidationError(advice) }
        return address
    }
}

/// A length of time on the command line: `30s`, `15m`, `2h`, `7d`.
enum DurationArgument {
    static func read(_ argument: String) throws -> Duration {
        guard let duration = DurationText.usual.parse(argument) else {
            throw ValidationError(
                "write a whole number from 1 with s, m, h or d, such as 10s or 5m, and at most 366d"
            )
        }
        return duration
    }
}

extension ListFormat: ExpressibleByArgument {}

extension PreviewFormat: ExpressibleByArgument {}

extension ReportFormat: ExpressibleByArgument {}

extension ReachInquiry.Extent: ExpressibleByArgument {}

extension FindingsFormat: ExpressibleByArgument {}
