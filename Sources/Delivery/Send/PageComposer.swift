import CampaignCore
import FoundationEssentials

/// Makes the pages of a run: bodies and headers as its kind and platform want them.
struct PageComposer: Sendable {
    let run: RunRecord
    let interval: Duration?

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - attempts: the pushes, claimed; each is numbered by its place.
    ///   - platform: where they go.
    ///   - pace: what the platform is allowed now.
    ///   - now: the time of sending.
    func page(
        of attempts: ArraySlice<Attempt>, on platform: Platform, pace: PlatformPace, now: Date
    ) -> PushPage {
        let rules = PushBody(kind: run.kind, platform: platform)
        var pushes: [Push] = []
        pushes.reserveCapacity(attempts.count)
        // People who get the same follow one another, and share its bytes.
        var last: (notification: NotificationID, body: [UInt8])?
        for (number, attempt) in attempts.enumerated() {
            guard let claim = attempt.claims.first else { continue }
            let body: [UInt8]
            if let last, last.notification == claim.notification {
                body = last.body
            } else {
                let content = PushContent(
                    kind: run.kind, isMessagePrivate: run.isMessagePrivate,
                    notification: claim.notification, type: claim.type, message: claim.message)
                body = rules.bytes(content, expires: run.expires, now: now)
                last = (claim.notification, body)
            }
            pushes.append(
                Push(number: number, usernames: attempt.claims.map(\.username), body: body))
        }
        return PushPage(
            platform: platform, contentType: rules.contentType,
            headers: rules.headers(expires: run.expires, now: now), pushes: pushes,
            interval: interval, platformInterval: pace.interval, concurrency: pace.concurrency)
    }
}
