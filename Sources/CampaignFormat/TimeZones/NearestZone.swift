/// Finds the time zones that somebody probably meant.
enum NearestZone {
    /// How many are named.
    private static let most = 3
    /// Below this, a word is an abbreviation, to which many others are near that are something else.
    private static let shortest = 5

    /// The zones of a city, else the one that is misspelt.
    ///
    /// - Parameters:
    ///   - name: what was written.
    ///   - known: all names.
    /// - Returns: three at most; none where it may be anything.
    static func names(near name: String, among known: [String]) -> [String] {
        let written = name.lowercased()
        if let same = known.first(where: { $0.lowercased() == written }) { return [same] }
        guard name.utf8.count >= shortest, !name.utf8.contains(where: isOffset) else { return [] }
        let city = written.split(separator: "/").last ?? ""
        let cities = known.filter { $0.lowercased().split(separator: "/").last == city }
        guard cities.isEmpty else { return Array(cities.prefix(most)) }
        let lowered = known.map { $0.lowercased() }
        guard let near = NearestName.nearest(to: written, among: lowered),
            let index = lowered.firstIndex(of: near)
        else { return [] }
        return [known[index]]
    }

    /// As in `GMT+1` or `UTC+02`.
    private static func isOffset(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
