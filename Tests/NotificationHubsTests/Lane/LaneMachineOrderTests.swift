import CampaignCore
import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

/// Tests that a lane keeps its promises for every order of events.
@Suite(.bounded) struct LaneMachineOrderTests {
    private static let answers: [LaneMachine.Answer] = [
        .taken, .taken, .taken, .taken, .status(400), .status(401), .status(429), .status(500),
    ]

    /// A network, a hub and a clock that behave at random.
    private struct Chaos {
        var world: LaneWorld
        var random: SeededRandom
        private var pushes = 0
        private(set) var leases: [RunLease] = []

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            world = LaneWorld(
                concurrency: Int.random(in: 1...5, using: &random),
                requestTimeout: .milliseconds(.random(in: 400...4_000, using: &random)),
                connectTimeout: .milliseconds(.random(in: 50...2_000, using: &random)))
            self.random = random
        }

        mutating func isLucky(_ one: Int, of many: Int) -> Bool {
            Int.random(in: 0..<many, using: &random) < one
        }

        private mutating func answer() -> LaneMachine.Answer {
            // A response that stops everything is rare.
            if isLucky(1, of: 40) { return .status(404) }
            return LaneMachineOrderTests.answers.randomElement(using: &random) ?? .taken
        }

        /// Partial responses of the hub to some of the requests.
        private mutating func known() -> [LaneConnections.ID: LaneMachine.Answer] {
            var known: [LaneConnections.ID: LaneMachine.Answer] = [:]
            for (id, wire) in world.wires.sorted(by: { $0.key < $1.key }) {
                if case .open(_?) = wire, isLucky(1, of: 4) { known[id] = answer() }
            }
            return known
        }

        mutating func step() throws {
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: try begin()
            case 2:
                if let page = world.pages.randomElement(using: &random), isLucky(1, of: 3) {
                    world.cancel(page)
                }
            case 3, 4, 5:
                let time = Int64.random(in: 1...400, using: &random)
                world.pass(.milliseconds(isLucky(1, of: 50) ? 61_000 : time), known: known())
            case 6: if isLucky(1, of: 10) { world.tell { machine, _ in machine.tokenChanged() } }
            case 7: changeLease()
            default: happen()
            }
        }

        mutating func begin() throws {
            let count = Int.random(in: 0...9, using: &random)
            var page = try PushPage.example(
                count, platform: Platform.allCases.randomElement(using: &random) ?? .apns,
                firstNumber: pushes,
                interval: isLucky(1, of: 4) ? .milliseconds(3) : nil,
                platformInterval: isLucky(1, of: 4) ? .milliseconds(30) : nil,
                concurrency: isLucky(1, of: 4) ? 2 : nil, lease: isLucky(1, of: 3) ? lease() : nil)
            pushes += count
            if count > 0, isLucky(1, of: 10) { page.pushes[count - 1].usernames = [] }
            try world.begin(page, isCancelled: isLucky(1, of: 20))
        }

        /// A new lease, or the lease of an earlier page.
        private mutating func lease() -> RunLease {
            if isLucky(1, of: 2), let known = leases.randomElement(using: &random) { return known }
            leases.append(.held())
            return leases[leases.count - 1]
        }

        /// Ends or renews a lease.
        mutating func changeLease() {
            guard let lease = leases.randomElement(using: &random) else { return }
            if isLucky(1, of: 2) { lease.end() } else { lease.renew() }
        }

        /// Makes something happen to a random connection.
        mutating func happen() {
            let wires = world.wires.sorted { $0.key < $1.key }
            guard let (id, wire) = wires.randomElement(using: &random) else { return }
            switch wire {
            case .connecting:
                if isLucky(1, of: 4) {
                    world.failToConnect(id)
                } else {
                    world.connect(id, isReady: isLucky(1, of: 2))
                }
            case .agreeing: if isLucky(1, of: 4) { world.end(id) } else { world.agree(id) }
            case .open(nil):
                guard isLucky(1, of: 5) else { return }
                if isLucky(1, of: 2) {
                    world.end(id)
                } else {
                    world.break(id, nil, isMalformed: true)
                }
            case .open(_?):
                switch Int.random(in: 0..<12, using: &random) {
                case 0: world.end(id)
                case 1: world.end(id, answer())
                case 2: world.break(id, answer())
                case 3: world.break(id, nil, isMalformed: true)
                default: world.answer(id, answer())
                }
            case .ending: world.close(id)
            }
        }

        mutating func shutDown() {
            world.shutDown(known: known())
        }

        /// Closes every connection.
        mutating func closeAll() {
            for (id, wire) in world.wires.sorted(by: { $0.key < $1.key }) {
                if wire == .connecting { world.connect(id, isReady: false) }
                world.close(id)
            }
        }
    }

    /// Runs 12,000 steps in all.
    @Test(
        "Every push has one result, and no push that was sent is reported as unsent",
        arguments: 0..<20)
    func everyPushHasOneResultAndNoPushThatWasSentIsReportedAsUnsent(seed: UInt64) throws {
        var chaos = Chaos(seed: seed)
        for _ in 0..<600 {
            try chaos.step()
            try #require(chaos.world.violations == [])
        }
        // The clock ends everything that the network leaves open.
        for _ in 0..<40 where !chaos.world.isDone {
            for (id, wire) in chaos.world.wires.sorted(by: { $0.key < $1.key })
            where wire == .connecting {
                chaos.world.failToConnect(id, .noConnectionInTime)
            }
            chaos.world.pass(.seconds(1))
        }
        #expect(chaos.world.isDone)
        #expect(chaos.world.violations == [])
    }

    @Test("A shutdown at any time ends all pushes and connections", arguments: 100..<130)
    func shutdownAtAnyTimeEndsAllPushesAndConnections(seed: UInt64) throws {
        var chaos = Chaos(seed: seed)
        let steps = Int.random(in: 0..<120, using: &chaos.random)
        for _ in 0..<steps { try chaos.step() }
        chaos.shutDown()
        #expect(chaos.world.isDone)

        for _ in 0..<60 { try chaos.step() }
        chaos.closeAll()
        #expect(chaos.world.isDone)
        #expect(chaos.world.isClosed)
        #expect(chaos.world.machine.channels == 0)
        #expect(chaos.world.sweepTime == nil && chaos.world.wakeTime == nil)
        #expect(chaos.world.violations == [])
    }

    @Test("An expired lease affects only the unsent pushes of its page", arguments: 300..<310)
    func expiredLeaseAffectsOnlyTheUnsentPushesOfItsPage(seed: UInt64) throws {
        var chaos = Chaos(seed: seed)
        let lease = RunLease.held()
        try chaos.world.begin(.example(40, firstNumber: 1_000, lease: lease))
        try chaos.world.begin(.example(40, firstNumber: 2_000))
        try chaos.world.begin(.example(40, platform: .fcm, firstNumber: 3_000))
        let answersBefore = Int.random(in: 0..<40, using: &chaos.random)
        var answers = 0
        for _ in 0..<400 where !chaos.world.isDone {
            let wires = chaos.world.wires.sorted { $0.key < $1.key }
            for (id, wire) in wires.shuffled(using: &chaos.random) {
                if answers == answersBefore { lease.end() }
                switch wire {
                case .connecting: chaos.world.connect(id, isReady: true)
                case .open(let number?):
                    let isFirst = chaos.world.written[number] == 1
                    let isRefused = isFirst && chaos.isLucky(1, of: 9)
                    chaos.world.answer(id, isRefused ? .status(401) : .taken)
                    answers += 1
                case .agreeing, .open(nil), .ending: break
                }
            }
            chaos.world.pass(.milliseconds(20))
        }
        #expect(chaos.world.isDone)
        #expect(chaos.world.violations == [])
        let unsent = chaos.world.results.filter { $0.value.disposition == .notSent }
        #expect(!unsent.isEmpty)
        #expect(unsent.keys.allSatisfy { $0 < 2_000 })
        #expect(chaos.world.dispositions.count { $0 == .accepted } == 120 - unsent.count)
    }

    @Test("Every push is sent, whatever the order of the hub's responses", arguments: 200..<210)
    func everyPushIsSentWhateverTheOrderOfTheHubsResponses(seed: UInt64) throws {
        var chaos = Chaos(seed: seed)
        for _ in 0..<4 { try chaos.begin() }
        for _ in 0..<400 where !chaos.world.isDone {
            let wires = chaos.world.wires.sorted { $0.key < $1.key }
            for (id, wire) in wires.shuffled(using: &chaos.random) {
                switch wire {
                case .connecting: chaos.world.connect(id, isReady: true)
                case .open(_?): chaos.world.answer(id, .taken)
                case .agreeing, .open(nil), .ending: break
                }
            }
            chaos.world.pass(.milliseconds(20))
        }
        #expect(chaos.world.isDone)
        let unexpected = chaos.world.dispositions.filter {
            ![.accepted, .rejected, .notSent].contains($0)
        }
        #expect(unexpected == [])
        #expect(chaos.world.violations == [])
    }
}
