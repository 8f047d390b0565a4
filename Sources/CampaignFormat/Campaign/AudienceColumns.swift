import CampaignCore

/// The columns of a campaign's audience files, found also by names that other tools have for them.
struct AudienceColumns {
    /// Names that one widespread tool has for what most call otherwise.
    private static let otherNames = ["fname": "firstname", "lname": "lastname"]

    /// Those that a variable can name.
    private let names: [String]

    init(_ names: [String]) {
        self.names = names.filter(MessageTemplate.isName)
    }

    /// The column that somebody means: `first_name` also by `First Name`, `customer.first_name` and `FNAME`.
    func named(_ name: String) -> String? {
        if names.contains(name) { return name }
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || " _-.".contains($0) }) else {
            return nil
        }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let wanted = [Self.plain(name), Self.plain(last)]
        let all = wanted + wanted.compactMap { Self.otherNames[$0] }
        return all.lazy.filter { !$0.isEmpty }.compactMap { wanted in
            names.first { Self.plain($0) == wanted }
        }.first
    }

    /// A name without case and without what divides its words.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
