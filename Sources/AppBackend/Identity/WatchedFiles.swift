import Files
import Logging
import Synchronization

/// Sign-in data from files that are reread when one of them changes.
///
/// While a file is broken, missing or unsafe, nobody can sign in with it. A changed file is read
/// once two checks in a row find it unchanged: `htpasswd` writes in place, and a half-written file
/// would lock people out. A file that keeps changing is read after ``timeout`` anyway.
final class WatchedFiles<Content: Sendable>: Sendable {
    private struct State {
        var content: Result<Content, IdentityError>
        /// The stamps of the files when they were last read.
        ///
        /// Nil after the first reading, so that the first check reads the files again: a file may
        /// have changed within the same tick of the file system's clock.
        var stamps: [FileStatus?]?
        var change: (stamps: [FileStatus?], since: ContinuousClock.Instant)?
    }

    /// The longest time to wait for a file to stop changing.
    private static var timeout: Duration { .seconds(5) }
    /// How long a client should wait before it retries while nobody can sign in.
    private static var retryAfter: Duration { .seconds(10) }

    private let name: String
    private let files: [IdentityFile]
    private let logger: Logger
    private let clock: IdentityClock
    private let load: @Sendable ([[UInt8]]) async throws(IdentityError) -> Content
    private let state: Mutex<State>

    /// `name` describes this kind of sign-in in the log; `load` receives the contents in the order
    /// of the files.
    init(
        _ name: String, files: [IdentityFile], logger: Logger, clock: IdentityClock,
        load: @escaping @Sendable ([[UInt8]]) async throws(IdentityError) -> Content
    ) async throws(IdentityError) {
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
        case .failure(let problem):
            throw .closed(reason: problem.description, retryAfter: Self.retryAfter)
        }
    }

    var problem: IdentityError? {
        switch state.withLock(\.content) {
        case .success: nil
        case .failure(let problem): problem
        }
    }

    func refresh() async {
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
            if change.stamps == stamps || now - change.since >= Self.timeout { return true }
            state.change = (stamps, change.since)
            return false
        }
    }

    private func log(
        _ content: Result<Content, IdentityError>, after before: Result<Content, IdentityError>
    ) {
        switch (before, content) {
        case (.success, .success):
            break
        case (.success, .failure(let problem)):
            logger.error("Nobody can sign in with \(name) any more. \(problem)")
        case (.failure(let before), .failure(let problem)):
            guard before != problem else { return }
            logger.error("Nobody can sign in with \(name) yet. \(problem)")
        case (.failure, .success):
            logger.notice("People can sign in with \(name) again: the files are valid.")
        }
    }

    /// Reads on a separate thread, because the disk may be slow.
    private static func read(
        _ files: [IdentityFile],
        load: @Sendable ([[UInt8]]) async throws(IdentityError) -> Content
    ) async -> Result<Content, IdentityError> {
        do throws(IdentityError) {
            let contents = try await BlockingWork.run { () throws(IdentityError) in
                try Self.contents(of: files)
            }
            return .success(try await load(contents))
        } catch {
            return .failure(error)
        }
    }

    private static func contents(
        of files: [IdentityFile]
    ) throws(IdentityError) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        for file in files { contents.append(try file.read()) }
        return contents
    }
}
