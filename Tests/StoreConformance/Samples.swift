package import CampaignCore
package import Foundation

package enum Samples {
    package static let start = Date(timeIntervalSince1970: 1_796_112_000.25)

    package static func runID(_ suffix: String = "abcdef") -> RunID {
        RunID(checked: "20261201T080000Z-\(suffix)")
    }

    package static func run(
        _ suffix: String = "abcdef", campaign: String = "spring-sale",
        occurrence: Occurrence = .once, isRehearsal: Bool = false, hub: String = "local",
        kind: CampaignKind = .rich, platforms: [Platform] = [.fcm, .apns], started: Date = start
    ) -> RunRecord {
        RunRecord(
            id: runID(suffix), campaign: campaign, hub: HubIdentity(host: hub, name: "hub"),
            occurrence: occurrence, isRehearsal: isRehearsal, state: .staging, kind: kind,
            platforms: platforms, isMessagePrivate: true, campaignPath: "/srv/campaigns/a b.yaml",
            delivery: DeliveryPolicy(rate: 12.5, finishWithin: .milliseconds(1500)),
            fingerprints: ["audience": "12ab", "payload": "34cd"], started: started,
            expires: start + 604_800)
    }

    package static func notification(
        _ message: String? = "Hi", type: String? = "text",
        content: StoredContent = .text("the content", mediaType: "text/plain")
    ) -> NewNotification {
        var generator = SystemRandomNumberGenerator()
        return NewNotification(
            id: .random(using: &generator), type: type, texts: Texts(message: message),
            content: content)
    }

    package static func record(
        _ number: Int, _ platform: Platform, _ state: DeliveryRecord.State, attempts: Int = 1,
        isUncertain: Bool = false, detail: String = "", hubMessage: String? = nil
    ) -> DeliveryRecord {
        DeliveryRecord(
            number: number, platform: platform, state: state, attempts: attempts,
            isUncertain: isUncertain, detail: detail, hubMessage: hubMessage,
            recordedAt: start + 60)
    }

    package static func skipped(
        _ number: Int, _ platform: Platform, _ reason: SkipReason
    ) -> DeliveryRecord {
        var record = record(
            number, platform, .ended(.skipped), attempts: 0, detail: reason.detail("for a reason"))
        record.skipReason = reason
        return record
    }

    /// Waves of these sizes, an hour apart.
    package static func waves(_ sizes: [Int]) -> [RunWave] {
        var last = 0
        return sizes.enumerated().map { index, size in
            let recipients = (last + 1)...(last + size)
            last += size
            let opens = Int(start.timeIntervalSince1970) + index * 3_600
            return RunWave(
                number: index + 1, recipients: recipients,
                windows: SendWindows(windows: [
                    SendWindows.Window(opens: opens, closes: opens + 600),
                    SendWindows.Window(opens: opens + 86_400),
                ]), zones: ["Etc/GMT+\(index)", "Etc/GMT+1\(index)"])
        }
    }

    /// `user-00001` and so on, in name order.
    package static func names(_ count: Int) -> [Username] {
        (0..<count).map { number in
            let digits = String(number + 1)
            let zeros = String(repeating: "0", count: max(0, 5 - digits.count))
            return Username(checked: "user-\(zeros)\(digits)")
        }
    }

    package static func members(_ names: String...) -> [AudienceMember] {
        names.enumerated().map { index, name in
            AudienceMember(
                username: Username(checked: name), origin: AudienceOrigin(file: 1, line: index + 1))
        }
    }
}
