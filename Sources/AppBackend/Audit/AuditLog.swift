package import CampaignCore
import Files
import Foundation
package import FoundationEssentials
package import Logging
import ServiceLifecycle
import Synchronization

/// Appends audit lines to a file, a second after they were noted at the latest.
///
/// When the file cannot be written, requests go on: lines wait in memory, up to a bound, the log says
/// so and ``isWritable`` turns false. Lines that do not fit are counted, and the count is the first
/// line once the file can be written again.
///
/// Of clients that did not sign in, only the first refusals have lines of their own, so that they do
/// not fill the disk; the others are counted (``RefusalTally``). The counts are noted when their
/// minute is over, or at the end of the log.
package final class AuditLog: Service {
    /// How long a line may wait.
    private static let interval = Duration.seconds(1)
    private static let minute = Duration.seconds(60)
    /// The most bytes that wait; far more than come in a second.
    private static let capacity = 16_777_216

    private struct State {
        var lines: [UInt8] = []
        var lost = 0
        var isWritable = true
    }

    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())
    private let refusals = Mutex(RefusalTally())
    private let file: Mutex<AuditFile>
    private let signals = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Says that a minute of refusals has begun.
    private let minutes = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Opens the file, or makes it with mode 0600.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - clock: what the wait is measured by.
    ///   - now: the time of day.
    ///   - logger: is told when the file cannot be written.
    /// - Throws: ``AuditError`` when it cannot be opened.
    package init(
        path: String, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) throws(AuditError) {
        file = Mutex(try AuditFile(path: path))
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    /// Whether the last lines could be written.
    package var isWritable: Bool { state.withLock(\.isWritable) }

    /// Takes a line, or counts it; returns at once.
    package func note(_ entry: AuditEntry) {
        guard !entry.isAnonymous || hasLine(entry) else { return }
        add(entry.line)
    }

    private func hasLine(_ entry: AuditEntry) -> Bool {
        let address = LimitedAddress(entry.address.flatMap { IPAddress($0) })
        let (isFirst, hasLine) = refusals.withLock { refusals in
            (refusals.isEmpty, refusals.add(entry.outcome, of: address))
        }
        if isFirst { minutes.continuation.yield() }
        return hasLine
    }

    private func endMinute() {
        for entry in refusals.withLock({ $0.end(at: now()) }) { add(entry.line) }
    }

    private func add(_ line: [UInt8]) {
        let wasEmpty = state.withLock { state in
            guard state.lines.count + line.count <= Self.capacity else {
                state.lost += 1
                return false
            }
            defer { state.lines += line }
            return state.lines.isEmpty
        }
        if wasEmpty { signals.continuation.yield() }
    }

    /// Writes what waits.
    ///
    /// - Throws: ``AuditError`` when the file cannot be written; the lines still wait then.
    package func flush() throws(AuditError) {
        try file.withLock { file throws(AuditError) in try write(to: &file) }
    }

    private func write(to file: inout AuditFile) throws(AuditError) {
        let (lines, lost) = state.withLock { state in
            defer { (state.lines, state.lost) = ([], 0) }
            return (state.lines, state.lost)
        }
        guard !lines.isEmpty || lost > 0 else { return }
        let all = (lost > 0 ? lossLine(lost) : []) + lines
        do {
            let written = try file.append(all)
            keep(Array(all.dropFirst(written)), lost: 0, isWritable: written == all.count)
        } catch {
            keep(lines, lost: lost, isWritable: false)
            throw error
        }
    }

    private func keep(_ lines: [UInt8], lost: Int, isWritable: Bool) {
        state.withLock { state in
            state.lines = lines + state.lines
            state.lost += lost
            state.isWritable = isWritable
        }
    }

    private func lossLine(_ count: Int) -> [UInt8] {
        var object = JSONObject()
        object.add("time", UTCTime.preciseText(now()))
        object.add("user", nil as String?)
        object.add("action", "lost_lines")
        object.add("what", String(count))
        object.add("from", nil as String?)
        object.add("outcome", "lost")
        return object.text + [UInt8(ascii: "\n")]
    }

    /// Writes until a graceful shutdown comes or the task is cancelled, and then what is left.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                async let counted: Void = endMinutes()
                await write()
                await counted
            } onCancel: {
                finish()
            }
        } onGracefulShutdown: {
            self.finish()
        }
        endMinute()
        await flushOrTell()
    }

    private func finish() {
        signals.continuation.finish()
        minutes.continuation.finish()
    }

    private func endMinutes() async {
        for await _ in minutes.stream {
            guard await wait(Self.minute) else { return }  // What was counted is noted at once.
            endMinute()
        }
    }

    private func write() async {
        for await _ in signals.stream {
            guard await wait(Self.interval) else { return }  // What waits is written at once.
            await flushOrTell()
            // Lines that could not be written are tried again.
            if state.withLock({ !$0.lines.isEmpty }) { signals.continuation.yield() }
        }
    }

    /// Waits; false at once when it is the end.
    private func wait(_ time: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { [clock] in try await clock.sleep(for: time) }
            return true
        } catch {
            return false
        }
    }

    private func flushOrTell() async {
        let wasWritable = isWritable
        do {
            try await BlockingWork.run { () throws(AuditError) in try self.flush() }
            if !wasWritable, isWritable { logger.notice("The audit is being written again.") }
        } catch {
            if wasWritable { logger.error("\(error)") }
        }
    }
}

extension AuditLog {
    /// Writes down that somebody on this machine is shown a payload.
    ///
    /// - Throws: `AuditError`: whoever cannot be written down is shown nothing.
    package func noteShown(_ id: NotificationID) throws {
        note(
            AuditEntry(
                time: Date(), user: nil, action: .show, what: id.text, address: nil, outcome: "ok",
                reason: "shown to the system's user \(NSUserName())"))
        try flush()
    }
}
