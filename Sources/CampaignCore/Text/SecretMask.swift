/// Masks text that looks like a secret, with one asterisk per character, so that columns remain
/// correct.
///
/// This is only a second line of defence, because lines from files of other tools are not shown at
/// all. Each rule reads the text once, so masking is fast for any text.
package enum SecretMask {
    /// Sequences of letters, digits and `+ / _ - .` of this length may be base64 or hexadecimal
    /// keys.
    private static let shortestKey = 40
    /// The corresponding length for sequences of only letters, digits and `+`, which cannot be
    /// paths.
    private static let shortestPlainKey = 32
    /// Prefixes of well-known services' tokens; `eyJ` begins a web token.
    private static let tokenStarts = [
        "AKIA", "ASIA", "AIza", "eyJ", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
        "glpat-", "hf_", "npm_", "pypi-", "rk_live_", "sk-", "sk_live_", "SG.", "xapp-", "xoxa-",
        "xoxb-", "xoxp-", "xoxr-",
    ].map { Array($0.unicodeScalars) }
    private static let shortestToken = 20
    /// The maximum length of a file extension, which includes `jpeg` and `sqlite`.
    private static let longestEnding = 6

    /// Each function finds parts that may be secrets.
    private static let patterns: [@Sendable ([Unicode.Scalar]) -> [Range<Int>]] = [
        SecretAssignments.ranges, credentials, passwordLines, privateKeys, longRuns,
    ]

    package static func apply(to text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var masked = scalars
        for range in patterns.flatMap({ $0(scalars) }) {
            for index in range { masked[index] = "*" }
        }
        return String(String.UnicodeScalarView(masked))
    }

    /// Whether text almost certainly contains a secret.
    ///
    /// This finds private keys, tokens of well-known services, addresses with a password and keys
    /// of connection strings, but not text that may be harmless, such as a long random word.
    package static func holdsSecret(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        // All of these secrets are at least this long.
        guard scalars.count >= shortestToken else { return false }
        if !credentials(in: scalars).isEmpty || !privateKeys(in: scalars).isEmpty { return true }
        let words = scalars.split { !isKeyDigit($0) || $0 == "/" }
        // Lower-case names are excluded, because a name such as `sk-spring-sale-2026-loyalty` looks
        // like a token.
        let isUpper: (Unicode.Scalar) -> Bool = { ("A"..."Z").contains($0) }
        if words.contains(where: { isToken($0) && $0.contains(where: isUpper) }) { return true }
        return ["SharedAccessKey=", "AccountKey="].contains { name in
            guard let place = text.firstRange(of: name) else { return false }
            let key = Array(text[place.upperBound...].unicodeScalars.prefix { isKeyDigit($0) })
            return key.count >= shortestToken
        }
    }

    /// Finds `scheme://user:password@host`.
    private static func credentials(in text: [Unicode.Scalar]) -> [Range<Int>] {
        guard text.contains("@") else { return [] }
        var ranges: [Range<Int>] = []
        for index in text.indices.dropLast(2)
        where text[index] == ":" && text[index + 1] == "/" && text[index + 2] == "/" {
            let authority = text[(index + 3)...].prefix { !endsAuthority($0) }
            guard let at = authority.lastIndex(of: "@"),
                let colon = authority[..<at].firstIndex(of: ":")
            else { continue }
            ranges.append(colon + 1..<at)
        }
        return ranges
    }

    /// Finds `host:port:database:user:password`, as in `.pgpass` (PostgreSQL, section 32.16).
    private static func passwordLines(in text: [Unicode.Scalar]) -> [Range<Int>] {
        guard text.count(where: { $0 == ":" }) >= 4 else { return [] }
        return text.split(whereSeparator: isBreak).compactMap { word in
            guard let password = password(in: word) else { return nil }
            let before = text[..<word.startIndex].last { !isBreak($0) || $0 == "\n" }
            guard (before ?? "\n") == "\n" else { return password..<word.endIndex }
            return
                password..<(text[password...].firstIndex { $0 == "\n" || $0 == "\r" }
                ?? text.endIndex)
        }
    }

    /// The start of the fifth field.
    private static func password(in word: ArraySlice<Unicode.Scalar>) -> Int? {
        var fields: [ArraySlice<Unicode.Scalar>] = []
        var start = word.startIndex
        for index in word.indices where word[index] == ":" {
            if index > word.startIndex, word[index - 1] == "\\" { continue }
            fields.append(word[start..<index])
            start = index + 1
            if fields.count == 4 { break }
        }
        guard fields.count == 4, !fields.contains(where: \.isEmpty), start < word.endIndex,
            fields[1].allSatisfy({ ("0"..."9").contains($0) }) || fields[1].elementsEqual(["*"])
        else { return nil }
        // An IPv6 address also has this many colons.
        let isAddress = word.allSatisfy { $0 == ":" || $0.properties.isASCIIHexDigit }
        return isAddress ? nil : start
    }

    /// Finds PEM private keys, from the first line to the last.
    private static func privateKeys(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var (ranges, rest): ([Range<Int>], _) = ([], text[...])
        while let start = rest.firstRange(of: "PRIVATE KEY-----".unicodeScalars)?.upperBound {
            let end = text[start...].firstRange(of: "-----END".unicodeScalars)
            ranges.append(start..<(end?.lowerBound ?? text.endIndex))
            // The last line contains the same label as the first line.
            rest = text[(end?.upperBound ?? text.endIndex)...].drop { $0 != "-" }
        }
        return ranges
    }

    /// Finds long sequences with mixed case and digits, such as base64 keys, and well-known tokens.
    private static func longRuns(in text: [Unicode.Scalar]) -> [Range<Int>] {
        text.split { !isKeyDigit($0) }.flatMap { run -> [Range<Int>] in
            // Nearly all sequences are ordinary words.
            guard run.count >= min(shortestToken, shortestPlainKey) else { return [] }
            let isKey = isKey(run)
            if isKey, !isPath(run) { return [run.indices] }
            return run.split(separator: "/").filter { isToken($0) || isKey && Self.isKey($0) }
                .map(\.indices)
        }
    }

    private static func isKey(_ run: ArraySlice<Unicode.Scalar>) -> Bool {
        guard run.count >= shortestPlainKey, looksRandom(run) else { return false }
        return run.count >= shortestKey
            || !run.contains { ["/", "_", "-", "."].contains($0) }
    }

    /// Whether a sequence has slashes and a file extension, which base64 never has.
    private static func isPath(_ run: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let slash = run.lastIndex(of: "/"), let dot = run.lastIndex(of: "."), slash < dot - 1
        else { return false }
        let ending = run[(dot + 1)...]
        return (1...longestEnding).contains(ending.count)
            && ending.allSatisfy { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }

    private static func isToken(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
        part.count >= shortestToken && part.contains { ("0"..."9").contains($0) }
            && tokenStarts.contains { part.starts(with: $0) }
    }

    private static func looksRandom(_ run: ArraySlice<Unicode.Scalar>) -> Bool {
        let digits = run.contains { ("0"..."9").contains($0) }
        let lower = run.contains { ("a"..."z").contains($0) }
        let upper = run.contains { ("A"..."Z").contains($0) }
        let isHexadecimal = run.allSatisfy { $0.properties.isASCIIHexDigit }
        return digits && ((lower && upper) || isHexadecimal)
    }

    private static func isKeyDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isAlphanumeric(or: "+/_-.")
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        " \t\n\r\"'".unicodeScalars.contains(scalar)
    }

    /// `& ; , ) '` may be part of a password (RFC 3986, section 3.2.1), so they do not end it.
    private static func endsAuthority(_ scalar: Unicode.Scalar) -> Bool {
        " \t\n\r\"/?#".unicodeScalars.contains(scalar)
    }
}
