import CampaignCore
import FoundationEssentials

struct PageComposer: Sendable {
    let run: RunRecord
    /// nil: no other process can take the run over.
    var lease: RunLease?

    /// Makes a page; each push is numbered by its place.
    func page(
        of attempts: ArraySlice<Attempt>, on platform: Platform, interval: Duration?,
        pace: PlatformPace, now: Date
    ) -> PushPage {
        let rules = PushBody(
            kind: run.kind, platform: platform,
            hasPlaceholder: run.pushOptions.placeholders.contains(platform))
        var pushes: [Push] = []
        pushes.reserveCapacity(attempts.count)
        // People with the same notification share its bytes; languages alternate in the page.
        var bodies = SharedBodies()
        for (number, attempt) in attempts.enumerated() {
            guard let claim = attempt.claims.first else { continue }
            let body = bodies.body(of: claim) {
                rules.bytes(content(of: claim), expires: run.expires, now: now)
            }
            pushes.append(
                Push(number: number, usernames: attempt.claims.map(\.username), body: body))
        }
        return PushPage(
            platform: platform, contentType: rules.contentType,
            headers: rules.headers(expires: run.expires, now: now), pushes: pushes,
            interval: interval, platformInterval: pace.interval, concurrency: pace.concurrency,
            run: run.id, lease: lease)
    }

    private func content(of claim: DeliveryClaim) -> PushContent {
        PushContent(
            kind: run.kind, isMessagePrivate: run.isMessagePrivate, options: run.pushOptions,
            notification: claim.notification, type: claim.pushed.type, texts: claim.pushed.texts,
            link: claim.pushed.link, data: claim.pushed.data)
    }
}

/// The bodies of the last few notifications; a run has one for each language.
private struct SharedBodies {
    private static let most = 16
    private var bodies: [(notification: NotificationID, bytes: [UInt8])] = []

    /// Calls `make` if the body is not among the last ones.
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
