import CampaignCore
import NIOCore

/// Decides what a lane does: which push goes out over which connection, when connections are made and
/// closed, and what has become of each push.
///
/// It is pure: its owner tells it what happens and when, and then does what ``takeActions(into:)`` gives,
/// in that order. A connection has one request in flight at most, and connections, with those that are
/// being made, are never more than the limit. Every push has exactly one result in the end, which says
/// that it was not sent only when none of it was written.
struct LaneMachine {
    typealias ConnectionID = LaneConnections.ID
    private typealias Flight = LaneConnections.Flight
    private typealias Opening = LaneConnections.Opening

    /// What the hub said to a request.
    enum Answer {
        /// It took the message, and gave it an id.
        case accepted(messageID: String?)
        /// It did not.
        case refused(status: Int, PushDisposition, detail: String)
    }

    /// How much is done at once, and how long is waited.
    struct Limits {
        /// The most connections, and so requests in flight.
        let concurrency: Int
        /// The time for a push from its beginning to its answer.
        let requestTimeout: TimeAmount
        /// The time for a connection to be made.
        let connectTimeout: TimeAmount

        /// How often deadlines are looked at: a push may take this much longer.
        var sweepInterval: TimeAmount {
            let twentieth = TimeAmount.nanoseconds(requestTimeout.nanoseconds / 20)
            return max(.milliseconds(1), min(.milliseconds(100), twentieth))
        }
    }

    /// A connection without work is closed after this time, before the hub does it.
    private static let idleLimit = TimeAmount.seconds(60)

    /// Results are handed over this long after the last ones; the sweep comes a little later.
    private static let flushInterval = TimeAmount.milliseconds(150)

    private let limits: Limits
    private let logsAcceptances: Bool
    /// The proxy as errors name it.
    private let proxy: String?

    private var schedule = PushSchedule()
    private var pages = OpenPages()
    private var connections = LaneConnections()
    private var trackingIDs: TrackingIDGenerator

    /// Counts the tokens that requests went out with.
    private var token = 0
    /// Whether the hub was reached when that was tried last; until it is, one connection at a time is made.
    private var isReachable = false
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)

    private var wakeTime: NIODeadline?
    /// Whether the next sweep is for deadlines, and not only for connections without work.
    private var isSweepingOften = false
    private var nextFlush = NIODeadline.uptimeNanoseconds(0)
    private var isShutDown = false

    private var actions: [LaneAction] = []

    /// Channels that are not closed yet.
    var channels: Int { connections.channels }

    /// Prepares a lane.
    ///
    /// - Parameters:
    ///   - limits: how much is done at once, and how long is waited.
    ///   - proxy: the proxy on the way, as `host:port`, which errors name.
    ///   - trackingIDs: makes the id of each push.
    ///   - logsAcceptances: whether the log has a line for each push that the hub took.
    init(
        limits: Limits, proxy: String?, trackingIDs: TrackingIDGenerator, logsAcceptances: Bool
    ) {
        self.limits = limits
        self.proxy = proxy
        self.trackingIDs = trackingIDs
        self.logsAcceptances = logsAcceptances
    }

    /// Gives what has to be done now.
    ///
    /// - Parameter taken: an empty array; its memory is used again.
    /// - Returns: whether there is anything.
    mutating func takeActions(into taken: inout [LaneAction]) -> Bool {
        swap(&actions, &taken)
        return !taken.isEmpty
    }
}

// MARK: Pages and tokens

extension LaneMachine {
    /// Takes a page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - isCancelled: whether its task was cancelled already.
    ///   - now: the present.
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

    /// Ends what has not gone out of a page whose task was cancelled.
    mutating func cancel(_ page: OutgoingPage, now: NIODeadline) {
        guard let id = pages.id(of: page) else { return }
        drop([id])
        pump(now)
    }

    /// The request that was to be written over a connection was not, since the lease of its page has ended.
    mutating func withheld(_ id: ConnectionID, now: NIODeadline) {
        guard case .busy(var flight) = connections[id] else { return }
        flight.requests -= 1
        finish(flight, Loss.leaseEnded.disposition, detail: Loss.leaseEnded.detail)
        drop([flight.page], as: .leaseEnded)
        feed(id, now)
    }

    /// Another token was taken, since the last one would have ended soon.
    mutating func tokenChanged() {
        token += 1
    }
}

// MARK: Connections

extension LaneMachine {
    /// The network has made a connection.
    ///
    /// - Parameters:
    ///   - id: the connection.
    ///   - isReady: whether requests can go out at once, since no TLS has to be agreed on.
    ///   - now: the present.
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

    /// TLS is agreed on: requests can go out.
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

    /// The network has not made a connection.
    mutating func connectFailed(_ id: ConnectionID, _ failure: TransportFailure, now: NIODeadline) {
        switch connections[id] {
        case .opening(let opening) where !opening.isMade:
            connections.release(id)
            abandon(opening, failure, now)
        case .unwanted: connections.release(id)
        case .none, .opening, .idle, .busy, .closing: break
        }
    }

    /// The answer to a connection's request is whole, and the connection can carry another.
    mutating func answered(_ id: ConnectionID, _ answer: Answer, now: NIODeadline) {
        guard case .busy(let flight) = connections[id] else { return }
        lastAnswer = now
        isReachable = true
        if refusesToken(answer, of: flight) {
            renewToken(of: flight)
            // Not paced: one request more for each that was in flight, once a token.
            write(flight, over: id)
        } else {
            finish(flight, answer)
            feed(id, now)
        }
    }

    /// A connection cannot carry another request, by what the hub has said.
    ///
    /// - Parameters:
    ///   - id: the connection.
    ///   - answer: what the hub said to its request, as far as that is known.
    ///   - isMalformed: whether it is nonsense, so that the hub is given no chance to say more.
    ///   - now: the present.
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

    /// A connection has come to its end, without being told to.
    ///
    /// - Parameters:
    ///   - id: the connection.
    ///   - answer: what the hub said to its request, as far as that is known.
    ///   - cause: why there is no more, when that is not enough to know the answer.
    ///   - now: the present.
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

    /// The channel of a connection is closed.
    mutating func closed(_ id: ConnectionID, now: NIODeadline) {
        ended(id, nil, orElse: .connectionLost, now: now)
        guard case .closing = connections[id] else { return }
        connections.release(id)
        finishShutdown()
    }
}

// MARK: Time

extension LaneMachine {
    /// It is time for a push that had to wait for its start.
    mutating func wake(now: NIODeadline) {
        wakeTime = nil
        pump(now)
    }

    /// Looks at deadlines, and hands over results.
    ///
    /// - Parameters:
    ///   - now: the present.
    ///   - answer: what the hub has said to the request of a connection, as far as that is known.
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
        // Not a word to anybody in all of its time: whoever goes next would wait as long in vain.
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
        // Before the network has made it, the connector's own timer ends it.
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
        // Pages that follow close upon another must not put the sweep off again and again.
        guard !isSweepingOften else { return }
        isSweepingOften = true
        nextFlush = now
        actions.append(.sweep(in: limits.sweepInterval))
    }
}

// MARK: Shutdown

extension LaneMachine {
    /// Closes every connection, and begins nothing more.
    ///
    /// - Parameters:
    ///   - now: the present.
    ///   - answer: what the hub has said to the request of a connection, as far as that is known.
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
                    // It is closed as soon as it is made, and nobody waits for that.
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

// MARK: Beginning pushes

extension LaneMachine {
    private var mayOpen: Bool {
        !isShutDown && connections.established + connections.openings < limits.concurrency
            && (isReachable || connections.openings == 0)
    }

    /// Begins what may begin, on connections that are free or can be made.
    private mutating func pump(_ now: NIODeadline) {
        while connections.hasIdle || mayOpen, let flight = nextFlight(now) { launch(flight, now) }
    }

    /// Sends a push over a free connection, or over one that is made for it.
    private mutating func launch(_ flight: Flight, _ now: NIODeadline) {
        if let id = connections.takeIdle() {
            write(flight, over: id)
        } else {
            let opening = Opening(flight: flight, deadline: now + limits.connectTimeout)
            actions.append(.connect(connections.open(opening)))
        }
    }

    /// Gives a connection its next push, or none.
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
                // Audiences that were given as a header are expressions that were checked.
                guard page.audiences == nil, let fault = page.pushes[index].tagFault else {
                    return flight
                }
                finish(flight, .rejected, detail: fault.description)
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

    /// Tells what a connection that was not made means for its push, and for all that waits.
    private mutating func abandon(
        _ opening: Opening, _ failure: TransportFailure, _ now: NIODeadline
    ) {
        if let flight = opening.flight { fail(flight, failure) }
        isReachable = false
        // It was the last hope: nobody who waits has to find that out by themselves.
        if connections.established + connections.openings == 0 { failWaiting(failure) }
        pump(now)
    }

    /// Gives a push whose connection is gone its result, or a second request.
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
        guard flight.deadline > now else {
            return fail(flight, TransportFailure(cause: .timedOut))
        }
        launch(flight, now)
    }

    private func refusesToken(_ answer: Answer, of flight: Flight) -> Bool {
        guard case .refused(status: 401, _, detail: _) = answer else { return false }
        return flight.requests == 1
    }

    private mutating func renewToken(of flight: Flight) {
        // Where another was taken since, that one is kept.
        guard flight.token == token else { return }
        token += 1
        actions.append(.renewToken)
    }
}

// MARK: Results

extension LaneMachine {
    /// What a push without an answer comes to.
    private struct Loss {
        static let notSent = Loss(disposition: .notSent, detail: "")
        static let leaseEnded = Loss(
            disposition: .notSent, detail: "the lease had ended: others may send it")

        let disposition: PushDisposition
        let detail: String

        /// The result of a push of which nothing was written.
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

    /// Gives a push without an answer its result.
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

    /// Ends what has not gone out of pages as not sent.
    private mutating func drop(_ dropped: [OpenPages.ID], as loss: Loss = .notSent) {
        for id in dropped { endWaiting(of: id, loss) }
        // Of these, nothing has gone out either: they wait for a connection.
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

    /// Ends what has not begun of all pages with the failure that it would meet too.
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

    /// Hands over what has finished of every page.
    private mutating func deliver() {
        for batch in pages.takeBatches() { actions.append(.deliver(batch)) }
    }
}
