import CampaignCore
import Logging
import Synchronization

/// Token keys from a key set that is fetched.
///
/// They are fetched again every ten minutes, so that withdrawn keys stop working, and whenever a
/// token names an unknown key, so that new keys work immediately. Clients cannot cause more than
/// one fetch a minute, and only one fetch runs at a time. If fetching fails, the previous keys
/// remain valid for up to a day.
final class FetchedTokenKeys: Sendable {
    /// The minimum time between two fetches.
    static var pause: Duration { .seconds(60) }
    static var freshness: Duration { .seconds(600) }
    static var longestLife: Duration { .seconds(24 * 3600) }
    /// How long a fetch may take; a token that names an unknown key waits for it.
    static var timeout: Duration { .seconds(5) }

    private struct State {
        var keys: TokenKeys
        var received: ContinuousClock.Instant
        var attempted: ContinuousClock.Instant
        var fetch: Task<Void, Never>?
        /// Why the last fetch failed; nil if it succeeded.
        var problem: KeySetError?
    }

    private let url: String
    private let algorithms: [TokenAlgorithm]
    private let documents: any DocumentSource
    private let logger: Logger
    private let clock: IdentityClock
    private let state: Mutex<State>

    /// Fetches the keys; throws ``IdentityError/keySet(place:_:)`` if that fails.
    init(
        _ url: String, for algorithms: [TokenAlgorithm], from documents: any DocumentSource,
        logger: Logger, clock: IdentityClock
    ) async throws(IdentityError) {
        self.url = url
        self.algorithms = algorithms
        self.documents = documents
        self.logger = logger
        self.clock = clock
        let now = clock.instant()
        do throws(KeySetError) {
            let keys = try await Self.keys(at: url, for: algorithms, from: documents)
            keys.log(to: logger)
            state = Mutex(State(keys: keys, received: now, attempted: now))
        } catch {
            throw .keySet(place: url, error)
        }
    }

    func content() throws(SignInRefusal) -> TokenKeys {
        if let problem { throw .closed(reason: problem.description, retryAfter: Self.pause) }
        return state.withLock(\.keys)
    }

    var problem: IdentityError? {
        let now = clock.instant()
        let problem = state.withLock { state in
            now - state.received < Self.longestLife ? nil : state.problem
        }
        return problem.map { .keySet(place: url, $0) }
    }

    /// Fetches keys for a token that names an unknown key; nil if nothing was fetched.
    func renewed() async -> TokenKeys? {
        guard let fetch = state.withLock({ fetch(&$0, after: Self.pause) }) else { return nil }
        await fetch.value
        return state.withLock(\.keys)
    }

    /// Starts a fetch if the keys are old; returns the running fetch.
    @discardableResult
    func refresh() -> Task<Void, Never>? {
        state.withLock { state in
            fetch(&state, after: state.problem == nil ? Self.freshness : Self.pause)
        }
    }

    /// The running fetch, or a new fetch if the last one began long enough ago.
    private func fetch(_ state: inout State, after pause: Duration) -> Task<Void, Never>? {
        if let fetch = state.fetch { return fetch }
        let now = clock.instant()
        guard now - state.attempted >= pause else { return nil }
        state.attempted = now
        // A separate task, with its own time limit, outlives the first caller.
        let fetch = Task { await self.fetch() }
        state.fetch = fetch
        return fetch
    }

    private func fetch() async {
        let result: Result<TokenKeys, KeySetError>
        do throws(KeySetError) {
            result = .success(
                try await Self.keys(at: url, for: algorithms, from: documents))
        } catch {
            result = .failure(error)
        }
        let now = clock.instant()
        let (before, known) = state.withLock { state in
            defer {
                state.fetch = nil
                switch result {
                case .success(let keys):
                    (state.keys, state.received, state.problem) = (keys, now, nil)
                case .failure(let problem):
                    state.problem = problem
                }
            }
            return (state.problem, state.keys.unused)
        }
        log(result, after: before)
        if case .success(let keys) = result { keys.log(to: logger, after: known) }
    }

    private func log(_ result: Result<TokenKeys, KeySetError>, after before: KeySetError?) {
        switch (before, result) {
        case (nil, .failure(let problem)):
            logger.warning(
                """
                The token keys cannot be loaded from \(url): \(problem). The previous keys remain \
                valid for a day; the backend tries again every minute.
                """)
        case (.some, .success):
            logger.notice("The token keys can be loaded again.")
        case (nil, .success), (.some, .failure):
            break
        }
    }

    private static func keys(
        at url: String, for algorithms: [TokenAlgorithm], from documents: any DocumentSource
    ) async throws(KeySetError) -> TokenKeys {
        let bytes: [UInt8]
        do throws(DocumentError) {
            bytes = try await documents.document(
                at: url, limit: KeySetDocument.limit, within: timeout)
        } catch {
            throw .document(error)
        }
        return try await TokenKeys(keySet: bytes, for: algorithms)
    }
}
