import CampaignCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Sends pages of pushes over its own connections; ``LaneMachine`` makes the decisions, and
/// ``PushLoop`` executes them on one event loop.
final class PushLane: Sendable {
    let eventLoop: any EventLoop
    let loop: NIOLoopBoundBox<PushLoop?>
    private let endpoint: HubEndpoint
    private let encoder: SendEncoder
    private let tokens: TokenProvider
    private let settings: HubClientSettings
    private let tls: TLSConfiguration
    private let logger: Logger
    fileprivate let instruments: HubInstruments

    init(
        endpoint: HubEndpoint, encoder: SendEncoder, tokens: TokenProvider,
        settings: HubClientSettings, tls: TLSConfiguration, logger: Logger,
        instruments: HubInstruments
    ) {
        self.endpoint = endpoint
        self.encoder = encoder
        self.tokens = tokens
        self.settings = settings
        self.tls = tls
        self.logger = logger
        self.instruments = instruments
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        loop = .makeEmptyBox(eventLoop: eventLoop)
    }

    func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async {
        let prepared = prepare(page, headers: encoder.headers(for: page))
        await withTaskCancellationHandler {
            prepared.begin()
            while let batch = await prepared.next() { await results(batch) }
        } onCancel: {
            prepared.cancel()
        }
    }

    /// Prepares a page without sending it; if it cannot be sent, it already has its results.
    func prepare(
        _ page: PushPage, headers: HTTPHeaders, audiences: [String]? = nil
    ) -> PreparedPage {
        let results = PageResults()
        let template = RequestTemplate(target: encoder.target, headers: headers)
        if let template, !page.pushes.isEmpty {
            return PreparedPage(
                lane: self, results: results,
                outgoing: OutgoingPage(
                    page, audiences: audiences, template: template, results: results))
        }
        let failure = TransportFailure(cause: .invalidRequest)
        results.post(page.pushes.map { PushResult(notBegun: $0, failure) }, isLast: true)
        return PreparedPage(lane: self, results: results, outgoing: nil)
    }

    fileprivate func begin(_ page: OutgoingPage) {
        eventLoop.execute { self.loopOnLoop.begin(page) }
    }

    fileprivate func cancel(_ page: OutgoingPage) {
        eventLoop.execute { self.loop.value?.cancel(page) }
    }

    /// Closes all connections; pushes in flight fail.
    func shutDown() async {
        let promise = eventLoop.makePromise(of: Void.self)
        eventLoop.execute { self.loopOnLoop.shutDown(promise) }
        do {
            try await promise.futureResult.get()
        } catch {
            logger.error("The connections were not closed", metadata: ["error": "\(error)"])
        }
    }

    private var loopOnLoop: PushLoop {
        if let existing = loop.value { return existing }
        let limits = LaneMachine.Limits(
            concurrency: settings.concurrency,
            requestTimeout: TimeAmount(settings.requestTimeout),
            connectTimeout: TimeAmount(min(settings.connectTimeout, settings.requestTimeout)),
            renewals: tokens.renewals)
        let made = PushLoop(
            on: eventLoop,
            connector: HubConnector(
                endpoint: endpoint, proxy: settings.proxy, tls: tls,
                timeout: limits.connectTimeout),
            tokens: tokens, limits: limits, logger: logger)
        loop.value = made
        return made
    }
}

extension PushLane: CustomStringConvertible, CustomReflectable {
    var description: String { "PushLane(\(endpoint))" }
    var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }
}

/// A page that can be sent once.
struct PreparedPage: Sendable {
    fileprivate let lane: PushLane
    fileprivate let results: PageResults
    /// The page; nil if there is nothing to send.
    fileprivate let outgoing: OutgoingPage?

    func begin() {
        if let outgoing { lane.begin(outgoing) }
    }

    /// Returns all results since the last call; nil after the last result.
    func next() async -> [PushResult]? {
        guard let batch = await results.next() else { return nil }
        lane.instruments.count(batch)
        return batch
    }

    func cancel() {
        results.cancel()
        if let outgoing { lane.cancel(outgoing) }
    }
}

/// The results of one page that its task has not taken yet.
final class PageResults: Sendable {
    private struct State {
        var batch: [PushResult] = []
        var isComplete = false
        var isCancelled = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func post(_ results: [PushResult], isLast: Bool) {
        let reader = state.withLock { state in
            if state.batch.isEmpty { state.batch = results } else { state.batch += results }
            state.isComplete = isLast
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Returns all results since the last call; nil after the last result.
    func next() async -> [PushResult]? {
        while true {
            let (batch, isComplete) = state.withLock { state in
                defer { state.batch = [] }
                return (state.batch, state.isComplete)
            }
            if !batch.isEmpty { return batch }
            if isComplete { return nil }
            await wait()
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !state.batch.isEmpty || state.isComplete { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
