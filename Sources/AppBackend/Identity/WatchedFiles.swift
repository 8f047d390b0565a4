import Files
import Logging
import Synchronization

/// Sign-in data from files, read again when one of them changes.
///
/// While a file is broken, missing or unsafe, nobody can sign in with it. A changed file is read
/// once two looks in a row find it the same: `htpasswd` writes in place, and half a file would turn
/// people away. A file that keeps changing is read after ``patience``.
final class WatchedFiles<Content: Sendable>: Sendable {
    private struct State {
        var content: Result<Content, IdentityFault>
        /// The stamps of the last reading.
        ///
        /// Nil after the first one, so that the first look reads again: a file may have changed
        /// within the same tick of the file system's clock.
        var stamps: [FileStatus?]?
        var change: (stamps: [FileStatus?], since: ContinuousClock.Instant)?
    }

    /// The longest wait for changes to end.
    private static var patience: Duration { .seconds(5) }
    /// When a client may retry while nobody can sign in.
    private static var retryAfter: Duration { .seconds(10) }

    private let name: String
    private let files: [IdentityFile]
    private let logger: Logger
    private let clock: IdentityClock
    private let load: @Sendable ([[UInt8]]) async throws(IdentityFault) -> Content
    private let state: Mutex<State>

    /// `name` is what the log calls this way to sign in; `load` gets the contents in the files'
    /// order.
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

    func content() throws(SignInRefusal) -> Content {
        switch state.withLock(\.content) {
        case .success(let content):
            return content
        case .failure(let fault):
            throw .closed(reason: fault.description, retryAfter: Self.retryAfter)
        }
    }

    var fault: IdentityFault? {
        switch state.withLock(\.content) {
        case .success: nil
        case .failure(let fault): fault
        }
    }

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
