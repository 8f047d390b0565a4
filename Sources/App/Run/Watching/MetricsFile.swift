import CampaignCore
import Files
import Logging
import Synchronization

/// The file with figures of runs.
///
/// It is rewritten whole from time to time during a run, and at its end. Figures of other campaigns
/// stay, since a crontab may have one command per campaign.
final class MetricsFile: Sendable {
    static let interval: Duration = .seconds(5)
    /// Metrics are collected by another user, who must be able to read them.
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

    /// `logger` is told once if the absolute path cannot be written; `pause` waits for the next
    /// write.
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

    /// Notes figures, which are written later.
    func note(_ figures: RunFigures?, of campaign: String) {
        state.withLock { state in
            // A campaign whose figures are known keeps them.
            if let figures {
                state.entries[campaign] = MetricsText.Entry(figures: figures)
            } else if state.entries[campaign] == nil {
                state.entries[campaign] = MetricsText.Entry()
            }
        }
    }

    /// Writes from time to time until the task is cancelled.
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

    /// Notes the command's exit code, and writes for the last time.
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
                "The file with metrics was not written; the run is not affected by that",
                metadata: ["file": "\(VisibleText.path(path))", "reason": "\(error)"])
        }
    }

    private static func write(_ entries: [String: MetricsText.Entry], to path: String) throws {
        // Without the lock, two commands that end at once would overwrite each other's campaign.
        let lock = try FileLock.wait(for: 0, of: OpenFile(path + ".lock", for: .locking))
        defer { lock.release() }
        var text = MetricsText(try content(of: path))
        for (campaign, entry) in entries { text.set(entry, of: campaign) }
        try FileReplacement.write(text.text.utf8, to: path, mode: mode)
    }

    /// Checks whether the file could be written; throws the reason, as the rest of a sentence.
    static func check(_ path: String) throws {
        _ = try content(of: path)
        let folder = Path.folder(of: path)
        guard Folder.mayWrite(folder) else {
            throw Refused(
                "in the folder \(VisibleText.path(folder)) this user can make no files, or it is not there"
            )
        }
    }

    private static func content(of path: String) throws -> String {
        let bytes: [UInt8]
        do throws(SystemFault) {
            let file = try OpenFile(path, for: .reading, followingLinks: false)
            bytes = try file.beginning(largest)
        } catch {
            guard error.kind == .missing else { throw error }
            return ""
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard MetricsText.isOwn(text) else {
            throw Refused(
                "it has lines that are not metrics of hubsend; name another file, or delete it first"
            )
        }
        return text
    }
}
