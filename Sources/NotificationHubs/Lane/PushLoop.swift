import CampaignCore
import Logging
import NIOCore

/// Executes the actions of a ``LaneMachine`` and reports events to it, on one event loop.
///
/// It needs no task, promise or timer for each push.
final class PushLoop {
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let connector: HubConnector

    private var machine: LaneMachine
    private var token: CurrentToken
    /// The buffer is reused for every request, because the socket releases it after each write.
    private var buffer = ByteBuffer()

    /// The connections, by id.
    private(set) var connections: [PushConnection?] = []
    private var sweep: Scheduled<Void>?
    private var wake: Scheduled<Void>?
    private var shutdowns: [EventLoopPromise<Void>] = []

    /// The actions; the array's memory is reused.
    private var spare: [LaneAction] = []
    private var isActing = false

    var channels: Int { machine.channels }

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

    func begin(_ page: OutgoingPage) {
        refreshToken()
        machine.begin(page, isCancelled: page.results.isCancelled, now: .now())
        act()
    }

    func cancel(_ page: OutgoingPage) {
        machine.cancel(page, now: .now())
        act()
    }

    /// Closes all connections, then completes the promise.
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

    /// Called before writing, so that the machine knows the token of each request.
    private func refreshToken() {
        if token.refresh() { machine.tokenChanged() }
    }
}

// MARK: Events of connections

extension PushLoop {
    func agreed(_ connection: PushConnection) {
        machine.ready(connection.id, now: .now())
        act()
    }

    /// Handles a response that is complete or will never be complete.
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

    /// Handles an idle connection that can no longer be used.
    func broke(_ connection: PushConnection) {
        machine.broke(connection.id, nil, isMalformed: true, now: .now())
        act()
    }

    /// Handles a connection that ended by itself.
    func ended(_ connection: PushConnection, because cause: TransportFailure.Cause) {
        machine.ended(
            connection.id, connection.answer(hiding: token.secrets), orElse: cause, now: .now())
        act()
    }
}

// MARK: Actions of the machine

extension PushLoop {
    /// Executes the machine's actions; events that occur in the meantime are handled afterwards.
    private func act() {
        guard !isActing else { return }
        isActing = true
        // A local variable avoids the exclusivity check of every access to a class's property.
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
            // This is checked last, because the process may have been suspended after the push was
            // started.
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
            // The channel has ended, and its handlers are gone.
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
            logger.trace("The hub accepted a message")
        case .refused(let status):
            logger.debug(
                "The hub did not accept a message", metadata: ["status": "\(status)"])
        case .unanswered(let reason):
            logger.debug("The hub did not respond to a message", metadata: ["reason": "\(reason)"])
        }
    }
}
