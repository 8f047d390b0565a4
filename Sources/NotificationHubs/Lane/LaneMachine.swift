import CampaignCore
import NIOCore

/// The state machine of a lane, which decides which push uses which connection, when connections
/// are opened and closed, and each result.
///
/// Its owner reports events to it, and then performs the actions from ``takeActions(into:)`` in
/// order. A connection has at most one request in flight. Every push gets exactly one result; "not
/// sent" means that no part of the request was written.
struct LaneMachine {
    typealias ConnectionID = LaneConnections.ID
    private typealias Flight = LaneConnections.Flight
    private typealias Opening = LaneConnections.Opening

    enum Answer {
        /// The hub accepted the message and assigned it an id.
        case accepted(messageID: String?)
        /// The hub did not accept the message.
        case refused(status: Int, PushDisposition, detail: String)
    }

    struct Limits {
        /// The maximum number of connections, which is also the maximum number of requests in
        /// flight.
        let concurrency: Int
        /// The timeout for a push, including its response.
        let requestTimeout: TimeAmount
        let connectTimeout: TimeAmount
        /// How many times a push is repeated with another token after a 401.
        var renewals = 1

        /// The interval between deadline checks; a push may exceed its deadline by this much.
        var sweepInterval: TimeAmount {
            let twentieth = TimeAmount.nanoseconds(requestTimeout.nanoseconds / 20)
            return max(.milliseconds(1), min(.milliseconds(100), twentieth))
        }
    }

    /// An idle connection is closed after this time, before the hub closes it.
    private static let idleLimit = TimeAmount.seconds(60)

    /// The minimum time between deliveries of results; they may be slightly later.
    private static let flushInterval = TimeAmount.milliseconds(150)

    private let limits: Limits
    private let logsAcceptances: Bool
    /// The proxy as `host:port`, for error messages.
    private let proxy: String?

    private var schedule = PushSchedule()
    private var pages = OpenPages()
    private var connections = LaneConnections()
    private var trackingIDs: TrackingIDGenerator

    /// The number of tokens that requests have used so far.
    private var token = 0
    /// Whether the last attempt reached the hub; if not, connections are tried one at a time.
    private var isReachable = false
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)

    private var wakeTime: NIODeadline?
    /// Whether the next sweep also checks deadlines.
    private var isSweepingOften = false
    private var nextFlush = NIODeadline.uptimeNanoseconds(0)
    private var isShutDown = false

    private var actions: [LaneAction] = []

    var channels: Int { connections.channels }

    init(
        limits: Limits, proxy: String?, trackingIDs: TrackingIDGenerator, logsAcceptances: Bool
    ) {
        self.limits = limits
        self.proxy = proxy
        self.trackingIDs = trackingIDs
        self.logsAcceptances = logsAcceptances
    }

    /// Moves the pending actions into an empty array, whose memory is reused.
    mutating func takeActions(into taken: inout [LaneAction]) -> Bool {
        swap(&actions, &taken)
        return !taken.isEmpty
    }
}

// MARK: Pages and tokens

extension LaneMachine {
    /// Adds a page, whose task may already be cancelled.
    mutating func begin(_ page: OutgoingPage, isCancelled: Bool, now: NIODeadline) {
        guard !isCancelled, !isShutDown, !page.pushes.isEmpty else {
            let rest = isCancelled ? Loss.notSent : loss(TransportFailure(cause: .shutDown))
            let results = page.pushes.map { rest.result(of: $0) }
            return actions.append(
                .deliver(ResultBatch(page: page, results: results, isLast: true)))
        }
        schedule.add(page, as: pages.add(page))
        startSweeping(now)
        closeUnused(now)
        pump(now)
    }

    /// Ends the unsent pushes of a page whose task was cancelled.
    mutating func cancel(_ page: OutgoingPage, now: NIODeadline) {
        guard let id = pages.id(of: page) else { return }
        drop([id])
        pump(now)
    }

    /// Handles a request that was not written because the lease of its page expired.
    mutating func withheld(_ id: ConnectionID, now: NIODeadline) {
        guard case .busy(var flight) = connections[id] else { return }
        flight.requests -= 1
        finish(flight, Loss.leaseEnded.disposition, detail: Loss.leaseEnded.detail)
        drop([flight.page], as: .leaseEnded)
        feed(id, now)
    }

    /// Handles a token that was replaced before its expiry.
    mutating func tokenChanged() {
        token += 1
    }
}

// MARK: Connections

extension LaneMachine {
    /// Handles a new connection; without TLS, it can carry requests immediately.
    mutating func connected(_ id: ConnectionID, isReady: Bool, now: NIODeadline) {
        switch connections[id] {
        case .opening(var opening) where !opening.isMade:
            opening.isMade = true
            connections.move(id, to: .opening(opening))
            if isReady { ready(id, now: now) }
        case .unwanted: close(id, abruptly: true)
        case .none, .opening, .idle, .busy, .closing: break
        }
    }

    /// Handles a completed TLS handshake, after which the connection can carry requests.
    mutating func ready(_ id: ConnectionID, now: NIODeadline) {
        guard case .opening(let opening) = connections[id], opening.isMade else { return }
        let wasReachable = isReachable
        isReachable = true
        if let flight = opening.flight {
            write(flight, over: id)
        } else {
            feed(id, now)
        }
        if !wasReachable { pump(now) }
    }

    mutating func connectFailed(_ id: ConnectionID, _ failure: TransportFailure, now: NIODeadline) {
        switch connections[id] {
        case .opening(let opening) where !opening.isMade:
            connections.release(id)
            abandon(opening, failure, now)
        case .unwanted: connections.release(id)
        case .none, .opening, .idle, .busy, .closing: break
        }
    }

    /// Handles a complete response, after which the connection can carry another request.
    mutating func answered(_ id: ConnectionID, _ answer: Answer, now: NIODeadline) {
        guard case .busy(let flight) = connections[id] else { return }
        lastAnswer = now
        isReachable = true
        if refusesToken(answer, of: flight) {
            renewToken(of: flight)
            // These requests are not paced, because there is at most one per token and push in
            // flight.
            write(flight, over: id)
        } else {
            finish(flight, answer)
            feed(id, now)
        }
    }

    /// Handles a connection that cannot carry another request; after a malformed response, it is
    /// closed abruptly.
    mutating func broke(
        _ id: ConnectionID, _ answer: Answer?, isMalformed: Bool, now: NIODeadline
    ) {
        switch connections[id] {
        case .busy(let flight):
            lastAnswer = now
            isReachable = true
            close(id, abruptly: isMalformed)
            conclude(flight, answer, orElse: .malformedAnswer, now)
            pump(now)
        case .idle: close(id, abruptly: isMalformed)
        case .none, .opening, .unwanted, .closing: break
        }
    }

    /// Handles a connection that ended by itself; `cause` is the result of its push if the response
    /// is not known.
    mutating func ended(
        _ id: ConnectionID, _ answer: Answer?, orElse cause: TransportFailure.Cause,
        now: NIODeadline
    ) {
        switch connections[id] {
        case .opening(let opening) where opening.isMade:
            connections.move(id, to: .closing)
            abandon(opening, TransportFailure(cause: cause), now)
        case .busy(let flight):
            connections.move(id, to: .closing)
            conclude(flight, answer, orElse: cause, now)
            pump(now)
        case .idle:
            connections.move(id, to: .closing)
            pump(now)
        case .none, .opening, .unwanted, .closing: break
        }
    }

    mutating func closed(_ id: ConnectionID, now: NIODeadline) {
        ended(id, nil, orElse: .connectionLost, now: now)
        guard case .closing = connections[id] else { return }
        connections.release(id)
        finishShutdown()
    }
}

// MARK: Time

extension LaneMachine {
    /// A delayed push may be ready to start.
    mutating func wake(now: NIODeadline) {
        wakeTime = nil
        pump(now)
    }

    /// Checks deadlines, and delivers results.
    mutating func sweep(now: NIODeadline, answer: (ConnectionID) -> Answer?) {
        guard !isShutDown else { return }
        for id in connections.ids {
            switch connections[id] {
            case .busy(let flight) where flight.deadline <= now:
                endLate(flight, over: id, answer(id), now)
            case .opening(let opening): endLate(opening, id, now)
            case .none, .unwanted, .idle, .busy, .closing: break
            }
        }
        pump(now)
        closeUnused(now)
        if now >= nextFlush {
            nextFlush = now + Self.flushInterval
            deliver()
        }
        isSweepingOften = !pages.isEmpty || connections.openings > 0
        if isSweepingOften {
            actions.append(.sweep(in: limits.sweepInterval))
        } else if connections.established > 0 {
            actions.append(.sweep(in: Self.idleLimit))
        }
    }

    private mutating func endLate(
        _ flight: Flight, over id: ConnectionID, _ answer: Answer?, _ now: NIODeadline
    ) {
        // The hub did not respond at all, so it is unlikely to respond to the next request.
        let isSilent = answer == nil && lastAnswer < flight.deadline - limits.requestTimeout
        close(id, abruptly: true)
        conclude(flight, answer, orElse: .timedOut, now)
        guard isSilent else { return }
        isReachable = false
        failWaiting(TransportFailure(cause: .timedOut))
    }

    private mutating func endLate(_ opening: Opening, _ id: ConnectionID, _ now: NIODeadline) {
        var opening = opening
        if let flight = opening.flight, flight.deadline <= now {
            opening.flight = nil
            connections.move(id, to: .opening(opening))
            fail(flight, TransportFailure(cause: .timedOut))
        }
        // Until the connection is established, the connector's own timeout applies.
        guard opening.isMade, opening.deadline <= now else { return }
        close(id, abruptly: true)
        abandon(opening, TransportFailure(cause: .tlsHandshake), now)
    }

    private mutating func wake(at instant: NIODeadline) {
        if let wakeTime, wakeTime <= instant { return }
        wakeTime = instant
        actions.append(.wake(at: instant))
    }

    private mutating func startSweeping(_ now: NIODeadline) {
        // A quick succession of pages must not keep postponing the sweep.
        guard !isSweepingOften else { return }
        isSweepingOften = true
        nextFlush = now
        actions.append(.sweep(in: limits.sweepInterval))
    }
}

// MARK: Shutdown

extension LaneMachine {
    mutating func shutDown(now: NIODeadline, answer: (ConnectionID) -> Answer?) {
        isShutDown = true
        actions.append(.stopTimers)
        let failure = TransportFailure(cause: .shutDown)
        failWaiting(failure)
        for id in connections.ids {
            switch connections[id] {
            case .busy(let flight):
                close(id, abruptly: true)
                conclude(flight, answer(id), orElse: .shutDown, now)
            case .idle: close(id, abruptly: false)
            case .opening(let opening):
                if opening.isMade {
                    close(id, abruptly: true)
                } else {
                    // The connection will be closed as soon as it is open; nothing waits for that.
                    connections.move(id, to: .unwanted)
                }
                if let flight = opening.flight { fail(flight, failure) }
            case .none, .unwanted, .closing: break
            }
        }
        deliver()
        finishShutdown()
    }

    private mutating func finishShutdown() {
        if isShutDown, connections.channels == 0 { actions.append(.finishShutdown) }
    }
}

// MARK: Starting pushes

extension LaneMachine {
    private var mayOpen: Bool {
        !isShutDown && connections.established + connections.openings < limits.concurrency
            && (isReachable || connections.openings == 0)
    }

    /// Starts the pushes that are ready, on free or new connections.
    private mutating func pump(_ now: NIODeadline) {
        while connections.hasIdle || mayOpen, let flight = nextFlight(now) { launch(flight, now) }
    }

    private mutating func launch(_ flight: Flight, _ now: NIODeadline) {
        if let id = connections.takeIdle() {
            write(flight, over: id)
        } else {
            let opening = Opening(flight: flight, deadline: now + limits.connectTimeout)
            actions.append(.connect(connections.open(opening)))
        }
    }

    /// Gives a connection its next push, if there is one.
    private mutating func feed(_ id: ConnectionID, _ now: NIODeadline) {
        if let flight = nextFlight(now) {
            write(flight, over: id)
        } else {
            connections.move(id, to: .idle(since: now))
        }
    }

    private mutating func nextFlight(_ now: NIODeadline) -> Flight? {
        while true {
            switch schedule.next(now: now) {
            case .push(let id, let index):
                guard let page = pages[id] else { continue }
                let flight = Flight(
                    page: id, index: index, number: page.pushes[index].number,
                    platform: page.platform, deadline: now + limits.requestTimeout,
                    trackingID: trackingIDs.next())
                // Audiences that are given as headers have already been checked.
                guard page.audiences == nil, let error = page.pushes[index].tagError else {
                    return flight
                }
                finish(flight, .rejected, detail: error.description)
            case .pause(let until):
                wake(at: max(until, now + StartPacer.grain))
                return nil
            case .nothing: return nil
            }
        }
    }

    private mutating func write(_ flight: consuming Flight, over id: ConnectionID) {
        flight.requests += 1
        flight.token = token
        if let page = pages[flight.page] {
            actions.append(.write(id, page, index: flight.index, flight.trackingID))
        }
        connections.move(id, to: .busy(flight))
    }
}

// MARK: Ending connections

extension LaneMachine {
    private mutating func close(_ id: ConnectionID, abruptly: Bool) {
        connections.move(id, to: .closing)
        actions.append(.close(id, abruptly: abruptly))
    }

    private mutating func closeUnused(_ now: NIODeadline) {
        for id in connections.unused(for: Self.idleLimit, now) { close(id, abruptly: false) }
    }

    /// Ends the push of a failed connection; if no connection is left, also fails the waiting
    /// pushes.
    private mutating func abandon(
        _ opening: Opening, _ failure: TransportFailure, _ now: NIODeadline
    ) {
        if let flight = opening.flight { fail(flight, failure) }
        isReachable = false
        // Without a connection, the waiting pushes would fail in the same way.
        if connections.established + connections.openings == 0 { failWaiting(failure) }
        pump(now)
    }

    /// Completes a push whose connection was lost, or repeats its request.
    private mutating func conclude(
        _ flight: Flight, _ answer: Answer?, orElse cause: TransportFailure.Cause,
        _ now: NIODeadline
    ) {
        guard let answer else {
            return fail(flight, TransportFailure(cause: cause, requestBegan: true))
        }
        lastAnswer = now
        guard refusesToken(answer, of: flight) else { return finish(flight, answer) }
        guard !isShutDown else { return fail(flight, TransportFailure(cause: .shutDown)) }
        renewToken(of: flight)
        guard flight.deadline > now else { return fail(flight, TransportFailure(cause: .timedOut)) }
        launch(flight, now)
    }

    private func refusesToken(_ answer: Answer, of flight: Flight) -> Bool {
        guard case .refused(status: 401, _, detail: _) = answer else { return false }
        return flight.requests <= limits.renewals
    }

    private mutating func renewToken(of flight: Flight) {
        // Does not replace a token that has already been replaced in the meantime.
        guard flight.token == token else { return }
        token += 1
        actions.append(.renewToken)
    }
}

// MARK: Results

extension LaneMachine {
    private struct Loss {
        static let notSent = Loss(disposition: .notSent, detail: "")
        static let leaseEnded = Loss(
            disposition: .notSent,
            detail: "the lease had expired, so another process may send "
                + "the push")

        let disposition: PushDisposition
        let detail: String

        func result(of push: borrowing Push) -> PushResult {
            PushResult(
                number: push.number, disposition: disposition, detail: detail, requests: 0)
        }
    }

    private func loss(_ failure: TransportFailure) -> Loss {
        var failure = failure
        failure.proxy = proxy
        return Loss(disposition: PushDisposition(failure), detail: failure.summary)
    }

    private mutating func finish(_ flight: Flight, _ answer: Answer) {
        switch answer {
        case .accepted(let messageID):
            if logsAcceptances { log(flight, .accepted) }
            finish(flight, .accepted, hubMessage: messageID)
        case .refused(let status, let disposition, let detail):
            log(flight, .refused(status: status))
            finish(flight, disposition, detail: detail)
        }
    }

    private mutating func log(_ flight: Flight, _ event: LaneAction.Event) {
        actions.append(.log(flight.trackingID, pages[flight.page]?.run, event))
    }

    private mutating func fail(_ flight: Flight, _ failure: TransportFailure) {
        let loss = loss(failure)
        log(flight, .unanswered(reason: loss.detail))
        finish(flight, loss.disposition, detail: loss.detail)
    }

    private mutating func finish(
        _ flight: Flight, _ disposition: PushDisposition, detail: String = "",
        hubMessage: String? = nil
    ) {
        schedule.end(flight.platform)
        keep(
            PushResult(
                number: flight.number, disposition: disposition, detail: detail,
                hubMessage: hubMessage, requests: flight.requests), of: flight.page)
        if case .stop = disposition { drop(pages.ids) }
    }

    /// Ends the unsent pushes of pages.
    private mutating func drop(_ dropped: [OpenPages.ID], as loss: Loss = .notSent) {
        for id in dropped { endWaiting(of: id, loss) }
        // These pushes are waiting for a connection, so no part of them was sent.
        for id in connections.ids {
            guard case .opening(var opening) = connections[id], let flight = opening.flight,
                flight.requests == 0, dropped.contains(flight.page),
                let page = pages[flight.page]
            else { continue }
            opening.flight = nil
            connections.move(id, to: .opening(opening))
            schedule.end(flight.platform)
            keep(loss.result(of: page.pushes[flight.index]), of: flight.page)
        }
        deliver()
    }

    /// Fails all pushes that have not started, because the failure would also affect them.
    private mutating func failWaiting(_ failure: TransportFailure) {
        guard !pages.isEmpty else { return }
        let loss = loss(failure)
        for id in pages.ids { endWaiting(of: id, loss) }
        deliver()
    }

    private mutating func endWaiting(of id: OpenPages.ID, _ loss: Loss) {
        guard let page = pages[id] else { return }
        for index in schedule.remove(id, of: page.platform) {
            keep(loss.result(of: page.pushes[index]), of: id)
        }
    }

    private mutating func keep(_ result: consuming PushResult, of page: OpenPages.ID) {
        if let batch = pages.keep(result, of: page) { actions.append(.deliver(batch)) }
    }

    private mutating func deliver() {
        for batch in pages.takeBatches() { actions.append(.deliver(batch)) }
    }
}
