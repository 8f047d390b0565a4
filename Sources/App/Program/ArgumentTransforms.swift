import ArgumentParser
import CampaignCore
import CampaignFormat
import Foundation

private func required<Value>(
    _ value: Value?, _ advice: @autoclosure () -> String
) throws -> Value {
    guard let value else { throw ValidationError(advice()) }
    return value
}

/// Whether an argument looks like a campaign's path where something else is expected.
private func isPath(_ text: String) -> Bool {
    text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
}

extension RunID {
    static func argument(_ text: String) throws -> RunID {
        try required(
            RunID(text),
            "\"\(text)\" is not a run id such as 20261201T090000Z-k3v7qa. `hubsend runs` lists the ids."
        )
    }
}

extension RunReference {
    static func argument(_ text: String) throws -> RunReference {
        let advice = isPath(text) ? "; use the name after `campaign:` in the file" : ""
        return try required(
            RunReference(text),
            """
            "\(text)" is neither a run id, such as 20261201T090000Z-k3v7qa, nor the name of a campaign\(advice). \
            `hubsend runs` lists both.
            """)
    }
}

extension Username {
    static func argument(_ text: String) throws -> Username {
        do {
            return try Username(text)
        } catch {
            let hint =
                text.contains(",")
                ? " Separate the names after --to with spaces: \(text.split { ", ".contains($0) }.joined(separator: " "))"
                : isPath(text)
                    ? " Put campaign files before --to: everything after it is read as a username."
                    : ""
            throw ValidationError("The username \"\(text)\" \(error).\(hint)")
        }
    }
}

extension Occurrence {
    static func argument(_ text: String) throws -> Occurrence {
        let occurrence = try required(
            Occurrence(key: text),
            "\"\(text)\" cannot be an occurrence key; use 1 to 64 letters, digits and . _ : + -")
        guard occurrence.fallbackOf == nil else {
            throw ValidationError(
                "\"\(text)\" is the key of a fallback, which only `hubsend run --due` starts; use another key"
            )
        }
        return occurrence
    }
}

extension NotificationID {
    static func argument(_ text: String) throws -> NotificationID {
        try required(
            NotificationID(text),
            "\"\(text)\" is not a payload id (26 characters of a-z and 2-7). `hubsend payload list` lists the ids."
        )
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
        try required(
            WrittenTime(text, from: Date(), leading: direction),
            """
            "\(text)" is not a time. Write a date such as 2026-12-01, a day such as today or monday, \(duration), \
            or an exact time such as 2026-12-01T09:00:00Z.
            """)
    }
}

extension HostAndPort {
    static func argument(_ text: String) throws -> HostAndPort {
        try required(HostAndPort(text), advice)
    }
}

/// A duration on the command line, such as `30s`, `15m`, `2h` or `7d`.
enum DurationArgument {
    static func read(_ argument: String) throws -> Duration {
        try required(
            DurationText.usual.parse(argument),
            "write a whole number, at least 1, followed by s, m, h or d, such as 10s or 5m; at most 366d"
        )
    }
}

extension ListFormat: ExpressibleByArgument {}

extension PreviewFormat: ExpressibleByArgument {}

extension ReportFormat: ExpressibleByArgument {}

extension ReachInquiry.Extent: ExpressibleByArgument {}

extension FindingsFormat: ExpressibleByArgument {}
