/// Users and hashes for password files, at the lowest accepted cost.
enum TestPasswords {
    /// The password is `correct horse`.
    static let alice = "alice:$2y$10$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq\n"
    /// The password is `correct horse`.
    static let bob =
        "bob:$y$j9T$bqOZC53IIW5kFlkZpgK.k0$cI7a7gDE96UKYBREn8A7jQhd51kNrTEjWSr16l6WGq7\n"
    static let password = "correct horse"

    static func basic(_ user: String, _ password: String = password) -> String {
        "Basic " + Array("\(user):\(password)".utf8).base64
    }
}

extension [UInt8] {
    /// Base64 with padding.
    var base64: String { base64URL(["+", "/"], padding: "=") }
    /// Base64url without padding.
    var base64URL: String { base64URL(["-", "_"], padding: "") }

    private func base64URL(_ last: [Character], padding: String) -> String {
        let alphabet =
            [Character]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") + last
        var text = ""
        for start in stride(from: 0, to: count, by: 3) {
            let part = self[start..<Swift.min(start + 3, count)]
            let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for digit in 0...part.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
            text += String(repeating: padding, count: 3 - part.count)
        }
        return text
    }
}
