import CampaignCore
import FoundationEssentials

struct WaveLine {
    /// The others are only counted.
    private static let mostZones = 3

    private let standing: WaveStanding
    private let zone: TimeZoneRules?

    init(_ standing: WaveStanding, in zone: TimeZoneRules?) {
        self.standing = standing
        self.zone = zone
    }

    var opens: String {
        UTCTime.readable(
            Date(timeIntervalSince1970: Double(standing.wave.turn.opens)), in: zone)
    }

    /// The first zones by name, and how many more.
    var zones: String {
        let zones = standing.wave.zones
        let named = zones.prefix(Self.mostZones).map(VisibleText.escape).joined(separator: ", ")
        let more = zones.count - Self.mostZones
        return more > 0 ? "\(named) and \(Figures.count(more)) more" : named
    }

    var people: String { Figures.count(standing.wave.recipients.count) }

    var outcomes: OutcomeCounts { standing.outcomes }
}
