import CampaignCore

enum NearestZone {
    private static let most = 3
    /// The minimum length of a word; shorter words are abbreviations, which resemble many others.
    private static let shortest = 5

    /// Zones by words that do not occur in their names: cities and countries, in local languages or
    /// in German, and Windows names.
    private static let others: [String: String] = {
        var others: [String: String] = [:]
        for line in links.split(separator: ";") {
            let words = line.split(separator: ",").map { $0.drop { $0 == " " } }
            for word in words.dropFirst() { others[String(word)] = String(words[0]) }
        }
        return others
    }()

    private static let links = """
        Europe/Berlin,deutschland,germany,hamburg,munich,münchen,muenchen,frankfurt,cologne,köln,w. \
        europe standard time;Europe/Vienna,wien,österreich,austria;Europe/Zurich,zürich,bern,basel,\
        genf,geneva,geneve,genève,schweiz,switzerland;Europe/Kyiv,kiew;Europe/Moscow,moskau,moskva,\
        russian standard time;Europe/Rome,rom,roma,mailand,milan,milano,italy,italien;Europe/Prague,\
        prag,praha;Europe/Warsaw,warschau,warszawa,central european standard time;Europe/Brussels,\
        brüssel,bruessel,bruxelles;Europe/Copenhagen,kopenhagen,københavn;Europe/Lisbon,lissabon,\
        lisboa;Europe/Athens,athen;Europe/Bucharest,bukarest,bucurești;Europe/Belgrade,belgrad,\
        beograd;Europe/Paris,france,frankreich,lyon,romance standard time;Europe/Madrid,spain,spanien,\
        barcelona;Europe/London,londres,england,gmt standard time;Europe/Budapest,central europe \
        standard time;America/New_York,boston,washington,miami,atlanta,eastern standard time;\
        America/Chicago,houston,dallas,austin,central standard time;America/Denver,mountain standard \
        time;America/Los_Angeles,san_francisco,seattle,pacific standard time;America/Mexico_City,\
        mexico;America/Sao_Paulo,são_paulo;America/Toronto,ottawa,montréal;Asia/Shanghai,peking,\
        beijing,china;Asia/Kolkata,bombay,mumbai,delhi,new_delhi,bangalore,india,india standard time;\
        Asia/Tokyo,tokio;Asia/Ho_Chi_Minh,hanoi;Australia/Sydney,canberra
        """

    /// Returns at most three names: the current name of a renamed zone, else the zones of a city,
    /// else the zone whose name was misspelt.
    ///
    /// Nearly all letters of the city must match: Asia/Yangon is not a typo for Asia/Saigon.
    static func names(near name: String, among known: [String]) -> [String] {
        let written = name.lowercased()
        if let same = known.first(where: { $0.lowercased() == written }) { return [same] }
        if let today = FormerZones.today(of: name), known.contains(today) { return [today] }
        let city = written.split(separator: "/").last?.drop { $0 == " " } ?? ""
        if let zone = others[written] ?? others[String(city).replacing(" ", with: "_")],
            known.contains(zone)
        {
            return [zone]
        }
        guard name.utf8.count >= shortest, !name.utf8.contains(where: isOffset) else { return [] }
        let cities = known.filter { $0.lowercased().split(separator: "/").last == city }
        guard cities.isEmpty else { return Array(cities.prefix(most)) }
        let lowered = known.map { $0.lowercased() }
        guard let near = NearestName.nearest(to: written, among: lowered),
            let index = lowered.firstIndex(of: near),
            let nearCity = near.split(separator: "/").last,
            NearestName.edits(from: String(city), to: String(nearCity)) <= max(1, city.count / 4)
        else { return [] }
        let today = FormerZones.today(of: near).flatMap { known.contains($0) ? $0 : nil }
        return [today ?? known[index]]
    }

    /// Whether the byte is part of an offset, as in `GMT+1` or `UTC+02`.
    private static func isOffset(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte.isDigit
    }
}
