package import CampaignCore

/// How many people have a device, as a preview tells it.
package struct ReachText: Sendable {
    private let reach: ReachEstimate

    package init(_ reach: ReachEstimate) {
        self.reach = reach
    }

    /// A line for each platform below a head, each indented by two spaces.
    package func lines() -> [String] {
        var table = TextTable([.left, .right, .right, .left], indent: 2)
        for platform in reach.platforms {
            table.append(row(platform.rawValue, reach.people(on: platform)))
        }
        table.append(row("none of them", reach.peopleWithoutDevice))
        return [head] + table.lines()
    }

    /// What is unusual, for a summary: that people cannot be reached at all; nil when everybody who was asked about has a device.
    package var warning: String? {
        let people = reach.peopleWithoutDevice
        guard people.bounds.upperBound > 0, people.count > 0 else { return nil }
        let rest = "no device on any platform"
        let has = people.count == 1 ? "has" : "have"
        guard reach.isSample else {
            return "\(Figures.count(people.count, "name", "names")) \(has) \(rest)"
        }
        return "about \(Figures.count(people.count, "name", "names")) \(has) \(rest) "
            + "(\(Self.text(people.bounds)), from a sample)"
    }

    private var head: String {
        let people = Figures.count(reach.people, "person", "people")
        return reach.isSample
            ? "Devices at the hub, from a sample of \(Figures.count(reach.asked)) of \(people), "
                + "with bounds of 95 percent:"
            : "Devices at the hub, of all \(people):"
    }

    private func row(_ name: String, _ people: ReachEstimate.People) -> [String] {
        let share = Figures.share(people.count, of: reach.people)
        guard reach.isSample else { return [name, Figures.count(people.count), share] }
        return [name, "about \(Figures.count(people.count))", share, Self.text(people.bounds)]
    }

    private static func text(_ bounds: ClosedRange<Int>) -> String {
        "\(Figures.count(bounds.lowerBound)) to \(Figures.count(bounds.upperBound))"
    }
}

/// How many people have a device, as the key `reach` of a preview's JSON has it.
///
/// `{"people","asked","platforms":[{"platform","people","at_least","at_most"}],"without":{"people","at_least","at_most"}}`; all count
/// people. Where everybody was asked about, the three numbers are the same.
package struct ReachJSON: Encodable, Sendable {
    private enum Key: String, CodingKey {
        case people, asked, platforms, platform, without
        case least = "at_least"
        case most = "at_most"
    }

    private let reach: ReachEstimate

    package init(_ reach: ReachEstimate) {
        self.reach = reach
    }

    package func encode(to encoder: any Encoder) throws {
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
