/// Finds the time zones that somebody probably meant.
enum NearestZone {
    /// How many are named.
    private static let most = 3
    /// Below this, a word is an abbreviation, to which many others are near that are something else.
    private static let shortest = 5

    /// Today's name of a zone, else the zones of a city, else the one that is misspelt.
    ///
    /// A misspelt zone is only named if nearly all letters of its city are right: Asia/Yangon is not a slip for Asia/Saigon, and in
    /// another zone people would be sent to at another time.
    ///
    /// - Parameters:
    ///   - name: what was written.
    ///   - known: all names.
    /// - Returns: three at most; none where it may be anything.
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
