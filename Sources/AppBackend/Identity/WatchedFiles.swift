import Files
import Logging
import Synchronization

/// What people sign in by, read from files, and read again when one of them changes.
///
/// While a file is broken, gone or unsafe, nobody can sign in by them. A changed file is read once
/// two looks in a row find it the same: `htpasswd` writes in place, and half a file would turn
/// people away. What changes all the time is read after ``patience``.
final class WatchedFiles<Content: Sendable>: Sendable {
    private struct State {
        var content: Result<Content, IdentityFault>
        /// The stamps of what was read last.
        ///
        /// None after the first reading: the first look reads again, in case a file changed in the
        /// same tick of the file system's clock in which it was read.
        var stamps: [FileStatus?]?
        var change: (stamps: [FileStatus?], since: ContinuousClock.Instant)?
    }

    /// The longest that changes are waited out.
    private static var patience: Duration { .seconds(5) }
    /// When a client may try again while nobody can sign in.
    private static var retryAfter: Duration { .seconds(10) }

    private let name: String
    private let files: [IdentityFile]
    private let logger: Logger
    private let clock: IdentityClock
    private let load: @Sendable ([[UInt8]]) async throws(IdentityFault) -> Content
    private let state: Mutex<State>

    /// Reads the files for the first time.
    ///
    /// - Parameters:
    ///   - name: what people sign in with by them, as the log calls it.
    ///   - files: the files.
    ///   - logger: is told when nobody can sign in by them any more, and when people can again.
    ///   - clock: the time that changes are waited out by.
    ///   - load: reads their contents, which come in the files' order.
    /// - Throws: ``IdentityFault`` when a file is missing, unsafe or wrong.
    init(
        _ name: String, files: [IdentityFile], logger: Logger, clock: IdentityClock,
        load: @escaping @Sendable ([[UInt8]]) async throws(IdentityFault) -> Content
    ) async throws(IdentityFault) {
        self.name = name
        self.files = files
        self.logger = logger
        self.clock = clock
        self.load = load
        let content = try await Self.read(files, load: load).get()
        state = Mutex(State(content: .success(content)))
    }

    /// What was read last.
    ///
    /// - Throws: ``SignInRefusal/closed(reason:retryAfter:)`` while a file cannot be used.
    func content() throws(SignInRefusal) -> Content {
        switch state.withLock(\.content) {
        case .success(let content):
            return content
        case .failure(let fault):
            throw .closed(reason: fault.description, retryAfter: Self.retryAfter)
        }
    }

    /// Why the files cannot be used; nil: they can.
    var fault: IdentityFault? {
        switch state.withLock(\.content) {
        case .success: nil
        case .failure(let fault): fault
        }
    }

    /// Looks at the files, and reads them when they have changed.
    func look() async {
        let stamps = await BlockingWork.run { [files] in files.map(\.stamp) }
        guard isDue(stamps, now: clock.instant()) else { return }
        let content = await Self.read(files, load: load)
        let before = state.withLock { state in
            defer {
                state.content = content
                state.stamps = stamps
                state.change = nil
            }
            return state.content
        }
        log(content, after: before)
    }

    private func isDue(_ stamps: [FileStatus?], now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard stamps != state.stamps else {
                state.change = nil
                return false
            }
            guard let change = state.change else {
                state.change = (stamps, now)
                return false
            }
            if change.stamps == stamps || now - change.since >= Self.patience { return true }
            state.change = (stamps, change.since)
            return false
        }
    }

    private func log(
        _ content: Result<Content, IdentityFault>, after before: Result<Content, IdentityFault>
    ) {
        switch (before, content) {
        case (.success, .success):
            break
        case (.success, .failure(let fault)):
            logger.error("Nobody can sign in with \(name) any more. \(fault)")
        case (.failure(let before), .failure(let fault)):
            guard before != fault else { return }
            logger.error("Nobody can sign in with \(name) yet. \(fault)")
        case (.failure, .success):
            logger.notice("People can sign in with \(name) again: the files are good.")
        }
    }

    /// Reads on a thread that may wait for a disk.
    private static func read(
        _ files: [IdentityFile],
        load: @Sendable ([[UInt8]]) async throws(IdentityFault) -> Content
    ) async -> Result<Content, IdentityFault> {
        do throws(IdentityFault) {
            let contents = try await BlockingWork.run { () throws(IdentityFault) in
                try Self.contents(of: files)
            }
            return .success(try await load(contents))
        } catch {
            return .failure(error)
        }
    }

    private static func contents(
        of files: [IdentityFile]
    ) throws(IdentityFault) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        for file in files { contents.append(try file.read()) }
        return contents
    }
}
