import Foundation
import Logging
import Synchronization

@testable import App

final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(lines: self) }
    }

    /// A logger that keeps everything as JSON log lines.
    var shown: Logger {
        Logger(label: "test") { label in
            ShownHandler(
                lines: self, shown: StderrLogHandler(label: label, level: .trace, format: .json))
        }
    }

    private struct ShownHandler: LogHandler {
        let lines: LogLines
        var shown: StderrLogHandler
        var metadata: Logger.Metadata {
            get { shown.metadata }
            set { shown.metadata = newValue }
        }
        var logLevel: Logger.Level {
            get { shown.logLevel }
            set { shown.logLevel = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { shown[metadataKey: key] }
            set { shown[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) {
            let line = shown.line(event, at: Date())
            lines.lines.withLock { $0.append(line) }
        }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            lines.lines.withLock {
                $0.append("\(event.message) \(pairs.joined(separator: " "))")
            }
        }
    }
}
