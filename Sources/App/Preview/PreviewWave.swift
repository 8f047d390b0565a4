import CampaignCore
import Delivery
import FoundationEssentials

/// People who get their push at the same time.
struct PreviewWave: Hashable, Sendable {
    /// When the wave starts; nil if it starts immediately.
    var opens: Date?
    /// The time zones, sorted by name.
    var zones: [String]
    var people: Int
    /// Whether the run ends before this time, so that these people are skipped.
    var isTooLate = false
}

extension PreviewWave {
    /// Returns the waves of a plan; waves that begin at the same time are merged.
    static func all(of waves: [PlannedWave], seenFrom now: Date) -> [PreviewWave] {
        waves.reduce(into: []) { all, planned in
            let opens = planned.opens <= now ? nil : planned.opens
            guard var last = all.last, last.opens == opens, last.isTooLate == planned.isTooLate
            else {
                all.append(
                    PreviewWave(
                        opens: opens, zones: planned.zones, people: planned.recipients,
                        isTooLate: planned.isTooLate))
                return
            }
            last.zones = Set(last.zones + planned.zones).sorted()
            last.people += planned.recipients
            all[all.count - 1] = last
        }
    }
}

/// The fallback push to people who have not fetched the payload.
struct PreviewFallback: Hashable, Sendable {
    /// The time between the acceptance of a delivery and its fallback.
    var after: Duration
    var message: String
    /// How many people get the fallback if nobody fetches the payload.
    var people: Int
}

/// The waves in words; nil if there are no waves.
struct WaveText {
    private static let mostWaves = 12

    struct Row {
        let moment: String
        let people: String
        let zones: Phrase
    }

    private let waves: [PreviewWave]
    private let zone: TimeZoneRules?

    init?(_ model: PreviewModel) {
        guard model.waves.contains(where: { $0.opens != nil }) else { return nil }
        waves = model.waves
        zone = model.next?.schedule.zone
    }

    /// The end of the fact that begins with the start of the run.
    var summary: String {
        guard let first = waves.first, let last = waves.last else { return "" }
        guard waves.count > 1 else { return "sent from \(moment(first)) on" }
        return
            "sent in \(Figures.count(waves.count)) waves: the first \(start(first)), the last from \(moment(last)) on"
    }

    /// One row per wave; empty if there is only one wave.
    var rows: [Row] {
        guard waves.count > 1 else { return [] }
        return waves.prefix(Self.mostWaves).map { wave in
            let late = wave.isTooLate ? ", too late" : ""
            return Row(
                moment: moment(wave),
                people: Figures.count(wave.people, "person", "people") + late,
                zones: .names(wave.zones))
        }
    }

    /// A phrase about the waves that are not listed.
    var rest: String? {
        let left = waves.dropFirst(Self.mostWaves)
        guard !left.isEmpty else { return nil }
        let people = Figures.count(left.reduce(0) { $0 + $1.people }, "person", "people")
        return "\(Figures.count(left.count, "more wave", "more waves")) with \(people)"
    }

    private func moment(_ wave: PreviewWave) -> String {
        wave.opens.map { UTCTime.readable($0, in: zone) } ?? "at once"
    }

    private func start(_ wave: PreviewWave) -> String {
        wave.opens == nil ? moment(wave) : "from \(moment(wave)) on"
    }
}
