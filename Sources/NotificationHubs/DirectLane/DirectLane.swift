import CampaignCore
import Logging
import NIOCore
import NIOPosix
import NIOSSL

/// Sends pages over connections of its own, all on one event loop: the way to a hub that is reached
/// directly.
final class DirectLane: PushLane {
    let eventLoop: any EventLoop
    let loop: NIOLoopBoundBox<PushLoop?>
    private let endpoint: HubEndpoint
    private let encoder: SendEncoder
    private let tokens: TokenProvider
    private let settings: HubClientSettings
    private let tls: TLSConfiguration
    private let logger: Logger

    /// Prepares the lane; nothing is connected to yet.
    ///
    /// - Parameters:
    ///   - endpoint: the namespace.
    ///   - encoder: says what requests look like.
    ///   - tokens: signs them.
    ///   - settings: limits and times.
    ///   - tls: how TLS is spoken.
    ///   - logger: takes what happens.
    init(
        endpoint: HubEndpoint, encoder: SendEncoder, tokens: TokenProvider,
        settings: HubClientSettings, tls: TLSConfiguration, logger: Logger
    ) {
        self.endpoint = endpoint
        self.encoder = encoder
        self.tokens = tokens
        self.settings = settings
        self.tls = tls
        self.logger = logger
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        loop = .makeEmptyBox(eventLoop: eventLoop)
    }

    func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async {
        guard !page.pushes.isEmpty else { return }
        guard
            let template = RequestTemplate(
                target: encoder.target, headers: encoder.headers(for: page))
        else {
            let failure = TransportFailure(cause: .invalidRequest)
            return await results(page.pushes.map { PushResult(number: $0.number, failure) })
        }
        let outcomes = PageResults()
        await withTaskCancellationHandler {
            eventLoop.execute {
                self.loopOnLoop.begin(
                    OutgoingPage(page, template: template, results: outcomes))
            }
            while let batch = await outcomes.next() { await results(batch) }
        } onCancel: {
            outcomes.cancel()
            eventLoop.execute { self.loop.value?.cancel(outcomes) }
        }
    }

    /// Closes all connections; what is in flight fails.
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
        let limits = PushLoopLimits(settings)
        let made = PushLoop(
            on: eventLoop,
            connector: HubConnector(endpoint: endpoint, tls: tls, timeout: limits.connectTimeout),
            tokens: tokens, limits: limits, logger: logger)
        loop.value = made
        return made
    }
}

extension DirectLane: CustomStringConvertible, CustomReflectable {
    var description: String { "DirectLane(\(endpoint))" }
    var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }
}
