/// What a name says about the value that is assigned to it.
enum SecretName: Hashable {
    /// A password, token or key.
    case secret
    /// `key` alone: in YAML it may as well be a file; behind `=` its value is a secret.
    case key
    /// A secret through all of its parts.
    case connectionString
    /// `Bearer`: a space is enough before the secret.
    case bearer
    /// `--password`: a space is enough before the secret.
    case flag
    /// `Authorization`: a scheme may stand before the secret.
    case authorization

    /// Longer words are not taken for names.
    private static let longest = 200
    private static let words: Set<String> = [
        "secret", "secrets", "token", "credential", "credentials", "pwd", "sig", "signature",
    ]
    private static let parts = ["password", "passwd", "passphrase"]
    /// The ends of names whose words are written together.
    private static let endings = [
        "pwd", "secret", "token", "credential", "credentials", "apikey", "accesskey", "accountkey",
        "authkey", "encryptionkey", "masterkey", "privatekey", "secretkey", "sharedkey",
        "signingkey",
    ]
    /// The last words of names that hold no secret: `PASSWORD_FILE` says where one is.
    private static let harmless: Set<String> = [
        "claim", "command", "field", "file", "id", "length", "lifetime", "limit", "name", "path",
        "policy", "type",
    ]

    /// Takes `DB_PASSWORD`, `clientSecret`, `x-api-key`, `PGPASSWORD` and their like.
    ///
    /// - Returns: nil for a name that tells of no secret.
    init?(_ name: ArraySlice<Unicode.Scalar>) {
        guard name.count <= Self.longest else { return nil }
        let words = Self.words(of: name)
        guard let last = words.last, !Self.harmless.contains(last) else { return nil }
        let joined = words.joined()
        switch joined {
        case "bearer", "sharedaccesssignature": self = .bearer
        case "key", "pass": self = .key
        case _
        where joined.hasSuffix("connectionstring")
            || joined.hasSuffix("connectionstringsecondary"):
            self = .connectionString
        case _ where last == "authorization": self = .authorization
        case _
        where !Self.words.isDisjoint(with: words) || last == "key" || last == "pass"
            || Self.parts.contains { joined.contains($0) }
            || Self.endings.contains { joined.hasSuffix($0) }:
            self = name.starts(with: "--".unicodeScalars) ? .flag : .secret
        default: return nil
        }
    }

    /// Whether a value may follow without `=` or a colon.
    var needsNoSign: Bool { self == .bearer || self == .flag }

    /// The words of a name in lower case, without numbers at their ends: `apiKey2` has `api` and `key`.
    private static func words(of name: ArraySlice<Unicode.Scalar>) -> [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in name {
            let isUpper = ("A"..."Z").contains(scalar)
            if isUpper, wasLower { end() }
            wasLower = ("a"..."z").contains(scalar)
            if isUpper || wasLower {
                word.unicodeScalars.append(
                    scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
            } else {
                end()
            }
        }
        end()
        return words
    }
}
