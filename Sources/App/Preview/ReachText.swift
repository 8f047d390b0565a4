import CampaignCore

struct ReachText {
    private let reach: ReachEstimate

    init(_ reach: ReachEstimate) {
        self.reach = reach
    }

    /// Says how many people have a device on each platform, and how this is known.
    var summary: String {
        let counts = reach.platforms.map { platform in
            "\(text(reach.people(on: platform))) on \(platform)"
        }
        let source =
            reach.isSample
            ? "from a sample of \(Figures.count(reach.asked)), with 95 percent confidence"
            : "according to the hub"
        return "\(counts.joined(separator: ", ")); \(source)"
    }

    var withoutDevice: String {
        let people = reach.peopleWithoutDevice
        let names = Figures.count(people.count, "person", "people")
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

enum ReachJSON {
    /// The key `reach` of a preview's JSON; all numbers count people.
    ///
    /// If the hub was asked about everybody, a platform's three numbers are equal.
    static func object(_ reach: ReachEstimate) -> JSONObject {
        [
            "people": reach.people, "asked": reach.asked,
            "platforms": reach.platforms.map {
                people(reach.people(on: $0)) + ["platform": $0.rawValue]
            },
            "without": people(reach.peopleWithoutDevice),
        ]
    }

    private static func people(_ people: ReachEstimate.People) -> JSONObject {
        [
            "people": people.count, "at_least": people.bounds.lowerBound,
            "at_most": people.bounds.upperBound,
        ]
    }
}
