import CampaignCore
import Logging
import NIOCore

/// Keeps a fixed set of connections busy, with one request in flight on each.
///
/// All of it happens on one event loop, without a task, a promise or a timer for a push. What begins
/// when is decided by ``PushSchedule``; what an answer means, where it is decided for all requests.
final class PushLoop {
    /// A connection without work is closed after this time, before the hub does it.
    static let idleLimit = TimeAmount.seconds(60)

    let eventLoop: any EventLoop
    let logger: Logger
    /// Asked once, since it is looked at for each push.
    let isTracing: Bool
    let limits: PushLoopLimits
    let connector: HubConnector

    var schedule = PushSchedule()
    var token: CurrentToken
    var trackingIDs: TrackingIDGenerator
    /// Every request is written into the same memory, which the socket has given back by then.
    private var buffer = ByteBuffer()

    /// Pages without all of their results.
    var pages: [OutgoingPage] = []
    /// Connections that requests can go over, or are going over.
    var connections: [PushConnection] = []
    /// Those without a request; the one that was used last goes first.
    var idle: [PushConnection] = []
    var openings: [OpeningConnection] = []
    /// Channels that are not closed yet, whoever uses them.
    var channels = 0
    /// Whether the hub was reached when that was tried last; until it is, one connection at a time is made.
    var isReachable = false
    /// Whether an answer has come since the last sweep.
    var hasAnswered = false
    /// The sweep after the last answer.
    var lastAnswer = NIODeadline.uptimeNanoseconds(0)

    var sweep: Scheduled<Void>?
    /// Whether the next sweep is for deadlines, and not only for connections without work.
    var isSweepingOften = false
    var nextFlush = NIODeadline.uptimeNanoseconds(0)
    private var pause: (until: NIODeadline, timer: Scheduled<Void>)?
    var isShutDown = false
    var shutdowns: [EventLoopPromise<Void>] = []

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
    func pump() {
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
    func launch(_ flight: PushFlight) {
        if let connection = idle.popLast() {
            send(flight, over: connection)
        } else {
            open(for: flight)
        }
    }

    /// Gives a free connection its next push.
    func feed(_ connection: PushConnection) {
        if let flight = nextFlight() {
            send(flight, over: connection)
        } else {
            connection.idleSince = .now()
            idle.append(connection)
        }
    }

    /// Writes a request.
    func send(_ flight: consuming PushFlight, over connection: PushConnection) {
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
