import CampaignCore
import FoundationEssentials

/// Makes the pages of a run: bodies and headers as its kind and platform want them.
struct PageComposer: Sendable {
    let run: RunRecord
    let interval: Duration?

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - attempts: the pushes, claimed.
    ///   - platform: where they go.
    ///   - now: the time of sending.
    /// - Returns: the page.
    func page(of attempts: [Attempt], on platform: Platform, now: Date) -> PushPage {
        let rules = PushBody(kind: run.kind, platform: platform)
        let pushes = attempts.map { attempt in
            let claim = attempt.claim
            let content = PushContent(
                kind: run.kind, isMessagePrivate: run.isMessagePrivate,
                notification: claim.notification, type: claim.type, message: claim.message)
            return Push(
                number: claim.number, usernames: [claim.username],
                body: rules.bytes(content, expires: run.expires, now: now))
        }
        return PushPage(
            platform: platform, contentType: rules.contentType,
            headers: rules.headers(expires: run.expires, now: now), pushes: pushes,
            interval: interval)
    }
}
