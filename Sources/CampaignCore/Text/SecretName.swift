/// The kind of secret that a name stands for.
enum SecretName: Hashable {
    case secret
    /// Only `key`: in YAML, the value may be a file's name; after `=`, it is a secret.
    case key
    case connectionString
    /// `Bearer`: a space before the secret is enough.
    case bearer
    /// `--password`: a space before the secret is enough.
    case flag
    /// `Authorization`: a scheme may precede the secret.
    case authorization

    /// The maximum length of a name.
    private static let longest = 200
    private static let words: Set<String> = [
        "secret", "secrets", "token", "credential", "credentials", "pwd", "sig", "signature",
    ]
    private static let parts = ["password", "passwd", "passphrase"]
    /// Endings of names that are written without separators between words.
    private static let endings = [
        "pwd", "secret", "token", "credential", "credentials", "apikey", "accesskey", "accountkey",
        "authkey", "encryptionkey", "masterkey", "privatekey", "secretkey", "sharedkey",
        "signingkey",
    ]
    /// Last words of names that contain no secret, such as `PASSWORD_FILE`.
    private static let harmless: Set<String> = [
        "claim", "command", "field", "file", "id", "length", "lifetime", "limit", "name", "path",
        "policy", "type",
    ]

    /// Recognises names such as `DB_PASSWORD`, `clientSecret` and `x-api-key`; nil for a name that
    /// is not secret.
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

    var needsNoSign: Bool { self == .bearer || self == .flag }

    /// Lower-case words without final numbers: `apiKey2` has `api` and `key`.
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
