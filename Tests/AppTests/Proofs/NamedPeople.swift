import CampaignCore

struct NamedPeople: AudienceSource {
    let names: [String]

    struct Reader: AudienceReader {
        var rest: ArraySlice<AudienceMember>

        mutating func next(_ limit: Int) -> [AudienceMember] {
            defer { rest = rest.dropFirst(limit) }
            return Array(rest.prefix(limit))
        }
    }

    func reader(of part: AudiencePart) -> any AudienceReader {
        guard part == .named else { return Reader(rest: []) }
        return Reader(
            rest: names.enumerated().map { index, name in
                AudienceMember(
                    username: Username(checked: name), values: [],
                    origin: AudienceOrigin(file: 0, line: index + 1))
            }[...])
    }
}
