import CampaignCore

/// Zones named by their seconds ahead of UTC, such as `-90`.
struct TestZones: TimeZoneDatabase {
    let names: [String] = []

    func rules(of name: String) throws(TimeZoneError) -> TimeZoneRules {
        guard let offset = Int(name) else { throw .unknown }
        return TimeZoneRules(name: name, offset: offset)
    }
}

extension ListedAudience {
    static func people(_ zones: KeyValuePairs<String, String?>) -> [AudienceMember] {
        zones.enumerated().map { index, person in
            AudienceMember(
                username: Username(checked: person.key), zone: person.value,
                origin: AudienceOrigin(file: 0, line: index + 1))
        }
    }

    static func people(count: Int, in zone: String?, named prefix: String) -> [AudienceMember] {
        (1...count).map { number in
            AudienceMember(
                username: Username(checked: prefix + String(String(1_000 + number).dropFirst())),
                zone: zone, origin: AudienceOrigin(file: 0, line: number))
        }
    }
}
