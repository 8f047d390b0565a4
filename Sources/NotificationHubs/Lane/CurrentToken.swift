/// The token for requests, in the form in which it is written.
struct CurrentToken {
    private let provider: TokenProvider
    private var signature: SharedAccessSignature

    /// The header from ``RequestTemplate/authorization(_:)``, which is a secret.
    private(set) var header: [UInt8]

    /// The secrets: the keys, this token and earlier tokens.
    var secrets: KnownSecrets { provider.secrets }

    init(_ provider: TokenProvider) {
        self.provider = provider
        signature = provider.token()
        header = RequestTemplate.authorization(signature)
    }

    /// Replaces the token if it expires soon; returns whether it was replaced.
    mutating func refresh() -> Bool {
        take(provider.token())
    }

    mutating func renew() {
        _ = take(provider.token(replacing: signature))
    }

    private mutating func take(_ token: SharedAccessSignature) -> Bool {
        guard token != signature else { return false }
        signature = token
        header = RequestTemplate.authorization(token)
        return true
    }
}

extension CurrentToken: CustomStringConvertible, CustomReflectable {
    var description: String { "CurrentToken(hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
