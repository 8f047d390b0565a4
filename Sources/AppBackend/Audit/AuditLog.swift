package import CampaignCore
import Files
import Foundation
package import FoundationEssentials
package import Logging
import ServiceLifecycle
import Synchronization

/// Appends audit lines to a file within a second.
///
/// Requests are still served while the file cannot be written. Lines then wait in memory, up to a
/// limit; the failure is logged and ``isWritable`` becomes false. Lines beyond the limit are only
/// counted, and the first line written afterwards contains the count.
///
/// Clients that did not sign in cannot fill the disk: only their first refusals get lines.
/// ``RefusalTally`` counts the others and adds one line per address and minute.
package final class AuditLog: Service {
    private static let interval = Duration.seconds(1)
    private static let minute = Duration.seconds(60)
    /// The limit in bytes, which is far more than the audit lines of one second.
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
    /// Signals that the first refusal of a minute was counted.
    private let minutes = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Opens the file, or creates it with mode 0600.
    package init(
        path: String, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) throws(AuditError) {
        file = Mutex(try AuditFile(path: path))
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    package var isWritable: Bool { state.withLock(\.isWritable) }

    package func note(_ entry: AuditEntry) {
        guard !entry.isAnonymous || hasLine(entry) else { return }
        add(entry)
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
        for entry in refusals.withLock({ $0.end(at: now()) }) { add(entry) }
    }

    private func add(_ entry: AuditEntry) {
        let isFirst = state.withLock { state in
            let end = state.lines.count
            entry.append(to: &state.lines)
            guard state.lines.count <= Self.capacity else {
                state.lines.removeSubrange(end...)
                state.lost += 1
                return false
            }
            return end == 0
        }
        if isFirst { signals.continuation.yield() }
    }

    /// Writes the queued lines; if this throws, they remain queued.
    package func flush() throws(AuditError) {
        try file.withLock { file throws(AuditError) in try write(to: &file) }
    }

    private func write(to file: inout AuditFile) throws(AuditError) {
        let (lines, lost) = state.withLock { state in
            defer { (state.lines, state.lost) = ([], 0) }
            return (state.lines, state.lost)
        }
        guard !lines.isEmpty || lost > 0 else { return }
        let all = lost > 0 ? lossLine(lost) + lines : lines
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
            if !lines.isEmpty { state.lines = lines + state.lines }
            state.lost += lost
            state.isWritable = isWritable
        }
    }

    private func lossLine(_ count: Int) -> [UInt8] {
        var object = JSONWriter()
        object.add("time", precise: now())
        object.add("user", nil as String?)
        object.add("action", "lost_lines")
        object.add("what", String(count))
        object.add("from", nil as String?)
        object.add("outcome", "lost")
        return object.text + [UInt8(ascii: "\n")]
    }

    /// Writes until a graceful shutdown or cancellation, then writes what is left.
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
        await flushOrLog()
    }

    private func finish() {
        signals.continuation.finish()
        minutes.continuation.finish()
    }

    private func endMinutes() async {
        for await _ in minutes.stream {
            guard await wait(Self.minute) else { return }
            endMinute()
        }
    }

    private func write() async {
        for await _ in signals.stream {
            guard await wait(Self.interval) else { return }
            await flushOrLog()
            // Failed writes are retried.
            if state.withLock({ !$0.lines.isEmpty }) { signals.continuation.yield() }
        }
    }

    /// Sleeps for the given time; returns false as soon as the log stops.
    private func wait(_ time: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { [clock] in try await clock.sleep(for: time) }
            return true
        } catch {
            return false
        }
    }

    private func flushOrLog() async {
        let wasWritable = isWritable
        do {
            try await BlockingWork.run { () throws(AuditError) in try self.flush() }
            if !wasWritable, isWritable { logger.notice("The audit file can be written again.") }
        } catch {
            if wasWritable { logger.error("\(error)") }
        }
    }
}

extension AuditLog {
    /// Records that a payload is shown to somebody on this machine; if this throws, the payload
    /// must not be shown.
    package func noteShown(_ id: NotificationID) throws {
        note(
            AuditEntry(
                time: Date(), user: nil, action: .show, what: id.text, address: nil, outcome: "ok",
                reason: "shown to the system user \(NSUserName())"))
        try flush()
    }
}
