/// The form of a text value: a pattern for editors, and a sentence for errors.
///
/// Decoders read text with their own functions, which check more than a pattern can express.
struct TextForm: Sendable {
    struct Mismatch: Sendable {
        let rule: Rule
        /// The expected text as a noun with its article.
        let noun: String
        /// Whether the error names the key, because other keys accept different text.
        let namesKey: Bool
        let help: DiagnosticMessage
    }

    /// ECMA-262, as JSON Schema requires; nil means any text.
    let pattern: String?
    /// The maximum number of characters; nil means no limit.
    let longest: Int?
    /// Whether YAML may read the text as a number or boolean, as for a user called 12345.
    let mayLookLikeNumber: Bool
    private let mismatch: Mismatch?

    private init(
        _ pattern: String? = nil, longest: Int? = nil, mayLookLikeNumber: Bool = true,
        mismatch: Mismatch? = nil
    ) {
        self.pattern = pattern
        self.longest = longest
        self.mayLookLikeNumber = mayLookLikeNumber
        self.mismatch = mismatch
    }

    var reading: Mismatch {
        guard let mismatch else { preconditionFailure("This form is not read by MappingReader.") }
        return mismatch
    }

    func takes(_ text: String) -> Bool {
        guard let pattern else { return true }
        guard let regex = try? Regex(pattern) else {
            preconditionFailure("The pattern \(pattern) cannot be read.")
        }
        return text.firstMatch(of: regex) != nil
    }

    // MARK: Any texts

    /// Text of at least one character.
    static let any = TextForm()
    /// Text for people, possibly with variables, that is not only white space.
    static let template = TextForm("\\S", longest: 64 << 10)
    /// Text without variables.
    static let fixed = TextForm("^(?![\\s\\S]*\\{\\{)")
    static let path = TextForm(longest: 1_024)
    /// A path that a campaign refers to, not an address.
    static let file = TextForm("^(?!.*://)", longest: 1_024)

    // MARK: Names

    static let campaignName = TextForm("^[a-z0-9-]{1,60}$")
    static let username = TextForm("^[A-Za-z0-9_@#.:-]{1,111}$")
    static let column = TextForm(longest: 256)
    static let word = TextForm("^\\S{1,64}$|\\{\\{")
    /// A key of the app, but not one that pushes already contain.
    static let dataKey = TextForm(
        "^(?!(\(caseless(DataDecoder.reserved.sorted())))$)"
            + "(?!\(caseless(DataDecoder.reservedBeginnings)))[A-Za-z0-9._-]{1,64}$")
    /// A BCP 47 tag.
    static let language = TextForm(
        "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$", mayLookLikeNumber: false)
    static let handle = TextForm(longest: 4_096)
    static let scheme = TextForm("^[a-z][a-z0-9+.-]{0,63}$")
    static let address = TextForm("^[A-Za-z][A-Za-z0-9+.-]*:", mayLookLikeNumber: false)

    static let separator = TextForm(
        "^(comma|semicolon|tab|,|;|\\t)$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .unknownValue, noun: "a separator", namesKey: false,
            help: "Write comma, semicolon or tab."))

    /// A pattern that ignores case; patterns in JSON Schema have no flag for this.
    private static func caseless(_ words: [String]) -> String {
        words.map { word in
            word.map { character in
                let letter = String(character)
                if character.isLetter { return "[\(letter.uppercased())\(letter)]" }
                return character == "." ? "\\." : letter
            }.joined()
        }.joined(separator: "|")
    }

    // MARK: Amounts

    /// A pattern for numbers of at least 1, with any leading zeros.
    private static func number(upTo bound: Int) -> String {
        let digits = String(bound).compactMap(\.wholeNumberValue)
        var parts = digits.count > 1 ? ["[1-9][0-9]{0,\(digits.count - 2)}"] : []
        for (index, digit) in digits.enumerated() {
            let isLast = index == digits.count - 1
            let (low, high) = (index == 0 ? 1 : 0, isLast ? digit : digit - 1)
            guard low <= high else { continue }
            let before = digits[..<index].map(String.init).joined()
            parts.append("\(before)[\(low)-\(high)][0-9]{\(digits.count - 1 - index)}")
        }
        return "0*(\(parts.joined(separator: "|")))"
    }

    private static func time(_ form: DurationText) -> String {
        form.units.map { number(upTo: $0.most) + $0.name }.joined(separator: "|")
    }

    static let duration = TextForm(
        "^(\(time(.usual)))$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .invalidDuration, noun: "a duration", namesKey: true,
            help:
                "Write a number of at least 1, followed by s, m, h or d, such as 30s, 15m, 2h or 7d; at most 366d."
        ))
    /// A duration of at least a minute.
    static let wait = TextForm(
        "^(?!0*[1-5]?[0-9]s$)(\(time(.usual)))$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .invalidDuration, noun: "a duration", namesKey: true,
            help: "Write at least 1m, such as 15m, 2h or 1d; at most 366d."))
    static let days = TextForm(
        "^\(time(.days))$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .invalidDuration, noun: "a number of days", namesKey: true,
            help: "Write 1d to 3660d, such as 30d or 400d."))
    static let rate = TextForm(
        "^(unlimited|\(number(upTo: RateText.highest))/s)$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .invalidRate, noun: "a rate", namesKey: false,
            help:
                "Write the hub requests a second from 1/s to 1000000/s, such as 500/s, or unlimited."
        ))
    /// A whole percentage from 1 to 100.
    static let percent = TextForm(
        "^\(number(upTo: 100))%$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .outOfRange, noun: "a share of the deliveries", namesKey: false,
            help: "Write 1% to 100%."))
    /// A percentage above 0 and up to 100, with up to three decimals.
    static let share = TextForm(
        "^(0*[1-9][0-9]?(\\.[0-9]{1,3})?|0+\\.([1-9][0-9]{0,2}|0[1-9][0-9]?|00[1-9])|0*100(\\.0{1,3})?)%$",
        mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .outOfRange, noun: "a share", namesKey: true,
            help: "Write a percentage above 0% and up to 100%, such as 5% or 0.5%."))
    /// A duration from 1 ms to 10 minutes.
    static let latency = TextForm(
        "^(\(time(.latency)))$", mayLookLikeNumber: false,
        mismatch: Mismatch(
            rule: .invalidDuration, noun: "a time", namesKey: true,
            help: "Write 1ms to 10m, such as 50ms or 2s."))

    // MARK: Times

    static let cron = TextForm(
        "^[ \\t]*((\\S+[ \\t]+){4}\\S+|@[A-Za-z]+)[ \\t]*$", mayLookLikeNumber: false)
    static let localTime = TextForm(
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
        mayLookLikeNumber: false)
    static let timeOfDay = TextForm(
        "^([01][0-9]|2[0-3]):[0-5][0-9]$", mayLookLikeNumber: false)
    static let timeZone = TextForm("^[A-Za-z0-9/_+-]{1,64}$")
}
