/// The token that requests go out with, ready to be written.
struct CurrentToken {
    private let provider: TokenProvider
    private var signature: SharedAccessSignature

    /// Its header, as ``RequestTemplate/authorization(_:)`` writes it: a secret.
    private(set) var header: [UInt8]

    /// Which token it is; every other one has another number.
    private(set) var number = 1

    /// What no answer may tell: the key, this token and those before it.
    var secrets: KnownSecrets { provider.secrets }

    init(_ provider: TokenProvider) {
        self.provider = provider
        signature = provider.token()
        header = RequestTemplate.authorization(signature)
    }

    /// Takes another token when this one ends soon.
    mutating func refresh() {
        take(provider.token())
    }

    /// Takes another token, since the hub refused one.
    ///
    /// - Parameter refused: the number of the token that was refused; when another was taken since,
    ///   that one is kept.
    mutating func renew(refusing refused: Int) {
        guard refused == number else { return }
        take(provider.token(replacing: signature))
    }

    private mutating func take(_ token: SharedAccessSignature) {
        guard token != signature else { return }
        signature = token
        header = RequestTemplate.authorization(token)
        number += 1
    }
}

extension CurrentToken: CustomStringConvertible, CustomReflectable {
    var description: String { "CurrentToken(\(number), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}
