import CampaignCore

extension RunEngine {
    /// Decides about the deliveries that an earlier process left `sending`: they may have gone out.
    mutating func settleInterrupted() async throws {
        guard !hasSettledInterrupted else { return }
        for platform in run.platforms {
            var last = 0
            while true {
                let claims = try await ledger.interrupted(
                    run.id, platform: platform, after: last, limit: Self.recordLimit)
                guard let end = claims.last else { break }
                last = end.number
                noteInterrupted(claims, on: platform)
                try await write()
            }
        }
        hasSettledInterrupted = true
    }

    private mutating func noteInterrupted(_ claims: [DeliveryClaim], on platform: Platform) {
        let state: DeliveryRecord.State =
            switch onUnknown {
            case .resend: .waiting
            case .hold: .ended(.unknown)
            }
        note(
            Verdict(state: state, attempt: Attempt(claims[...])), on: platform,
            detail: "the process ended before the hub's answer was written down", hubMessage: nil,
            at: now())
    }

    /// Gives out pages until none may go now.
    mutating func dispatch(_ group: inout DiscardingTaskGroup) async throws {
        let sharing = run.delivery.recipientsPerPush
        while true {
            scheduler.access = judge.access
            let start = timeline.now
            switch scheduler.next(at: start) {
            case .scan(let platform, let number, let limit):
                let claims = try await ledger.waiting(
                    run.id, platform: platform, after: number, limit: limit * sharing)
                scheduler.scanned(
                    Attempt.pushes(of: claims, sharedBy: sharing), upTo: claims.last?.number,
                    on: platform)
            case .sendAgain(let platform, let attempts):
                try await ledger.claimAgain(
                    run.id, platform: platform,
                    numbers: attempts.flatMap { $0.claims.map(\.number) }, at: now())
                send(attempts, on: platform, from: start, in: &group)
            case .sendFresh(let platform, let limit):
                let page = try await ledger.claimNext(
                    run.id, platform: platform, limit: limit * sharing,
                    cap: run.isRehearsal ? nil : run.delivery.frequencyCap, at: now())
                if page.isEmpty { scheduler.ranDry(platform) }
                outcomes[.skipped] += page.skipped
                outcomes[.notAttempted] -= page.skipped
                // Many may be passed over in a row, and others wait for their turn meanwhile.
                if page.claims.isEmpty, page.skipped > 0 { return mailbox.post(.alarm) }
                send(
                    Attempt.pushes(of: page.claims, sharedBy: sharing), on: platform, from: start,
                    in: &group)
            case .wait(let time):
                sleep(until: time)
                return
            case .finish:
                end(.complete)
                return
            }
        }
    }

    /// Looks, now and then, whether another process asked for a stop.
    mutating func checkStop() async throws {
        let time = timeline.now
        guard ending == nil, time >= nextStopCheck else { return }
        nextStopCheck = time + Self.stopInterval
        if let mode = try await ledger.stopRequest(run.id) { end(.stopped(mode)) }
    }

    private mutating func send(
        _ attempts: [Attempt], on platform: Platform, from start: Duration,
        in group: inout DiscardingTaskGroup
    ) {
        scheduler.sent(
            attempts.count, to: attempts.reduce(0) { $0 + $1.claims.count }, on: platform,
            from: start)
        if !attempts.isEmpty {
            judge.probed(at: start)
            watch.note(hasOut: true, isResult: false, at: start)
        }
        let pace = scheduler.pace(of: platform)
        // Usually one; more when people who were to share a push turn out to have notifications of their own.
        for first in stride(from: 0, to: attempts.count, by: PushPage.maximumCount) {
            let part = attempts[first..<min(first + PushPage.maximumCount, attempts.count)]
            let number = pagesSent
            pagesSent += 1
            pages[number] = OutstandingPage(
                platform: platform, attempts: part, start: start)
            let page = composer.page(of: part, on: platform, pace: pace, now: steady.now)
            group.addTask { [sender, mailbox] in
                await sender.send(page) { results in
                    mailbox.post(.results(results, page: number))
                }
                mailbox.post(.sent(page: number))
            }
        }
    }

    /// Sees to it that the next turn comes in time.
    private mutating func sleep(until time: Duration?) {
        let now = timeline.now
        alarm.set(for: min(time ?? .seconds(3_600), now + Self.tick), at: now)
    }
}
