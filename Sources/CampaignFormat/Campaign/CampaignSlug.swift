/// Makes a campaign's name out of a title in free words.
enum CampaignSlug {
    private static let longest = 60
    /// Letters that a name cannot have, with what replaces them.
    private static let spellings: [(letters: String, plain: String)] = [
        ("àáâãåāą", "a"), ("äæ", "ae"), ("çćč", "c"), ("ď", "d"), ("èéêëēęě", "e"), ("ğ", "g"),
        ("ìíîïīı", "i"), ("ł", "l"), ("ñńň", "n"), ("òóôõō", "o"), ("öøœ", "oe"), ("řŕ", "r"),
        ("śšş", "s"), ("ß", "ss"), ("ť", "t"), ("ùúûūů", "u"), ("ü", "ue"), ("ýÿ", "y"),
        ("źżž", "z"),
    ]

    /// A name such as `spring-sale-2026` for "Spring Sale 2026!".
    ///
    /// - Returns: nil where a letter has no spelling in the characters of names, or none is left.
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
