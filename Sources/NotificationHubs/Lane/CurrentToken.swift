/// The token for requests, ready to be written.
struct CurrentToken {
    private let provider: TokenProvider
    private var signature: SharedAccessSignature

    /// A secret, as ``RequestTemplate/authorization(_:)`` writes it.
    private(set) var header: [UInt8]

    /// The keys, this token and earlier ones.
    var secrets: KnownSecrets { provider.secrets }

    init(_ provider: TokenProvider) {
        self.provider = provider
        signature = provider.token()
        header = RequestTemplate.authorization(signature)
    }

    /// Replaces the token if it expires soon, and returns whether it did.
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
