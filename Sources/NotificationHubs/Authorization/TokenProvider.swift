import CampaignCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Caches one signed token for many sends, and renews it before it expires.
final class TokenProvider: Sendable {
    /// Seconds.
    static let lifetime = 3_600

    /// A token is replaced this many seconds before its expiry, to allow for slow requests and
    /// inaccurate clocks.
    static let margin = 300

    /// The number of tokens that are treated as secrets: a late response may contain a token from
    /// several renewals ago.
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
        /// Whether the hub refused an earlier token signed with the same key.
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

    /// `secondary` is used after the hub has refused the first key; `onSecondary` is called the
    /// first time that happens.
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

    /// How many times a request can be repeated with another token.
    var renewals: Int { keys.count }

    /// The secrets: the keys, and the signatures of the newest tokens.
    var secrets: KnownSecrets { state.withLock { $0.secrets } }

    /// Returns a token that is valid for at least five minutes.
    ///
    /// A token that the hub refused is not used again: of several concurrent requests, the first
    /// signs a new token for all. If the hub also refuses that token, the next key is used from
    /// then on; after the last key, the first is used again.
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
            // A token signed within the same second would be identical to the refused one.
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
        // The upper bound discards tokens from the future, in case the clock was set back.
        (Self.margin...Self.lifetime).contains(token.expiry - second)
    }
}
