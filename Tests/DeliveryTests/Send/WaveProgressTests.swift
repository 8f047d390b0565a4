import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct WaveProgressTests {
    private static let waves = [
        RunWave(
            number: 1, recipients: 1...10,
            windows: SendWindows(windows: [
                SendWindows.Window(opens: 0, closes: 100),
                SendWindows.Window(opens: 200, closes: 300),
            ]), zones: ["UTC"]),
        RunWave(
            number: 2, recipients: 11...15,
            windows: SendWindows(windows: [SendWindows.Window(opens: 50)]),
            zones: ["Asia/Tokyo"]),
    ]

    private func progress(at instant: Int) -> WaveProgress {
        WaveProgress(Self.waves, platforms: [.apns, .fcm], at: instant)
    }

    private func waveOutcomes(_ left: [Int]) -> [WaveOutcomes] {
        zip(Self.waves, left).map { wave, left in
            WaveOutcomes(wave: wave, outcomes: OutcomeCounts([.notAttempted: left]))
        }
    }

    private func deadline(after seconds: Double) -> RunDeadline {
        let start = Date(timeIntervalSince1970: 0)
        return RunDeadline(
            RunRecord(
                id: RunID(checked: "20270115T080000Z-aaaaaa"), campaign: "spring",
                hub: TestBench.hub, occurrence: .once, isRehearsal: false, state: .running,
                kind: .secure, platforms: [.apns], isMessagePrivate: false,
                campaignPath: "/c.yaml", delivery: DeliveryPolicy(finishWithin: .seconds(seconds)),
                fingerprints: [:], started: start, expires: start.addingTimeInterval(1_000_000)))
    }

    @Test("A run without waves is never held back") func runWithoutWavesIsNeverHeldBack() {
        var progress = WaveProgress([], platforms: [.apns], at: 0)
        #expect(progress.nextChange == nil)
        #expect(progress.source(on: .apns) == .waiting(after: 0, through: nil))
        let read = progress.read([.fresh(3), .fresh(900)], on: .apns)
        #expect(read.map(\.number) == [3, 900])
        #expect(progress.source(on: .apns) == .waiting(after: 900, through: nil))
        _ = progress.read([], on: .apns)
        #expect(progress.source(on: .apns) == .fresh(wave: nil))
        progress.ranDry(nil, on: .apns)
        #expect(progress.source(on: .apns) == .dry)
        let hasClosed = progress.advance(to: 1_000_000)
        #expect(!hasClosed)
        #expect(progress.maySend(1))
    }

    @Test("Waiting pushes are sent before new ones, earliest wave first")
    func waitingPushesAreSentBeforeNewOnesEarliestWaveFirst() {
        var progress = progress(at: 60)
        #expect(progress.source(on: .apns) == .waiting(after: 0, through: 10))
        let first = progress.read([.fresh(3), .fresh(4)], on: .apns)
        #expect(first.map(\.number) == [3, 4])
        #expect(progress.source(on: .apns) == .waiting(after: 4, through: 10))
        let second = progress.read([.fresh(7), .fresh(12)], on: .apns)
        #expect(second.map(\.number) == [7])
        #expect(progress.source(on: .apns) == .waiting(after: 10, through: 15))
        let rest = progress.read([], on: .apns)
        #expect(rest.isEmpty)
        #expect(progress.source(on: .apns) == .fresh(wave: 1))
        progress.ranDry(1, on: .apns)
        #expect(progress.source(on: .apns) == .fresh(wave: 2))
        progress.ranDry(2, on: .apns)
        #expect(progress.source(on: .apns) == .dry)
        #expect(
            progress.source(on: .fcm) == .waiting(after: 0, through: 10),
            "each platform for itself")
    }

    @Test("A platform that was finished continues when a wave opens")
    func platformThatWasFinishedContinuesWhenAWaveOpens() {
        var progress = progress(at: 0)
        _ = progress.source(on: .apns)
        _ = progress.read([], on: .apns)
        progress.ranDry(1, on: .apns)
        #expect(progress.source(on: .apns) == .dry)
        #expect(progress.nextChange == 50)
        let hasClosed = progress.advance(to: 50)
        #expect(!hasClosed)
        #expect(progress.source(on: .apns) == .waiting(after: 10, through: 15))
    }

    @Test("A wave closes a second early so that nothing is in flight")
    func waveClosesASecondEarlySoThatNothingIsInFlight() {
        var progress = progress(at: 50)
        #expect(progress.nextChange == 99)
        let closesEarly = progress.advance(to: 98)
        #expect(!closesEarly)
        #expect(progress.maySend(10))
        let closes = progress.advance(to: 99)
        #expect(closes)
        #expect(!progress.maySend(10))
        #expect(progress.maySend(11))
        #expect(progress.nextChange == 200)
    }

    @Test("A reopened wave is read again once none of its pushes are in flight")
    func reopenedWaveIsReadAgainOnceNoneOfItsPushesAreInFlight() {
        var progress = progress(at: 0)
        _ = progress.source(on: .apns)
        _ = progress.read([], on: .apns)
        var out = InFlight()
        let page = out.add(
            [Attempt([.fresh(1)]), Attempt([.fresh(2)])], on: .apns, from: .zero)
        _ = out.take([PushResult(number: 1, disposition: .notSent)], of: page)
        #expect(progress.keepsRetry(2, on: .apns))
        let closes = progress.advance(to: 150)
        #expect(closes)
        #expect(progress.source(on: .apns, besides: out) == .waiting(after: 10, through: 15))
        _ = progress.read([], on: .apns)
        progress.ranDry(2, on: .apns)
        let closesAgain = progress.advance(to: 200)
        #expect(!closesAgain)
        #expect(progress.source(on: .apns, besides: out) == .dry, "one is out from before")
        #expect(!progress.keepsRetry(1, on: .apns), "it is read from the ledger")
        _ = out.close(page)
        #expect(progress.source(on: .apns, besides: out) == .waiting(after: 0, through: 10))
    }

    @Test("A run waits for the next wave that still has people to send to")
    func runWaitsForTheNextWaveThatStillHasPeopleToSendTo() {
        let progress = progress(at: 20)
        let far = deadline(after: 10_000)
        #expect(
            progress.end(waveOutcomes([0, 5]), before: far)
                == .waiting(until: Date(timeIntervalSince1970: 50)))
        let closed = self.progress(at: 120)
        #expect(
            closed.end(waveOutcomes([3, 0]), before: far)
                == .waiting(until: Date(timeIntervalSince1970: 200)))
        #expect(
            closed.end(waveOutcomes([3, 5]), before: far) == .complete, "somebody could be sent to")
        #expect(closed.end(waveOutcomes([0, 0]), before: far) == .complete)
    }

    @Test("A wave that opens after the deadline counts as too late immediately")
    func waveThatOpensAfterTheDeadlineCountsAsTooLateImmediately() {
        let deadline = deadline(after: 200)
        let late = EndCause.late(detail: deadline.detailOfTurns)
        #expect(progress(at: 120).end(waveOutcomes([3, 0]), before: deadline) == late)
        #expect(
            progress(at: 400).end(waveOutcomes([3, 0]), before: self.deadline(after: 9_999))
                == .late(detail: self.deadline(after: 9_999).detailOfTurns))
    }

    /// A ledger in memory that checks every step.
    private struct Book {
        enum State {
            case sending, waiting, ended
        }

        let waves: [RunWave]
        private(set) var states: [Platform: [Int: State]] = [.apns: [:], .fcm: [:]]

        init(_ waves: [RunWave]) { self.waves = waves }

        var isWhole: Bool {
            let count = waves.last?.recipients.upperBound ?? 0
            return states.values.allSatisfy {
                $0.count == count && $0.values.allSatisfy { $0 == .ended }
            }
        }

        func waveOutcomes() -> [WaveOutcomes] {
            waves.map { wave in
                let left = states.values.reduce(0) { sum, states in
                    sum + wave.recipients.count { states[$0] != .ended }
                }
                return WaveOutcomes(wave: wave, outcomes: OutcomeCounts([.notAttempted: left]))
            }
        }

        func waiting(on platform: Platform, after number: Int, limit: Int) -> [DeliveryClaim] {
            let numbers = states[platform, default: [:]].filter { $0.value == .waiting }.keys
            return numbers.filter { $0 > number }.sorted().prefix(limit).map { .fresh($0) }
        }

        func unclaimed(_ wave: RunWave, on platform: Platform, limit: Int) -> [Int] {
            Array(wave.recipients.lazy.filter { states[platform]?[$0] == nil }.prefix(limit))
        }

        mutating func send(_ number: Int, on platform: Platform, at instant: Int) {
            #expect([nil, .waiting].contains(states[platform]?[number]), "nobody twice")
            let wave = waves.first { $0.recipients.contains(number) }
            #expect(wave?.windows.isOpen(at: instant) == true, "nobody while their wave is closed")
            states[platform]?[number] = .sending
        }

        mutating func note(_ state: State, of number: Int, on platform: Platform) {
            #expect(states[platform]?[number] == .sending)
            states[platform]?[number] = state
        }

        /// A process was killed, and the next one does not know what happened to the pushes in
        /// flight.
        mutating func settle() {
            for platform in states.keys {
                for (number, state) in states[platform, default: [:]] where state == .sending {
                    states[platform]?[number] = .waiting
                }
            }
        }
    }

    private static func someWaves(using random: inout SeededGenerator) -> [RunWave] {
        var last = 0
        return (1...Int.random(in: 1...6, using: &random)).map { number in
            var instant = Int.random(in: 0...300, using: &random)
            var windows: [SendWindows.Window] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let closes = instant + Int.random(in: 1...90, using: &random)
                windows.append(SendWindows.Window(opens: instant, closes: closes))
                instant = closes + Int.random(in: 1...200, using: &random)
            }
            windows.append(SendWindows.Window(opens: instant))
            let first = last + 1
            last += Int.random(in: 1...20, using: &random)
            return RunWave(
                number: number, recipients: first...last, windows: SendWindows(windows: windows),
                zones: [])
        }
    }

    /// Processes die at random while waves open and close, and pushes end in any order.
    @Test(
        "Waves lose nobody, reach nobody twice and send nothing while closed",
        arguments: 0..<80 as Range<UInt64>)
    func wavesLoseNobodyReachNobodyTwiceAndSendNothingWhileClosed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let waves = Self.someWaves(using: &random)
        var book = Book(waves)
        var now = 0
        let deadline = deadline(after: 900_000)
        process: for _ in 0..<500 where !book.isWhole {
            book.settle()
            var progress = WaveProgress(waves, platforms: [.apns, .fcm], at: now)
            var memory: [(platform: Platform, number: Int)] = []
            var out: [(platform: Platform, number: Int, page: Int)] = []
            var pages = InFlight()
            func send(_ number: Int, on platform: Platform) {
                book.send(number, on: platform, at: now)
                let page = pages.add([Attempt([.fresh(number)])], on: platform, from: .zero)
                out.append((platform, number, page))
            }
            while true {
                if Int.random(in: 0..<150, using: &random) == 0 { continue process }
                if progress.advance(to: now) { memory.removeAll { !progress.maySend($0.number) } }
                var isIdle = out.isEmpty && memory.isEmpty
                for platform in [Platform.apns, .fcm] {
                    let limit = Int.random(in: 1...4, using: &random)
                    switch progress.source(on: platform, besides: pages) {
                    case .waiting(let number, _):
                        let found = book.waiting(on: platform, after: number, limit: limit)
                        for claim in progress.read(found, on: platform) {
                            #expect(!memory.contains { $0 == (platform, claim.number) })
                            memory.append((platform, claim.number))
                        }
                    case .fresh(let number):
                        let wave = try #require(waves.first { $0.number == number })
                        let page = book.unclaimed(wave, on: platform, limit: limit)
                        if page.isEmpty { progress.ranDry(number, on: platform) }
                        for number in page { send(number, on: platform) }
                    case .dry:
                        continue
                    }
                    isIdle = false
                }
                if isIdle { break }
                if let next = memory.indices.randomElement(using: &random) {
                    let (platform, number) = memory.remove(at: next)
                    send(number, on: platform)
                }
                for _ in 0..<Int.random(in: 0...3, using: &random) where !out.isEmpty {
                    let index = Int.random(in: out.indices, using: &random)
                    let (platform, number, page) = out.remove(at: index)
                    _ = pages.close(page)
                    guard Int.random(in: 0..<3, using: &random) == 0 else {
                        book.note(.ended, of: number, on: platform)
                        continue
                    }
                    book.note(.waiting, of: number, on: platform)
                    if progress.keepsRetry(number, on: platform) {
                        memory.append((platform, number))
                    }
                }
                now += Int.random(in: 0...12, using: &random)
            }
            switch progress.end(book.waveOutcomes(), before: deadline) {
            case .waiting(let resumption):
                #expect(resumption.timeIntervalSince1970 > Double(now))
                now = max(now, Int(resumption.timeIntervalSince1970))
            case .complete: #expect(book.isWhole)
            default: Issue.record("the deadline is far away")
            }
        }
        #expect(book.isWhole, "nobody is lost")
    }
}

extension WaveProgress {
    /// The next source, if nothing is in flight.
    fileprivate mutating func source(on platform: Platform) -> PushSource {
        source(on: platform, besides: InFlight())
    }
}
