import CampaignCore
import Logging
import NIOCore
import NIOHTTP1

/// Keeps a fixed set of connections busy, with one request in flight on each.
///
/// All of it happens on one event loop, without a task, a promise or a timer for a push. What begins
/// when is decided by ``PushSchedule``; what an answer means, where it is decided for all requests.
final class PushLoop {
    /// A connection without work is closed after this time, before the hub does it.
    private static let idleLimit = TimeAmount.seconds(60)

    private let eventLoop: any EventLoop
    private let logger: Logger
    /// Asked once, since it is looked at for each push.
    private let isTracing: Bool
    private let limits: PushLoopLimits
    private let connector: HubConnector

    private var schedule = PushSchedule()
    private var token: CurrentToken
    private var trackingIDs: TrackingIDGenerator
    /// Every request is written into the same memory, which the socket has given back by then.
    private var buffer = ByteBuffer()

    /// Pages without all of their results.
    private var pages: [OutgoingPage] = []
    /// Connections that requests can go over, or are going over.
    private(set) var connections: [PushConnection] = []
    /// Those without a request; the one that was used last goes first.
    private var idle: [PushConnection] = []
    private var openings: [OpeningConnection] = []
    /// Channels that are not closed yet, whoever uses them.
    private(set) var channels = 0
    /// Whether the hub was reached when that was tried last; until it is, one connection at a time is made.
    private var isReachable = false
    /// Whether an answer has come since the last sweep.
    private var hasAnswered = false
    /// The sweep after the last answer.
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)

    private var sweep: Scheduled<Void>?
    /// Whether the next sweep is for deadlines, and not only for connections without work.
    private var isSweepingOften = false
    private var nextFlush = NIODeadline.uptimeNanoseconds(0)
    private var pause: (until: NIODeadline, timer: Scheduled<Void>)?
    private var isShutDown = false
    private var shutdowns: [EventLoopPromise<Void>] = []

    init(
        on eventLoop: any EventLoop, connector: HubConnector, tokens: TokenProvider,
        limits: PushLoopLimits, logger: Logger
    ) {
        self.eventLoop = eventLoop
        self.connector = connector
        self.limits = limits
        self.logger = logger
        isTracing = logger.logLevel <= .trace
        token = CurrentToken(tokens)
        var random = SystemRandomNumberGenerator()
        trackingIDs = TrackingIDGenerator(startingFrom: &random)
    }

    /// Begins what may begin, on connections that are free or can be made.
    private func pump() {
        while !idle.isEmpty || mayOpen {
            guard let flight = nextFlight() else { return }
            launch(flight)
        }
    }

    private var mayOpen: Bool {
        connections.count + openings.count < limits.concurrency
            && (isReachable || openings.isEmpty)
    }

    /// Sends a push over a free connection, or over one that is made for it.
    private func launch(_ flight: PushFlight) {
        if let connection = idle.popLast() {
            send(flight, over: connection)
        } else {
            open(for: flight)
        }
    }

    /// Gives a free connection its next push.
    private func feed(_ connection: PushConnection) {
        if let flight = nextFlight() {
            send(flight, over: connection)
        } else {
            connection.idleSince = .now()
            idle.append(connection)
        }
    }

    /// Writes a request.
    private func send(_ flight: consuming PushFlight, over connection: PushConnection) {
        flight.requests += 1
        flight.token = token.number
        buffer.clear()
        flight.page.template.write(
            flight.page.pushes[flight.index], flight.trackingID,
            authorization: token.header, to: &buffer)
        connection.send(buffer, for: flight)
    }

    private func nextFlight() -> PushFlight? {
        while true {
            let now = NIODeadline.now()
            switch schedule.next(now: now) {
            case .push(let page, let index):
                let flight = PushFlight(
                    page: page, index: index, deadline: now + limits.requestTimeout,
                    trackingID: trackingIDs.next())
                guard let fault = page.pushes[index].tagFault else { return flight }
                finish(flight, PushResult(number: flight.number, fault))
            case .pause(let until):
                wake(at: max(until, now + StartPacer.grain))
                return nil
            case .nothing:
                return nil
            }
        }
    }

    private func wake(at instant: NIODeadline) {
        if let pause {
            guard instant < pause.until else { return }
            pause.timer.cancel()
        }
        let timer = eventLoop.assumeIsolated().scheduleTask(deadline: instant) {
            self.pause = nil
            self.pump()
        }
        pause = (instant, timer)
    }
}

extension PushLoop {
    /// Results are handed over this long after the last ones; the sweep comes a little later.
    private static let flushInterval = TimeAmount.milliseconds(150)

    /// Takes a page.
    func begin(_ page: OutgoingPage) {
        if page.results.isCancelled {
            page.dropRest()
        } else if isShutDown {
            page.failRest(TransportFailure(cause: .shutDown))
        }
        guard page.hasNext else { return page.flush() }
        token.refresh()
        pages.append(page)
        schedule.add(page)
        startSweeping()
        closeUnused(.now())
        pump()
    }

    /// Ends what has not begun of a page whose task was cancelled.
    func cancel(_ results: PageResults) {
        guard let page = pages.first(where: { $0.results === results }) else { return }
        drop([page])
        pump()
    }

    /// Gives a push its result.
    private func finish(_ flight: PushFlight, _ result: consuming PushResult) {
        let page = flight.page
        let disposition = result.disposition
        page.finish(result)
        schedule.end(page.platform)
        if case .stop = disposition { drop(pages) }
        if page.open == 0 { complete(page) }
    }

    /// Ends what has not begun of all pages with the failure that it would meet too.
    private func failWaiting(_ failure: TransportFailure) {
        for page in pages {
            schedule.remove(page)
            page.failRest(failure)
            if page.open == 0 { complete(page) } else { page.flush() }
        }
    }

    /// Hands over what has finished of every page, when it is time.
    private func flushPages(now: NIODeadline) {
        guard now >= nextFlush else { return }
        nextFlush = now + Self.flushInterval
        for page in pages { page.flush() }
    }

    /// Ends what has not begun of pages.
    private func drop(_ dropped: [OutgoingPage]) {
        for page in dropped {
            schedule.remove(page)
            page.dropRest()
        }
        // Nothing of these has gone out: they wait for a connection.
        for opening in openings {
            guard let flight = opening.flight, flight.requests == 0,
                dropped.contains(where: { $0 === flight.page })
            else { continue }
            opening.flight = nil
            flight.page.finish(
                PushResult(number: flight.number, disposition: .notSent, requests: 0))
            schedule.end(flight.page.platform)
        }
        for page in dropped {
            if page.open == 0 { complete(page) } else { page.flush() }
        }
    }

    private func complete(_ page: OutgoingPage) {
        guard let place = pages.firstIndex(where: { $0 === page }) else { return }
        pages.remove(at: place)
        page.flush()
    }
}

extension PushLoop {
    /// Makes a connection for a push.
    private func open(for flight: PushFlight) {
        let opening = OpeningConnection(for: flight, deadline: .now() + limits.connectTimeout)
        openings.append(opening)
        connector.connect(on: eventLoop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.connected(opening, channel)
            case .failure(let error):
                self.abandon(opening, TransportFailure(error, requestBegan: false))
            }
        }
    }

    /// TLS is agreed on.
    func agreed(_ connection: PushConnection) {
        guard let opening = openings.first(where: { $0.connection === connection }) else { return }
        ready(opening, connection)
    }

    /// A connection came to its end, without being given up.
    func ended(_ connection: PushConnection) {
        if let opening = openings.first(where: { $0.connection === connection }) {
            return abandon(opening, connection.openingFailure)
        }
        forget(connection)
        guard let flight = connection.takeFlight() else { return }
        let cause = connection.endAnswer()
        conclude(flight, connection.parser, orElse: cause)
        pump()
    }

    /// Gives a connection up.
    func retire(_ connection: PushConnection, abruptly: Bool) {
        forget(connection)
        connection.close(abruptly: abruptly)
    }

    /// Gives up making a connection.
    ///
    /// When it was the last hope, whatever waits for one learns of it too, and nobody has to find out by themselves.
    private func abandon(_ opening: OpeningConnection, _ failure: TransportFailure) {
        guard let place = openings.firstIndex(where: { $0 === opening }) else { return }
        openings.remove(at: place)
        if let flight = opening.flight { fail(flight, failure) }
        opening.connection?.close(abruptly: true)
        isReachable = false
        if connections.isEmpty, openings.isEmpty { failWaiting(failure) }
        // Later, since a connection can fail while it is asked for.
        eventLoop.assumeIsolated().execute { self.pump() }
        finishShutdown()
    }

    private func connected(_ opening: OpeningConnection, _ channel: any Channel) {
        channels += 1
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.channels -= 1
            self.finishShutdown()
        }
        let connection: PushConnection
        do {
            connection = try channel.pipeline.syncOperations.handler(type: PushConnection.self)
        } catch {
            // The channel has ended already, and its handlers have left.
            return abandon(opening, TransportFailure(cause: .connectionLost))
        }
        guard !isShutDown, openings.contains(where: { $0 === opening }), channel.isActive else {
            connection.close(abruptly: true)
            return abandon(opening, connection.openingFailure)
        }
        opening.connection = connection
        connection.report(to: self)
        if connection.isReady { ready(opening, connection) }
    }

    private func ready(_ opening: OpeningConnection, _ connection: PushConnection) {
        openings.removeAll { $0 === opening }
        connection.place = connections.count
        connections.append(connection)
        let wasReachable = isReachable
        isReachable = true
        if let flight = opening.flight {
            send(flight, over: connection)
        } else {
            feed(connection)
        }
        if !wasReachable { pump() }
    }

    private func forget(_ connection: PushConnection) {
        let place = connection.place
        guard place < connections.count, connections[place] === connection else { return }
        let last = connections.removeLast()
        if last !== connection {
            connections[place] = last
            last.place = place
        }
        if connection.flight == nil { idle.removeAll { $0 === connection } }
    }
}

extension PushConnection {
    /// Why it never carried a request.
    fileprivate var openingFailure: TransportFailure {
        TransportFailure(cause: failure ?? .connectionLost)
    }
}

extension PushLoop {
    /// Takes an answer that is whole, or that will never be.
    func answered(_ connection: PushConnection, _ progress: AnswerParser.Progress) {
        guard let flight = connection.takeFlight() else { return }
        hasAnswered = true
        isReachable = true
        let goesOn = progress == .complete && connection.parser.keepsAlive
        guard goesOn else {
            retire(connection, abruptly: progress == .malformed)
            conclude(flight, connection.parser, orElse: .malformedAnswer)
            return pump()
        }
        if connection.parser.isAcceptance {
            accept(flight, connection.parser.messageID)
            feed(connection)
        } else if needsRenewal(flight, status: connection.parser.status) {
            token.renew(refusing: flight.token)
            // Not paced: one request more for each that was in flight, once a token.
            send(flight, over: connection)
        } else {
            refuse(flight, connection.parser)
            feed(connection)
        }
    }

    /// Gives a push whose connection is gone its result, or a second request.
    ///
    /// - Parameters:
    ///   - flight: the push, whose request began.
    ///   - parser: what came of its answer.
    ///   - cause: why there is no more, when that is not enough to know the answer.
    private func conclude(
        _ flight: PushFlight, _ parser: AnswerParser, orElse cause: TransportFailure.Cause
    ) {
        // With its head read, the answer is known, whatever became of the rest of its body.
        guard parser.hasHead else {
            return fail(flight, TransportFailure(cause: cause, requestBegan: true))
        }
        hasAnswered = true
        guard !parser.isAcceptance else { return accept(flight, parser.messageID) }
        guard needsRenewal(flight, status: parser.status) else { return refuse(flight, parser) }
        token.renew(refusing: flight.token)
        guard !isShutDown, flight.deadline > .now() else {
            return fail(flight, TransportFailure(cause: isShutDown ? .shutDown : .timedOut))
        }
        launch(flight)
    }

    /// Gives a push without an answer its result.
    private func fail(_ flight: PushFlight, _ failure: TransportFailure) {
        let error = HubError(noAnswerTo: SendRequest(flight), failure)
        logger.debug(
            "No answer to a message",
            metadata: ["tracking-id": "\(error.trackingID)", "reason": "\(error.reason)"])
        finish(
            flight,
            PushResult(
                number: flight.number,
                SendOutcome(result: .failure(error), requests: flight.requests)))
    }

    private func needsRenewal(_ flight: PushFlight, status: Int) -> Bool {
        status == 401 && flight.requests == 1
    }

    private func accept(_ flight: PushFlight, _ messageID: String?) {
        if isTracing {
            logger.trace(
                "The hub took a message", metadata: ["tracking-id": "\(flight.trackingID)"])
        }
        let tells = messageID.map { token.secrets.areTold(by: $0.utf8) } ?? false
        finish(
            flight,
            PushResult(
                number: flight.number, disposition: .accepted, hubMessage: tells ? nil : messageID,
                requests: flight.requests))
    }

    private func refuse(_ flight: PushFlight, _ parser: AnswerParser) {
        var headers = HTTPHeaders()
        for field in parser.fields { headers.add(name: field.name, value: field.value) }
        var answer = HubAnswer(status: parser.status, headers: headers, body: parser.body)
        answer.secrets = token.secrets
        let disposition = Disposition(
            .answered(status: answer.status, retryAfter: answer.retryAfter))
        logger.debug(
            "The hub did not take a message",
            metadata: ["tracking-id": "\(flight.trackingID)", "status": "\(answer.status)"])
        finish(
            flight,
            PushResult(
                number: flight.number,
                SendOutcome(
                    result: .failure(HubError(SendRequest(flight), answer, disposition)),
                    requests: flight.requests)))
    }
}

extension SendRequest {
    /// The request of a push as errors name it, without what it carried.
    fileprivate init(_ flight: PushFlight) {
        self.init(trackingID: flight.trackingID.description, headers: [:], body: ByteBuffer())
    }
}

extension PushLoop {
    /// Looks at deadlines from now on, for as long as there is anything to wait for.
    private func startSweeping() {
        // Pages that follow close upon another must not put the sweep off again and again.
        guard !isSweepingOften else { return }
        isSweepingOften = true
        sweep?.cancel()
        nextFlush = .now()
        scheduleSweep(in: limits.sweepInterval)
    }

    private func scheduleSweep(in delay: TimeAmount) {
        sweep = eventLoop.assumeIsolated().scheduleTask(in: delay) { self.sweepNow() }
    }

    private func sweepNow() {
        sweep = nil
        let now = NIODeadline.now()
        if hasAnswered { lastAnswer = now }
        hasAnswered = false
        endLate(now)
        closeUnused(now)
        flushPages(now: now)
        isSweepingOften = !pages.isEmpty || !openings.isEmpty
        if isSweepingOften {
            token.refresh()
            scheduleSweep(in: limits.sweepInterval)
        } else if !connections.isEmpty {
            scheduleSweep(in: Self.idleLimit)
        }
    }

    private func endLate(_ now: NIODeadline) {
        let late = connections.filter { $0.flight.map { $0.deadline <= now } ?? false }
        for connection in late {
            guard let flight = connection.takeFlight() else { continue }
            // Not a word to anybody in all of its time: whoever goes next would wait as long in vain.
            let isSilent =
                !connection.parser.hasHead && lastAnswer < flight.deadline - limits.requestTimeout
            retire(connection, abruptly: true)
            conclude(flight, connection.parser, orElse: .timedOut)
            if isSilent {
                isReachable = false
                failWaiting(TransportFailure(cause: .timedOut))
            }
        }
        for opening in openings {
            if let flight = opening.flight, flight.deadline <= now {
                opening.flight = nil
                fail(flight, TransportFailure(cause: .timedOut))
            }
            // Without a connection yet, the system's own timer ends it.
            if opening.connection != nil, opening.deadline <= now {
                abandon(opening, TransportFailure(cause: .tlsHandshake))
            }
        }
        pump()
    }

    /// Closes connections that were without work for too long.
    private func closeUnused(_ now: NIODeadline) {
        for connection in idle where connection.idleSince + Self.idleLimit <= now {
            retire(connection, abruptly: false)
        }
    }
}

extension PushLoop {
    /// Closes every connection, and begins nothing more.
    ///
    /// - Parameter promise: is kept once the last one is closed.
    func shutDown(_ promise: EventLoopPromise<Void>) {
        isShutDown = true
        shutdowns.append(promise)
        for page in pages {
            schedule.remove(page)
            page.failRest(TransportFailure(cause: .shutDown))
        }
        for connection in connections {
            let flight = connection.takeFlight()
            retire(connection, abruptly: flight != nil)
            if let flight { conclude(flight, connection.parser, orElse: .shutDown) }
        }
        for opening in openings {
            if let flight = opening.flight {
                opening.flight = nil
                fail(flight, TransportFailure(cause: .shutDown))
            }
            if opening.connection != nil { abandon(opening, TransportFailure(cause: .shutDown)) }
        }
        // What is still being connected closes itself when it is, and nobody waits for it.
        openings.removeAll { $0.connection == nil }
        for page in pages where page.open == 0 {
            pages.removeAll { $0 === page }
            page.flush()
        }
        sweep?.cancel()
        finishShutdown()
    }

    /// Keeps the promises, once nothing is left.
    private func finishShutdown() {
        guard isShutDown, openings.isEmpty, channels == 0 else { return }
        let promises = shutdowns
        shutdowns = []
        for promise in promises { promise.succeed() }
    }
}

/// How much a ``PushLoop`` does at once, and how long it waits.
struct PushLoopLimits {
    /// The most connections, and so requests in flight.
    let concurrency: Int
    /// The time for a push from its beginning to its answer.
    let requestTimeout: TimeAmount
    /// The time for a connection to be made.
    let connectTimeout: TimeAmount

    init(_ settings: HubClientSettings) {
        concurrency = settings.concurrency
        requestTimeout = TimeAmount(settings.requestTimeout)
        connectTimeout = TimeAmount(min(settings.connectTimeout, settings.requestTimeout))
    }

    /// How often deadlines are looked at: a push may take this much longer.
    var sweepInterval: TimeAmount {
        max(
            .milliseconds(1), min(.milliseconds(100), .nanoseconds(requestTimeout.nanoseconds / 20))
        )
    }
}
