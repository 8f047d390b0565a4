import CampaignCore
import Files
import Logging
import Synchronization

/// The file with metrics about runs.
///
/// The file is rewritten every few seconds during a run, and when the run ends. The metrics of
/// other campaigns are kept, because a crontab may have one command per campaign.
final class MetricsFile: Sendable {
    static let interval: Duration = .seconds(5)
    /// Another user collects the metrics, and must be able to read the file.
    private static let mode: UInt32 = 0o644
    private static let largest = 4 << 20

    private struct State {
        var entries: [String: MetricsText.Entry] = [:]
        var isComplaining = true
    }

    private let path: String
    private let logger: Logger
    private let pause: @Sendable () async throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: absolute.
    ///   - logger: gets one warning if the file cannot be written.
    ///   - pause: waits until the next write.
    init(
        at path: String, logger: Logger,
        pause: @escaping @Sendable () async throws -> Void = {
            try await ContinuousClock().sleep(for: interval)
        }
    ) {
        self.path = path
        self.logger = logger
        self.pause = pause
    }

    /// Stores figures for the next write.
    func note(_ figures: RunFigures?, of campaign: String) {
        state.withLock { state in
            // If there are no new figures, the last ones are kept.
            if let figures {
                state.entries[campaign] = MetricsText.Entry(figures: figures)
            } else if state.entries[campaign] == nil {
                state.entries[campaign] = MetricsText.Entry()
            }
        }
    }

    /// Writes at intervals until the task is cancelled.
    func keepWriting() async {
        while true {
            do {
                try await pause()
            } catch {
                return
            }
            await write()
        }
    }

    /// Stores the command's exit code and writes the file a last time.
    func end(code: Int32) async {
        state.withLock { state in
            for campaign in state.entries.keys { state.entries[campaign]?.exitCode = code }
        }
        await write()
    }

    private func write() async {
        let entries = state.withLock(\.entries)
        let isWorthIt = entries.values.contains { $0.figures != nil || $0.exitCode != nil }
        guard isWorthIt else { return }
        do {
            try await BlockingWork.run { [path] in try Self.write(entries, to: path) }
        } catch {
            let isFirst = state.withLock { state in
                defer { state.isComplaining = false }
                return state.isComplaining
            }
            guard isFirst else { return }
            logger.warning(
                "The metrics file could not be written; this does not affect the run",
                metadata: ["file": "\(VisibleText.path(path))", "reason": "\(error)"])
        }
    }

    private static func write(_ entries: [String: MetricsText.Entry], to path: String) throws {
        // Without the lock, two commands that end at the same time would overwrite each other's
        // metrics.
        let lock = try FileLock.wait(for: 0, of: OpenFile(path + ".lock", for: .locking))
        defer { lock.release() }
        var text = MetricsText(try content(of: path))
        for (campaign, entry) in entries { text.set(entry, of: campaign) }
        try FileReplacement.write(text.text.utf8, to: path, mode: mode)
    }

    /// Checks whether the file can be written; if not, throws the reason as the end of a sentence.
    static func check(_ path: String) throws {
        _ = try content(of: path)
        let folder = Path.folder(of: path)
        guard Folder.mayWrite(folder) else {
            throw Refused(
                "the folder \(VisibleText.path(folder)) does not exist, or this user cannot create files in it"
            )
        }
    }

    private static func content(of path: String) throws -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try OpenFile(path, for: .reading, followingLinks: false)
            bytes = try file.beginning(largest)
        } catch {
            guard error.kind == .missing else { throw error }
            return ""
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard MetricsText.isOwn(text) else {
            throw Refused(
                "it contains lines that are not hubsend metrics; name another file, or delete this one first"
            )
        }
        return text
    }
}
