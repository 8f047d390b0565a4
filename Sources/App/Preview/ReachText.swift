import CampaignCore

struct ReachText {
    private let reach: ReachEstimate

    init(_ reach: ReachEstimate) {
        self.reach = reach
    }

    /// How many people on each platform, and how that is known.
    var summary: String {
        let counts = reach.platforms.map { platform in
            "\(text(reach.people(on: platform))) on \(platform)"
        }
        let source =
            reach.isSample
            ? "from a sample of \(Figures.count(reach.asked)), with bounds of 95 percent"
            : "as the hub knows"
        return "\(counts.joined(separator: ", ")); \(source)"
    }

    var withoutDevice: String {
        let people = reach.peopleWithoutDevice
        let names = Figures.count(people.count, "name", "names")
        let has = people.count == 1 ? "has" : "have"
        let bounds =
            reach.isSample
            ? " (\(Self.text(people.bounds)), from a sample of \(Figures.count(reach.asked)))" : ""
        return "\(reach.isSample ? "about " : "")\(names) \(has) no device on any platform\(bounds)"
    }

    private func text(_ people: ReachEstimate.People) -> String {
        guard reach.isSample else { return Figures.count(people.count) }
        return "about \(Figures.count(people.count)) (\(Self.text(people.bounds)))"
    }

    private static func text(_ bounds: ClosedRange<Int>) -> String {
        "\(Figures.count(bounds.lowerBound)) to \(Figures.count(bounds.upperBound))"
    }
}

/// The key `reach` of a preview's JSON; all numbers count people.
///
/// The numbers for a platform are equal if everybody was asked about.
struct ReachJSON: Encodable, Sendable {
    private enum Key: String, CodingKey {
        case people, asked, platforms, platform, without
        case least = "at_least"
        case most = "at_most"
    }

    private let reach: ReachEstimate

    init(_ reach: ReachEstimate) {
        self.reach = reach
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(reach.people, forKey: .people)
        try object.encode(reach.asked, forKey: .asked)
        var list = object.nestedUnkeyedContainer(forKey: .platforms)
        for platform in reach.platforms {
            var item = list.nestedContainer(keyedBy: Key.self)
            try item.encode(platform.rawValue, forKey: .platform)
            try Self.encode(reach.people(on: platform), into: &item)
        }
        var without = object.nestedContainer(keyedBy: Key.self, forKey: .without)
        try Self.encode(reach.peopleWithoutDevice, into: &without)
    }

    private static func encode(
        _ people: ReachEstimate.People, into object: inout KeyedEncodingContainer<Key>
    ) throws {
        try object.encode(people.count, forKey: .people)
        try object.encode(people.bounds.lowerBound, forKey: .least)
        try object.encode(people.bounds.upperBound, forKey: .most)
    }
}
