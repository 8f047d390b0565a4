import CampaignCore
import Foundation
import Logging

struct StderrLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    /// Times are written as in RFC 3339, in UTC with milliseconds: `2026-12-01T09:00:00.250Z`.
    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private let label: String
    private let format: LogFormat

    init(label: String, level: Logger.Level, format: LogFormat) {
        self.label = label
        self.logLevel = level
        self.format = format
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = line(event, at: Date())
        switch format {
        case .text: Console.complain(line)
        case .json: Console.notice(line + "\n")
        }
    }

    /// Returns the line of an event, without a line feed.
    ///
    /// All values are redacted, because only this function turns them into text.
    func line(_ event: LogEvent, at time: Date) -> String {
        let message = Redaction.text("\(event.message)")
        let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
            .mapValues { Redaction.text("\($0)") }
        switch format {
        case .text:
            let pairs = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            return "\(Self.time.format(time)) \(event.level) \(label): \(message)\(pairs.joined())"
        case .json:
            var object = metadata
            object["time"] = time.formatted(.iso8601)
            object["level"] = event.level.rawValue
            object["logger"] = label
            object["message"] = message
            return json(object)
        }
    }

    private func json(_ object: [String: String]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return VisibleText.json(String(decoding: try encoder.encode(object), as: UTF8.self))
        } catch {
            return #"{"level":"error","message":"a log line could not be encoded"}"#
        }
    }
}

enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
}
