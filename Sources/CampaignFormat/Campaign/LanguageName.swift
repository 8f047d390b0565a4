import CampaignCore

/// Finds the tag for a language's name, a country's code or another system's form.
enum LanguageName {
    /// The tags, including country codes that people mistake for language codes.
    private static let tags = [
        "german": "de", "deutsch": "de", "english": "en", "french": "fr", "français": "fr",
        "francais": "fr", "spanish": "es", "español": "es", "espanol": "es", "italian": "it",
        "italiano": "it", "portuguese": "pt", "português": "pt", "portugues": "pt", "dutch": "nl",
        "nederlands": "nl", "polish": "pl", "polski": "pl", "turkish": "tr", "türkçe": "tr",
        "japanese": "ja", "chinese": "zh", "korean": "ko", "russian": "ru", "ukrainian": "uk",
        "arabic": "ar", "hindi": "hi", "swedish": "sv", "danish": "da", "norwegian": "no",
        "finnish": "fi", "czech": "cs", "greek": "el", "hebrew": "he", "hungarian": "hu",
        "romanian": "ro", "vietnamese": "vi", "thai": "th",
    ]
    private static let countries = [
        "jp": "ja", "cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "at": "de", "ua": "uk",
        "us": "en", "vn": "vi", "en-uk": "en-GB",
    ]

    /// ISO 639-1, with obsolete codes that are still accepted.
    private static let codes = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
        ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik
        in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg
        mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro
        ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty
        ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    static func help(for text: String, fallback: String) -> DiagnosticMessage {
        if let nearest = NearestName.nearest(to: text, among: [fallback, "fallback", "other"]) {
            return nearest == fallback
                ? "Did you mean \"\(fallback)\"?"
                : "The text for everybody else goes under \"\(fallback)\"."
        }
        if let tag = tags[text.lowercased()] { return "Did you mean \"\(tag)\"?" }
        let parts = text.split { "_ .".contains($0) }
        if parts.count > 1, let tag = LanguageTag(parts.prefix(2).joined(separator: "-")) {
            return "Write \(tag)."
        }
        return "Write a tag such as de, pt-BR or zh-Hant, or \(fallback)."
    }

    /// The outer nil means that the tag is correct; the inner nil means that it is wrong, but there
    /// is no suggestion.
    static func correction(of tag: LanguageTag) -> String?? {
        let text = tag.text.lowercased()
        if text == "en-uk" { return .some(countries[text]) }
        let language = text.prefix { $0 != "-" }
        guard language.utf8.count == 2, !codes.contains(String(language)) else { return nil }
        return .some(countries[String(language)])
    }
}
