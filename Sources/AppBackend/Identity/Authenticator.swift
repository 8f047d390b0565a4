package import CampaignCore
import FoundationEssentials
package import Logging
import ServiceLifecycle
import Synchronization

/// Identifies callers by password or token, as the config allows.
///
/// While it runs as a service, it rereads changed files.
package final class Authenticator: SignIn, Service {
    private let passwords: PasswordSignIn?
    private let tokens: TokenSignIn?
    private let passwordFile: WatchedFiles<PasswordFile>?
    private let tokenKeys: TokenKeySource?
    private let limits: LoginLimits
    private let clock: IdentityClock
    /// The values of `WWW-Authenticate` (RFC 7617, section 2; RFC 6750, section 3).
    let challenges: [String]

    /// Reads the password file and the keys; also throws if the settings do not allow anybody to
    /// sign in.
    package convenience init(
        settings: BackendSettings, documents: any DocumentSource, logger: Logger
    ) async throws(IdentityError) {
        try await self.init(
            settings: settings, documents: documents, logger: logger, clock: IdentityClock())
    }

    /// - Parameter threads: the threads that hash passwords; nil means one fewer than there are
    ///   cores.
    init(
        settings: BackendSettings, documents: any DocumentSource, logger: Logger,
        clock: IdentityClock,
        threads: HashingThreads? = nil
    ) async throws(IdentityError) {
        let limits = LoginLimits(clock: clock)
        var challenges: [String] = []
        if let rules = settings.jwt {
            let keys = try await Self.keys(
                of: rules, documents: documents, logger: logger, clock: clock)
            tokenKeys = keys
            tokens = TokenSignIn(rules: rules, keys: keys, clock: clock)
            challenges.append("Bearer")
        } else {
            (tokenKeys, tokens) = (nil, nil)
        }
        if let path = settings.users {
            let file = try await WatchedFiles(
                "passwords", files: [IdentityFile(role: .passwords, path: path)],
                logger: logger, clock: clock
            ) { contents throws(IdentityError) in
                try PasswordFile(contents[0], path: path)
            }
            passwordFile = file
            passwords = PasswordSignIn(
                file: file, limits: limits, clock: clock,
                threads: threads
                    ?? HashingThreads(
                        threads: max(1, ProcessInfo.processInfo.activeProcessorCount - 1),
                        limit: PasswordSignIn.mostChecks))
            challenges.append("Basic realm=\"hubsend\", charset=\"UTF-8\"")
        } else {
            (passwordFile, passwords) = (nil, nil)
        }
        guard !challenges.isEmpty else { throw .noWayIn }
        self.limits = limits
        self.clock = clock
        self.challenges = challenges
    }

    private static func keys(
        of rules: TokenRules, documents: any DocumentSource, logger: Logger, clock: IdentityClock
    ) async throws(IdentityError) -> TokenKeySource {
        guard let keySet = rules.keySet else {
            try TokenKeys.check(rules.keys)
            let files = rules.keys.map { key in
                IdentityFile(
                    role: key.algorithm.isSymmetric ? .tokenSecret : .tokenKey, path: key.file)
            }
            return .files(
                try await WatchedFiles("tokens", files: files, logger: logger, clock: clock) {
                    contents throws(IdentityError) in
                    try await TokenKeys(rules.keys, contents: contents)
                })
        }
        switch keySet.place {
        case .file(let path):
            // A file is read twice at startup and once more whenever it changes.
            let known = Mutex<[UnusedKey]>([])
            return .files(
                try await WatchedFiles(
                    "tokens", files: [IdentityFile(role: .keySet, path: path)], logger: logger,
                    clock: clock
                ) { contents throws(IdentityError) in
                    let keys: TokenKeys
                    do throws(KeySetError) {
                        keys = try await TokenKeys(keySet: contents[0], for: keySet.algorithms)
                    } catch {
                        throw .keySet(place: path, error)
                    }
                    known.withLock { known in
                        keys.log(to: logger, after: known)
                        known = keys.unused
                    }
                    return keys
                })
        case .url(let url):
            return .fetched(
                try await FetchedTokenKeys(
                    url, for: keySet.algorithms, from: documents, logger: logger, clock: clock))
        }
    }

    var fileProblem: String? { (tokenKeys?.problem ?? passwordFile?.problem)?.description }

    func caller(
        authorization: String?, from address: IPAddress?
    ) async throws(SignInRefusal) -> Caller {
        guard let authorization else {
            throw .unauthenticated(reason: "the request has no credentials")
        }
        let field: AuthorizationField
        do throws(CredentialsError) {
            field = try AuthorizationField(authorization)
        } catch {
            throw refusal(error.rawValue, to: address)
        }
        switch field {
        case .basic(let encoded):
            if let passwords { return try await caller(encoded, in: passwords, from: address) }
            throw .unauthenticated(
                reason: "the credentials are a password, but the config has no backend.users")
        case .bearer(let token):
            if let tokens { return try await caller(token, in: tokens, from: address) }
            throw .unauthenticated(
                reason: "the credentials are a token, but the config has no backend.jwt")
        case .other:
            throw .unauthenticated(reason: "the credentials use neither Basic nor Bearer")
        }
    }

    private func caller(
        _ encoded: Substring, in passwords: PasswordSignIn, from address: IPAddress?
    ) async throws(SignInRefusal) -> Caller {
        let credentials: BasicCredentials
        do throws(CredentialsError) {
            credentials = try BasicCredentials(encoded: encoded)
        } catch {
            throw refusal(error.rawValue, to: address)
        }
        try await passwords.check(credentials, from: LimitedAddress(address))
        return Caller(username: credentials.user, proof: .password)
    }

    private func caller(
        _ token: ArraySlice<UInt8>, in tokens: TokenSignIn, from address: IPAddress?
    ) async throws(SignInRefusal) -> Caller {
        switch try await tokens.user(of: token) {
        case .success(let user):
            return Caller(username: user, proof: .token)
        case .failure(let problem) where problem.isForgery:
            throw refusal(problem.description, to: address)
        case .failure(let problem):
            throw .unauthenticated(reason: problem.description)
        }
    }

    /// Refuses forged credentials and counts a failure for the address.
    private func refusal(_ reason: String, to address: IPAddress?) -> SignInRefusal {
        limits.fail(address: LimitedAddress(address)).map { .tooManyFailures(retryAfter: $0) }
            ?? .unauthenticated(reason: reason)
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await self.clock.sleep(.seconds(1))
                } catch {
                    return
                }
                await self.refresh()
            }
        }
    }

    func refresh() async {
        await tokenKeys?.refresh()
        await passwordFile?.refresh()
    }
}

struct IdentityClock: Sendable {
    var instant: @Sendable () -> ContinuousClock.Instant = { .now }
    /// The time of day, for tokens and certificates.
    var date: @Sendable () -> Date = { Date() }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}
