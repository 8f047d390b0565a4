import CampaignCore

/// The time zones of an audience, numbered in order of first appearance, with the number of people
/// in each.
struct ZoneTally: Sendable {
    /// The zones by number; 0 is for people without a known zone.
    private var zones: [String?] = [nil]
    private var people = [0]
    private var numbers: [String: Int] = [:]

    /// Counts a person and returns the number of their zone; a nil zone is unknown.
    mutating func count(_ zone: String?) -> Int {
        let number = zone.map { numbers[$0] ?? zones.count } ?? 0
        if let zone, number == zones.count {
            numbers[zone] = number
            zones.append(zone)
            people.append(0)
        }
        people[number] += 1
        return number
    }

    /// The zones in use, in order of name, with the unknown zone first.
    var counts: [ZoneCount] {
        zip(zones, people).filter { $0.1 > 0 }
            .map { ZoneCount(zone: $0.0, recipients: $0.1) }
            .sorted { ($0.zone ?? "") < ($1.zone ?? "") }
    }

    /// The index in `waves` for each zone, by the zone's number.
    func places(in waves: [[String?]]) -> [Int] {
        var places: [String?: Int] = [:]
        for (wave, zones) in waves.enumerated() {
            for zone in zones { places[zone] = wave }
        }
        return zip(zones, people).map { zone, people in
            let place = places[zone]
            // People who are in no wave would be sent nothing.
            precondition(place != nil || people == 0, "every zone of the audience is in a wave")
            return place ?? 0
        }
    }
}
