import CampaignCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps one signed token for many sends, and renews it before it expires.
final class TokenProvider: Sendable {
    /// Seconds.
    static let lifetime = 3_600

    /// A token is replaced this many seconds before its expiry, to allow for a long request and a
    /// wrong clock.
    static let margin = 300

    /// How many tokens are known as secrets: a late answer may repeat a token from several renewals
    /// ago.
    private static let remembered = 16

    private struct SigningKey {
        let name: String
        let key: SharedAccessKey

        init(_ connectionString: ConnectionString) {
            name = connectionString.keyName
            key = connectionString.key
        }
    }

    private struct State {
        var place = 0
        /// Whether the hub refused an earlier token of the same key.
        var isRenewal = false
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

    /// `secondary` is used once the hub refuses the first key; `onSecondary` is called once, then.
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

    /// How often a request may be repeated with another token.
    var renewals: Int { keys.count }

    /// The keys, and the signatures of the newest tokens.
    var secrets: KnownSecrets { state.withLock { $0.secrets } }

    /// A token that is valid for at least five minutes.
    ///
    /// A token that the hub refused is not used again: the first of several requests signs a new
    /// one for all. If that is refused too, the next key is used from then on, and after the last
    /// key the first again.
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
            // A token signed within the same second would equal the refused one.
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
        // The upper bound discards a token from the future after the clock was set back.
        (Self.margin...Self.lifetime).contains(token.expiry - second)
    }
}
