import CampaignCore

/// English names of languages (ISO 639-1).
enum LanguageNames {
    private static let names = [
        "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani",
        "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "bs": "Bosnian",
        "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
        "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque",
        "fa": "Persian", "fi": "Finnish", "fil": "Filipino", "fr": "French", "ga": "Irish",
        "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
        "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic",
        "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer",
        "kn": "Kannada", "ko": "Korean", "ky": "Kyrgyz", "lb": "Luxembourgish", "lo": "Lao",
        "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam",
        "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese",
        "nb": "Norwegian Bokmål", "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian Nynorsk",
        "no": "Norwegian", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese",
        "ro": "Romanian", "ru": "Russian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
        "so": "Somali", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili",
        "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish",
        "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yue": "Cantonese",
        "zh": "Chinese", "zu": "Zulu",
    ]

    /// Returns `German (de)`, or only the tag if its name is unknown.
    static func phrase(_ tag: LanguageTag) -> Phrase {
        guard let name = name(of: tag) else { return "\(name: tag.text)" }
        return "\(name) (\(name: tag.text))"
    }

    static func name(of tag: LanguageTag) -> String? {
        tag.text.split(separator: "-").first.flatMap { names[$0.lowercased()] }
    }
}
