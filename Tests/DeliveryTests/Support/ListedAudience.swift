import CampaignCore

struct ListedAudience: AudienceSource {
    var named: [AudienceMember]
    var excluded: [AudienceMember] = []
    /// Called for each batch that is read.
    var onRead: @Sendable () -> Void = {}

    struct Reader: AudienceReader {
        var rest: ArraySlice<AudienceMember>
        let onRead: @Sendable () -> Void

        mutating func next(_ limit: Int) -> [AudienceMember] {
            onRead()
            let batch = Array(rest.prefix(limit))
            rest = rest.dropFirst(limit)
            return batch
        }
    }

    func reader(of part: AudiencePart) -> any AudienceReader {
        Reader(rest: part == .named ? named[...] : excluded[...], onRead: onRead)
    }

    /// People in lines 1, 2 and so on.
    static func people(_ names: [String], values: [String?] = []) -> [AudienceMember] {
        names.enumerated().map { index, name in
            AudienceMember(
                username: Username(checked: name), values: values,
                origin: AudienceOrigin(file: 0, line: index + 1))
        }
    }

    /// People named `u00001`, `u00002` and so on.
    static func people(count: Int) -> [AudienceMember] {
        people((1...count).map { "u" + String(String(100_000 + $0).dropFirst()) })
    }
}
