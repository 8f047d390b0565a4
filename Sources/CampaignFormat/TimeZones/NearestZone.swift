enum NearestZone {
    private static let most = 3
    /// Shorter words are abbreviations, which are near many others.
    private static let shortest = 5

    /// At most three: today's name, else the zones of a city, else the one that is misspelt.
    ///
    /// Nearly all letters of the city must be right: Asia/Yangon is not a slip for Asia/Saigon.
    static func names(near name: String, among known: [String]) -> [String] {
        let written = name.lowercased()
        if let same = known.first(where: { $0.lowercased() == written }) { return [same] }
        if let today = FormerZones.today(of: name), known.contains(today) { return [today] }
        guard name.utf8.count >= shortest, !name.utf8.contains(where: isOffset) else { return [] }
        let city = written.split(separator: "/").last ?? ""
        let cities = known.filter { $0.lowercased().split(separator: "/").last == city }
        guard cities.isEmpty else { return Array(cities.prefix(most)) }
        let lowered = known.map { $0.lowercased() }
        guard let near = NearestName.nearest(to: written, among: lowered),
            let index = lowered.firstIndex(of: near),
            let nearCity = near.split(separator: "/").last,
            NearestName.edits(from: String(city), to: String(nearCity)) <= max(1, city.count / 4)
        else { return [] }
        return [known[index]]
    }

    /// As in `GMT+1` or `UTC+02`.
    private static func isOffset(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
