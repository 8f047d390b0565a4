import CampaignCore
import Logging
import Synchronization

/// The keys of a fetched set.
///
/// They are fetched again every ten minutes, so a withdrawn key stops working, and when a token
/// names an unknown key, so a new key works at once. Clients cannot cause more than one fetch a
/// minute, and only one runs at a time. If a fetch fails, the previous keys count for up to a day.
final class FetchedTokenKeys: Sendable {
    /// The minimum between two fetches.
    static var pause: Duration { .seconds(60) }
    static var freshness: Duration { .seconds(600) }
    static var longestLife: Duration { .seconds(24 * 3600) }
    /// How long a fetch may take; a token with an unknown key waits for it.
    static var patience: Duration { .seconds(5) }

    private struct State {
        var keys: TokenKeys
        var received: ContinuousClock.Instant
        var attempted: ContinuousClock.Instant
        var fetch: Task<Void, Never>?
        /// Why the last fetch failed; nil when it succeeded.
        var fault: KeySetFault?
    }

    private let url: String
    private let algorithms: [TokenAlgorithm]
    private let documents: any DocumentSource
    private let logger: Logger
    private let clock: IdentityClock
    private let state: Mutex<State>

    /// Fetches the keys; throws ``IdentityFault/keySet(place:_:)`` when that fails.
    init(
        _ url: String, for algorithms: [TokenAlgorithm], from documents: any DocumentSource,
        logger: Logger, clock: IdentityClock
    ) async throws(IdentityFault) {
        self.url = url
        self.algorithms = algorithms
        self.documents = documents
        self.logger = logger
        self.clock = clock
        let now = clock.instant()
        do throws(KeySetFault) {
            let keys = try await Self.keys(at: url, for: algorithms, from: documents)
            keys.log(to: logger)
            state = Mutex(State(keys: keys, received: now, attempted: now))
        } catch {
            throw .keySet(place: url, error)
        }
    }

    func content() throws(SignInRefusal) -> TokenKeys {
        if let fault { throw .closed(reason: fault.description, retryAfter: Self.pause) }
        return state.withLock(\.keys)
    }

    var fault: IdentityFault? {
        let now = clock.instant()
        let fault = state.withLock { state in
            now - state.received < Self.longestLife ? nil : state.fault
        }
        return fault.map { .keySet(place: url, $0) }
    }

    /// Fetches keys for a token that names an unknown one; nil when there was no fetch.
    func renewed() async -> TokenKeys? {
        guard let fetch = state.withLock({ fetch(&$0, after: Self.pause) }) else { return nil }
        await fetch.value
        return state.withLock(\.keys)
    }

    /// Starts a fetch when the keys are old; returns the running fetch.
    @discardableResult
    func look() -> Task<Void, Never>? {
        state.withLock { state in
            fetch(&state, after: state.fault == nil ? Self.freshness : Self.pause)
        }
    }

    /// The running fetch, or a new one if the last began long enough ago.
    private func fetch(_ state: inout State, after pause: Duration) -> Task<Void, Never>? {
        if let fetch = state.fetch { return fetch }
        let now = clock.instant()
        guard now - state.attempted >= pause else { return nil }
        state.attempted = now
        // A separate task, so that it survives the first caller; it ends by itself in time.
        let fetch = Task { await self.fetch() }
        state.fetch = fetch
        return fetch
    }

    private func fetch() async {
        let result: Result<TokenKeys, KeySetFault>
        do throws(KeySetFault) {
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
                    (state.keys, state.received, state.fault) = (keys, now, nil)
                case .failure(let fault):
                    state.fault = fault
                }
            }
            return (state.fault, state.keys.passedOver)
        }
        log(result, after: before)
        if case .success(let keys) = result { keys.log(to: logger, after: known) }
    }

    private func log(_ result: Result<TokenKeys, KeySetFault>, after before: KeySetFault?) {
        switch (before, result) {
        case (nil, .failure(let fault)):
            logger.warning(
                """
                The keys of tokens cannot be had from \(url): \(fault). Those of before count for a day, and it is tried again each \
                minute.
                """)
        case (.some, .success):
            logger.notice("The keys of tokens can be had again.")
        case (nil, .success), (.some, .failure):
            break
        }
    }

    private static func keys(
        at url: String, for algorithms: [TokenAlgorithm], from documents: any DocumentSource
    ) async throws(KeySetFault) -> TokenKeys {
        let bytes: [UInt8]
        do throws(DocumentFault) {
            bytes = try await documents.document(
                at: url, limit: KeySetDocument.limit, within: patience)
        } catch {
            throw .document(error)
        }
        return try await TokenKeys(keySet: bytes, for: algorithms)
    }
}
