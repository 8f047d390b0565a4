import CampaignCore

/// The time zones of an audience, numbered as they are met, and how many people have each.
struct ZoneTally: Sendable {
    /// By number; 0 is for people of whom none is known.
    private var zones: [String?] = [nil]
    private var people = [0]
    private var numbers: [String: Int] = [:]

    /// Counts a person.
    ///
    /// - Parameter zone: theirs; nil: none is known.
    /// - Returns: the zone's number.
    mutating func count(_ zone: String?) -> Int {
        let number = self.number(of: zone)
        people[number] += 1
        return number
    }

    private mutating func number(of zone: String?) -> Int {
        guard let zone else { return 0 }
        if let known = numbers[zone] { return known }
        let number = zones.count
        numbers[zone] = number
        zones.append(zone)
        people.append(0)
        return number
    }

    /// The zones that anybody has, by name; first those of whom none is known.
    var counts: [ZoneCount] {
        zip(zones, people).filter { $0.1 > 0 }
            .map { ZoneCount(zone: $0.0, recipients: $0.1) }
            .sorted { ($0.zone ?? "") < ($1.zone ?? "") }
    }

    /// In which wave each zone is.
    ///
    /// - Parameter waves: the zones of each wave; every one that anybody has is in one of them.
    /// - Returns: places in `waves`, by the zone's number.
    func places(in waves: [[String?]]) -> [Int] {
        var places: [String?: Int] = [:]
        for (wave, zones) in waves.enumerated() {
            for zone in zones { places[zone] = wave }
        }
        return zip(zones, people).map { zone, people in
            let place = places[zone]
            // Whoever is in no wave would be sent nothing.
            precondition(place != nil || people == 0, "every zone of the audience is in a wave")
            return place ?? 0
        }
    }
}
