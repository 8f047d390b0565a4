import CampaignCore
import FoundationEssentials

extension RunRecord {
    /// Creates a page, in which each push is numbered by its position.
    func page(
        of attempts: ArraySlice<Attempt>, on platform: Platform,
        pace: (interval: Duration?, platformInterval: Duration?, concurrency: Int),
        lease: RunLease?, now: Date
    ) -> PushPage {
        let rules = PushBody(
            kind: kind, platform: platform,
            hasPlaceholder: pushOptions.placeholders.contains(platform))
        var pushes: [Push] = []
        pushes.reserveCapacity(attempts.count)
        // People with the same notification share its bytes, even though languages alternate in the
        // page.
        var bodies = SharedBodies()
        for (number, attempt) in attempts.enumerated() {
            guard let claim = attempt.claims.first else { continue }
            let body = bodies.body(of: claim) {
                rules.bytes(content(of: claim), expires: expires, now: now)
            }
            pushes.append(
                Push(number: number, usernames: attempt.claims.map(\.username), body: body))
        }
        return PushPage(
            platform: platform, contentType: rules.contentType,
            headers: rules.headers(expires: expires, now: now), pushes: pushes,
            interval: pace.interval, platformInterval: pace.platformInterval,
            concurrency: pace.concurrency, run: id, lease: lease)
    }

    private func content(of claim: DeliveryClaim) -> PushContent {
        PushContent(
            kind: kind, isMessagePrivate: isMessagePrivate, options: pushOptions,
            notification: claim.notification, type: claim.pushed.type, texts: claim.pushed.texts,
            link: claim.pushed.link, data: claim.pushed.data)
    }
}

/// The bodies of the last few notifications, because a run has one notification per language.
private struct SharedBodies {
    private static let most = 16
    private var bodies: [(notification: NotificationID, bytes: [UInt8])] = []

    /// Returns a body, which `make` renders unless it is among the last few.
    mutating func body(of claim: DeliveryClaim, make: () -> [UInt8]) -> [UInt8] {
        if claim.isShared,
            let known = bodies.first(where: { $0.notification == claim.notification })
        {
            return known.bytes
        }
        let bytes = make()
        if claim.isShared {
            if bodies.count == Self.most { bodies.removeFirst() }
            bodies.append((claim.notification, bytes))
        }
        return bytes
    }
}
