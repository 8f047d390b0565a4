import CampaignCore
import FoundationEssentials

/// A wave of a run as people read it.
struct WaveLine {
    /// How many zones are named; the others are counted.
    private static let mostZones = 3

    private let standing: WaveStanding
    private let zone: TimeZoneRules?

    /// - Parameters:
    ///   - standing: the wave.
    ///   - zone: the time zone of the campaign's schedule.
    init(_ standing: WaveStanding, in zone: TimeZoneRules?) {
        self.standing = standing
        self.zone = zone
    }

    /// When it begins.
    var opens: String {
        UTCTime.readable(
            Date(timeIntervalSince1970: Double(standing.wave.turn.opens)), in: zone)
    }

    /// Whose it is: the first zones by name, and how many more.
    var zones: String {
        let zones = standing.wave.zones
        let named = zones.prefix(Self.mostZones).map(VisibleText.escape).joined(separator: ", ")
        let more = zones.count - Self.mostZones
        return more > 0 ? "\(named) and \(Figures.count(more)) more" : named
    }

    /// How many people are in it.
    var people: String { Figures.count(standing.wave.recipients.count) }

    /// Its outcomes.
    var outcomes: OutcomeCounts { standing.outcomes }
}
