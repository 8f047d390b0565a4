import CampaignCore
import FoundationEssentials
import TestSupport

@testable import App

enum ReportSamples {
    static let run = RunID(checked: "20261201T090000Z-abcdef")
    static let start = Date(timeIntervalSince1970: 1_796_115_600)

    static func row(
        recipient: String = "alice", platform: Platform = .apns, outcome: Outcome = .accepted,
        detail: String = "", hubMessage: String? = "73622a22-1", attempts: Int = 1,
        recordedAt: Date? = start, pushServices: String? = nil, fetchedAt: Date? = nil,
        readAt: Date? = nil,
        revokedAt: Date? = nil
    ) -> ReportRow {
        ReportRow(
            recipient: Username(checked: recipient), platform: platform,
            notification: NotificationID.placeholder, outcome: outcome, detail: detail,
            hubMessage: hubMessage, attempts: attempts, recordedAt: recordedAt,
            pushServices: pushServices, fetchedAt: fetchedAt, readAt: readAt, revokedAt: revokedAt)
    }

    static func notification(
        kind: CampaignKind = .secure, recipient: String? = nil, byteCount: Int? = 1_234,
        expires: Date = start.addingTimeInterval(604_800), revoked: Date? = nil
    ) -> NotificationOverview {
        NotificationOverview(
            id: .placeholder, run: run, campaign: "statement-ready", kind: kind,
            recipient: recipient.map { Username(checked: $0) },
            recipients: recipient == nil ? 988 : 1, mediaType: "text/plain; charset=utf-8",
            byteCount: byteCount, isEncrypted: true, created: start, expires: expires,
            revoked: revoked, fetched: 640, read: 312)
    }

    static func record(
        state: RunState = .finished, reason: String? = nil, isRehearsal: Bool = false,
        counts: AudienceCounts = AudienceCounts(named: 1000, excluded: 12, final: 988),
        finished: Date? = start.addingTimeInterval(4.1), resumes: Date? = nil
    ) -> RunRecord {
        RunRecord(
            id: run, campaign: "statement-ready", hub: HubIdentity(host: "local", name: "hub"),
            occurrence: .once, isRehearsal: isRehearsal, state: state, reason: reason,
            resumes: resumes, kind: .secure, platforms: [.apns, .fcm], isMessagePrivate: true,
            campaignPath: "/campaigns/statement-ready.yaml", delivery: DeliveryPolicy(),
            fingerprints: [:], counts: counts, requests: 1980, started: start, finished: finished,
            expires: start.addingTimeInterval(604_800))
    }

    /// A process that works on a run at half of its rate.
    static func worker(on host: String, rate: Double? = 250) -> RunWorker {
        RunWorker(
            id: 1, process: WorkerProcess(host: host, number: 4_711, version: "0.1.0"),
            joined: start, seen: start.addingTimeInterval(60),
            report: WorkerReport(
                outcomes: OutcomeCounts([.accepted: 1_200, .failed: 34]), requests: 1_240,
                rate: rate))
    }

    /// A finished run on two platforms, with a few errors.
    ///
    /// - Parameter text: the hub's message, and the path of the campaign's file.
    static func details(_ text: String = "HTTP 400: bad") -> RunDetails {
        var run = record()
        run.campaignPath = "/campaigns/\(text).yaml"
        return RunDetails(
            overview: RunOverview(
                run: run,
                outcomes: OutcomeCounts([.accepted: 1970, .rejected: 4, .unknown: 1, .skipped: 1]),
                reach: Reach(accepted: 985, fetched: 640, read: 312),
                reasons: [
                    TroubleReason(
                        outcome: .rejected, reason: text, count: 4,
                        example: Username(checked: "alice"))
                ]),
            tried: 988,
            platforms: [
                PlatformOutcomes(
                    .apns, OutcomeCounts([.accepted: 985, .rejected: 2, .skipped: 1])),
                PlatformOutcomes(
                    .fcm, OutcomeCounts([.accepted: 985, .rejected: 2, .unknown: 1])),
            ],
            course: RunCourse(
                start: start, length: 5,
                steps: [
                    OutcomeCounts([.accepted: 1900]),
                    OutcomeCounts([.accepted: 70, .rejected: 4, .unknown: 1]),
                ]))
    }

    /// Two waves: one is done, and the other is in progress.
    static let waves = [
        WaveOutcomes(
            wave: RunWave(
                number: 1, recipients: 1...900,
                windows: SendWindows(windows: [SendWindows.Window(opens: 1_796_115_600)]),
                zones: ["Europe/Berlin", "Europe/Paris", "Europe/Rome", "Europe/Vienna"]),
            outcomes: OutcomeCounts([.accepted: 1800])),
        WaveOutcomes(
            wave: RunWave(
                number: 2, recipients: 901...988,
                windows: SendWindows(windows: [SendWindows.Window(opens: 1_796_133_600)]),
                zones: ["America/New_York"]),
            outcomes: OutcomeCounts([.accepted: 100, .notAttempted: 76])),
    ]

    /// Rows with every outcome, platform and kind of text, different for each seed.
    static func rows(_ count: Int, seed: UInt64) -> [ReportRow] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            row(
                recipient: text(letters: usernameLetters, upTo: 20, using: &random),
                platform: Platform.allCases.randomElement(using: &random) ?? .apns,
                outcome: Outcome.allCases.randomElement(using: &random) ?? .accepted,
                detail: text(letters: hubLetters, upTo: 60, using: &random),
                hubMessage: Bool.random(using: &random)
                    ? "m" + text(letters: hubLetters, upTo: 30, using: &random) : nil,
                attempts: Int.random(in: 0...100, using: &random),
                recordedAt: Bool.random(using: &random)
                    ? Date(
                        timeIntervalSince1970: Double(
                            Int.random(in: 0...4_000_000_000, using: &random))) : nil)
        }
    }

    private static let usernameLetters = Array("abcXYZ019_@#.:-")
    private static let hubLetters = Array("ab=+-@',;\"\\/ <>&\t\r\n\u{1}\u{7F}é日👍\u{202E}{}")

    private static func text(
        letters: [Character], upTo limit: Int, using random: inout SeededGenerator
    ) -> String {
        let count = Int.random(in: 1...limit, using: &random)
        return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
}
