enum CampaignSlug {
    private static let longest = 60
    private static let spellings: [(letters: String, plain: String)] = [
        ("àáâãåāą", "a"), ("äæ", "ae"), ("çćč", "c"), ("ď", "d"), ("èéêëēęě", "e"), ("ğ", "g"),
        ("ìíîïīı", "i"), ("ł", "l"), ("ñńň", "n"), ("òóôõō", "o"), ("öøœ", "oe"), ("řŕ", "r"),
        ("śšş", "s"), ("ß", "ss"), ("ť", "t"), ("ùúûūů", "u"), ("ü", "ue"), ("ýÿ", "y"),
        ("źżž", "z"),
    ]

    /// `spring-sale-2026` for "Spring Sale 2026!"; nil if a letter has no ASCII spelling.
    static func slug(of text: String) -> String? {
        var slug = ""
        for character in text.lowercased() where !"'’".contains(character) {
            if character.isASCII, character.isLetter || character.isNumber {
                slug.append(character)
            } else if let spelling = spellings.first(where: { $0.letters.contains(character) }) {
                slug += spelling.plain
            } else if character.isLetter {
                return nil
            } else if slug.last != "-" {
                slug.append("-")
            }
            guard slug.utf8.count <= 2 * longest else { break }
        }
        let name = String(slug.trimming { $0 == "-" }.prefix(longest)).trimming { $0 == "-" }
        return name.isEmpty ? nil : name
    }
}
