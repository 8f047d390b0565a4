import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps one signed token and renews it before it ends.
///
/// A token is signed at most once in its life, so that the sends that carry it cost no
/// cryptography.
final class TokenProvider: Sendable {
    /// How long a token is good for, in seconds.
    static let lifetime = 3_600

    /// How long before its end a token is no longer handed out, in seconds: more than a request and
    /// a clock may be late.
    static let margin = 300

    /// How many tokens are known as secrets: what is answered now may have gone out with one from
    /// before several renewals.
    private static let remembered = 16

    /// A rule's name and one of its keys.
    private struct SigningKey {
        let name: String
        let key: SharedAccessKey

        init(_ connectionString: ConnectionString) {
            name = connectionString.keyName
            key = connectionString.key
        }
    }

    private struct State {
        /// The key that tokens are signed with now.
        var place = 0
        /// Whether the token was signed in the place of one of the same key that the hub refused.
        var isRenewal = false
        /// Whether it was said that another key than the first is used.
        var hasTold = false
        var token: SharedAccessSignature?
        var signatures: [String] = []
        var secrets: KnownSecrets
    }

    private let encodedAudience: String
    private let keys: [SigningKey]
    private let onSecondary: @Sendable () -> Void
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// Prepares tokens for one hub.
    ///
    /// - Parameters:
    ///   - connectionString: the namespace and the key.
    ///   - hubName: the hub.
    ///   - secondary: the same hub with another key, which is used once the hub refuses the first; nil: no other key is used.
    ///   - onSecondary: is called once when that happens.
    ///   - now: the clock.
    init(
        connectionString: ConnectionString, hubName: HubName, secondary: ConnectionString? = nil,
        onSecondary: @escaping @Sendable () -> Void = {}, now: @escaping @Sendable () -> Date
    ) {
        encodedAudience = PercentEncoding.encode(
            "\(connectionString.endpoint.origin)/\(hubName)"
        ).lowercased()
        keys = [connectionString, secondary].compactMap(\.self).map(SigningKey.init)
        self.onSecondary = onSecondary
        self.now = now
        state = Mutex(State(secrets: KnownSecrets(keys.map(\.key.text))))
    }

    /// How often a request may be made again with another token: for each key once.
    var renewals: Int { keys.count }

    /// What no answer of the hub may tell: the keys, and the signatures of the newest tokens.
    var secrets: KnownSecrets { state.withLock { $0.secrets } }

    /// A token that is good for five minutes at least.
    ///
    /// - Parameter refused: a token that the hub answered 401 to. It is not handed out again; when
    ///   several requests were refused with it, the first signs the new one and the others are
    ///   given the same. Where that is refused as well, the next key has its turn, for good: from the
    ///   last it goes back to the first, since one of them may be taken again.
    /// - Returns: the kept token, or one that is signed now.
    func token(replacing refused: SharedAccessSignature? = nil) -> SharedAccessSignature {
        let second = Int(now().timeIntervalSince1970)
        let (token, isFirstSwitch) = state.withLock { state in
            if let token = state.token, token != refused, isGood(token, at: second) {
                return (token, false)
            }
            let isRefused = refused != nil && state.token == refused
            let isSwitch = isRefused && state.isRenewal && keys.count > 1
            if isSwitch { state.place = (state.place + 1) % keys.count }
            state.isRenewal = isRefused && !isSwitch
            let key = keys[state.place]
            var expiry = second + Self.lifetime
            // Within a second it would be the same token, and not be told from the one that was refused.
            if keys.count > 1, state.isRenewal, refused?.expiry == expiry { expiry -= 1 }
            let token = SharedAccessSignature(
                encodedAudience: encodedAudience, expiry: expiry, keyName: key.name, key: key.key)
            state.token = token
            state.signatures = state.signatures.suffix(Self.remembered - 1) + [token.signature]
            state.secrets = KnownSecrets(keys.map(\.key.text) + state.signatures)
            defer { state.hasTold = state.hasTold || isSwitch }
            return (token, isSwitch && !state.hasTold)
        }
        if isFirstSwitch { onSecondary() }
        return token
    }

    private func isGood(_ token: SharedAccessSignature, at second: Int) -> Bool {
        // The upper bound: a clock that was set back would otherwise keep a token from the future
        // for as long.
        (Self.margin...Self.lifetime).contains(token.expiry - second)
    }
}
