import CampaignCore
import Logging
import NIOCore

/// Does on the event loop what a ``LaneMachine`` decides, and tells it what happens there.
///
/// All of it happens on one event loop, without a task, a promise or a timer for a push. What begins
/// when is decided by ``PushSchedule``; what an answer means, where it is decided for all requests.
final class PushLoop {
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let connector: HubConnector

    private var machine: LaneMachine
    private var token: CurrentToken
    /// Every request is written into the same memory, which the socket has given back by then.
    private var buffer = ByteBuffer()

    /// By their ids, until their channels are closed.
    private(set) var connections: [PushConnection?] = []
    private var sweep: Scheduled<Void>?
    private var wake: Scheduled<Void>?
    private var shutdowns: [EventLoopPromise<Void>] = []

    /// Memory for what has to be done, which is used again.
    private var spare: [LaneAction] = []
    private var isActing = false

    /// Channels that are not closed yet, whoever uses them.
    var channels: Int { machine.channels }

    /// Prepares a loop; nothing is connected to yet.
    ///
    /// - Parameters:
    ///   - eventLoop: the loop that everything happens on.
    ///   - connector: makes connections.
    ///   - tokens: signs requests.
    ///   - limits: how much is done at once, and how long is waited.
    ///   - logger: takes what happens.
    init(
        on eventLoop: any EventLoop, connector: HubConnector, tokens: TokenProvider,
        limits: LaneMachine.Limits, logger: Logger
    ) {
        self.eventLoop = eventLoop
        self.connector = connector
        self.logger = logger
        token = CurrentToken(tokens)
        var random = SystemRandomNumberGenerator()
        machine = LaneMachine(
            limits: limits, proxy: connector.proxyName,
            trackingIDs: TrackingIDGenerator(startingFrom: &random),
            logsAcceptances: logger.logLevel <= .trace)
    }

    /// Takes a page.
    func begin(_ page: OutgoingPage) {
        refreshToken()
        machine.begin(page, isCancelled: page.results.isCancelled, now: .now())
        act()
    }

    /// Ends what has not begun of a page whose task was cancelled.
    func cancel(_ page: OutgoingPage) {
        machine.cancel(page, now: .now())
        act()
    }

    /// Closes every connection, and begins nothing more.
    ///
    /// - Parameter promise: is kept once the last one is closed.
    func shutDown(_ promise: EventLoopPromise<Void>) {
        shutdowns.append(promise)
        let secrets = token.secrets
        machine.shutDown(now: .now()) { [connections] in
            connections[$0]?.answer(hiding: secrets)
        }
        act()
    }

    private func sweepNow() {
        refreshToken()
        let secrets = token.secrets
        machine.sweep(now: .now()) { [connections] in connections[$0]?.answer(hiding: secrets) }
        act()
    }

    /// Before anything is written with it, so that the machine knows which token each request has.
    private func refreshToken() {
        if token.refresh() { machine.tokenChanged() }
    }
}

// MARK: What connections report

extension PushLoop {
    /// TLS is agreed on.
    func agreed(_ connection: PushConnection) {
        machine.ready(connection.id, now: .now())
        act()
    }

    /// An answer is whole, or will never be.
    func answered(_ connection: PushConnection, _ progress: AnswerParser.Progress) {
        let answer = connection.takeAnswer(hiding: token.secrets)
        if progress == .complete, connection.keepsAlive, let answer {
            machine.answered(connection.id, answer, now: .now())
        } else {
            machine.broke(
                connection.id, answer, isMalformed: progress == .malformed, now: .now())
        }
        act()
    }

    /// A connection without a request cannot take one any more.
    func broke(_ connection: PushConnection) {
        machine.broke(connection.id, nil, isMalformed: true, now: .now())
        act()
    }

    /// A connection came to its end, without being told to.
    func ended(_ connection: PushConnection, because cause: TransportFailure.Cause) {
        machine.ended(
            connection.id, connection.answer(hiding: token.secrets), orElse: cause, now: .now())
        act()
    }
}

// MARK: What the machine asks for

extension PushLoop {
    /// Does what the machine has asked for.
    ///
    /// What happens meanwhile, such as a connection that ends while it is written to, waits for its turn.
    private func act() {
        guard !isActing else { return }
        isActing = true
        // In a variable of its own: each look at a property of a class is checked.
        var actions: [LaneAction] = []
        swap(&actions, &spare)
        while machine.takeActions(into: &actions) {
            for action in actions { perform(action) }
            actions.removeAll(keepingCapacity: true)
        }
        swap(&actions, &spare)
        isActing = false
    }

    private func perform(_ action: LaneAction) {
        switch action {
        case .write(let id, let page, let index, let trackingID):
            // Here and nowhere before: the process may have stood still since the push was given its turn.
            guard page.mayGoOut else { return machine.withheld(id, now: .now()) }
            buffer.clear()
            page.template.write(
                page.pushes[index], audience: page.audiences?[index], trackingID,
                authorization: token.header, to: &buffer)
            connections[id]?.send(buffer)
        case .deliver(let batch):
            batch.page.results.post(batch.results, isLast: batch.isLast)
        case .connect(let id): connect(id)
        case .close(let id, let isAbrupt): connections[id]?.close(abruptly: isAbrupt)
        case .renewToken: token.renew()
        case .wake(let instant):
            wake?.cancel()
            wake = eventLoop.assumeIsolated().scheduleTask(deadline: instant) {
                self.machine.wake(now: .now())
                self.act()
            }
        case .sweep(let delay):
            sweep?.cancel()
            sweep = eventLoop.assumeIsolated().scheduleTask(in: delay) { self.sweepNow() }
        case .stopTimers:
            wake?.cancel()
            sweep?.cancel()
        case .log(let trackingID, let run, let event): log(trackingID, of: run, event)
        case .finishShutdown:
            let promises = shutdowns
            shutdowns = []
            for promise in promises { promise.succeed() }
        }
    }

    private func connect(_ id: LaneMachine.ConnectionID) {
        if id == connections.count { connections.append(nil) }
        connector.connect(on: eventLoop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.connected(id, channel)
            case .failure(let error):
                self.machine.connectFailed(
                    id, TransportFailure(error, requestBegan: false), now: .now())
            }
            self.act()
        }
    }

    private func connected(_ id: LaneMachine.ConnectionID, _ channel: any Channel) {
        let connection: PushConnection
        do {
            connection = try channel.pipeline.syncOperations.handler(type: PushConnection.self)
        } catch {
            // The channel has ended already, and its handlers have left.
            return machine.connectFailed(
                id, TransportFailure(cause: .connectionLost), now: .now())
        }
        guard channel.isActive else {
            let cause = connection.failure ?? .connectionLost
            return machine.connectFailed(id, TransportFailure(cause: cause), now: .now())
        }
        connections[id] = connection
        connection.report(to: self, as: id)
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.connections[id] = nil
            self.machine.closed(id, now: .now())
            self.act()
        }
        machine.connected(id, isReady: connection.isReady, now: .now())
    }

    private func log(_ trackingID: TrackingID, of run: RunID?, _ event: LaneAction.Event) {
        var logger = logger
        logger[metadataKey: "tracking-id"] = "\(trackingID)"
        if let run { logger[metadataKey: "run"] = "\(run)" }
        switch event {
        case .accepted:
            logger.trace("The hub took a message")
        case .refused(let status):
            logger.debug(
                "The hub did not take a message", metadata: ["status": "\(status)"])
        case .unanswered(let reason):
            logger.debug("No answer to a message", metadata: ["reason": "\(reason)"])
        }
    }
}
