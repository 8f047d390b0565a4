import Logging
import Synchronization

/// A log that keeps its lines.
final class RecordedLog: Sendable {
    struct Line {
        let level: Logger.Level
        let message: String
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = event.metadata.map { " \($0)" } ?? ""
            log.kept.withLock {
                $0.append(Line(level: event.level, message: "\(event.message)\(metadata)"))
            }
        }
    }

    private let kept = Mutex<[Line]>([])

    /// The lines so far.
    var lines: [Line] { kept.withLock { $0 } }

    /// A logger that writes here, whatever the level.
    var logger: Logger {
        Logger(label: "recorded") { _ in Handler(log: self) }
    }
}
