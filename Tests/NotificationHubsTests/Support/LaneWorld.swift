import CampaignCore
import NIOCore
import NIOHTTP1

@testable import NotificationHubs

/// The network and the clock around a ``LaneMachine``; promises that are broken are listed in
/// ``violations``.
struct LaneWorld {
    enum Wire: Hashable {
        case connecting
        /// The TLS handshake is in progress.
        case agreeing
        /// The connection is open; the number identifies the push in flight.
        case open(Int?)
        /// The connection has ended or was asked to end, but its channel is not closed yet.
        case ending
    }

    private(set) var machine: LaneMachine
    private(set) var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private(set) var wires: [LaneConnections.ID: Wire] = [:]
    private(set) var pages: [OutgoingPage] = []
    private(set) var results: [Int: PushResult] = [:]
    private(set) var written: [Int: Int] = [:]
    private(set) var renewals = 0
    /// The pushes that were not written because their lease had expired.
    private(set) var withheld: Set<Int> = []
    private(set) var isClosed = false
    private(set) var violations: [String] = []
    private(set) var sweepTime: NIODeadline?
    private(set) var wakeTime: NIODeadline?

    private let concurrency: Int
    private var isShutDown = false
    private var unanswered: Set<Int> = []
    /// The parts of incomplete responses.
    private var known: [LaneConnections.ID: LaneMachine.Answer] = [:]
    private var ended: Set<ObjectIdentifier> = []
    private var said: [String] = []
    private var actions: [LaneAction] = []

    init(
        concurrency: Int = 2, requestTimeout: TimeAmount = .seconds(10),
        connectTimeout: TimeAmount = .seconds(5), proxy: String? = nil
    ) {
        self.concurrency = concurrency
        var random = SeededRandom(seed: 1)
        machine = LaneMachine(
            limits: LaneMachine.Limits(
                concurrency: concurrency, requestTimeout: requestTimeout,
                connectTimeout: connectTimeout),
            proxy: proxy, trackingIDs: TrackingIDGenerator(startingFrom: &random),
            logsAcceptances: false)
    }

    /// Ordered by push number.
    var dispositions: [PushDisposition] {
        results.sorted { $0.key < $1.key }.map(\.value.disposition)
    }

    var isDone: Bool { ended.count == pages.count }

    /// Reports an event and executes the machine's actions; returns their short names, without log
    /// and timers.
    @discardableResult
    mutating func tell(_ event: (inout LaneMachine, NIODeadline) -> Void) -> [String] {
        said = []
        event(&machine, now)
        while machine.takeActions(into: &actions) {
            for action in actions { perform(action) }
            actions.removeAll(keepingCapacity: true)
        }
        return said
    }

    @discardableResult
    mutating func begin(_ page: PushPage, isCancelled: Bool = false) throws -> [String] {
        let page = OutgoingPage(
            page, template: try RequestTemplate.empty(), results: PageResults())
        pages.append(page)
        return tell { $0.begin(page, isCancelled: isCancelled, now: $1) }
    }

    @discardableResult
    mutating func cancel(_ page: OutgoingPage) -> [String] {
        tell { $0.cancel(page, now: $1) }
    }

    /// Without TLS, requests can be sent immediately.
    @discardableResult
    mutating func connect(_ id: LaneConnections.ID, isReady: Bool = true) -> [String] {
        wires[id] = isReady ? .open(nil) : .agreeing
        return tell { $0.connected(id, isReady: isReady, now: $1) }
    }

    @discardableResult
    mutating func agree(_ id: LaneConnections.ID) -> [String] {
        wires[id] = .open(nil)
        return tell { $0.ready(id, now: $1) }
    }

    @discardableResult
    mutating func failToConnect(
        _ id: LaneConnections.ID, _ cause: TransportFailure.Cause = .connectionRefused
    ) -> [String] {
        wires[id] = nil
        return tell { $0.connectFailed(id, TransportFailure(cause: cause), now: $1) }
    }

    @discardableResult
    mutating func answer(_ id: LaneConnections.ID, _ answer: LaneMachine.Answer) -> [String] {
        hear(answer, of: id)
        wires[id] = .open(nil)
        return tell { $0.answered(id, answer, now: $1) }
    }

    @discardableResult
    mutating func `break`(
        _ id: LaneConnections.ID, _ answer: LaneMachine.Answer?, isMalformed: Bool = false
    ) -> [String] {
        hear(answer, of: id)
        return tell { $0.broke(id, answer, isMalformed: isMalformed, now: $1) }
    }

    @discardableResult
    mutating func end(
        _ id: LaneConnections.ID, _ answer: LaneMachine.Answer? = nil,
        orElse cause: TransportFailure.Cause = .connectionLost
    ) -> [String] {
        hear(answer, of: id)
        wires[id] = .ending
        return tell { $0.ended(id, answer, orElse: cause, now: $1) }
    }

    @discardableResult
    mutating func close(_ id: LaneConnections.ID) -> [String] {
        wires[id] = nil
        return tell { $0.closed(id, now: $1) }
    }

    /// Lets time pass and fires timers; `known` are parts of incomplete responses.
    @discardableResult
    mutating func pass(
        _ time: TimeAmount, known: [LaneConnections.ID: LaneMachine.Answer] = [:]
    ) -> [String] {
        self.known = known
        defer { self.known = [:] }
        let end = now + time
        var all: [String] = []
        while let next = [wakeTime, sweepTime].compactMap(\.self).min(), next <= end {
            now = max(now, next)
            if next == wakeTime {
                wakeTime = nil
                all += tell { $0.wake(now: $1) }
            } else {
                sweepTime = nil
                all += tell { machine, now in machine.sweep(now: now) { known[$0] } }
            }
        }
        now = max(now, end)
        return all
    }

    @discardableResult
    mutating func shutDown(known: [LaneConnections.ID: LaneMachine.Answer] = [:]) -> [String] {
        isShutDown = true
        self.known = known
        defer { self.known = [:] }
        return tell { machine, now in machine.shutDown(now: now) { known[$0] } }
    }

    private mutating func perform(_ action: LaneAction) {
        switch action {
        case .connect(let id):
            said.append("connect \(id)")
            expect(!isShutDown, "connects after the shutdown")
            expect(wires[id] == nil, "makes a connection of an id that is in use")
            wires[id] = .connecting
            let alive = wires.values.count { $0 != .ending }
            expect(alive <= concurrency, "\(alive) connections")
        case .write(let id, let page, let index, _):
            let number = page.pushes[index].number
            guard page.mayGoOut else {
                said.append("withhold \(number) from \(id)")
                expect(wires[id] == .open(nil), "means to write to a connection that is not free")
                withheld.insert(number)
                return machine.withheld(id, now: now)
            }
            said.append("write \(number) to \(id)")
            expect(!isShutDown, "writes after the shutdown")
            expect(wires[id] == .open(nil), "writes to a connection that is not free")
            expect(!wires.values.contains(.open(number)), "push \(number) is in flight twice")
            expect(results[number] == nil, "push \(number) has its result already")
            wires[id] = .open(number)
            written[number, default: 0] += 1
            unanswered.insert(number)
            expect(written[number, default: 0] <= 2, "push \(number) goes out a third time")
        case .close(let id, let isAbrupt):
            said.append("close \(id)" + (isAbrupt ? " abruptly" : ""))
            expect(![nil, .connecting, .ending].contains(wires[id]), "closes what is not there")
            hear(known[id], of: id)
            wires[id] = .ending
        case .deliver(let batch): take(batch)
        case .renewToken:
            said.append("renew")
            renewals += 1
        case .wake(let instant):
            expect(!isShutDown, "begins a timer after the shutdown")
            wakeTime = instant
        case .sweep(let delay):
            expect(!isShutDown, "begins a timer after the shutdown")
            sweepTime = now + delay
        case .stopTimers:
            wakeTime = nil
            sweepTime = nil
        case .log: break
        case .finishShutdown:
            said.append("finish")
            expect(
                isShutDown && wires.values.allSatisfy { $0 == .connecting },
                "says that everything is closed, and it is not")
            isClosed = true
        }
    }

    private mutating func take(_ batch: ResultBatch) {
        said.append("deliver \(batch.results.map(\.number))" + (batch.isLast ? ", the last" : ""))
        let page = ObjectIdentifier(batch.page)
        expect(!ended.contains(page), "delivers after the last results of a page")
        for result in batch.results {
            let requests = written[result.number] ?? 0
            expect(results[result.number] == nil, "push \(result.number) has two results")
            expect(result.requests == requests, "push \(result.number) had \(requests) requests")
            expect(
                result.disposition == .unknown || !unanswered.contains(result.number),
                "push \(result.number) may have gone out, and nobody knows")
            switch result.disposition {
            case .notSent:
                // A withheld push may have had one request, whose token the hub refused.
                expect(
                    requests == 0 || withheld.contains(result.number),
                    "push \(result.number) may have gone out")
            case .accepted, .unknown:
                expect(requests > 0, "push \(result.number) has not gone out")
            case .rejected, .retry, .stop: break
            }
            results[result.number] = result
        }
        guard batch.isLast else { return }
        ended.insert(page)
        let missing = batch.page.pushes.count { results[$0.number] == nil }
        expect(missing == 0, "\(missing) pushes of an ended page have no result")
    }

    private mutating func hear(_ answer: LaneMachine.Answer?, of id: LaneConnections.ID) {
        guard answer != nil, case .open(let number?) = wires[id] else { return }
        unanswered.remove(number)
    }

    private mutating func expect(_ isKept: Bool, _ fault: String) {
        if !isKept { violations.append(fault) }
    }
}

extension RequestTemplate {
    struct Unsendable: Error {}

    static func empty() throws -> RequestTemplate {
        guard let template = RequestTemplate(target: "/", headers: [:]) else { throw Unsendable() }
        return template
    }
}

extension LaneMachine.Answer {
    static let taken = Self.accepted(messageID: "id-1")

    static func status(_ status: Int) -> Self {
        .refused(
            status: status,
            PushDisposition(
                Disposition(.answered(status: status, retryAfter: nil)), isAnswered: true),
            detail: "HTTP \(status)")
    }
}
