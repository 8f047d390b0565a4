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

    private struct State {
        var token: SharedAccessSignature?
        var signatures: [String] = []
        var secrets: KnownSecrets
    }

    private let encodedAudience: String
    private let keyName: String
    private let key: SharedAccessKey
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// Prepares tokens for one hub.
    ///
    /// - Parameters:
    ///   - connectionString: the namespace and the key.
    ///   - hubName: the hub.
    ///   - now: the clock.
    init(connectionString: ConnectionString, hubName: HubName, now: @escaping @Sendable () -> Date)
    {
        encodedAudience = PercentEncoding.encode(
            "\(connectionString.endpoint.origin)/\(hubName)"
        ).lowercased()
        keyName = connectionString.keyName
        key = connectionString.key
        self.now = now
        state = Mutex(State(secrets: KnownSecrets([connectionString.key.text])))
    }

    /// What no answer of the hub may tell: the key, and the signatures of the newest tokens.
    var secrets: KnownSecrets { state.withLock { $0.secrets } }

    /// A token that is good for five minutes at least.
    ///
    /// - Parameter refused: a token that the hub answered 401 to. It is not handed out again; when
    ///   several requests were refused with it, the first signs the new one and the others are
    ///   given the same.
    /// - Returns: the kept token, or one that is signed now.
    func token(replacing refused: SharedAccessSignature? = nil) -> SharedAccessSignature {
        let second = Int(now().timeIntervalSince1970)
        return state.withLock { state in
            if let token = state.token, token != refused, isGood(token, at: second) {
                return token
            }
            let token = SharedAccessSignature(
                encodedAudience: encodedAudience, expiry: second + Self.lifetime,
                keyName: keyName, key: key)
            state.token = token
            state.signatures = state.signatures.suffix(Self.remembered - 1) + [token.signature]
            state.secrets = KnownSecrets([key.text] + state.signatures)
            return token
        }
    }

    private func isGood(_ token: SharedAccessSignature, at second: Int) -> Bool {
        // The upper bound: a clock that was set back would otherwise keep a token from the future
        // for as long.
        (Self.margin...Self.lifetime).contains(token.expiry - second)
    }
}
